"""Reasons for which a deed of hands is refused, and what to do next, in the sentence over the board.

Invariants: the box of the sentence keeps its place and size, whatever it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.i18n import LANGUAGES
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, Spot, box, leave, middle, pieces_at, point, written
from tests.support.web.fake_board import START, FakeBoard
from tests.support.web.keyboard import Keyboard
from tests.support.web.person import LAPTOP, PHONE, Person
from tests.support.web.spoken import CATALOGUES

TURNS = ["a1", "b2", "g7", "b4", "c5", "b6xc5", "d1", "f4", "g1"]
"""After these both have a mill, and White takes a piece: of Black's only f4 is not in the mill."""


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def player(request: pytest.FixtureRequest, pages: OpenPage) -> Iterator[Person]:
    look: dict[str, Any] = request.param
    with simulated_board("--sensors", "polarity") as address:
        page = pages(**look)
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White")
        yield Person(page, "has_touch" in look)
        leave(page)


def test_drag_to_occupied_point_says_so(player: Person) -> None:
    for number, name in enumerate(["d6", "f4"], start=1):
        player.tap(name)
        written(player.page, ["d6", "f4"][:number])
    before = player.frame()
    player.drag(point(player.page, "f4"), point(player.page, "d6"))
    player.told("d6 is occupied.", "Choose a lit point.")
    assert player.frame() == before
    expect(pieces_at(player.page, "f4")).to_have_attribute("data-piece", "black")
    player.tap("a1")
    expect(player.page.locator("#sentence")).to_contain_text("Black")
    written(player.page, ["d6", "f4", "a1"])


def test_refused_removals_say_why_and_what_next(player: Person) -> None:
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
    player.drag(point(player.page, "b4"), box(player.page, "white"))
    player.told("b4 is in a mill and safe.", "Put it back on b4, then take f4.")
    assert player.frame() == before


NO_SENSOR = "Between two points: no sensor there."


def on_wood(page: Page) -> Spot:
    """A place on the line between a7 and d7, as far from both as can be."""
    (left, top), (right, _) = point(page, "a7"), point(page, "d7")
    return (left + right) / 2, top


def test_tap_on_wood_says_that_no_sensor_is_there(player: Person) -> None:
    before = player.frame()
    player.touch(on_wood(player.page))
    player.told(NO_SENSOR, "Choose a lit point.")
    assert player.frame() == before
    player.tap("d6")
    expect(player.page.locator("#sentence")).to_contain_text("Black to play")
    player.touch(on_wood(player.page))
    player.told(NO_SENSOR, "Choose a lit point.")
    player.tap("f4")
    written(player.page, ["d6", "f4"])


def test_tap_on_rim_or_box_says_nothing(player: Person) -> None:
    page = player.page
    before = page.locator("#sentence").text_content()
    tray = page.locator("#wood [data-box=white]").bounding_box()
    x, y = point(page, "a7")
    unit = (point(page, "g7")[0] - x) / 6
    for spot in ((x - 0.93 * unit, y), middle(tray)):
        player.touch(spot)
        expect(page.locator("body.refused")).to_have_count(0)
    assert page.locator("#sentence").text_content() == before


def test_piece_let_go_between_points_says_what_next(player: Person) -> None:
    page = player.page
    white = page.locator(".piece[data-piece=white][data-from=box]")
    player.drag(middle(white.last.bounding_box()), on_wood(page))
    player.told(NO_SENSOR, "Choose a lit point.")
    expect(white).to_have_count(9)
    player.drag(middle(white.last.bounding_box()), point(page, "a7"))
    written(page, ["a7"])


def test_piece_pushed_between_points_by_keys_says_so(pages: OpenPage) -> None:
    with simulated_board("--sensors", "polarity") as address:
        page = pages(**LAPTOP)
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White")
        Keyboard(page).go("a7")
        page.keyboard.press("Enter")
        written(page, ["a7"])
        for _ in range(3):
            page.keyboard.press("Shift+ArrowRight")
            expect(page.locator("#stage .spoken")).to_contain_text("Pushed")
        Person(page, by_touch=False).told(
            NO_SENSOR, "Slide the piece onto a point, or take it off the board."
        )
        leave(page)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_tap_on_wood_is_answered_in_each_language(board: FakeBoard, pages: OpenPage, language: str) -> None:
    words = CATALOGUES[language]
    board.say(moves=["d6"])
    page = pages(**PHONE)
    page.goto(f"{board.server.address}?lang={language}")
    expect(page.locator("#players .to-move")).to_be_visible()
    person = Person(page, by_touch=True)
    person.touch(on_wood(page))
    person.told(words["wrong.between"], words["tap.choose-lit"])


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
    player = Person(page, by_touch=False)
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
    player = Person(page, by_touch=False)
    player.drag(point(page, "f4"), point(page, "d6"))
    player.told("d6 is occupied.", "Choose a free point.")
    board.say(sentence="Something else is due.", position=START["position"].replace(" w ", " b "))
    expect(page.locator("#sentence")).to_have_text("Something else is due.")
    expect(page.locator("body.refused")).to_have_count(0)
