"""Games against another program: its openings, its journal, and the turn that lost."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.games.game import Player
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.against import DRAWN, RANDOM, PlannedGame, main
from tests.engine.measuring.explaining import explained_by_search
from tests.engine.measuring.ladder import TABLES
from tests.engine.measuring.openings import drawn_opening, game_of, is_safe

pytestmark = pytest.mark.ci("programs")

LOST_BY_WHITE = (
    "d1 d2 f4 d6 b4 a4 g4 e4 g1 a1 g7xa1 a1 a7 d7 d5 b6 f6 c5 "
    "f4-f2 e4-f4 b4-c4 b6-b4 d5-e5 c5-d5xe5 c4-c3 d5-c5 c3-c4 c5-d5xc4"
)


@pytest.mark.parametrize(("own", "openings"), [(Player.WHITE, 108), (Player.BLACK, 36)], ids=str)
def test_safe_openings_are_those_near_a_certificate(own: Player, openings: int) -> None:
    points = rule_set().layout.points
    pairs = [[str(one), str(other)] for one in points for other in points if one != other]
    assert sum(is_safe(game_of(pair), own, TABLES) for pair in pairs) == openings


def test_drawn_openings_are_those_that_tables_know_as_draws() -> None:
    drawn = [PlannedGame("", seed, 8, 1, 1, DRAWN, (2, 8)).opening() for seed in range(0, 40, 2)]
    assert {len(game.turn_texts()) for game in drawn} == set(range(2, 9))
    for position in (game.position for game in drawn):
        assert isinstance(position, MorrisPosition)
        known = TABLES.probe(position.rules, position.state)
        assert known is not None
        assert known.result is Result.DRAW


def test_drawn_opening_beyond_the_tables_names_what_to_set() -> None:
    with pytest.raises(TableError, match="name a folder that has it in MILLWRIGHT_TABLES"):
        drawn_opening(random.Random(1), 2, Tables())


@pytest.mark.parametrize("drawn_from", [RANDOM, DRAWN])
def test_pairing_gives_both_colours_the_same_opening(drawn_from: str) -> None:
    white, black = (PlannedGame("", seed, 8, 1, 1, drawn_from) for seed in (6, 7))
    assert (white.own, black.own) == (Player.WHITE, Player.BLACK)
    assert white.opening().turn_texts() == black.opening().turn_texts()


def test_pairing_draws_the_number_of_turns_once_for_both_colours() -> None:
    games = [PlannedGame("", seed, 8, 1, 1, RANDOM, (2, 8)).opening().turn_texts() for seed in range(40)]
    assert games[::2] == games[1::2]
    assert {len(turns) for turns in games} == set(range(2, 9))


@pytest.mark.parametrize("turns", [["5", "4"], ["0", "15"]])
def test_main_with_openings_that_cannot_be_says_so(
    turns: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--turns", *turns, "--external", "/missing"])
    assert "--turns: expected two numbers from 0 to 14, the lesser first" in capsys.readouterr().err


def test_explained_names_the_turn_that_lost() -> None:
    text = explained_by_search(game_of(LOST_BY_WHITE.split()), Player.WHITE, 4000)
    assert text.startswith("lost at the latest with turn 19, f4-f2, 0 pieces in hand")


def test_main_goes_on_from_its_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "games.jsonl"
    given = (
        f"--games 1 --level 2 --their-milliseconds 5 --each Level=1 --journal {journal} --external".split()
    )
    main([*given, sys.executable, "-m", "firmware_host.engine.worker"])
    first = capsys.readouterr().out.splitlines()
    assert first[0].startswith("Level=1 white ")
    main([*given, "/missing"])
    again_printed = capsys.readouterr().out.splitlines()
    assert again_printed[0] == first[0]
    assert len(journal.read_text("utf-8").splitlines()) == 1
