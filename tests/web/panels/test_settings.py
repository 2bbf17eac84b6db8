"""Settings and rules on the page: they take effect, on every page, and hold over a start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, choose_rules, leave, play_all
from tests.support.web.page_client import PageClient

DIM = re.compile("^#(0[0-9a-f]){3}$")
"""Less than a sixteenth of full light in each colour."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(pages: OpenPage, address: str) -> Page:
    page = pages()
    open_settings(page, address)
    return page


def open_settings(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#theme option")).to_have_count(3)
    choose(page, "to-settings")


def lit(light: Locator) -> str:
    """The colour of a light that is on."""
    expect(light).to_have_attribute("data-led", re.compile("^#"))
    return light.get_attribute("data-led") or ""


def test_speech_of_the_board_is_set_where_a_loudspeaker_is(page: Page, address: str) -> None:
    speech, language = page.get_by_label("Speech of the board"), page.get_by_label("Spoken language")
    expect(speech).to_be_hidden()
    speaker = PageClient(address)
    speaker.ask({"id": 1, "do": "speaker"})
    expect(speech).to_have_value("off")
    speech.select_option("Every turn")
    language.select_option("Deutsch")
    reset = page.get_by_role("button", name="Reset settings")
    expect(reset).to_be_visible()
    speaker.ask({"id": 2, "do": "speaker", "on": False})
    expect(language).to_have_value("de")
    expect(speech).to_be_visible()  # it speaks as soon as there is a loudspeaker again
    speaker.close()
    reset.click()
    expect(speech).to_be_hidden()


def test_a_theme_is_chosen_on_one_page_and_shown_on_all(page: Page, pages: OpenPage, address: str) -> None:
    other = pages()
    open_settings(other, address)
    d6 = other.locator("#light [data-point=d6]")
    before = lit(d6)
    page.get_by_label("Lights").select_option("Candle")
    expect(other.get_by_label("Lights")).to_have_value("candle")
    expect(d6).not_to_have_attribute("data-led", before)
    other.get_by_role("button", name="Reset settings").click()
    expect(page.get_by_label("Lights")).to_have_value("harbour")
    expect(d6).to_have_attribute("data-led", before)
    expect(page.get_by_role("button", name="Reset settings")).to_be_hidden()


def test_the_light_is_dimmed_and_possible_moves_are_left_dark(page: Page) -> None:
    d6 = page.locator("#light [data-point=d6]")
    assert not DIM.match(lit(d6))
    page.get_by_label("Brightness").click()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Reset settings")).to_be_visible()
    expect(d6).to_have_attribute("data-led", DIM)
    page.get_by_label("Show possible moves").click()
    expect(page.locator("#light [data-led^='#']")).to_have_count(0)
    page.get_by_role("button", name="Reset settings").click()
    expect(page.get_by_label("Show possible moves")).to_be_checked()
    expect(page.locator("#light [data-point=d6]")).not_to_have_attribute("data-led", "")


def test_where_taking_back_is_not_allowed_its_button_rests(page: Page) -> None:
    play_all(page, ["d6"])
    expect(page.locator("#take-back")).to_be_enabled()
    page.get_by_label("Allow take-backs").click()
    expect(page.locator("#take-back")).to_be_disabled()
    page.get_by_label("Allow take-backs").click()
    page.locator("#take-back").click()
    expect(page.locator("#turns button")).to_have_count(0)
    choose(page, "clear")
    expect(page.locator("#sentence")).to_contain_text("White to play")


def test_a_game_by_other_switches_is_begun(page: Page, address: str) -> None:
    choose_rules(page, "Lasker")
    page.locator("#switches summary").click()
    expect(page.get_by_label("Pieces per player")).to_have_value("10")
    page.get_by_label("Pieces per player").select_option("3")
    page.get_by_label("Flying with three pieces").select_option("never")
    page.locator("#begin").click()
    expect(page.locator("#rules")).to_have_text(
        "Lasker · Pieces per player: 3 · Flying with three pieces: never"
    )
    expect(page.locator("#players .to-move")).to_contain_text("3 in hand")
    client = PageClient(address)
    assert client.until("snapshot")["state"]["rules"] == "lasker pieces=3 flying=never"
    client.close()


def test_switches_that_do_not_go_together_are_told(page: Page) -> None:
    choose_rules(page, "Six pieces")
    page.locator("#switches summary").click()
    expect(page.get_by_label("Pieces per player")).to_have_value("6")
    page.get_by_label("Pieces per player").select_option("12")
    page.locator("#begin").click()
    expect(page.locator("#note")).to_contain_text("12 pieces each are too many")


def test_what_was_set_holds_after_a_start_where_games_are_kept(pages: OpenPage, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    page = pages()
    with simulated_board("--store", store) as address:
        open_settings(page, address)
        page.get_by_label("Lights").select_option("Contrast")
        page.get_by_label("Allow take-backs").click()
        expect(page.get_by_role("button", name="Reset settings")).to_be_visible()
        play_all(page, ["d6"])
        leave(page)
    with simulated_board("--store", store) as address:
        open_settings(page, address)
        expect(page.get_by_label("Lights")).to_have_value("contrast")
        expect(page.get_by_label("Allow take-backs")).not_to_be_checked()
        expect(page.locator("#turns button")).to_have_text("d6")
        expect(page.locator("#take-back")).to_be_disabled()
        leave(page)
