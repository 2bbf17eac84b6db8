"""Play by taps on a phone: what a finger means, and what may happen to it on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    Spot,
    box,
    draw,
    leave,
    lift_by_holding,
    middle,
    pace,
    pieces_at,
    point,
    written,
)

PHONE = {"width": 390, "height": 844}
TO_MILL = ["a1", "b2", "d1", "b4", "g1"]
"""Turns after which White has closed a mill, and takes a piece."""


@pytest.fixture
def phone(pages: OpenPage) -> Iterator[Page]:
    """The page of a board on a phone, at the beginning of a game."""
    with simulated_board("--sensors", "polarity") as address:
        page = pages(has_touch=True, is_mobile=True, viewport=PHONE)
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White")
        yield page
        leave(page)


def tap(page: Page, spot: Spot) -> None:
    """Put a finger down and take it away."""
    fingers = Fingers(page)
    fingers.press(0, spot)
    fingers.lift()
    draw(page)


def tap_all(page: Page, points: list[str], *, after: int = 0) -> None:
    """Tap these points, each when the turn before it is written down."""
    for number, name in enumerate(points, start=after + 1):
        tap(page, point(page, name))
        expect(page.locator("#turns span")).to_have_count(number)


def from_tray(page: Page, player: str, name: str) -> None:
    """Tap a piece in a player's box, and then a point."""
    tap(page, middle(page.locator(f".piece[data-piece={player}][data-from=box]").last.bounding_box()))
    expect(pieces_at(page, "carried")).to_have_attribute("data-piece", player)
    tap(page, point(page, name))
    expect(pieces_at(page, "carried")).to_have_count(0)


def closed_mill(page: Page) -> None:
    tap_all(page, TO_MILL)
    expect(page.locator("#sentence")).to_contain_text("lit black pieces")


def test_tap_on_free_point_places_mover(phone: Page) -> None:
    tap_all(phone, ["d6", "f4", "a1"])
    written(phone, ["d6", "f4", "a1"])
    assert pieces_at(phone, "f4").get_attribute("data-piece") == "black"


def test_tap_removal_frees_hand_for_next_player(phone: Page) -> None:
    for number, name in enumerate(TO_MILL, start=1):
        from_tray(phone, "white" if number % 2 else "black", name)
        expect(phone.locator("#turns span")).to_have_count(number)
    expect(phone.locator("#sentence")).to_contain_text("lit black pieces")
    tap(phone, point(phone, "b2"))
    expect(pieces_at(phone, "b2")).to_have_count(0)
    from_tray(phone, "black", "f4")
    written(phone, [*TO_MILL[:-1], "g1xb2", "f4"])
    from_tray(phone, "white", "c5")
    written(phone, [*TO_MILL[:-1], "g1xb2", "f4", "c5"])
    assert pieces_at(phone, "f4").get_attribute("data-piece") == "black"
    assert pieces_at(phone, "c5").get_attribute("data-piece") == "white"


def test_tapped_piece_lies_in_no_hand_after_removal(phone: Page) -> None:
    closed_mill(phone)
    tap(phone, point(phone, "b4"))
    written(phone, [*TO_MILL[:-1], "g1xb4"])
    expect(pieces_at(phone, "carried")).to_have_count(0)
    expect(pieces_at(phone, "hands")).to_have_count(0)
    tap_all(phone, ["f6"], after=len(TO_MILL))
    written(phone, [*TO_MILL[:-1], "g1xb4", "f6"])


def test_tap_on_empty_end_of_tray_takes_a_piece(phone: Page) -> None:
    tap(phone, box(phone, "white"))
    tap_all(phone, ["d6", "f4"])
    tap(phone, box(phone, "white"))
    expect(pieces_at(phone, "carried")).to_have_attribute("data-piece", "white")
    tap(phone, box(phone, "white"))
    expect(pieces_at(phone, "carried")).to_have_count(0)


def test_second_quick_tap_repeats_nothing(phone: Page) -> None:
    pace(phone, "hands", tapsAgainAfter=60_000)
    fingers, spot = Fingers(phone), point(phone, "d6")
    for _ in range(2):
        fingers.press(0, spot)
        fingers.lift()
    written(phone, ["d6"])
    expect(pieces_at(phone, "carried")).to_have_count(0)
    tap_all(phone, ["f4"], after=1)


def test_tap_beside_point_counts_for_nearest(phone: Page) -> None:
    half = 20
    for number, (name, right, up) in enumerate([("a1", 1, 0), ("g7", -1, 0), ("d2", 0, 1), ("d5", 1, -1)]):
        x, y = point(phone, name)
        tap(phone, (x + right * half, y - up * half))
        expect(pieces_at(phone, name)).to_have_count(1)
        expect(phone.locator("#turns span")).to_have_count(number + 1)


def test_long_press_on_piece_picks_it_up(phone: Page) -> None:
    tap_all(phone, ["a1", "g7"])
    lift_by_holding(phone)
    fingers = Fingers(phone)
    fingers.press(0, point(phone, "a1"))
    expect(pieces_at(phone, "carried")).to_be_visible()
    fingers.lift()
    tap(phone, point(phone, "a1"))
    expect(pieces_at(phone, "a1")).to_be_visible()
    tap_all(phone, ["d6"], after=2)


def test_touch_broken_off_leaves_piece_on_its_point(phone: Page) -> None:
    tap_all(phone, ["a1", "g7"])
    lift_by_holding(phone)
    fingers = Fingers(phone)
    fingers.press(0, point(phone, "a1"))
    expect(pieces_at(phone, "carried")).to_be_visible()
    fingers.be_taken_away()
    expect(pieces_at(phone, "carried")).to_have_count(0)
    expect(pieces_at(phone, "a1")).to_be_visible()
    tap_all(phone, ["d6"], after=2)


def test_two_fingers_together_tap_nothing(phone: Page) -> None:
    tap_all(phone, ["a1", "g7"])
    fingers = Fingers(phone)
    fingers.press(0, point(phone, "a1"))
    fingers.press(1, point(phone, "d6"))
    fingers.lift()
    expect(pieces_at(phone, "carried")).to_have_count(0)
    expect(phone.locator("#turns span")).to_have_count(2)
    tap_all(phone, ["d2"], after=2)


def test_pinch_over_board_moves_no_piece(phone: Page) -> None:
    tap_all(phone, ["a1", "g7"])
    fingers = Fingers(phone)
    fingers.press(0, point(phone, "d3"))
    fingers.press(1, point(phone, "d5"))
    fingers.move(0, point(phone, "d1"))
    fingers.move(1, point(phone, "d7"))
    fingers.lift()
    expect(pieces_at(phone, "carried")).to_have_count(0)
    tap_all(phone, ["d6"], after=2)


def test_turned_phone_keeps_no_piece_in_hand(phone: Page) -> None:
    tap_all(phone, ["a1", "g7"])
    tap(phone, box(phone, "white"))
    expect(pieces_at(phone, "carried")).to_be_visible()
    phone.set_viewport_size({"width": 844, "height": 390})
    expect(pieces_at(phone, "carried")).to_have_count(0)
    expect(pieces_at(phone, "box")).to_have_count(16)
    tap_all(phone, ["d6"], after=2)
