"""A game of stacks on the page of the simulated board: by dragging, by taps on a phone, and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    OpenPage,
    choose,
    click,
    drag,
    leave,
    middle,
    pieces_at,
    play_steps,
    point,
    steps_of,
    written,
)
from tests.support.web.keyboard import Keyboard

LIT = re.compile("#[0-9a-f]{5}")
GAME = ["+b2 a1-b2", "+c5 e5^c5", "a1>c2 b2-c2", "+d3 e4-d3", "b2>e4 c2^e4/d3-e5", "+c4 c5-c4"]
"""Rings that are laid and moved, balls that step and vault, and one that is vaulted and moved elsewhere."""


@pytest.fixture
def look() -> dict[str, Any]:
    return {}


@pytest.fixture
def page(pages: OpenPage, look: dict[str, Any]) -> Iterator[Page]:
    page = pages(**look)
    with simulated_board("--game", "mitsudomoe") as address:
        page.goto(address)
        expect(pieces_at(page, "a1")).to_have_count(2)
        yield page
        leave(page)


def test_a_whole_game_is_played_by_dragging_and_an_error_in_it_mended(page: Page) -> None:
    sentence = page.locator("#sentence")
    play_steps(page, GAME[:3])
    drag(page, point(page, "b1"), point(page, "c4"), rests=True)
    expect(sentence).to_contain_text("clear c4")
    expect(page.locator("#light [data-point=c4]")).to_have_attribute("data-led", LIT)
    drag(page, point(page, "c4"), point(page, "b1"), rests=True)
    expect(sentence).to_contain_text("Black to play")
    play_steps(page, GAME[3:], after=GAME[:3])
    expect(sentence).to_contain_text("White wins")


def test_a_click_sets_a_ring_down_on_another_and_takes_a_ball_instead(page: Page) -> None:
    click(page, middle(page.locator(".piece[data-piece=white-ring][data-from=box]").last.bounding_box()))
    click(page, point(page, "b2"))
    expect(pieces_at(page, "b2")).to_have_count(1)
    click(page, point(page, "a1"))
    expect(pieces_at(page, "carried")).to_have_attribute("data-piece", "white-ball")
    click(page, point(page, "b1"))
    expect(pieces_at(page, "a1")).to_have_count(2)
    expect(pieces_at(page, "b1")).to_have_count(1)
    click(page, point(page, "b2"))
    expect(pieces_at(page, "b2")).to_have_count(2)
    written(page, ["+b2 b1-b2"])


@pytest.mark.long
def test_a_whole_game_is_played_and_heard_by_keyboard(page: Page) -> None:
    keyboard, spoken = Keyboard(page), page.locator("#stage .spoken")
    for number, turn in enumerate(GAME, start=1):
        for origin, target in steps_of(turn):
            if origin:
                keyboard.go(origin)
                page.keyboard.press("Enter")
                expect(spoken).to_contain_text(f"Lifted from {origin}")
            keyboard.go(target)
            page.keyboard.press("Enter")
            expect(spoken).to_contain_text(f"Set down on {target}")
        written(page, GAME[:number])
    expect(page.locator("#hands [data-point=e4]")).to_have_attribute(
        "aria-label", "e4, white ball on a white ring on a black ring, winner"
    )


def test_keys_take_what_lies_uppermost_and_lay_a_ring_before_a_ball(page: Page) -> None:
    keyboard, spoken = Keyboard(page), page.locator("#stage .spoken")
    keyboard.go("a1")
    for heard in (
        "Lifted from a1: white ball.",
        "Put in the box.",
        "Lifted from a1: white ring.",
        "Put in the box.",
    ):
        page.keyboard.press("Escape" if "box" in heard else "Enter")
        expect(spoken).to_contain_text(heard)
    expect(page.locator("#hands [data-point=a1]")).to_have_attribute(
        "aria-label", "a1, empty, a piece is missing"
    )
    for heard in ("Set down on a1: white ring.", "Set down on a1: white ball."):
        page.keyboard.press("w")
        expect(spoken).to_contain_text(heard)
    expect(page.locator("#sentence")).to_contain_text("White to play")


def test_keys_set_a_ball_down_on_a_ring_beside_its_point(page: Page) -> None:
    keyboard, spoken = Keyboard(page), page.locator("#stage .spoken")
    keyboard.go("b2")
    page.keyboard.press("w")
    expect(spoken).to_contain_text("Set down on b2")
    page.keyboard.press("Shift+ArrowUp")
    expect(spoken).to_contain_text("Pushed")
    page.keyboard.press("Shift+ArrowUp")
    beside = page.locator("#hands [data-beside]")
    expect(beside).to_be_focused()
    page.keyboard.press("Shift+ArrowUp")  # out of reach of the point
    keyboard.go("a1")
    page.keyboard.press("Enter")
    expect(spoken).to_contain_text("Lifted from a1")
    keyboard.go("b2")
    page.keyboard.press("ArrowUp")
    expect(beside).to_be_focused()
    page.keyboard.press("Enter")
    expect(spoken).to_contain_text(re.compile("Set down on b[23]: white ball"))
    expect(beside).to_have_count(2)


@pytest.mark.long
@pytest.mark.parametrize(
    "look", [{"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}]
)
def test_a_whole_game_is_played_by_taps_on_a_phone(page: Page) -> None:
    for number, turn in enumerate(GAME, start=1):
        ring = page.locator(f".piece[data-piece={'white' if number % 2 else 'black'}-ring][data-from=box]")
        for origin, target in steps_of(turn):
            there = pieces_at(page, target)
            before = there.count()
            page.touchscreen.tap(*(point(page, origin) if origin else middle(ring.last.bounding_box())))
            expect(pieces_at(page, "carried")).to_have_count(1)
            page.touchscreen.tap(*point(page, target))
            expect(there).to_have_count(before + 1)
        written(page, GAME[:number])
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_looking_back_shows_stacks_and_what_was_in_hand(page: Page) -> None:
    play_steps(page, GAME[:2])
    page.get_by_role("button", name=GAME[0], exact=True).click()
    said = [
        "white ring at a1.",
        "white ball on a white ring at a2, b1 and b2.",
        "black ball on a black ring at d5, e4 and e5.",
        "white ring: 4 in hand.",
        "black ring: 5 in hand.",
    ]
    expect(page.get_by_role("img", name=" ".join(said))).to_be_visible()
    expect(page.locator("#then .piece[data-from=box][data-piece=white-ring]")).to_have_count(4)
    expect(page.locator("#then .piece[data-from=box][data-piece=black-ring]")).to_have_count(5)
    expect(page.locator("#then .piece:not([data-from=box])")).to_have_count(13)


def test_the_drawer_names_what_a_linear_sensor_feels(page: Page) -> None:
    page.get_by_role("button", name="Break it").click()
    page.get_by_label("Show sensor readings").check()
    page.get_by_label("Sensor of the point").select_option("a1")
    stands = "white ball on a white ring"
    expect(page.locator("#drawer")).to_contain_text(f"Raw reading: {stands}. Debounced: {stands}.")
    expect(page.locator("#feel [data-point=a1] .believed")).to_have_class("believed white")


def test_where_a_game_begins_with_pieces_a_button_sets_up_what_is_missing_of_them(page: Page) -> None:
    set_up = page.get_by_role("button", name="Set up the pieces")
    expect(set_up).to_be_hidden()
    choose(page, "clear")
    expect(page.locator("#sentence")).to_contain_text(
        "To begin, set up: white ball on a white ring at a1, a2 and b1"
    )
    ring = page.locator(".piece[data-piece=white-ring][data-from=box]").last
    drag(page, middle(ring.bounding_box()), point(page, "a1"), rests=True)
    expect(pieces_at(page, "a1")).to_have_count(1)
    set_up.click()
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(pieces_at(page, "a1")).to_have_count(2)
    expect(pieces_at(page, "box")).to_have_count(10)
    expect(set_up).to_be_hidden()
