"""The analysis of a game is kept with it, leaves and comes back with it, and is lost when it changes."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.engine.review import Review, ReviewedTurn, finished_turns
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import UNKNOWN, Result, Value
from firmware_host.store.archive import MergedArchive
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import analysis_text, games_of, json_of, records_of, stored_review
from firmware_host.store.saved_game import GameRecorder
from tests.support.paths import DATA
from tests.support.store import Card, OpenStore, work

NOON_MS = 1_795_262_400_123
DRAW = Value(Result.DRAW, None, exact=True)


def game(*turns: str) -> Game:
    rules = rule_set()
    found = Game.begin(rules, rules.start(Player.WHITE))
    for turn in turns:
        for step in rules.parse_turn(turn):
            found = found.play(found.position.legal_step(step.text))
    return found


GAME = game("d6", "f4", "d5")


def review_of(some: Game) -> Review:
    """Return a review in which the last turn is known to hold a draw."""
    turns = finished_turns(some)
    unknown = [
        ReviewedTurn(ply, some.positions[ply].to_move, turn, UNKNOWN, UNKNOWN, 5, None) for ply, turn in turns
    ]
    return (*unknown[:-1], replace(unknown[-1], before=DRAW, after=DRAW))


ANALYSIS = analysis_text(review_of(GAME))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def file(path: Path) -> Iterator[GamesFile]:
    with closing(GamesFile(path)) as file:
        yield file


@pytest.fixture
def recorder() -> GameRecorder:
    return GameRecorder()


@pytest.fixture
def rows() -> dict[int, int]:
    return {}


@pytest.fixture
def analysed(file: GamesFile, recorder: GameRecorder, rows: dict[int, int]) -> StoredGame:
    """A game in the file with its analysis."""
    file.write({1: recorder.follow(GAME, NOON_MS)}, rows)
    assert file.keep_analysis(file.game(rows[1]), ANALYSIS)
    return file.game(rows[1])


def test_analysis_is_kept_with_its_game(path: Path, analysed: StoredGame) -> None:
    with closing(GamesFile(path, only_read=True)) as again:
        found = again.game(analysed.row)
    assert found.analysis == ANALYSIS
    assert stored_review(found, GAME) == review_of(GAME)


def test_analysis_takes_the_place_of_an_older_one(file: GamesFile, analysed: StoredGame) -> None:
    assert file.keep_analysis(analysed, "[]")
    assert file.game(analysed.row).analysis == "[]"


@pytest.mark.parametrize(
    "now", [GAME.back_to(2), GAME.play(GAME.position.legal_step("d2"))], ids=["shorter", "longer"]
)
def test_analysis_is_lost_when_the_game_changes(
    file: GamesFile, recorder: GameRecorder, rows: dict[int, int], analysed: StoredGame, now: Game
) -> None:
    file.write({1: recorder.follow(now, NOON_MS)}, rows)
    assert file.game(analysed.row).analysis is None
    assert not file.keep_analysis(analysed, ANALYSIS)
    assert file.game(analysed.row).analysis is None


def test_analysis_stays_when_the_game_is_written_again(
    file: GamesFile, recorder: GameRecorder, rows: dict[int, int], analysed: StoredGame
) -> None:
    file.write({1: recorder.follow(GAME, NOON_MS)}, rows)
    assert file.game(analysed.row).analysis == ANALYSIS


def test_analysis_is_lost_with_its_game(path: Path, file: GamesFile, analysed: StoredGame) -> None:
    file.delete(analysed.row)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (0,)
    assert not file.keep_analysis(analysed, ANALYSIS)


def test_analysis_is_lost_when_another_program_changes_a_step(
    path: Path, file: GamesFile, analysed: StoredGame
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE steps SET text = 'd2' WHERE ply = 2")
    assert file.game(analysed.row).analysis is None


def test_analysis_of_another_game_in_its_place_is_refused(file: GamesFile, analysed: StoredGame) -> None:
    other = replace(analysed, saved=replace(analysed.saved, began_ms=NOON_MS + 1))
    assert not file.keep_analysis(other, ANALYSIS)


@pytest.mark.parametrize("version", [1, 2])
def test_file_of_an_older_version_keeps_analyses(version: int, path: Path) -> None:
    shutil.copy(DATA / f"games-version-{version}.db", path)
    with closing(GamesFile(path)) as file:
        one = file.game(1)
        assert one.analysis is None
        assert file.keep_analysis(one, ANALYSIS)
        assert file.game(1).analysis == ANALYSIS


def test_damaged_analysis_is_none(analysed: StoredGame) -> None:
    for text in ("", "{", "[" * 10_000, "[1, 2, 3]", json.dumps([{}] * 3), "[]"):
        assert stored_review(replace(analysed, analysis=text), GAME) is None
    assert json.loads(json_of([replace(analysed, analysis="{")]))["games"][0].get("analysis") is None


@pytest.mark.parametrize("written", [records_of, json_of])
def test_analysis_leaves_and_comes_back_with_its_game(
    written: Callable[[list[StoredGame]], str], analysed: StoredGame, tmp_path: Path
) -> None:
    (one,) = games_of(written([analysed]))
    assert one.analysis is not None
    assert stored_review(one, GAME) == review_of(GAME)
    with closing(GamesFile(tmp_path / "other.db")) as other:
        (row,) = other.add([one])
        assert row is not None
        assert stored_review(other.game(row), GAME) == review_of(GAME)


def test_analysis_that_does_not_fit_is_not_imported(analysed: StoredGame) -> None:
    document = json.loads(json_of([analysed]))
    document["games"][0]["analysis"][2]["turn"] = "d2"
    (one,) = games_of(json.dumps(document))
    assert one.saved.steps == analysed.saved.steps
    assert one.analysis is None


def test_game_that_waits_for_the_disk_has_its_analysis_only_if_it_is_the_same(
    file: GamesFile, recorder: GameRecorder, rows: dict[int, int], analysed: StoredGame
) -> None:
    same = MergedArchive(file, {1: recorder.follow(GAME, NOON_MS)}, rows)
    assert same.game(analysed.row).analysis == ANALYSIS
    longer = GAME.play(GAME.position.legal_step("d2"))
    assert (
        MergedArchive(file, {1: recorder.follow(longer, NOON_MS)}, rows).game(analysed.row).analysis is None
    )


def test_full_disk_keeps_no_analysis_and_is_no_fault(open_store: OpenStore, path: Path) -> None:
    card = Card()
    store = open_store(path, open_file=card.open)
    store.keep(GAME)
    assert work(store)
    (one,) = [store.read(lambda archive: archive.last())]
    assert one is not None
    card.full = True
    assert not store.keep_analysis(one, ANALYSIS)
    assert store.troubles == {}
    card.full = False
    assert store.keep_analysis(one, ANALYSIS)
    assert store.read(lambda archive: archive.game(one.row)).analysis == ANALYSIS
