"""Games that began before anybody knew the date, and what becomes of them when it is known."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware_host.games.game import Game
from firmware_host.ports import date_of
from firmware_host.store.database import GamesFile, StoredGame, open_read_only
from firmware_host.store.exchange import games_of, json_of, records_of
from firmware_host.store.saved_game import SavedGame, saved_game_of
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from tests.support.games.random_games import begun, one_step
from tests.support.hardware.clock import DAY_S, NOON_S, ForgetfulPi
from tests.support.store import Card, until, work

NOON_MS = NOON_S * 1000
START = begun(Random(1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def pi(tmp_path: Path) -> ForgetfulPi:
    return ForgetfulPi(tmp_path / "pi", wall_s=NOON_S - 3 * 365 * DAY_S)


def opened(path: Path, pi: ForgetfulPi, card: Card | None = None) -> SqliteStore:
    clock = pi.clock
    open_file = GamesFile if card is None else card.open
    return SqliteStore(path, wall_ms=clock.stamp, dating=clock.dating, open_file=open_file, named=False)


def in_file(path: Path, row: int = 1) -> StoredGame:
    with closing(GamesFile(path, only_read=True)) as file:
        return file.game(row)


def dates(saved: SavedGame) -> list[int]:
    return [
        date_of(saved.began_ms),
        *(date_of(step.at_ms) for step in saved.steps),
        date_of(saved.changed_ms),
    ]


def play(store: SqliteStore, pi: ForgetfulPi, game: Game, steps: int = 1) -> Game:
    for _ in range(steps):
        game = one_step(Random(len(game.steps)), game)
        store.keep(game)
        assert work(store)
        pi.run_for(10)
    return game


def test_a_game_gets_its_date_when_the_clock_is_set(path: Path, pi: ForgetfulPi) -> None:
    with closing(opened(path, pi)) as store:
        game = play(store, pi, START, steps=2)
        assert set(dates(in_file(path).saved)) == {0}
        pi.run_for(9)
        pi.synchronise(NOON_S)
        play(store, pi, game)
    found = in_file(path).saved
    assert dates(found) == [NOON_MS - 30_000, NOON_MS - 30_000, NOON_MS - 20_000, NOON_MS, NOON_MS]
    with closing(GamesFile(path, only_read=True)) as file:
        assert file.rows() == [1]
        assert file.game(1).taken_back == ()


def test_a_game_that_nobody_goes_on_with_gets_its_date(path: Path, pi: ForgetfulPi) -> None:
    store = opened(path, pi)
    writer = StoreWriter(store)
    writer.start()
    store.keep(one_step(Random(1), START))
    until(lambda: store.kept == 1)
    pi.synchronise(NOON_S)
    until(lambda: not store.awaits_dates)
    writer.close()
    assert all(dates(in_file(path).saved))


def test_a_program_that_starts_again_dates_what_it_finds(path: Path, pi: ForgetfulPi) -> None:
    with closing(opened(path, pi)) as store:
        play(store, pi, START, steps=2)
    with closing(opened(path, pi)) as store:
        game = store.last()
        assert game is not None
        play(store, pi, game)
        assert set(dates(in_file(path).saved)) == {0}
        pi.synchronise(NOON_S)
        assert store.read(lambda games: dates(games.game(1).saved)) == dates(in_file(path).saved)
    assert all(dates(in_file(path).saved))
    assert in_file(path).taken_back == ()


def test_what_was_played_before_a_power_cut_stays_undated(path: Path, pi: ForgetfulPi) -> None:
    with closing(opened(path, pi)) as store:
        play(store, pi, START, steps=2)
    pi.reboot()
    pi.synchronise(NOON_S)
    with closing(opened(path, pi)) as store:
        game = store.last()
        assert game is not None
        play(store, pi, game)
    found = dates(in_file(path).saved)
    assert [bool(date) for date in found] == [False, False, False, True, True]
    assert in_file(path).taken_back == ()


def test_a_clock_that_is_set_again_corrects_the_game(path: Path, pi: ForgetfulPi) -> None:
    pi.synchronise(NOON_S - DAY_S)  # trusted, and a day late
    with closing(opened(path, pi)) as store:
        game = play(store, pi, START, steps=2)
        assert dates(in_file(path).saved)[0] == NOON_MS - DAY_S * 1000
        pi.wall_s += DAY_S
        game = play(store, pi, game)
        play(store, pi, game)
    found = dates(in_file(path).saved)
    assert found[0] == NOON_MS
    assert found == sorted(found)
    with closing(GamesFile(path, only_read=True)) as file:
        assert file.rows() == [1]
        assert file.game(1).taken_back == ()


def test_games_of_others_keep_their_dates_when_a_clock_is_set(path: Path, pi: ForgetfulPi) -> None:
    pi.synchronise(NOON_S - DAY_S)
    with closing(opened(path, pi)) as store:
        game = play(store, pi, START)
        date = pi.clock.now()
        other = StoredGame(1, saved_game_of(START, (), began_ms=date, changed_ms=date))
        with closing(GamesFile(path)) as file:
            assert list(file.add([other])) == [2]
        pi.wall_s += DAY_S
        pi.run_for(1)
        play(store, pi, game)
    assert in_file(path, 2).saved.began_ms == date
    assert date_of(in_file(path).saved.began_ms) == NOON_MS


def test_an_analysis_outlasts_the_dating(path: Path, pi: ForgetfulPi) -> None:
    with closing(opened(path, pi)) as store:
        game = play(store, pi, START)
        one = store.read(lambda games: games.game(1))
        assert store.keep_analysis(one, "[]")
        pi.synchronise(NOON_S)
        assert store.finish(store.begin())
    assert in_file(path).analysis == "[]"
    assert game.ply == 1


def test_an_undated_game_is_shown_and_exported_without_a_date(path: Path, pi: ForgetfulPi) -> None:
    with closing(opened(path, pi)) as store:
        play(store, pi, START, steps=2)
        assert store.read(lambda games: games.summaries(before=None, most=1)[0].as_dict())["began_ms"] == 0
    one = in_file(path)
    assert '[Date "????.??.??"]' in records_of([one])
    assert "UTC" not in records_of([one])
    (described,) = json.loads(json_of([one]))["games"]
    assert (described["began"], described["steps"][0]["at"]) == (None, None)
    (back,) = games_of(json_of([one]))
    assert back.saved.began_ms == 0
    with closing(GamesFile(path)) as file:
        assert list(file.add([back])) == [None], "it is here already"


def test_a_full_disk_delays_dates_and_loses_nothing(path: Path, pi: ForgetfulPi) -> None:
    card = Card()
    with closing(opened(path, pi, card)) as store:
        game = play(store, pi, START)
        card.full = True
        pi.synchronise(NOON_S)
        store.keep(one_step(Random(5), game))
        assert not work(store)
        card.full = False
        assert work(store)
    found = dates(in_file(path).saved)
    assert len(found) == 4
    assert all(found)


def test_a_file_that_is_set_aside_without_a_date_says_so(path: Path, pi: ForgetfulPi) -> None:
    path.write_bytes(bytes(100) + b"damage")
    with closing(opened(path, pi)) as store:
        assert store.last() is None
        play(store, pi, START)
    assert [one.name for one in path.parent.glob("*.damaged-*")] == ["games.db.damaged-undated"]
    with closing(open_read_only(path)) as file:
        assert file.rows() == [1]
