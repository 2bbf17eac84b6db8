"""The store writes what it is given when it can, and says what keeps it from doing so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.errors import DamagedStoreError, StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.saved_game import SavedGame, game_of
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from tests.support.fault_texts import fault_texts
from tests.support.games.random_games import begun, one_step, played
from tests.support.store import NOON_MS, Card, CardFile, OpenStore, until, work


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.fixture
def store(path: Path, card: Card, open_store: OpenStore) -> SqliteStore:
    return open_store(path, open_file=card.open, named=False)


def kept(path: Path) -> list[Game]:
    file = GamesFile(path)
    games = [game_of(file.game(row).saved) for row in file.rows()]
    file.close()
    return games


def texts(game: Game | None) -> list[str]:
    assert game is not None
    return [step.text for step in game.steps]


def test_what_was_given_is_kept_when_it_is_written_and_not_before(store: SqliteStore, path: Path) -> None:
    game = played(Random(1), 10)
    number = store.keep(game)
    assert store.kept < number
    assert work(store)
    assert store.kept == number
    assert [texts(one) for one in kept(path)] == [texts(game)]


def test_what_comes_while_a_write_goes_on_is_kept_by_the_next(store: SqliteStore, path: Path) -> None:
    luck = Random(2)
    game = played(luck, 4)
    first = store.keep(game)
    batch = store.begin()
    second = store.keep(one_step(luck, game))
    store.finish(batch)
    assert store.kept == first
    assert store.waits
    work(store)
    assert store.kept == second
    assert not store.waits
    assert [one.ply for one in kept(path)] == [5]


def test_a_store_that_is_opened_again_goes_on_in_the_same_game(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    luck = Random(3)
    game = played(luck, 7)
    store.keep(game)
    work(store)
    store.close()
    again = open_store(path, wall_ms=lambda: NOON_MS + 1)
    goes_on = again.last()
    assert texts(goes_on) == texts(game)
    assert goes_on is not None
    again.keep(one_step(luck, goes_on))
    work(again)
    again.close()
    assert [one.ply for one in kept(path)] == [8]


def test_there_is_nothing_to_go_on_with_where_nothing_was_kept(store: SqliteStore) -> None:
    assert store.last() is None
    assert store.troubles == {}


def test_on_a_full_disk_nothing_is_lost_that_can_be_written_later(
    store: SqliteStore, card: Card, path: Path
) -> None:
    luck = Random(4)
    store.keep(played(luck, 5))
    work(store)
    card.full = True
    games = [played(luck, 6), played(luck, 7), begun(luck)]
    for game in games:
        store.keep(game)
        assert not work(store)
    assert fault_texts(store.troubles) == {
        "disk": "games aren't being saved: games.db: the disk is full (no room)"
    }
    card.full = False
    number = store.keep(one_step(luck, games[-1]))
    assert work(store)
    assert store.troubles == {}
    assert store.kept == number
    assert [game.ply for game in kept(path)] == [5, 6, 7, 1]


def test_a_disk_that_takes_nothing_costs_no_memory_for_a_game_that_goes_on(
    store: SqliteStore, card: Card
) -> None:
    card.full = True
    luck = Random(5)
    game = played(luck, 4, "simple")
    for _ in range(100):
        store.keep(game)
        work(store)
    assert len(store.begin().games) == 1


def test_a_file_that_is_found_damaged_at_the_start_is_set_aside_and_play_goes_into_a_new_one(
    store: SqliteStore, path: Path
) -> None:
    path.write_bytes(b"no games here " * 1000)
    assert store.last() is None
    game = played(Random(6), 5)
    store.keep(game)
    assert work(store)
    aside = path.with_name("games.db.damaged-20000101T120000Z")
    assert aside.read_bytes() == b"no games here " * 1000
    assert fault_texts(store.troubles)["games"].startswith(
        f"the saved games were damaged; their file was set aside as {aside.name}: "
    )
    assert list(store.troubles) == ["games"]
    assert [texts(one) for one in kept(path)] == [texts(game)]


def test_a_file_whose_damage_is_found_by_reading_is_set_aside_too(
    store: SqliteStore, card: Card, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(_: CardFile) -> StoredGame | None:
        torn = {"path": str(path), "why": "database disk image is malformed"}
        raise DamagedStoreError(Message("fault.store.file", torn))

    monkeypatch.setattr(CardFile, "last", torn)
    assert store.last() is None
    assert fault_texts(store.troubles)["games"].endswith("games.db: database disk image is malformed")
    store.keep(played(Random(6), 5))
    assert work(store)
    assert [one.ply for one in kept(path)] == [5]


def test_a_damaged_file_that_cannot_be_set_aside_is_told_and_play_goes_on(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, _: int) -> Path:
        raise StoreError(Message("fault.store.stays", {"path": str(path), "why": "Permission denied"}))

    monkeypatch.setattr("firmware_host.store.store.set_aside", refuse)
    path.write_bytes(b"no games here " * 1000)
    assert store.last() is None
    store.keep(played(Random(6), 5))
    assert not work(store)
    assert fault_texts(store.troubles) == {
        "disk": "games aren't being saved: games.db is damaged, and cannot be set aside: Permission denied"
    }
    assert path.read_bytes() == b"no games here " * 1000


def test_a_file_that_is_damaged_in_the_middle_of_a_game_is_set_aside_and_the_whole_game_kept_anew(
    store: SqliteStore, path: Path
) -> None:
    luck = Random(7)
    game = played(luck, 9, "standard")
    store.keep(game)
    work(store)
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))
    store.keep(one_step(luck, game))
    assert work(store)
    assert "damaged" in fault_texts(store.troubles)["games"]
    assert [one.ply for one in kept(path)] == [10]


def test_a_last_game_that_no_rules_lead_to_is_told_and_left_as_it_is(store: SqliteStore, path: Path) -> None:
    file = GamesFile(path)
    saved = SavedGame("standard", "nonsense", played(Random(1), 1).positions[0].to_move, 1, 1)
    file.write({1: saved}, {})
    file.close()
    assert store.last() is None
    assert fault_texts(store.troubles)["games"].startswith(
        "the last game cannot be continued: the saved moves"
    )
    store.keep(played(Random(1), 3))
    work(store)
    file = GamesFile(path)
    assert [file.game(row).saved.start for row in file.rows()][-1] != "nonsense"
    file.close()


def test_the_last_game_is_gone_on_with_though_its_file_cannot_be_opened_for_writing(
    store: SqliteStore, path: Path, card: Card, open_store: OpenStore
) -> None:
    game = played(Random(8), 6)
    store.keep(game)
    work(store)
    store.close()

    def refuse(path: Path) -> GamesFile:
        raise StoreError(Message(f"{path}: attempt to write a readonly database"))

    stubborn = open_store(path, open_file=refuse)
    assert texts(stubborn.last()) == texts(game)
    stubborn.keep(game)
    assert not work(stubborn)
    assert "readonly" in fault_texts(stubborn.troubles)["disk"]


# ---- whose the file is --------------------------------------------------------------------------------


OTHERS = {
    "notes": b"Buy bread, milk and a board of oak.\n" * 50,
    "one short note": b"x",
    "a database of something else": b"SQLite format 3\0".ljust(68, b"\1") + b"SONG" + b"\xff" * 5000,
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_a_file_of_something_else_that_was_named_stays_as_it_is_and_play_goes_on(
    path: Path, content: bytes, open_store: OpenStore
) -> None:
    path.write_bytes(content)
    store = open_store(path)
    assert store.last() is None
    store.keep(played(Random(6), 5))
    assert not work(store)
    said = (
        "games aren't being saved: games.db is not a Millwright database and was left as it is: "
        "choose another file"
    )
    assert fault_texts(store.troubles) == {"disk": said}
    assert [(one.name, one.read_bytes()) for one in path.parent.iterdir()] == [("games.db", content)]


def after_a_power_cut(open_store: OpenStore, path: Path, head: bytes, *, in_use: bool) -> SqliteStore:
    """A store on a file of games that now begins with `head`; `in_use`: with the log that was open then."""
    before = open_store(path)
    before.keep(played(Random(6), 5))
    work(before)
    logged = Path(f"{path}-wal").read_bytes()
    before.close()
    path.write_bytes(head + path.read_bytes()[len(head) :])
    if in_use:
        Path(f"{path}-wal").write_bytes(logged)
    return open_store(path)


@pytest.mark.parametrize(
    ("head", "in_use"),
    [
        pytest.param(bytes(512), False, id="a blank sector"),
        pytest.param(bytes(4096), True, id="a blank page, and its log"),
        pytest.param(b"\xff" * 4096, True, id="nonsense, and its log"),
    ],
)
def test_a_file_that_lost_its_head_in_a_power_cut_is_set_aside_though_it_was_named(
    path: Path, head: bytes, in_use: bool, open_store: OpenStore
) -> None:
    store = after_a_power_cut(open_store, path, head, in_use=in_use)
    store.last()
    store.keep(played(Random(8), 3))
    assert work(store)
    assert set(store.troubles) <= {"games"}
    assert kept(path)[-1].ply == 3


def test_where_nobody_named_the_file_nonsense_in_its_head_keeps_no_board_from_keeping_games(
    path: Path, open_store: OpenStore
) -> None:
    path.write_bytes(b"\xff" * 9000)
    store = open_store(path, named=False)
    assert store.last() is None
    store.keep(played(Random(8), 3))
    assert work(store)
    assert "set aside" in fault_texts(store.troubles)["games"]


# ---- what is set while the board runs -----------------------------------------------------------------


def test_what_is_set_is_known_at_once_and_again_after_a_start(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    number = store.put("brightness", 0.3)
    store.put("masked", ["d6", "a1"])
    assert store.settings == {"brightness": 0.3, "masked": ["d6", "a1"]}
    assert store.kept < number
    assert work(store)
    assert store.kept > number
    assert not store.waits
    again = open_store(path)
    assert again.settings == {}
    assert again.last() is None
    assert again.settings == store.settings


def test_what_is_forgotten_is_not_there_after_a_start(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    store.put("theme", "candle")
    store.put("hints", value=False)
    work(store)
    store.put("theme", None)
    work(store)
    again = open_store(path)
    again.last()
    assert store.settings == again.settings == {"hints": False}


def test_what_is_set_anew_while_a_write_goes_on_is_written_by_the_next(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    store.put("theme", "candle")
    batch = store.begin()
    store.put("theme", "contrast")
    assert store.finish(batch)
    assert store.waits
    assert work(store)
    again = open_store(path)
    again.last()
    assert again.settings == {"theme": "contrast"}


def test_a_full_disk_takes_what_was_set_when_it_can(
    store: SqliteStore, card: Card, path: Path, open_store: OpenStore
) -> None:
    card.full = True
    store.put("theme", "candle")
    assert not work(store)
    card.full = False
    assert work(store)
    again = open_store(path)
    again.last()
    assert again.settings == {"theme": "candle"}


def test_a_new_file_in_place_of_a_damaged_one_has_all_that_is_set(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    store.keep(played(Random(7), 9, "standard"))
    store.put("theme", "candle")
    work(store)
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))
    store.put("hints", value=False)
    assert work(store)
    assert "damaged" in fault_texts(store.troubles)["games"]
    again = open_store(path)
    assert again.last() is not None
    assert again.settings == {"theme": "candle", "hints": False}


def test_a_setting_that_cannot_be_read_is_told_and_costs_no_game(
    store: SqliteStore, path: Path, open_store: OpenStore
) -> None:
    store.keep(played(Random(7), 9, "standard"))
    store.put("hints", value=True)
    work(store)
    file = GamesFile(path)
    file.write({}, {}, {"theme": "{torn"})
    file.close()
    again = open_store(path)
    assert again.last() is not None
    assert again.settings == {"hints": True}
    assert fault_texts(again.troubles) == {
        "games": "the saved setting “theme” cannot be read; using the configured one"
    }


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("preferences", {"theme": "candle", "brightness": "bright", "hints": 7}, {"theme": "candle"}),
        ("preferences", ["candle"], None),
        ("preferences", {"brightness": 5}, None),
        ("names", 5, None),
        ("masked", {"d6": True}, None),
        ("paused", "yes", None),
        ("clock", [], None),
    ],
)
def test_a_setting_of_a_wrong_type_is_kept_and_told(
    name: str, value: Any, valid: Any, path: Path, open_store: OpenStore
) -> None:
    for round_ in ("", "-2"):  # a second one is kept beside the first
        file = GamesFile(path)
        file.write({}, {}, {name: json.dumps(value)})
        file.close()
        store = open_store(path)
        store.last()
        assert store.settings.get(name) == valid
        assert fault_texts(store.troubles)["games"].startswith(f"the saved setting “{name}” cannot be read")
        assert work(store)
        store.close()
        file = GamesFile(path)
        kept = file.settings()
        file.close()
        assert json.loads(kept[f"{name}.damaged{round_}"]) == json.dumps(value)
        assert json.loads(kept.get(name, "null")) == valid
    again = open_store(path)
    again.last()
    assert again.troubles == {}


# ---- the thread ---------------------------------------------------------------------------------------


def test_the_thread_writes_what_it_is_given_and_nobody_waits_for_it(
    store: SqliteStore, card: Card, path: Path
) -> None:
    card.answers.clear()
    thread = StoreWriter(store)
    thread.start()
    luck = Random(9)
    game = played(luck, 1, "standard")
    for _ in range(20):
        game = one_step(luck, game)
        number = store.keep(game)
    assert store.kept == 0
    card.answers.set()
    until(lambda: store.kept == number)
    thread.close()
    assert [texts(one) for one in kept(path)] == [texts(game)]


def test_the_thread_tries_again_until_the_disk_takes_it(store: SqliteStore, card: Card, path: Path) -> None:
    card.full = True
    thread = StoreWriter(store, retry_s=0.01)
    thread.start()
    number = store.keep(played(Random(10), 3))
    until(lambda: store.troubles)
    card.full = False
    until(lambda: store.kept == number)
    thread.close()
    assert store.troubles == {}
    assert len(kept(path)) == 1


def test_what_is_left_at_the_end_of_the_program_is_written(
    store: SqliteStore, card: Card, path: Path
) -> None:
    card.answers.clear()
    thread = StoreWriter(store)
    thread.start()
    for seed in range(5):
        store.keep(played(Random(seed), 4))
    card.answers.set()
    thread.close()
    thread.close()
    assert len(kept(path)) == 5


def test_a_last_game_that_can_be_read_is_the_one_that_was_written(store: SqliteStore, path: Path) -> None:
    store.keep(played(Random(1), 4))
    work(store)
    store.close()
    file = GamesFile(path)
    last = file.last()
    file.close()
    assert isinstance(last, StoredGame)
    assert last.saved.began_ms == NOON_MS


def test_a_thread_that_stumbled_says_so_and_goes_on(
    store: SqliteStore, card: Card, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of this")

    thread = StoreWriter(store, retry_s=0.01)
    with monkeypatch.context() as broken:
        broken.setattr(CardFile, "write", stumble)
        thread.start()
        number = store.keep(played(Random(1), 3))
        until(
            lambda: (
                fault_texts(store.troubles) == {"disk": "games aren't being saved: nobody thought of this"}
            )
        )
    until(lambda: store.kept == number)
    rounds = thread.rounds
    until(lambda: thread.rounds > rounds)
    thread.close()
    assert len(kept(path)) == 1
