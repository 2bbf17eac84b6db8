"""Reasons for which a deed of hands is refused, and what to do next, in the sentence over the board.

Invariants: the box of the sentence keeps its place and size, whatever it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    Spot,
    box,
    click,
    drag,
    draw,
    leave,
    pieces_at,
    point,
    written,
)
from tests.support.web.fake_board import START, FakeBoard

pytestmark = pytest.mark.ci
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ABOVE_FINGER = 0.62
"""A dragged piece is held this many units above the finger, so that people see it."""
TURNS = ["a1", "b2", "g7", "b4", "c5", "b6xc5", "d1", "f4", "g1"]
"""After these both have a mill, and White takes a piece: of Black's only f4 is not in the mill."""


@dataclass(frozen=True)
class Player:
    """A person at a page, with a mouse or with a finger."""

    page: Page
    by_touch: bool

    def tap(self, name: str) -> None:
        """Touch or click a point."""
        spot = point(self.page, name)
        if self.by_touch:
            fingers = Fingers(self.page)
            fingers.press(0, spot)
            fingers.lift()
            draw(self.page)
        else:
            click(self.page, spot)

    def drag(self, start: str, end: Spot) -> None:
        """Move a piece from a point so that it is over a spot, and let go."""
        if self.by_touch:
            unit = (point(self.page, "g1")[0] - point(self.page, "a1")[0]) / 6
            Fingers(self.page).drag(point(self.page, start), (end[0], end[1] + ABOVE_FINGER * unit))
        else:
            drag(self.page, point(self.page, start), end, rests=True)

    def told(self, why: str, then: str) -> None:
        """Wait for a refusal, which is in the sentence's box and nowhere else."""
        expect(self.page.locator("#sentence")).to_have_text(why)
        expect(self.page.locator("#advice")).to_have_text(then)
        expect(self.page.locator("#advice")).to_be_visible()
        expect(self.page.locator("#note")).to_be_hidden()

    def frame(self) -> FloatRect | None:
        """The box of the sentence."""
        draw(self.page)
        return self.page.locator("#say").bounding_box()


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def player(request: pytest.FixtureRequest, pages: OpenPage) -> Iterator[Player]:
    look: dict[str, Any] = request.param
    with simulated_board("--sensors", "polarity") as address:
        page = pages(**look)
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White")
        yield Player(page, "has_touch" in look)
        leave(page)


def test_drag_to_occupied_point_says_so(player: Player) -> None:
    for number, name in enumerate(["d6", "f4"], start=1):
        player.tap(name)
        written(player.page, ["d6", "f4"][:number])
    before = player.frame()
    player.drag("f4", point(player.page, "d6"))
    player.told("d6 is occupied.", "Choose a lit point.")
    assert player.frame() == before
    expect(pieces_at(player.page, "f4")).to_have_attribute("data-piece", "black")
    player.tap("a1")
    expect(player.page.locator("#sentence")).to_contain_text("Black")
    written(player.page, ["d6", "f4", "a1"])


def test_refused_removals_say_why_and_what_next(player: Player) -> None:
    for number, turn in enumerate(TURNS, start=1):
        placed, *taken = turn.split("x")
        player.tap(placed)
        for name in taken:
            expect(player.page.locator("#sentence")).to_contain_text("closed a mill")
            player.tap(name)
        written(player.page, TURNS[:number])
    before = player.frame()
    player.tap("d6")
    player.told("First take a black piece.", "Take f4: pieces in a mill are safe while there are others.")
    assert player.frame() == before
    player.drag("b4", box(player.page, "white"))
    player.told("b4 is in a mill and safe.", "Put it back on b4, then take f4.")
    assert player.frame() == before


DUE = "Something is due."
MOVES = {"moves": ["a1-d1"]}
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"moves": ["d6"]}, "You can't play on a1 now.", "Choose a lit point."),
    (MOVES, "White moves a piece now.", "Tap the piece first, then the point it goes to."),
    (
        {**MOVES, "to_move": "black"},
        "Black moves a piece now.",
        "Tap the piece first, then the point it goes to.",
    ),
    (
        {**MOVES, "seats": {"white": "engine:3", "black": "here"}},
        "It's the board's turn.",
        DUE,
    ),
    ({"status": "mismatch", "advice": "Clear b2."}, "First put the board right.", "Clear b2."),
    ({"status": "undecided"}, "First put the board right.", DUE),
    ({"status": "remove"}, "First take a black piece.", DUE),
    ({"status": "over", "advice": "Clear it."}, DUE, "Clear it."),
]


def test_tap_is_refused_for_the_reason_of_the_state(board: FakeBoard, page: Page) -> None:
    player = Player(page, by_touch=False)
    for number, (state, why, then) in enumerate(REFUSED):
        due = f"{DUE} {number}"  # each its own, so that the page is known to show this state
        board.say(**{**START, **state, "sentence": due})
        expect(page.locator("#sentence")).to_have_text(due)
        player.tap("a1")
        player.told(why.replace(DUE, due), then.replace(DUE, due))
        expect(page.locator("body.refused")).to_have_count(1)
        page.keyboard.press("Shift")
        expect(page.locator("body.refused")).to_have_count(0)
        expect(page.locator("#sentence")).to_have_text(due)


def test_refusal_gives_way_to_the_next_position(board: FakeBoard, page: Page) -> None:
    board.say(settings={**START["settings"], "hints": False}, moves=["d6"])
    board.submit({"put": "d6", "piece": "white"})
    board.submit({"put": "f4", "piece": "black"})
    expect(pieces_at(page, "f4")).to_be_visible()
    player = Player(page, by_touch=False)
    player.drag("f4", point(page, "d6"))
    player.told("d6 is occupied.", "Choose a free point.")
    board.say(sentence="Something else is due.", position=START["position"].replace(" w ", " b "))
    expect(page.locator("#sentence")).to_have_text("Something else is due.")
    expect(page.locator("body.refused")).to_have_count(0)
