"""A position on the page: pasted, or set up on the simulated board with the mouse; and who begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, pieces_at, point
from tests.support.web.fake_board import FakeBoard

POSITION = "********/@*O*****/OO*@@**O w m s 4 0 3 0 0 0 0 0 0 0 0 0 1"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


def test_a_pasted_position_is_sent(board: FakeBoard, page: Page) -> None:
    choose(page, "new-position")
    expect(page.locator("#position")).not_to_have_value("")  # that of the game
    page.locator("#position").fill(f" {POSITION}\n")
    page.locator("#position-send").click()
    assert board.asked(1) == [{"do": "set-up", "position": POSITION}]
    expect(page.locator("#view-position")).to_be_hidden()


def test_hands_are_asked_to_set_it_up(board: FakeBoard, page: Page) -> None:
    choose(page, "new-position")
    page.locator("#position-by-hands").click()
    assert board.asked(1) == [{"do": "set-up"}]


def test_who_begins_is_a_setting(board: FakeBoard, page: Page) -> None:
    choose(page, "to-settings")
    page.locator("[name=starts]").select_option("turns")
    assert board.asked(1) == [{"do": "set", "starts": "turns"}]


def test_a_position_is_set_up_with_the_mouse_and_played(pages: OpenPage, address: str) -> None:
    page = pages()
    page.goto(address)
    choose(page, "new-position")
    page.locator("#position-by-hands").click()
    done = page.locator("#asking [data-at=d5]")
    for said, names in (("White is set", ("a7", "d7", "f4")), ("All set", ("g1", "d1", "d6"))):
        expect(done).to_have_text(said)
        for name in names:
            page.mouse.click(*point(page, name))
            expect(pieces_at(page, name)).to_have_count(1)
        done.click()
    page.locator("#asking").get_by_role("button", name="White moves").click()
    page.locator("#asking").get_by_role("button", name="All placed").click()
    expect(page.locator("#asking")).to_be_hidden()
    expect(page.locator("#sentence")).to_contain_text("White")
