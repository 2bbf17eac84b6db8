"""Ways out of what is opened, and the words for phases: on a phone by touch, and on a laptop by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, middle, pieces_at, point
from tests.support.web.person import PHONE, Person

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
SHEETS = {
    "menu": "More",
    "new": "New game",
    "saved-games": "Saved games",
    "share": "Share this game",
    "new-position": "Set up a position",
    "to-settings": "Settings",
    "break-it": "Things to break",
}
"""The titles of what "More" and its items open, by their ids."""


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def person(request: pytest.FixtureRequest, pages: OpenPage) -> Iterator[Person]:
    """A person who has played one turn, on a laptop or on a phone."""
    with simulated_board("--sensors", "polarity") as address:
        page = pages(**request.param)
        page.goto(address)
        expect(pieces_at(page, "box")).to_have_count(18)
        person = Person(page, "has_touch" in request.param)
        person.play(["d6"])
        yield person
        leave(page)


def open_sheet(person: Person, name: str) -> Locator:
    """Open a sheet, which is there with its title; return its way out."""
    if name == "menu":
        person.press(person.page.locator("#more"))
    else:
        person.choose(name)
    expect(person.page.locator("body.opened")).to_have_count(1)
    expect(person.page.get_by_role("heading", name=SHEETS[name], exact=True)).to_have_count(1)
    return person.page.locator("#panel").get_by_role("button", name="Close", exact=True)


def is_left(person: Person) -> None:
    """Wait until nothing is open, and the piece on the board alone."""
    expect(person.page.locator("body.opened")).to_have_count(0)
    expect(person.page.locator("#turns button")).to_have_count(1)
    expect(pieces_at(person.page, "box")).to_have_count(17)


def test_every_sheet_has_a_visible_close(person: Person) -> None:
    for name in SHEETS:
        way_out = open_sheet(person, name)
        expect(way_out).to_be_in_viewport(ratio=1)
        box = way_out.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, name
        person.press(way_out)
        is_left(person)


def test_browsers_back_leaves_every_sheet(person: Person) -> None:
    for name in SHEETS:
        open_sheet(person, name)
        person.page.go_back()
        is_left(person)
    person.choose("draw")
    expect(person.page.locator("#question")).to_be_visible()
    person.page.go_back()
    expect(person.page.locator("#question")).to_be_hidden()


def test_close_stays_in_sight_of_a_long_sheet(person: Person) -> None:
    page = person.page
    way_out = open_sheet(person, "to-settings")
    page.locator("[name=hint_black]").scroll_into_view_if_needed()
    expect(page.locator("#theme")).not_to_be_in_viewport()
    expect(way_out).to_be_in_viewport(ratio=1)
    person.press(way_out)
    is_left(person)


@pytest.mark.parametrize("person", [PHONE], ids=["touch"], indirect=True)
def test_tap_outside_leaves_a_sheet_and_plays_nothing(person: Person) -> None:
    """In a wide window nothing is covered, and one plays on beside what is open."""
    for name in SHEETS:
        open_sheet(person, name)
        person.touch(middle(person.page.locator("#say").bounding_box()))
        is_left(person)
    open_sheet(person, "menu")
    person.tap("a7")
    is_left(person)
    person.tap("a7")
    expect(person.page.locator("#turns button")).to_have_count(2)


def test_board_plays_on_beside_the_drawer(person: Person) -> None:
    open_sheet(person, "break-it")
    person.tap("a7")
    expect(person.page.locator("#turns button")).to_have_count(2)
    expect(person.page.locator("#drawer")).to_be_visible()


def test_tap_outside_a_question_answers_no(person: Person) -> None:
    page = person.page
    person.choose("draw")
    question = page.locator("#question")
    box = question.bounding_box()
    assert box
    person.touch((box["x"] + box["width"] / 2, box["y"] + 8))  # inside, beside the words
    expect(question).to_be_visible()
    person.touch((box["x"] + box["width"] / 2, box["y"] - 30))
    expect(question).to_be_hidden()
    expect(page.locator("#sentence")).to_contain_text("Black to play")


def test_phases_explain_themselves_when_tapped(person: Person) -> None:
    page = person.page
    sentence, advice = page.locator("#sentence"), page.locator("#advice")
    phases = page.locator("#phases")
    for name, words in {
        "Place": "Place: you put a piece from your hand on a free point.",
        "Move": "Move: a piece on the board goes along a line to the next free point.",
        "Fly": "Fly: with three pieces left, yours may go to any free point, if these rules allow it.",
    }.items():
        person.press(phases.get_by_role("button", name=name))
        expect(sentence).to_have_text(words)
        expect(advice).to_have_text("Black to play: place a piece on a free point (9 in hand).")
        expect(page.locator("body.refused")).to_have_count(0)
    person.touch(point(page, "a7"))
    expect(sentence).to_contain_text("White to play")
