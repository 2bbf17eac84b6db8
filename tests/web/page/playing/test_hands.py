"""Pieces on the page's table, moved by a mouse and by fingers: on a table without rules."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.games.layout import MORRIS
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    Spot,
    box,
    click,
    drag,
    draw,
    grasp,
    leave,
    lift_by_holding,
    middle,
    pieces_at,
    point,
)
from tests.support.web.fake_board import FakeBoard, Request

D6_MM = (120, 200)


@pytest.fixture
def d6(board: FakeBoard, page: Page) -> Spot:
    """The place of piece 1, a white one, on d6."""
    board.submit({"put": "d6", "piece": "white"})
    expect(pieces_at(page, "d6")).to_be_visible()
    board.forget()
    return point(page, "d6")


def drawn(page: Page, number: int = 1) -> Spot:
    """Return the place where a piece is drawn, once everything so far is drawn."""
    draw(page)
    return middle(page.locator(f".piece[data-number='{number}'] .body").bounding_box())


def beside(page: Page, name: str, right: float = 0.0, up: float = 0.0) -> Spot:
    """Return a place in the window, some units beside a point."""
    unit = (point(page, "g1")[0] - point(page, "a1")[0]) / 6
    x, y = point(page, name)
    return x + right * unit, y - up * unit


FLUNG_STEPS = 5
ALT = 1


def fling(page: Page, start: Spot, end: Spot) -> None:
    """Drag with the mouse as fast as hands can, and let go in motion, while Alt is held.

    The events have the times of such a hand, however slow this machine sends them.
    """
    mouse = page.context.new_cdp_session(page)
    began = time.time()

    def tell(kind: str, part: float, seconds: float) -> None:
        x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
        held = {"button": "left", "buttons": int(kind != "mouseReleased"), "clickCount": 1}
        event = {"type": kind, "x": x, "y": y, "timestamp": began + seconds, "modifiers": ALT, **held}
        mouse.send("Input.dispatchMouseEvent", event)

    tell("mousePressed", 0, 0)
    for step in range(1, FLUNG_STEPS + 1):
        tell("mouseMoved", step / FLUNG_STEPS, 0.008 * step)
    tell("mouseReleased", 1, 0.042)


def asked_at_last(board: FakeBoard, request: Request) -> list[Request]:
    """The requests so far, as soon as this is the last of them."""
    return board.asked_until(lambda asked: asked[-1:] == [request])


def pushed_at_last(board: FakeBoard, spot: Spot) -> list[Request]:
    """The requests so far, as soon as the last of them pushes a piece to `spot`, in millimetres."""

    def there(asked: list[Request]) -> bool:
        last = asked[-1]["to"] if asked and "push" in asked[-1] else None
        return isinstance(last, list) and math.dist(last, spot) < 1

    return board.asked_until(there)


def test_a_drag_pushes_the_piece_over_the_wood_and_ends_on_the_point(
    board: FakeBoard, page: Page, d6: Spot
) -> None:
    half_way, end = beside(page, "d6", up=-0.5), beside(page, "d5", right=0.1, up=0.1)
    grasp(page, d6)
    page.mouse.move(*half_way, steps=2)
    expect(pieces_at(page, "pushed")).to_be_visible()
    first = board.asked(1)[0]
    assert math.dist(first["to"], D6_MM) > 1, "a touch is no move"
    page.mouse.move(*end, steps=2)
    expect(page.locator(".marker")).to_be_visible()
    page.mouse.up()
    requests = board.asked_until(lambda asked: asked[-1].get("to") == "d5")
    assert {request.get("push") for request in requests} == {1}
    expect(pieces_at(page, "d5")).to_be_visible()


def test_pushed_piece_comes_under_the_pointer_on_its_way(board: FakeBoard, page: Page, d6: Spot) -> None:
    grasp(page, (d6[0] + 8, d6[1] - 5))
    page.mouse.move(*beside(page, "d6", right=0.3), steps=3)
    expect(pieces_at(page, "pushed")).to_be_visible()
    assert 0 < math.dist(drawn(page), beside(page, "d6", right=0.3)) < 8
    page.mouse.move(*beside(page, "d6", right=1.3), steps=3)
    assert math.dist(drawn(page), beside(page, "d6", right=1.3)) < 1.5
    page.mouse.up()
    expect(pieces_at(page, "pushed")).to_have_count(0)


@pytest.mark.smoke
def test_a_piece_from_the_box_is_carried_through_the_air(board: FakeBoard, page: Page) -> None:
    black = page.locator(".piece[data-piece=black][data-from=box]")
    grasp(page, middle(black.nth(3).bounding_box()))
    page.mouse.move(*point(page, "d5"), steps=3)
    expect(pieces_at(page, "carried")).to_have_attribute("data-piece", "black")
    expect(black).to_have_count(8)
    page.mouse.up()
    expect(pieces_at(page, "d5")).to_have_attribute("data-piece", "black")
    expect(black).to_have_count(8)
    assert board.asked(1) == [{"put": "d5", "piece": "black"}]


def test_before_it_runs_into_another_a_piece_is_lifted_over_it(
    board: FakeBoard, page: Page, d6: Spot
) -> None:
    board.submit({"put": "d5", "piece": "black"})
    expect(pieces_at(page, "d5")).to_be_visible()
    grasp(page, d6)
    page.mouse.move(*point(page, "d5"), steps=8)
    expect(pieces_at(page, "carried")).to_be_visible()
    asked_at_last(board, {"lift": 1})
    page.mouse.move(*point(page, "d3"), steps=2)
    page.mouse.up()
    asked_at_last(board, {"put": "d3", "piece": 1})
    expect(pieces_at(page, "d3")).to_be_visible()


@pytest.mark.smoke
def test_a_piece_that_would_just_touch_another_is_lifted(board: FakeBoard, page: Page, d6: Spot) -> None:
    board.submit({"put": "d5", "piece": "black"})
    expect(pieces_at(page, "d5")).to_be_visible()
    grasp(page, d6)
    page.mouse.move(*beside(page, "d6", right=0.973, up=-1.007))  # 27.8 mm beside d5, pieces are 28 wide
    expect(pieces_at(page, "carried")).to_be_visible()
    page.mouse.up()
    expect(pieces_at(page, "e5")).to_be_visible()


@pytest.mark.parametrize("how", ["shift", "right button"])
def test_a_piece_can_be_lifted_at_once(board: FakeBoard, page: Page, d6: Spot, how: str) -> None:
    button: Any = "right" if how == "right button" else "left"
    page.mouse.move(*d6)
    if how == "shift":
        page.keyboard.down("Shift")
    page.mouse.down(button=button)
    expect(pieces_at(page, "carried")).to_be_visible()
    page.mouse.move(*point(page, "f4"), steps=3)
    page.mouse.up(button=button)
    page.keyboard.up("Shift")
    assert board.asked(2) == [{"lift": 1}, {"put": "f4", "piece": 1}]
    expect(pieces_at(page, "f4")).to_be_visible()


def test_holding_still_lifts(board: FakeBoard, pages: OpenPage) -> None:
    board.submit({"put": "d6", "piece": "white"})
    page = pages()
    page.goto(board.server.address)
    expect(pieces_at(page, "d6")).to_be_visible()
    lift_by_holding(page)
    grasp(page, point(page, "d6"))
    expect(pieces_at(page, "carried")).to_be_visible()
    page.mouse.move(*point(page, "f4"), steps=3)
    page.mouse.up()
    assert board.asked(3)[1:] == [{"lift": 1}, {"put": "f4", "piece": 1}]
    expect(pieces_at(page, "f4")).to_be_visible()


@pytest.mark.smoke
def test_a_click_picks_up_and_the_next_one_sets_down(board: FakeBoard, page: Page, d6: Spot) -> None:
    click(page, d6)
    expect(pieces_at(page, "carried")).to_be_visible()
    page.mouse.move(*beside(page, "e5", right=0.1), steps=3)
    expect(page.locator(".marker")).to_be_visible()
    click(page, beside(page, "e5", right=0.1))
    expect(pieces_at(page, "e5")).to_be_visible()
    click(page, middle(pieces_at(page, "box").first.bounding_box()))
    click(page, point(page, "a7"))
    requests = board.asked(3)
    assert requests[:2] == [{"lift": 1}, {"put": "e5", "piece": 1}]
    assert list(requests[2]) == ["put", "piece"]
    expect(pieces_at(page, "a7")).to_be_visible()


def test_a_click_on_another_piece_takes_that_one_instead(board: FakeBoard, page: Page, d6: Spot) -> None:
    board.submit({"put": "f4", "piece": "black"})
    expect(pieces_at(page, "f4")).to_be_visible()
    click(page, d6)
    expect(pieces_at(page, "carried")).to_be_visible()
    click(page, point(page, "f4"))
    expect(pieces_at(page, "d6")).to_be_visible()
    click(page, box(page, "black"))
    expect(pieces_at(page, "box")).to_have_count(17)
    assert board.asked(5)[1:] == [
        {"lift": 1},
        {"put": "d6", "piece": 1},
        {"lift": 2},
        {"box": True},
    ]


def test_with_alt_a_piece_lies_beside_the_points(board: FakeBoard, page: Page, d6: Spot) -> None:
    page.keyboard.down("Alt")
    drag(page, d6, beside(page, "e5", right=0.5, up=0.5), rests=True)
    page.keyboard.up("Alt")
    expect(pieces_at(page, "table")).to_be_visible()
    pushed_at_last(board, (180, 180))
    drag(page, drawn(page), point(page, "g7"))
    expect(pieces_at(page, "g7")).to_be_visible()
    drag(page, point(page, "g7"), box(page, "white"))
    expect(pieces_at(page, "box")).to_have_count(18)


def test_with_alt_a_piece_lies_exactly_where_it_is_let_go(board: FakeBoard, page: Page, d6: Spot) -> None:
    page.keyboard.down("Alt")
    drag(page, d6, beside(page, "d6", right=0.25), rests=True)
    page.keyboard.up("Alt")
    pushed_at_last(board, (130, 200))
    expect(pieces_at(page, "d6")).to_be_visible()
    assert math.dist(drawn(page), beside(page, "d6", right=0.25)) < 1


def test_over_an_occupied_point_a_piece_goes_back_to_where_it_was(
    board: FakeBoard, page: Page, d6: Spot
) -> None:
    board.submit({"put": "d1", "piece": "black"})
    expect(pieces_at(page, "d1")).to_be_visible()
    drag(page, d6, point(page, "d1"))
    expect(pieces_at(page, "d6")).to_have_attribute("data-piece", "white")
    asked_at_last(board, {"put": "d6", "piece": 1})


def test_a_piece_that_was_held_when_the_page_was_opened_can_be_set_down(
    board: FakeBoard, open_page: OpenPage
) -> None:
    board.submit({"put": "a1", "piece": "white"})
    board.submit({"lift": "a1"})
    page = open_page()
    drag(page, middle(pieces_at(page, "hands").bounding_box()), point(page, "g7"))
    assert board.asked(3)[2:] == [{"put": "g7", "piece": 1}]
    expect(pieces_at(page, "g7")).to_be_visible()


@pytest.mark.smoke
def test_what_the_board_refuses_is_told_and_nothing_stays_in_the_air(board: FakeBoard, page: Page) -> None:
    board.table.put(board.table.box[0], board.table.spots[MORRIS["d1"].index], 0)
    drag(page, middle(pieces_at(page, "box").last.bounding_box()), point(page, "d1"))
    expect(page.locator("#note")).to_have_text("there is already something on d1.")
    expect(pieces_at(page, "carried")).to_have_count(0)
    expect(pieces_at(page, "box")).to_have_count(17)


def test_what_others_take_away_is_no_longer_in_the_hand(board: FakeBoard, page: Page, d6: Spot) -> None:
    away = beside(page, "d6", right=0.5)
    grasp(page, d6)
    page.mouse.move(*away, steps=3)
    expect(pieces_at(page, "pushed")).to_be_visible()
    pushed_at_last(board, (140, 200))
    board.submit({"sweep": True})
    expect(pieces_at(page, "pushed")).to_have_count(0)
    page.mouse.move(*point(page, "f6"))
    page.mouse.up()
    expect(pieces_at(page, "box")).to_have_count(18)
    expect(page.locator(".piece")).to_have_count(18)


def test_a_page_that_vanishes_leaves_the_piece_where_it_was_pushed_last(
    board: FakeBoard, page: Page, open_page: OpenPage, d6: Spot
) -> None:
    other = open_page()
    away = beside(page, "d6", right=0.6)
    grasp(other, d6)
    other.mouse.move(*away, steps=3)
    pushed_at_last(board, (144, 200))
    expect(pieces_at(page, "table")).to_be_visible()
    leave(other)
    board.say(sentence="It has gone.")
    expect(page.locator("#sentence")).to_have_text("It has gone.")
    expect(page.locator(".piece")).to_have_count(18)
    expect(pieces_at(page, "table")).to_have_count(1)


def test_with_alt_a_piece_let_go_in_motion_is_flicked(board: FakeBoard, page: Page, d6: Spot) -> None:
    fling(page, d6, beside(page, "d6", right=0.9, up=0.5))
    requests = board.asked_until(lambda asked: "flick" in asked[-1])
    pushes = [request for request in requests if "push" in request]
    assert pushes == requests[:-1]
    assert 1 <= len(pushes) < FLUNG_STEPS, "pushes keep a pace"
    expect(pieces_at(page, "pushed")).to_have_count(0)
    flick = requests[-1]
    speed_x, speed_y = flick["speed"]
    assert flick["flick"] == 1
    assert speed_x > 0
    assert math.isclose(speed_y / speed_x, 0.5 / 0.9, rel_tol=0.05)
    assert math.hypot(speed_x, speed_y) <= 2501
    expect(page.locator(".piece")).to_have_count(18)


def test_a_piece_that_was_knocked_over_shows_its_underside(board: FakeBoard, page: Page, d6: Spot) -> None:
    board.submit({"flick": 1, "speed": [-850, 0]})
    expect(page.locator(".piece.over")).to_have_count(1)
    board.submit({"lift": 1})
    expect(page.locator(".piece.over")).to_have_count(0)


@pytest.fixture
def phone(board: FakeBoard, open_page: OpenPage) -> Callable[[], Page]:
    return lambda: open_page(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640})


def test_a_finger_drags_a_piece_that_is_held_above_it(board: FakeBoard, phone: Callable[[], Page]) -> None:
    board.submit({"put": "d6", "piece": "white"})
    page = phone()
    expect(pieces_at(page, "d6")).to_be_visible()
    fingers, start, end = (
        Fingers(page),
        point(page, "d6"),
        beside(
            page,
            "d5",
        ),
    )
    fingers.press(0, start)
    fingers.move(0, end)
    expect(pieces_at(page, "pushed")).to_be_visible()
    assert math.dist(drawn(page), beside(page, "d5", up=0.62)) < 3
    fingers.lift()
    expect(pieces_at(page, "d5")).to_be_visible()


@pytest.mark.smoke
def test_a_tap_picks_up_and_the_next_one_sets_down(board: FakeBoard, phone: Callable[[], Page]) -> None:
    board.submit({"put": "d6", "piece": "white"})
    page = phone()
    expect(pieces_at(page, "d6")).to_be_visible()
    page.touchscreen.tap(*point(page, "d6"))
    expect(pieces_at(page, "carried")).to_be_visible()
    page.touchscreen.tap(*beside(page, "d6", right=0.1))
    expect(pieces_at(page, "d6")).to_be_visible()
    page.touchscreen.tap(*point(page, "d6"))
    page.touchscreen.tap(*point(page, "f4"))
    assert [next(iter(request)) for request in board.asked(5)[1:]] == ["lift", "put", "lift", "put"]
    expect(pieces_at(page, "f4")).to_be_visible()


def test_two_fingers_push_two_pieces_at_once(board: FakeBoard, phone: Callable[[], Page]) -> None:
    board.submit({"put": "d6", "piece": "white"})
    board.submit({"put": "d2", "piece": "black"})
    page = phone()
    expect(pieces_at(page, "d2")).to_be_visible()
    starts = [point(page, "d6"), point(page, "d2")]
    ends = [point(page, "f6"), point(page, "b2")]
    fingers = Fingers(page)
    for finger in (0, 1):
        fingers.press(finger, starts[finger])
    for part in (0.2, 0.6, 1.0):
        for finger, (start, end) in enumerate(zip(starts, ends, strict=True)):
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            fingers.move(finger, (x, y), steps=2)
    expect(pieces_at(page, "pushed")).to_have_count(2)
    fingers.lift()
    expect(pieces_at(page, "f6")).to_be_visible()
    expect(pieces_at(page, "b2")).to_be_visible()
    assert {request["push"] for request in board.asked(4)[2:]} == {1, 2}


def test_drag_broken_off_by_the_system_returns_the_piece(board: FakeBoard, phone: Callable[[], Page]) -> None:
    board.submit({"put": "d6", "piece": "white"})
    page = phone()
    expect(pieces_at(page, "d6")).to_be_visible()
    fingers, start, end = (
        Fingers(page),
        point(page, "d6"),
        beside(
            page,
            "d6",
            right=0.6,
        ),
    )
    fingers.press(0, start)
    fingers.move(0, end)
    expect(pieces_at(page, "pushed")).to_be_visible()
    fingers.be_taken_away()
    expect(pieces_at(page, "pushed")).to_have_count(0)
    expect(pieces_at(page, "d6")).to_be_visible()
    expect(page.locator(".piece")).to_have_count(18)


def test_pieces_are_drawn_as_wide_as_they_are(page: Page) -> None:
    unit = (point(page, "g1")[0] - point(page, "a1")[0]) / 6
    width = (page.locator(".piece .body").first.bounding_box() or {"width": 0})["width"]
    assert math.isclose(width / unit, 28 / 40, rel_tol=0.05)
