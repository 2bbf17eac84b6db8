"""Hints on the page: asked for by one button, drawn with signs, and said in words."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, draw, leave, play
from tests.support.web.fake_board import FakeBoard

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
ON_REQUEST: dict[str, Any] = {"white": "on-request", "black": "off", "now": None}


@pytest.fixture
def page(board: FakeBoard, open_page: OpenPage) -> Page:
    page = open_page(**LAPTOP)
    board.say(turns=["d6"], can=["take-back", "hint"], hint=ON_REQUEST)
    return page


def test_the_button_is_there_only_where_hints_can_be_asked_for(board: FakeBoard, page: Page) -> None:
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_be_visible()
    board.say(hint={**ON_REQUEST, "white": "always"}, can=["take-back"])
    expect(hint).to_be_hidden()
    board.say(hint={**ON_REQUEST, "white": "off", "black": "on-request"})
    expect(hint).to_be_visible()
    expect(hint).to_be_disabled()


def test_the_button_asks_and_dismisses(board: FakeBoard, page: Page) -> None:
    hint = page.locator("#hint")
    hint.click()
    assert [one["on"] for one in board.asked(1)] == [True]
    board.say(hint={**ON_REQUEST, "now": "shown"})
    expect(hint).to_have_attribute("aria-pressed", "true")
    hint.click()
    assert board.asked(2)[-1] == {"do": "hint", "on": False}


def test_a_hint_that_came_too_late_is_asked_for_again(board: FakeBoard, page: Page) -> None:
    board.say(hint={**ON_REQUEST, "now": "late"})
    hint = page.locator("#hint")
    expect(hint).to_have_attribute("aria-pressed", "false")
    hint.click()
    assert board.asked(1) == [{"do": "hint", "on": True}]
    board.say(hint={"white": "always", "black": "off", "now": "late"})
    expect(hint).to_be_enabled()


def test_each_result_has_a_sign_and_a_name(board: FakeBoard, page: Page) -> None:
    board.say(
        cues={"d6": ["hint-wins"], "d5": ["hint-draws"], "d7": ["hint-loses"]},
        hint={**ON_REQUEST, "now": "shown"},
    )
    expect(page.locator("#legend li")).to_have_text(["wins", "draws", "loses"])
    drawn = {page.locator(f"[data-mark={name}] .sign").get_attribute("d") for name in ("d6", "d5", "d7")}
    assert len(drawn) == 3
    board.say(cues={"d6": ["suggested", "destination"]}, hint={**ON_REQUEST, "now": "suggested"})
    expect(page.locator("#legend li")).to_have_text(["a suggestion"])
    assert page.locator("[data-mark=d6] .sign").get_attribute("d") not in drawn


def test_a_hint_against_the_board_lasts_for_the_turn(pages: OpenPage) -> None:
    no_book = ("--rules", "the-mill", "--set", "first=white")  # by lot, the board may begin, and place on d6
    with simulated_board("--black", "engine:1", *no_book) as address:
        page = pages(**LAPTOP)
        page.goto(address)
        hint, advice = page.locator("#hint"), page.locator("#advice")
        while "Suggestion: " not in advice.inner_text():  # on a busy machine it may come too late
            if hint.get_attribute("aria-pressed") == "false":
                hint.click()
            draw(page)
        expect(page.locator("#legend")).to_contain_text("a suggestion")
        expect(hint).to_have_attribute("aria-pressed", "true")
        play(page, "d6", "white")
        expect(hint).to_have_attribute("aria-pressed", "false")
        expect(advice).not_to_contain_text("Suggestion")
        leave(page)


def test_hints_are_set_for_each_player(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages(**LAPTOP)
        page.goto(address)
        expect(page.locator("#hint")).to_be_hidden()
        choose(page, "to-settings")
        page.get_by_label("Hints for Black").select_option("On request")
        expect(page.locator("#hint")).to_be_visible()
        expect(page.locator("#hint")).to_be_disabled()  # White is to move
        page.get_by_role("button", name="Reset settings").click()
        expect(page.get_by_label("Hints for Black")).to_have_value("auto")
        expect(page.locator("#hint")).to_be_hidden()
        leave(page)
