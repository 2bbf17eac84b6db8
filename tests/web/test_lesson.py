"""The lesson on the simulated board, walked through as a newcomer would, and left."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from boards import simulated_board
from browsing import box, drag, middle, point
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.get_by_role("button", name="Learn to play").click()
    told(page, "set it on d7, where the light blinks")
    expect(page.locator("#hands [data-point=d7]")).to_have_attribute("aria-label", re.compile("hint"))
    expect(page.locator(".piece[data-from=box]")).to_have_count(8)
    yield page
    page.context.close()
    assert complaints == []


def told(page: Page, text: str) -> None:
    expect(page.locator("#lesson p").first).to_contain_text(text)


def put(page: Page, name: str) -> None:
    white = page.locator(".piece[data-piece=white][data-from=box]").last
    drag(page, middle(white.bounding_box()), point(page, name))


def move(page: Page, origin: str, target: str) -> None:
    drag(page, point(page, origin), point(page, target))


def take(page: Page, name: str) -> None:
    drag(page, point(page, name), box(page, "black"))


def test_a_newcomer_is_led_through_a_whole_game(page: Page) -> None:
    expect(page.locator("#sentence")).to_be_hidden()
    expect(page.locator("#learn")).to_be_hidden()
    put(page, "d7")
    told(page, "Black is playing")
    told(page, "are a mill")
    put(page, "a7")
    told(page, "Close the mill")
    put(page, "g7")
    told(page, "A mill! It wins a black piece")
    take(page, "d2")
    told(page, "set your last piece on d2")
    put(page, "d2")
    told(page, "make a mistake first, on purpose: move the piece from g7 to c4")
    move(page, "g7", "c4")
    told(page, "The board never stops you")
    expect(page.locator("#lesson p").nth(1)).to_contain_text("put a white piece back on g7")
    move(page, "c4", "g4")
    told(page, "Be Black this once: move the piece from e4 to c3")
    expect(page.locator("#lesson p").nth(1)).to_be_empty()
    move(page, "e4", "c3")
    told(page, "slide from g4 back to g7")
    move(page, "g4", "g7")
    told(page, "A mill!")
    take(page, "c3")
    told(page, "White has won")
    expect(page.locator("#turns button").last).to_have_text("g4-g7xc3")
    page.get_by_role("button", name="Play a game").click()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#sentence")).to_have_text("White to play: set a piece on a free point (9 in hand).")
    expect(page.locator("#rules")).to_have_text("Standard")


def test_another_move_is_no_harm_and_the_lights_lead_back(page: Page) -> None:
    put(page, "a1")
    told(page, "Not quite, but nothing is lost.")
    expect(page.locator("#lesson p").nth(1)).to_contain_text("take away what stands on a1")
    take(page, "a1")
    told(page, "set it on d7")
    put(page, "d7")
    told(page, "are a mill")


def test_it_can_be_left_at_any_time(page: Page) -> None:
    put(page, "d7")
    told(page, "Black is playing")
    page.get_by_role("button", name="Leave the lesson").click()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#sentence")).to_have_text("White to play: set a piece on a free point (9 in hand).")
    expect(page.locator(".piece[data-from=box]")).to_have_count(18)
    expect(page.get_by_role("button", name="Learn to play")).to_be_visible()


def test_a_game_that_somebody_else_begins_ends_it(page: Page, browser: Browser, address: str) -> None:
    other = browser.new_page()
    other.goto(address)
    other.locator("#rule-set").select_option("Lasker")
    other.locator("#begin").click()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#rules")).to_have_text("Lasker")
    other.context.close()


def test_it_is_offered_on_an_empty_table_only_and_fits_a_phone(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 640}, locale="de-DE")
    page.goto(address)
    page.get_by_role("button", name="In zwei Minuten spielen lernen").click()
    told(page, "Nimm einen weißen aus seinem Kasten")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#hands [data-point=d7]")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Anleitung beenden").click()
    expect(page.locator("#learn")).to_be_visible()
    page.locator("#hands [data-point=d7]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#learn")).to_be_hidden()
    page.context.close()
