"""Settings and rules on the page: they take effect, on every page, and hold over a start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import play_all, simulated_board
from page_client import PageClient
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    open_settings(page, address)
    yield page
    page.context.close()
    assert complaints == []


def open_settings(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#theme option")).to_have_count(3)
    page.locator("#settings summary").click()


def parts(colour: str) -> list[int]:
    """Red, green and blue of `#rrggbb`."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def test_a_theme_is_chosen_on_one_page_and_shown_on_all(page: Page, browser: Browser, address: str) -> None:
    other = browser.new_page()
    open_settings(other, address)
    d6 = other.locator("#light [data-point=d6]")
    before = d6.get_attribute("data-led")
    page.get_by_label("Lights").select_option("Candle")
    expect(other.get_by_label("Lights")).to_have_value("candle")
    expect(d6).not_to_have_attribute("data-led", before or "")
    other.get_by_role("button", name="As configured").click()
    expect(page.get_by_label("Lights")).to_have_value("harbour")
    expect(d6).to_have_attribute("data-led", before or "")
    expect(page.get_by_role("button", name="As configured")).to_be_hidden()
    other.context.close()


def test_the_light_is_dimmed_and_possible_moves_are_left_dark(page: Page) -> None:
    d6 = page.locator("#light [data-point=d6]")
    bright = d6.get_attribute("data-led") or ""
    page.get_by_label("Brightness").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="As configured")).to_be_visible()
    expect(d6).not_to_have_attribute("data-led", bright)
    dim = d6.get_attribute("data-led") or ""
    assert max(parts(dim)) < max(parts(bright)) / 4
    page.get_by_label("Light up possible moves").uncheck()
    expect(page.locator("#light [data-led^='#']")).to_have_count(0)
    page.get_by_role("button", name="As configured").click()
    expect(page.get_by_label("Light up possible moves")).to_be_checked()
    expect(page.locator("#light [data-point=d6]")).not_to_have_attribute("data-led", "")


def test_where_taking_back_is_not_allowed_there_is_no_button_for_it(page: Page) -> None:
    play_all(page, ["d6"])
    expect(page.locator("#take-back")).to_be_visible()
    page.get_by_label("Turns may be taken back").uncheck()
    expect(page.locator("#take-back")).to_be_hidden()
    page.get_by_label("Turns may be taken back").check()
    page.locator("#take-back").click()
    expect(page.locator("#turns button")).to_have_count(0)
    page.locator("#clear").click()
    expect(page.locator("#sentence")).to_contain_text("White to play")


def test_a_game_by_other_switches_is_begun(page: Page, address: str) -> None:
    page.locator("#rule-set").select_option("Lasker")
    page.locator("#switches summary").click()
    expect(page.get_by_label("Pieces of each player")).to_have_value("10")
    page.get_by_label("Pieces of each player").select_option("3")
    page.get_by_label("Flying with three pieces").select_option("never")
    page.locator("#begin").click()
    expect(page.locator("#rules")).to_have_text("Lasker pieces=3 flying=never")
    expect(page.locator("#players .to-move")).to_contain_text("3 in hand")
    client = PageClient(address)
    assert client.until("snapshot")["state"]["rules"] == "lasker pieces=3 flying=never"
    client.close()


def test_switches_that_do_not_go_together_are_told(page: Page) -> None:
    page.locator("#rule-set").select_option("Six pieces")
    page.locator("#switches summary").click()
    page.get_by_label("Pieces of each player").select_option("12")
    page.locator("#begin").click()
    expect(page.locator("#note")).to_contain_text("pieces=12 for each player do not fit")


def test_what_was_set_holds_after_a_start_where_games_are_kept(browser: Browser, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    page = browser.new_page()
    with simulated_board("--store", store) as address:
        open_settings(page, address)
        page.get_by_label("Lights").select_option("Contrast")
        page.get_by_label("Turns may be taken back").uncheck()
        play_all(page, ["d6"])
    with simulated_board("--store", store) as address:
        open_settings(page, address)
        expect(page.get_by_label("Lights")).to_have_value("contrast")
        expect(page.get_by_label("Turns may be taken back")).not_to_be_checked()
        expect(page.locator("#turns button")).to_have_text("d6")
        expect(page.locator("#take-back")).to_be_hidden()
    page.context.close()
