"""Games that a file has already: those of two boards far apart are known by their name, turns and end."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import StoreError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import games_of, json_of, records_of
from firmware_host.store.saved_game import FAR_GAME_TAG, SavedGame, SavedStep
from tests.support.store import NOON_MS

NAMED = SavedGame(
    rules="standard",
    start=str(rule_set("standard").start(Player.WHITE)),
    first=Player.WHITE,
    began_ms=NOON_MS,
    changed_ms=NOON_MS,
    steps=(SavedStep("d6", Player.WHITE, NOON_MS), SavedStep("f4", Player.BLACK, NOON_MS)),
    tags={FAR_GAME_TAG: "ROOMROOM22/GAMEGAME22"},
)


def added(file: GamesFile, *games: StoredGame) -> list[int | None]:
    return list(file.add(games, pause=lambda _: None))


def test_a_far_game_is_known_whenever_it_began(tmp_path: Path) -> None:
    with closing(GamesFile(tmp_path / "games.db")) as file:
        later = replace(NAMED, began_ms=NOON_MS + 86_400_000)
        assert added(file, StoredGame(0, NAMED)) == [1]
        assert added(file, StoredGame(0, later)) == [None]
        another = replace(NAMED, tags={FAR_GAME_TAG: "ROOMROOM22/OTHERGAME2"})
        assert added(file, StoredGame(0, another)) == [2]
        assert added(file, StoredGame(0, replace(NAMED, tags={}))) == [3], "a board's own game is another"


def test_another_game_with_the_name_of_a_far_game_is_added(tmp_path: Path) -> None:
    with closing(GamesFile(tmp_path / "games.db")) as file:
        longer = replace(NAMED, steps=(*NAMED.steps, SavedStep("d2", Player.WHITE, NOON_MS)))
        ended = replace(NAMED, outcome=Outcome(Reason.RESIGNED, Player.BLACK))
        assert added(file, *(StoredGame(0, one) for one in (NAMED, longer, ended, longer))) == [1, 2, 3, None]
    with closing(GamesFile(tmp_path / "games.db")) as file:
        assert added(file, *(StoredGame(0, one) for one in (ended, longer, NAMED))) == [None, None, None]


@pytest.mark.parametrize("write", [records_of, json_of])
def test_a_far_game_is_known_again_after_an_export(tmp_path: Path, write) -> None:
    with closing(GamesFile(tmp_path / "games.db")) as file:
        added(file, StoredGame(0, NAMED))
        assert added(file, *games_of(write([file.game(1)]))) == [None]


def test_a_game_that_was_deleted_is_added_again(tmp_path: Path) -> None:
    with closing(GamesFile(tmp_path / "games.db")) as file:
        assert added(file, StoredGame(0, NAMED)) == [1]
        assert added(file, StoredGame(0, NAMED)) == [None]
        file.delete(1)
        assert added(file, StoredGame(0, NAMED)) == [2]


def test_a_game_whose_writing_failed_is_added_later(tmp_path: Path) -> None:
    with closing(GamesFile(tmp_path / "games.db")) as file:
        added(file)
        nothing: Any = None
        unwritable = replace(NAMED, first=nothing)
        with pytest.raises(StoreError):
            added(file, StoredGame(0, unwritable))
        assert added(file, StoredGame(0, NAMED)) == [1]


def test_games_that_others_add_meanwhile_are_known(tmp_path: Path) -> None:
    with (
        closing(GamesFile(tmp_path / "games.db")) as file,
        closing(GamesFile(tmp_path / "games.db")) as other,
    ):
        added(file)
        assert added(other, StoredGame(0, NAMED)) == [1]
        assert added(file, StoredGame(0, NAMED)) == [None]


def test_undated_games_of_other_players_are_others(tmp_path: Path) -> None:
    texts = [f'[White "{name}"]\n[Date "2024.05.07"]\n\n1. d6 f4 1-0' for name in ("Ada", "Bea", "Ada")]
    with closing(GamesFile(tmp_path / "games.db")) as file:
        assert added(file, *games_of("\n".join(texts))) == [1, 2, None]
    with closing(GamesFile(tmp_path / "games.db")) as file:
        assert added(file, *games_of("\n".join(texts))) == [None, None, None]
