"""The sentence on the board's highest level: it promises what the board has proved, and nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.browsing import OpenPage, choose_rules
from tests.support.web.fake_board import FakeBoard

PROVED = "It can't lose: that is proved."
STRONG = "It plays strongly, but it can lose."


@pytest.fixture
def page(board: FakeBoard, open_page: OpenPage) -> Page:
    """Return a page on which somebody is about to play against the board."""
    page = open_page(viewport={"width": 1280, "height": 800})
    choose_rules(page, "standard")
    page.locator("#who input[value=board]").check()
    return page


def queries(board: FakeBoard, number: int) -> list[str]:
    """Return the rules that the page asked about, as soon as it has done so `number` times."""
    asked = board.asked_until(lambda all_: sum("ask" in one for one in all_) >= number)
    return [one["rules"] for one in asked if one.get("ask") == "strength"]


def test_highest_level_is_promised_not_to_lose(board: FakeBoard, page: Page) -> None:
    board.results["strength"] = {"cannot_lose": ["white", "black"]}
    expect(page.locator("#promise")).to_be_hidden()
    page.locator("#level").fill("8")
    expect(page.locator("#promise")).to_have_text(PROVED)
    page.locator("#level").fill("7")
    expect(page.locator("#promise")).to_be_hidden()
    assert queries(board, 1) == ["standard"]


def test_other_rules_are_asked_about_again(board: FakeBoard, page: Page) -> None:
    board.results["strength"] = {"cannot_lose": ["white", "black"]}
    page.locator("#level").fill("8")
    expect(page.locator("#promise")).to_have_text(PROVED)
    board.results["strength"] = {"cannot_lose": []}
    choose_rules(page, "lasker")
    expect(page.locator("#promise")).to_have_text(STRONG)
    assert queries(board, 2) == ["standard", "lasker"]


def test_two_people_are_promised_nothing(board: FakeBoard, page: Page) -> None:
    board.results["strength"] = {"cannot_lose": []}
    page.locator("#level").fill("8")
    expect(page.locator("#promise")).to_have_text(STRONG)
    page.locator("#who input[value=two]").check()
    expect(page.locator("#promise")).to_be_hidden()
