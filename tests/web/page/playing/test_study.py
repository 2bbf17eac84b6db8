"""Other turns tried while looking back, with values, arrows and marks, and a game from there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import Fingers, OpenPage, leave, pieces_at, point, written
from tests.support.web.person import LAPTOP, PHONE, Person

GAME = ["a1", "b2", "d1", "b4", "g4", "c5", "d6", "e5"]
WAYS: dict[str, dict[str, Any]] = {
    "finger": {"look": PHONE, "by_touch": True},
    "mouse": {"look": LAPTOP, "by_touch": False},
}
CAPTION = "#past p:first-child"


@pytest.fixture(params=sampled(WAYS))
def person(request: pytest.FixtureRequest, pages: OpenPage) -> Iterator[Person]:
    way = WAYS[request.param]
    page = pages(**way["look"])
    with simulated_board("--set", "pieces=4") as address:
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White to play")
        person = Person(page, by_touch=way["by_touch"])
        person.play(GAME)
        person.press(page.locator("#look-back"))
        expect(page.locator("#then .study > g")).not_to_have_count(0)
        yield person
        leave(page)


def test_side_line_is_walked_and_never_enters_the_game(person: Person) -> None:
    page = person.page
    person.tap("g4")
    expect(page.locator("#then .study .chosen")).to_have_count(1)
    person.tap("g1")  # which closes a mill, so that a piece is to be taken
    expect(page.locator(CAPTION)).to_have_text("Side line: g4-g1")
    person.tap("b2")
    expect(page.locator(CAPTION)).to_have_text("Side line: g4-g1xb2")
    expect(page.locator("#then .piece[data-from=g1]")).to_have_count(1)
    person.tap("b4")
    person.tap("b6")
    expect(page.locator(CAPTION)).to_have_text("Side line: g4-g1xb2 b4-b6")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CAPTION)).to_have_text("Side line: g4-g1xb2")
    page.keyboard.press("Home")
    expect(page.locator(CAPTION)).to_have_text("After 4 … e5")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CAPTION)).to_have_text("After 4. d6")
    person.press(page.locator("#now"))
    written(page, GAME)
    expect(pieces_at(page, "g1")).to_have_count(0)


def test_values_stand_beside_the_turns(person: Person) -> None:
    page = person.page
    expect(page.locator("#past p").nth(1)).to_contain_text("by best play. Best: ")
    expect(page.locator("#then .study :is(.hint-wins, .hint-draws, .hint-loses)")).not_to_have_count(0)
    drawn = {
        name for name in ("wins", "draws", "loses") if page.locator(f"#then .study .hint-{name}").count()
    }
    assert {*page.locator("#legend li:visible").all_inner_texts()} == drawn


def test_value_stands_beside_signs_after_the_end(person: Person) -> None:
    page = person.page
    person.press(page.locator("#now"))
    person.choose("resign")
    person.press(page.locator("#question").get_by_role("button", name="White gives up"))
    person.press(page.locator("#look-back"))
    expect(page.locator("#past p").nth(1)).to_contain_text("White gave up")
    expect(page.locator("#then .study :is(.hint-wins, .hint-draws, .hint-loses)")).not_to_have_count(0)
    expect(page.locator("#study-value")).to_contain_text("by best play. Best: ")


def test_tap_that_means_nothing_says_so(person: Person) -> None:
    person.tap("a7")
    expect(person.page.locator("#study-says")).to_have_text("No turn goes to a7 now.")


def test_turn_is_tried_by_the_keyboard_alone(person: Person) -> None:
    turns = person.page.locator("#study-turns")
    turns.focus()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Enter")
    expect(person.page.locator(CAPTION)).to_contain_text("Side line: ")


def test_game_goes_on_from_the_position_against_the_board(person: Person) -> None:
    page = person.page
    person.tap("d6")
    person.tap("d5")
    expect(page.locator(CAPTION)).to_have_text("Side line: d6-d5")
    person.press(page.locator("#study-from summary"))
    person.press(page.get_by_role("button", name="As Black against the board"))
    expect(page.locator("#then")).to_be_hidden()
    for name in ("a1", "d1", "g4", "d5", "b2", "b4", "c5", "e5"):
        expect(pieces_at(page, name)).to_have_count(1)
    expect(page.locator("#players [data-player=white]")).to_contain_text("Board")
    expect(page.locator("#sentence")).to_contain_text("Your turn")


def test_arrows_and_marks_are_drawn_and_gone_with_the_position(person: Person) -> None:
    page = person.page
    start, end = point(page, "d6"), point(page, "d5")
    if person.by_touch:
        fingers = Fingers(page)
        for finish in (end, start):
            fingers.press(0, start)
            page.wait_for_timeout(600)  # a long press
            fingers.move(0, finish)
            fingers.lift()
    else:
        for finish in (end, start):
            page.mouse.move(*start)
            page.mouse.down(button="right")
            page.mouse.move(*finish, steps=3)
            page.mouse.up(button="right")
    expect(page.locator("#then .study .arrow")).to_have_count(1)
    expect(page.locator("#then .study .mark")).to_have_count(1)
    expect(page.locator(CAPTION)).to_have_text("After 4 … e5")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CAPTION)).to_have_text("After 4. d6")
    expect(page.locator("#then .study :is(.arrow, .mark)")).to_have_count(0)
