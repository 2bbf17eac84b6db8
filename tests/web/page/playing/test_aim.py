"""A dragged piece lands where its pointer ends: on the table without rules, by touch and by mouse."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.games.layout import MORRIS
from tests.support.matrix import CI, sampled
from tests.support.web.browsing import (
    FLICK_MS,
    Fingers,
    OpenPage,
    Spot,
    draw,
    middle,
    pieces_at,
    point,
    turn_board,
)
from tests.support.web.fake_board import FakeBoard

pytestmark = pytest.mark.smoke

PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 568}}
ON_ITS_SIDE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
LOOKS = {"phone": PHONE, "laptop": LAPTOP, "small": SMALL, "on its side": ON_ITS_SIDE}
GRASPED_WITHIN = 0.3
"""The distance from its middle at which a piece is grasped, in units of the board; its radius is 0.35."""
MISSED_BY = 0.3
"""The distance from a point at which a pointer may end to mean it, by mouse as by touch."""


class Pointer:
    """A finger on a screen, or a mouse where the page has no touch."""

    def __init__(self, page: Page, by_touch: bool) -> None:
        self.page = page
        self._fingers = Fingers(page) if by_touch else None

    def press(self, spot: Spot) -> None:
        if self._fingers:
            self._fingers.press(0, spot)
        else:
            self.page.mouse.move(*spot)
            self.page.mouse.down()

    def move(self, spot: Spot) -> None:
        if self._fingers:
            self._fingers.move(0, spot)
        else:
            self.page.mouse.move(*spot, steps=4)

    def lift(self) -> None:
        if self._fingers:
            self._fingers.lift()
        else:
            self.page.mouse.up()
        draw(self.page)

    def drag(self, start: Spot, end: Spot) -> None:
        self.press(start)
        self.move(end)
        self.lift()


def unit(page: Page) -> float:
    """The pixels between neighbouring points, however the board is turned."""
    return math.dist(point(page, "g1"), point(page, "a1")) / 6


def off(page: Page, spot: Spot, chance: random.Random, within: float) -> Spot:
    """A place near a spot, at some units from it."""
    angle, far = chance.uniform(0, math.tau), chance.uniform(0, within) * unit(page)
    return spot[0] + far * math.cos(angle), spot[1] + far * math.sin(angle)


Opened = Callable[[str], Pointer]


@pytest.fixture
def pointer_at(board: FakeBoard, open_page: OpenPage) -> Opened:
    """Opens the page in a look, with a white piece on a4."""

    def open_at(look: str) -> Pointer:
        board.submit({"put": "a4", "piece": "white"})
        page = open_page(**LOOKS[look])
        expect(pieces_at(page, "a4")).to_be_visible()
        return Pointer(page, "has_touch" in LOOKS[look])

    return open_at


@pytest.mark.parametrize(("quarters", "look"), sampled(product(range(4), LOOKS), 2, others=CI))
def test_drag_ending_on_any_point_lands_there(
    board: FakeBoard, pointer_at: Opened, quarters: int, look: str
) -> None:
    """It is grasped anywhere on the piece, and ends anywhere near the point."""
    pointer, chance = pointer_at(look), random.Random(f"{look} {quarters}")
    page = pointer.page
    if quarters:
        turn_board(page, quarters)
    names = [one.name for one in MORRIS.points]
    chance.shuffle(names)
    at = "a4"
    for name in sorted(names, key=lambda name: name == "a4"):
        start = off(page, point(page, at), chance, GRASPED_WITHIN)
        pointer.drag(start, off(page, point(page, name), chance, MISSED_BY))
        expect(pieces_at(page, name)).to_have_count(1)
        at = name


@pytest.mark.parametrize("look", ["phone", "laptop"])
def test_piece_let_go_between_points_goes_back(board: FakeBoard, pointer_at: Opened, look: str) -> None:
    pointer = pointer_at(look)
    page = pointer.page
    board.forget()
    (x, y), far = point(page, "a4"), unit(page)
    pointer.press((x, y))
    pointer.move((x + 0.5 * far, y - 1.5 * far))
    expect(pieces_at(page, "pushed")).to_be_visible()
    page.wait_for_timeout(FLICK_MS)
    pointer.lift()
    board.asked_until(lambda asked: asked[-1].get("to") == "a4" or asked[-1].get("put") == "a4")
    expect(pieces_at(page, "a4")).to_be_visible()
    expect(page.locator("#sentence")).to_contain_text("Between two points")


def test_ring_around_the_thumb_shows_where_a_piece_lands(board: FakeBoard, pointer_at: Opened) -> None:
    """The ring is wider than a thumb's print of 14 mm, which a phone of this size shows in 53 pixels."""
    pointer = pointer_at("phone")
    page, ring = pointer.page, pointer.page.locator(".marker")
    (x, y), far = point(page, "a7"), unit(page)
    pointer.press(point(page, "a4"))
    pointer.move((x + 0.4 * far, y))
    expect(ring).to_be_visible()
    circle = ring.bounding_box()
    assert circle is not None
    assert circle["width"] > 60
    assert math.dist(middle(circle), (x, y)) < 1
    pointer.lift()
    expect(pieces_at(page, "a7")).to_be_visible()
    expect(ring).to_be_hidden()
