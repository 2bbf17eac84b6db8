"""Games against another program: its openings, its journal, and the turn that lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from tests.engine.measuring import openings
from tests.engine.measuring.against import DRAWN, RANDOM, PlannedGame, main
from tests.engine.measuring.explaining import explained_by_search
from tests.engine.measuring.ladder import TABLES
from tests.engine.measuring.openings import game_of, is_safe

pytestmark = pytest.mark.ci

LOST_BY_WHITE = (
    "d1 d2 f4 d6 b4 a4 g4 e4 g1 a1 g7xa1 a1 a7 d7 d5 b6 f6 c5 "
    "f4-f2 e4-f4 b4-c4 b6-b4 d5-e5 c5-d5xe5 c4-c3 d5-c5 c3-c4 c5-d5xc4"
)


@pytest.mark.parametrize(("own", "openings"), [(Player.WHITE, 108), (Player.BLACK, 36)], ids=str)
def test_safe_openings_are_those_near_a_certificate(own: Player, openings: int) -> None:
    points = rule_set().layout.points
    pairs = [[str(one), str(other)] for one in points for other in points if one != other]
    assert sum(is_safe(game_of(pair), own, TABLES) for pair in pairs) == openings


@pytest.fixture
def some_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve 28 openings as draws, and 16 as won."""
    file = tmp_path / "openings.txt"
    lines = ("# WHITE BLACK", "d6 d2 | 4 | draw | yes", "d6 f4 | 8 | draw | no", "d6 e5 | 16 | loss | yes")
    file.write_text("\n".join((*lines, "e5 d6 | 16 | draw | yes\n")), "ascii")
    monkeypatch.setattr(openings, "SOLVED", file)


@pytest.mark.usefixtures("some_solved")
def test_drawn_openings_come_once_before_any_comes_again() -> None:
    played = [openings.drawn_opening(number).turn_texts() for number in range(28)]
    assert len(set(played)) == 28
    assert {turns for turns in played if turns[0] == "b4"} == {("b4", "f4"), ("b4", "d6"), ("b4", "d2")}
    assert played != sorted(played)
    assert openings.drawn_opening(28).turn_texts() == played[0]


def test_main_without_solved_openings_says_how_to_solve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(openings, "SOLVED", tmp_path / "missing.txt")
    with pytest.raises(SystemExit):
        main(["--drawn", "--external", "/missing"])
    assert "missing.txt is missing; run python -m tests.engine.measuring.solving" in capsys.readouterr().err


@pytest.mark.parametrize("drawn_from", [RANDOM, DRAWN])
@pytest.mark.usefixtures("some_solved")
def test_pairing_gives_both_colours_the_same_opening(drawn_from: str) -> None:
    white, black = (PlannedGame("", seed, 8, 1, 1, drawn_from) for seed in (6, 7))
    assert (white.own, black.own) == (Player.WHITE, Player.BLACK)
    assert white.opening().turn_texts() == black.opening().turn_texts()


def test_pairing_draws_the_number_of_turns_once_for_both_colours() -> None:
    games = [PlannedGame("", seed, 8, 1, 1, RANDOM, (2, 8)).opening().turn_texts() for seed in range(40)]
    assert games[::2] == games[1::2]
    assert {len(turns) for turns in games} == set(range(2, 9))


@pytest.mark.parametrize("turns", [["5", "4"], ["0", "9"]])
def test_main_with_openings_that_cannot_be_says_so(
    turns: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--turns", *turns, "--external", "/missing"])
    assert "--turns: expected two numbers from 0 to 8, the lesser first" in capsys.readouterr().err


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
