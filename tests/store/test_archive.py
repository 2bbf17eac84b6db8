"""Readers of games find those on the disk and those not written yet, and can distinguish them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NoGameError, StoreError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.i18n import Message
from firmware_host.store.archive import Archive
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import games_of
from firmware_host.store.store import SqliteStore
from firmware_host.store.summaries import Summary
from tests.support.examples import few
from tests.support.games.random_games import begun, next_state, one_step, played
from tests.support.store import Card, OpenStore, work

Looked = tuple[StoredGame | None, list[Summary], list[Summary], list[StoredGame]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.fixture
def store(path: Path, card: Card, open_store: OpenStore) -> SqliteStore:
    return open_store(path, open_file=card.open)


def everything(archive: Archive) -> Looked:
    """All that can be found in an archive."""
    listed = archive.summaries(before=None, most=10**6)
    games = [archive.game(one.row) for one in listed]
    return archive.last(), listed, archive.summaries(before=None, most=10**6, over=True), games


def as_if_written(looked: Looked) -> Looked:
    last, listed, over, games = looked
    return (
        last and replace(last, on_disk=True),
        [replace(one, on_disk=True) for one in listed],
        [replace(one, on_disk=True) for one in over],
        [replace(one, on_disk=True) for one in games],
    )


@pytest.mark.ci("examples")
@few(14)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_what_waits_is_told_as_the_disk_will_have_it(
    tmp_path_factory: pytest.TempPathFactory, luck: Random, changes: int
) -> None:
    """Any course of games, on a disk that is full at times."""
    path, card, now = tmp_path_factory.mktemp("games") / "games.db", Card(), iter(range(1, 1000))
    store = SqliteStore(path, wall_ms=lambda: next(now), open_file=card.open)
    states = [begun(luck)]
    for _ in range(changes):
        store.keep(states[-1])
        card.full = luck.random() < 0.6
        if luck.random() < 0.7:
            work(store)
        states.append(next_state(luck, states))
    waits = store.waits
    told = store.read(everything)
    assert any(not one.on_disk for one in [told[0], *told[3]] if one) == waits
    card.full = False
    assert work(store)
    assert as_if_written(told) == store.read(everything)
    store.close()
    file = GamesFile(path)
    assert as_if_written(told) == everything(file)
    file.close()


def test_only_what_the_disk_has_not_is_told_as_not_on_it(store: SqliteStore, card: Card) -> None:
    luck = Random(1)
    first, second = played(luck, 5, "standard"), played(luck, 4, "lasker")
    store.keep(first)
    assert work(store)
    card.full = True
    store.keep(second)
    assert not work(store)
    listed = store.read(lambda archive: archive.summaries(before=None, most=9))
    assert [(one.row, one.rules, one.on_disk) for one in listed] == [
        (2, "lasker", False),
        (1, "standard", True),
    ]
    card.full = False
    assert work(store)
    assert all(one.on_disk for one in store.read(lambda archive: archive.summaries(before=None, most=9)))


def test_a_game_of_which_the_disk_has_the_beginning_is_one_game_and_not_all_on_it(
    store: SqliteStore, card: Card, path: Path
) -> None:
    luck = Random(2)
    game = played(luck, 4, "standard")
    store.keep(game)
    assert work(store)
    card.full = True
    store.keep(one_step(luck, game))
    assert not work(store)
    (one,) = store.read(lambda archive: archive.summaries(before=None, most=9))
    assert (one.row, one.turns, one.on_disk) == (1, 5, False)
    assert len(store.read(lambda archive: archive.game(1)).saved.steps) == 5


def test_a_game_of_which_all_was_taken_back_is_in_no_list(store: SqliteStore, card: Card) -> None:
    game = played(Random(2), 2, "standard")
    store.keep(game)
    assert work(store)
    card.full = True
    store.keep(game.back_to(0))
    assert store.read(lambda archive: archive.summaries(before=None, most=9)) == []


def test_a_list_that_is_told_a_piece_at_a_time_has_each_game_once(store: SqliteStore, card: Card) -> None:
    luck = Random(3)
    for number in range(9):
        card.full = number > 4
        store.keep(played(luck, 3, "standard"))
        work(store)
    rows, before = [], None
    while found := store.read(lambda archive, before=before: archive.summaries(before=before, most=2)):
        assert len(found) <= 2
        rows += [one.row for one in found]
        before = rows[-1]
    assert rows == list(range(9, 0, -1))


def test_what_is_added_from_elsewhere_meanwhile_takes_the_number_and_no_game(
    store: SqliteStore, card: Card, path: Path
) -> None:
    store.keep(played(Random(4), 3, "standard"))
    assert work(store)
    card.full = True
    waiting = played(Random(5), 4, "lasker")
    store.keep(waiting)
    assert not store.read(lambda archive: archive.game(2)).on_disk
    other = GamesFile(path)
    assert list(other.add(games_of("1. d6 f4 *\n"))) == [2]
    other.close()
    assert store.read(lambda archive: archive.game(2)).on_disk
    assert len(store.read(lambda archive: archive.game(3)).saved.steps) == 4
    card.full = False
    assert work(store)
    assert store.read(lambda archive: [one.turns for one in archive.summaries(before=None, most=9)]) == [
        4,
        2,
        3,
    ]


def test_the_last_game_that_was_over_may_be_one_that_waits(store: SqliteStore, card: Card) -> None:
    card.full = True
    game = played(Random(6), 3, "standard")
    store.keep(game.declare(Outcome(Reason.RESIGNED, Player.WHITE)))
    store.keep(begun(Random(7), "lasker"))
    over = store.read(lambda archive: archive.summaries(before=None, most=1, over=True))
    assert [(one.row, one.rules, one.on_disk) for one in over] == [(1, "standard", False)]
    last = store.read(lambda archive: archive.last())
    assert last is not None
    assert last.saved.rules == "lasker"


# ---- where there is no file to look into ----------------------------------------------------------------


def refuses(path: Path) -> GamesFile:
    raise StoreError(Message("fault.store.full", {"path": str(path), "why": "no room"}))


def test_where_the_disk_never_took_a_file_the_games_are_told_all_the_same(
    path: Path, open_store: OpenStore
) -> None:
    store = open_store(path, open_file=refuses)
    assert store.read(everything) == (None, [], [], [])
    store.keep(played(Random(8), 3))
    assert not work(store)
    assert [one.row for one in store.read(lambda archive: archive.summaries(before=None, most=9))] == [1]
    assert len(store.read(lambda archive: archive.game(1)).saved.steps) == 3
    with pytest.raises(NoGameError):
        store.read(lambda archive: archive.game(2))
    assert not path.exists()


def test_a_file_in_which_nothing_was_ever_written_has_no_games_and_hides_none(
    path: Path, open_store: OpenStore
) -> None:
    """As SQLite leaves one where the disk was full from the beginning."""
    path.touch()
    store = open_store(path, open_file=refuses)
    assert store.last() is None
    assert store.troubles == {}
    store.keep(played(Random(8), 3))
    assert not work(store)
    assert [one.on_disk for one in store.read(everything)[3]] == [False]


def test_games_are_read_from_a_file_that_can_no_longer_be_written(path: Path, open_store: OpenStore) -> None:
    before = open_store(path)
    before.keep(played(Random(8), 3, "standard"))
    assert work(before)
    before.close()
    store = open_store(path, open_file=refuses)
    store.keep(played(Random(9), 4, "lasker"))
    listed = store.read(lambda archive: archive.summaries(before=None, most=9))
    assert [(one.rules, one.on_disk) for one in listed] == [("lasker", False), ("standard", True)]


def test_beside_a_file_of_something_else_the_games_that_are_played_are_told(
    path: Path, open_store: OpenStore
) -> None:
    path.write_bytes(b"Buy a board of oak.\n" * 50)
    store = open_store(path)
    store.keep(played(Random(9), 4))
    assert not work(store)
    assert [one.on_disk for one in store.read(everything)[3]] == [False]
    assert path.read_bytes() == b"Buy a board of oak.\n" * 50
