"""Puzzles on the page: begun in the menu, solved with the mouse and by touch, and one more."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.play.puzzle import Puzzle, puzzles
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, play
from tests.support.web.browsing import choose as press

SIZES = pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)], ids=["phone", "laptop"])


def wrong_turn(puzzle: Puzzle) -> str:
    """Return a turn that isn't right and takes nothing."""
    rules = rule_set(PUZZLE)
    turns = (rules.turn_text(turn.steps) for turn in rules.position(puzzle.position).turns())
    return next(text for text in turns if text != puzzle.turn and "x" not in text)


def task(number: int) -> str:
    return f"Puzzle {number} of {len(puzzles())}"


def begin(page: Page, address: str) -> Puzzle:
    page.goto(address)
    press(page, "puzzle")
    expect(page.locator("#sentence")).to_contain_text(task(1))
    return puzzles()[0]


@SIZES
def test_a_puzzle_is_solved_and_the_next_one_begun(pages: OpenPage, width: int, height: int) -> None:
    with simulated_board("--sensors", "polarity") as address:
        page = pages(viewport={"width": width, "height": height}, has_touch=width < height)
        puzzle = begin(page, address)
        play(page, puzzle.turn, "white")
        expect(page.locator("#sentence")).to_contain_text("Right!")
        page.locator("#next-puzzle").click()
        expect(page.locator("#sentence")).to_contain_text(task(2))
        leave(page)


@SIZES
def test_a_wrong_turn_is_put_back_by_one_button(pages: OpenPage, width: int, height: int) -> None:
    with simulated_board("--sensors", "polarity") as address:
        page = pages(viewport={"width": width, "height": height}, has_touch=width < height)
        puzzle = begin(page, address)
        turn = wrong_turn(puzzle)
        play(page, turn, "white")
        expect(page.locator("#sentence")).to_contain_text(turn)
        page.locator("#set-right").click()
        expect(page.locator("#sentence")).to_contain_text(task(1))
        leave(page)


def test_a_puzzle_is_skipped_by_one_button(pages: OpenPage) -> None:
    with simulated_board("--sensors", "polarity") as address:
        page = pages(viewport={"width": 390, "height": 844}, has_touch=True)
        begin(page, address)
        page.locator("#skip-puzzle").tap()
        expect(page.locator("#sentence")).to_contain_text(task(2))
        leave(page)


def test_a_puzzle_names_no_opponent_and_keeps_the_choice(pages: OpenPage) -> None:
    with simulated_board("--sensors", "polarity", "--black", "engine:1") as address:
        page = pages(viewport={"width": 1366, "height": 768})
        begin(page, address)
        black = page.locator("#players [data-player=black] dt")
        expect(black).to_have_text("Black")
        press(page, "new")
        page.locator("#who input[value=two]").check()
        page.locator("#begin").click()
        expect(page.locator("#sentence")).to_contain_text("White to play")
        expect(black).to_have_text("Black")
        leave(page)
