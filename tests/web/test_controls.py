"""The buttons of a game in a browser, on the simulated board: paused, taken back, drawn and given up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsing import play_all, simulated_board
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which two turns were played."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    play_all(page, ["d6", "f4"])
    yield page
    page.locator("#clear").click()
    page.locator("#begin").click()
    if page.locator("#question").is_visible():
        page.get_by_role("button", name="Begin another game").click()
    expect(page.locator("#turns button")).to_have_count(0)
    page.context.close()
    assert complaints == []


def said(page: Page, text: str) -> None:
    expect(page.locator("#sentence")).to_contain_text(text)


def test_a_paused_game_waits_on_every_page_until_it_goes_on(
    page: Page, browser: Browser, address: str
) -> None:
    other = browser.new_page()
    other.goto(address)
    page.get_by_role("button", name="Pause").click()
    said(other, "The game is paused.")
    expect(page.locator("#light [data-led^='#']")).to_have_count(0)
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    other.get_by_role("button", name="Go on").click()
    said(page, "White to play")
    expect(page.locator("#light [data-led^='#']")).not_to_have_count(0)
    other.context.close()


def test_a_turn_is_taken_back_and_light_leads_the_piece(page: Page) -> None:
    page.get_by_role("button", name="Take back").click()
    said(page, "take away what stands on f4")
    expect(page.locator("#turns button")).to_have_text(["d6"])


def test_both_agree_to_a_draw(page: Page) -> None:
    page.get_by_role("button", name="Agree to a draw").click()
    page.get_by_role("button", name="It is a draw").click()
    said(page, "Nobody wins: both players agreed.")
    for name in ("Take back", "Pause", "Agree to a draw", "Give up"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()


def test_black_gives_up(page: Page) -> None:
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Black gives up").click()
    said(page, "White wins: Black gave up.")
    expect(page.locator("#players .to-move")).to_have_text("Whitewins")
