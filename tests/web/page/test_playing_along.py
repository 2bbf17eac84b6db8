"""The button for the action that the sentence asks for: on a phone by touch, and on a laptop by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, pieces_at
from tests.support.web.person import PHONE, Person

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
ONE_TURN_FROM_THE_END = "*@****@*/O******@/**O*OO** w m s 4 0 3 0 0 0 0 0 0 0 0 3 7"
"""With four pieces each; White closes a mill with g4-g1, and takes Black's last piece but two."""
TO_PLACE = {"white": ("a7", "d7", "f4"), "black": ("g1", "d1", "d6")}


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A laptop with a mouse, or a phone with a finger."""
    return dict(request.param)


@pytest.fixture
def person(look: dict[str, Any], pages: OpenPage) -> Iterator[Person]:
    """A person before a game against the board of four pieces each."""
    with simulated_board("--set", "pieces=4", "--black", "engine:1", "--sensors", "polarity") as address:
        page = pages(**look)
        page.goto(address)
        expect(pieces_at(page, "box")).to_have_count(8)
        yield Person(page, "has_touch" in look)
        leave(page)


def wide(person: Person) -> Locator:
    """The buttons in the place of the wide one."""
    return person.page.locator("#slot button:visible")


def begin_in(person: Person, position: str) -> None:
    """Begin a game in a position that is pasted, its pieces set up by the page."""
    person.choose("new-position")
    person.write(person.page.locator("#position"), position)
    person.press(person.page.locator("#position-send"))
    person.press(person.page.locator("#set-up"))
    expect(person.page.locator("#set-up")).to_be_hidden()


def set_up_by_hand(person: Person, first: str = "All set") -> None:
    person.choose("new-position")
    person.press(person.page.locator("#position-by-hands"))
    expect(wide(person)).to_have_text([first, "Stop setting up"])
    if first == "All set":
        expect(person.page.locator("#sentence")).to_contain_text(
            "For a black one, tap the black pieces first."
        )


def test_position_is_set_up_by_the_wide_buttons(person: Person) -> None:
    page = person.page
    set_up_by_hand(person)
    expect(page.locator("#view-start")).to_be_hidden()
    for player, points in TO_PLACE.items():
        for name in points:
            person.carry(player, name)
            expect(pieces_at(page, name)).to_have_count(1)
    person.press(wide(person).first)
    expect(wide(person)).to_have_text(["White moves", "Black moves"])
    person.press(wide(person).first)
    expect(wide(person)).to_have_text(["All placed", "Still placing"])
    person.press(wide(person).first)
    expect(page.locator("#sentence")).to_contain_text("Your turn")
    expect(page.locator("#phases")).to_be_visible()


def test_leaving_a_position_asks_and_keeps_it(person: Person) -> None:
    page = person.page
    set_up_by_hand(person)
    person.carry("white", "a7")
    expect(pieces_at(page, "a7")).to_have_count(1)
    for leaving in (lambda: person.press(wide(person).last), lambda: start_another(person)):
        leaving()
        expect(page.locator("#question")).to_be_visible()
        person.press(page.locator("#question button", has_text="Keep setting up"))
        expect(pieces_at(page, "a7")).to_have_count(1)
        if page.locator("#done").is_visible() or page.locator("#begin").is_visible():
            page.keyboard.press("Escape")
        expect(wide(person)).to_have_text(["All set", "Stop setting up"])
    person.press(wide(person).last)
    person.press(page.locator("#question button", has_text="Stop setting up"))
    expect(pieces_at(page, "a7")).to_have_count(0)


def start_another(person: Person) -> None:
    person.choose("new")
    person.press(person.page.locator("#begin"))


def test_game_against_the_board_ends_with_you_win(person: Person) -> None:
    page = person.page
    begin_in(person, ONE_TURN_FROM_THE_END)
    expect(pieces_at(page, "g4")).to_have_count(1)  # it was the person's turn in the game before as well
    expect(page.locator("#sentence")).to_contain_text("Your turn")
    for name in ("g4", "g1"):
        person.tap(name)
    expect(page.locator("[data-mark=b6].mark-pieces")).to_have_count(1)
    person.tap("b6")
    expect(page.locator("#sentence")).to_contain_text("You win: the board has fewer than three pieces left.")
    expect(page.locator(".piece.won")).to_have_count(3)
    for name in ("a1", "d1", "g1"):
        expect(pieces_at(page, name)).to_have_class("piece won")
    expect(wide(person)).to_have_text(["Play again", "Share"])
    for tool in ("#analyse-over", "#share-over"):
        expect(page.locator(tool)).to_be_in_viewport(ratio=1)
    person.press(page.locator("#share-over"))
    expect(page.locator("#view-share")).to_be_visible()
    person.press(page.locator("#done"))
    person.press(page.locator("#analyse-over"))
    expect(page.locator("#course")).to_be_in_viewport()
    set_up_by_hand(person)


def test_board_that_wins_is_named(person: Person) -> None:
    page = person.page
    person.tap("d6")
    expect(page.locator("#turns button")).to_have_count(2)
    person.choose("resign")
    person.press(page.locator("#question button").first)
    expect(page.locator("#sentence")).to_contain_text("The board wins: you gave up.")


def test_play_again_changes_colours_by_the_rule_chosen(person: Person) -> None:
    page = person.page
    person.choose("to-settings")
    person.pick("[name=starts]", "By turns")
    person.press(page.locator("#done"))
    person.tap("d6")
    expect(page.locator("#turns button")).to_have_count(2)
    person.choose("resign")
    person.press(page.locator("#question button").first)
    person.press(page.locator("#again"))
    expect(page.locator("#players [data-player=white]")).to_contain_text("Board (1)")
    expect(page.locator("#turns button")).to_have_count(1)


def test_way_back_stands_beside_what_is_asked_for(person: Person) -> None:
    """The ten seconds after "Start the game" are those in which a new player sets up the pieces."""
    page = person.page
    person.tap("d6")
    expect(page.locator("#turns button")).to_have_count(2)
    start_another(person)
    expect(pieces_at(page, "d6")).to_have_count(0)
    person.carry("black", "a1")
    expect(wide(person)).to_have_text(["Put it right for me", "Back to the last game"])
    wider, beside = (box["width"] for box in map(Locator.bounding_box, wide(person).all()) if box)
    assert wider > beside
    person.press(wide(person).first)
    expect(page.locator("#sentence")).to_contain_text("Your turn")
    person.press(page.locator("#undo"))
    expect(page.locator("#turns span").first).to_have_text("d6")


def test_resting_board_says_that_its_light_asks_for_nothing(
    pages: OpenPage, look: dict[str, Any], tmp_path: Path
) -> None:
    config = tmp_path / "millwright.toml"
    config.write_text("[rest]\ndim_after_s = 1\nsleep_after_s = 2\n", "utf-8")
    with simulated_board("--config", str(config)) as address:
        page = pages(**look)
        page.goto(address)
        advice = page.locator("#advice")
        expect(advice).to_have_text(
            "The board is resting, and its faint light asks for nothing. Any move wakes it."
        )
        expect(page.locator("#legend")).to_contain_text("the board is resting")
        Person(page, "has_touch" in look).tap("f4")
        expect(page.locator("#turns button")).to_have_text("f4")
        leave(page)


def test_black_pieces_set_up_too_early_are_named(pages: OpenPage, look: dict[str, Any]) -> None:
    """Sensors that only detect a piece would take them for White's."""
    with simulated_board() as address:
        page = pages(**look)
        page.goto(address)
        expect(pieces_at(page, "box")).to_have_count(18)
        person = Person(page, "has_touch" in look)
        set_up_by_hand(person, "White is set")
        for player, name in (("white", "a7"), ("white", "d7"), ("white", "f4"), ("black", "g1")):
            person.carry(player, name)
            expect(pieces_at(page, name)).to_have_count(1)
        person.press(wide(person).first)
        person.told(
            "Black's pieces are on the board already.",
            "These sensors can't tell colours: take g1 off, and put them back in the next step.",
        )
        expect(wide(person).first).to_have_text("White is set")
        leave(page)
