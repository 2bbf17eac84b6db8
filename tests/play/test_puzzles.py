"""Each puzzle has one right turn, as the tables that travel with the program know it."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host.engine.solving.folder import open_tables
from firmware_host.engine.tables import Tables
from firmware_host.games.game import Player, legal_turns
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.games.values import Result
from firmware_host.i18n import LANGUAGES, catalogue
from firmware_host.play.puzzle import FILE, GRADES, Puzzle, puzzles

RULES = rule_set(PUZZLE)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Return the shipped tables alone."""
    return open_tables(tmp_path_factory.mktemp("none"))


def results(puzzle: Puzzle, tables: Tables) -> Counter[tuple[str, Result]]:
    """Count the turns of a puzzle by their text, and their result for White."""
    found: Counter[tuple[str, Result]] = Counter()
    for turn in legal_turns(RULES.position(puzzle.position)):
        after = turn.positions[-1]
        assert isinstance(after, MorrisPosition)
        if after.outcome is not None:
            result = Result.WIN if after.outcome.winner is Player.WHITE else Result.LOSS
        else:
            value = tables.probe(after.rules, after.state)
            assert value is not None
            result = value.result.reversed
        found[RULES.turn_text(turn.steps), result] += 1
    return found


def test_one_turn_alone_is_right_in_each_puzzle(tables: Tables) -> None:
    for puzzle in puzzles():
        found = results(puzzle, tables)
        right = [text for text, result in found if result is puzzle.result]
        others = {result for text, result in found if text != puzzle.turn}
        assert right == [puzzle.turn], puzzle
        worse = {Result.DRAW, Result.LOSS} if puzzle.result is Result.WIN else {Result.LOSS}
        assert others <= worse, puzzle


def test_white_moves_with_a_choice_and_nothing_in_hand() -> None:
    for puzzle in puzzles():
        position = RULES.position(puzzle.position)
        assert position.to_move is Player.WHITE
        assert not any(position.in_hand(player) for player in Player)
        assert len(position.turns()) > len(GRADES), puzzle


def test_no_puzzle_comes_twice_and_the_easy_ones_are_first() -> None:
    assert len({puzzle.position for puzzle in puzzles()}) == len(puzzles()) > 100
    grades = [puzzle.grade for puzzle in puzzles()]
    assert grades == sorted(grades)
    assert set(grades) == set(GRADES)


def test_a_puzzle_is_read_as_it_was_written() -> None:
    lines = FILE.read_text("utf-8").splitlines()
    assert [str(puzzle) for puzzle in puzzles()] == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_puzzle_has_its_words(language: str) -> None:
    keys = {f"puzzle.right.{puzzle.motif}" for puzzle in puzzles()} | {
        f"puzzle.{way}{puzzle.result}" for puzzle in puzzles() for way in ("", "wrong.")
    }
    assert keys <= set(catalogue(language))
