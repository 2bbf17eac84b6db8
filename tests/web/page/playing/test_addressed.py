"""The sentences of the page to the only person who plays at the board, on a phone and on a laptop."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, pieces_at
from tests.support.web.person import PHONE, Person

pytestmark = pytest.mark.parametrize(
    "look", [{"viewport": {"width": 1366, "height": 768}}, PHONE], ids=["mouse", "touch"]
)


def test_only_person_at_board_is_called_you(pages: OpenPage, look: dict[str, Any]) -> None:
    with simulated_board("--black", "engine:1") as address:
        page = pages(**look)
        page.goto(address)
        person, sentence = Person(page, "has_touch" in look), page.locator("#sentence")
        expect(sentence).to_have_text("Your turn: place a piece on a free point (9 in hand).")
        person.tap("d6")
        expect(page.locator("#turns span")).to_have_count(2)
        expect(sentence).to_have_text("Your turn: place a piece on a free point (8 in hand).")
        person.tap("d6")
        person.tap(next(name for name in ("b6", "f6") if not pieces_at(page, name).count()))
        expect(sentence).to_have_text("You place all your pieces before you move one.")
        person.press(page.get_by_role("button", name="Put it right for me"))
        person.choose("resign")
        expect(page.locator("#question")).to_contain_text("Do you want to give up this game?")
        person.press(page.locator("#question").get_by_role("button", name="Give up"))
        expect(sentence).to_have_text("The board wins: you gave up. Clear the board for the next game.")
        leave(page)


def test_two_people_at_board_are_called_by_colour(pages: OpenPage, look: dict[str, Any]) -> None:
    with simulated_board() as address:
        page = pages(**look)
        page.goto(address)
        Person(page, "has_touch" in look).tap("d6")
        expect(page.locator("#sentence")).to_have_text(
            "Black to play: place a piece on a free point (9 in hand)."
        )
        leave(page)
