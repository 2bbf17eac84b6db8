"""Files of every version that was ever released are brought up to date, whole or not at all."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import DamagedStoreError, StoreError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.play.controller import Controller
from firmware_host.ports import SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.store.database import GamesFile
from firmware_host.store.exchange import stored_review
from firmware_host.store.saved_game import game_of
from firmware_host.store.schema import APPLICATION_ID, MIGRATIONS, migrate
from firmware_host.store.store import SqliteStore
from tests.support.paths import DATA

FIRST = DATA / "games-version-1.db"
"""Written once by the program that had this version only, and never since."""

SECOND = FIRST.with_name("games-version-2.db")
"""Likewise, by the first program that kept what is set while the board runs."""

THIRD = FIRST.with_name("games-version-3.db")
"""Likewise, by the first program that kept the analysis of a game."""

LATER = (
    "ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'at home; or not';",
    "CREATE TABLE clocks (game INTEGER); UPDATE games SET place = 'there';",
)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return shutil.copy(FIRST, tmp_path / "games.db")


def continued(store: SqliteStore, game: Game) -> Controller:
    return build_controller(
        game.rules,
        SensorKind.PRESENCE,
        Config(),
        draw_lot=lambda: Player.WHITE,
        game=game,
        store=store,
    )


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_the_first_versions_games_are_all_there(first: Path) -> None:
    file = GamesFile(first)
    kept = [file.game(row) for row in file.rows()]
    games = [game_of(one.saved) for one in kept]
    assert [game.rules.describe() for game in games] == [
        "standard",
        "the-mill captures=one",
        "twelve",
        "standard",
    ]
    assert [game.ply for game in games] == [43, 12, 5, 3]
    assert games[0].outcome == Outcome(Reason.FEW_PIECES, Player.BLACK)
    assert games[1].outcome == Outcome(Reason.RESIGNED, Player.WHITE)
    assert games[2].outcome == Outcome(Reason.ABANDONED, None)
    assert games[3].outcome is None
    assert [step.text for _, step in kept[3].taken_back] == ["a4", "a1"]
    last = file.last()
    assert last is not None
    assert last.row == 4
    assert file.settings() == {}
    file.close()


def test_the_second_versions_games_and_settings_are_all_there(tmp_path: Path) -> None:
    file = GamesFile(shutil.copy(SECOND, tmp_path / "games.db"))
    kept = [file.game(row) for row in file.rows()]
    games = [game_of(one.saved) for one in kept]
    assert [(game.rules.describe(), game.ply) for game in games] == [("standard", 31), ("lasker", 8)]
    assert games[0].outcome == Outcome(Reason.AGREED, None)
    assert [step.text for _, step in kept[1].taken_back] == ["f2-d2", "b4-c4"]
    assert file.settings() == {"brightness": "0.35", "masked": '["a1", "d6"]', "paused": "true"}
    file.close()


def test_the_third_versions_games_and_analyses_are_all_there(tmp_path: Path) -> None:
    file = GamesFile(shutil.copy(THIRD, tmp_path / "games.db"))
    analysed, begun = (file.game(row) for row in file.rows())
    game = game_of(analysed.saved)
    assert (game.ply, game.outcome) == (9, Outcome(Reason.RESIGNED, Player.WHITE))
    review = stored_review(analysed, game)
    assert review is not None
    assert [one.turn for one in review] == list(game.turn_texts())
    assert begun.analysis is None
    assert [step.text for _, step in begun.taken_back] == ["b4"]
    assert file.settings() == {"paused": "true"}
    file.close()


def test_a_file_is_brought_up_from_version_to_version_and_keeps_what_it_has(first: Path) -> None:
    connection = opened(first)
    before = connection.execute("SELECT * FROM steps").fetchall()
    migrate(connection, MIGRATIONS + LATER)
    assert version(connection) == len(MIGRATIONS) + 2
    assert connection.execute("SELECT * FROM steps").fetchall() == before
    assert connection.execute("SELECT DISTINCT place FROM games").fetchall() == [("there",)]
    assert connection.execute("SELECT count(*) FROM clocks").fetchone() == (0,)
    migrate(connection, MIGRATIONS + LATER)
    connection.close()


def test_an_empty_file_becomes_one_of_the_newest_version(tmp_path: Path) -> None:
    connection = opened(tmp_path / "games.db")
    migrate(connection, MIGRATIONS + LATER)
    assert version(connection) == len(MIGRATIONS) + 2
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


@pytest.mark.parametrize("wrong", ["CREATE TABLE games (id);", "UPDATE games SET first = 'green';"])
def test_what_cannot_be_brought_up_stays_as_it_was(first: Path, wrong: str) -> None:
    connection = opened(first)
    before = list(connection.iterdump())
    with pytest.raises((sqlite3.Error, DamagedStoreError)):
        migrate(connection, (*MIGRATIONS, *LATER, wrong))
    assert not connection.in_transaction
    assert list(connection.iterdump()) == before
    assert version(connection) == 1
    connection.close()


@pytest.mark.parametrize(
    "made",
    ["CREATE TABLE steps (game, ply, text, by, at_ms)", "CREATE VIEW steps AS SELECT 1 AS game"],
    ids=["any types", "view"],
)
def test_a_file_whose_tables_somebody_else_made_is_damaged(made: str, tmp_path: Path) -> None:
    path = shutil.copy(THIRD, tmp_path / "games.db")
    connection = opened(path)
    for statement in ("DROP TABLE steps", made):
        connection.execute(statement)
    connection.close()
    with pytest.raises(DamagedStoreError, match="steps"):
        GamesFile(path, only_read=True)


def test_a_file_of_a_newer_program_is_left_alone(first: Path) -> None:
    connection = opened(first)
    migrate(connection, MIGRATIONS + LATER)
    connection.close()
    before = first.read_bytes()
    for only_read in (False, True):
        with pytest.raises(StoreError, match=r"newer Millwright .* update Millwright"):
            GamesFile(first, only_read=only_read)
    assert first.read_bytes() == before


def test_a_file_that_may_not_be_changed_is_not_brought_up(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.store.schema.MIGRATIONS", MIGRATIONS + LATER)
    with pytest.raises(StoreError, match="too old to be updated"):
        GamesFile(first, only_read=True)


def test_a_file_from_before_redo_continues_with_nothing_to_redo(tmp_path: Path) -> None:
    store = SqliteStore(shutil.copy(SECOND, tmp_path / "games.db"), wall_ms=lambda: 0)
    game = store.last()
    assert game is not None
    controller = continued(store, game)
    assert controller.session.game is game
    assert controller.session.timeline.undone_turns == ()
    store.close()


@pytest.mark.parametrize(
    ("kept", "undone"),
    [(["d6"], ("d6",)), ("d6", ()), ([1], ()), (["d6", "d6"], ()), ({"d6": 1}, ())],
)
def test_what_can_be_redone_is_continued_unless_damaged(
    kept: object, undone: tuple[str, ...], tmp_path: Path
) -> None:
    rules = rule_set("standard")
    store = SqliteStore(tmp_path / "games.db", wall_ms=lambda: 0)
    game = Game.begin(rules, rules.start(Player.WHITE))
    store.keep(game)
    store.put("furthest", kept)
    assert store.finish(store.begin())
    store.close()
    again = SqliteStore(tmp_path / "games.db", wall_ms=lambda: 0)
    last = again.last()
    assert last is not None
    assert continued(again, last).session.timeline.undone_turns == undone
    again.close()
