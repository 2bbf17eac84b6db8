"""Clocks on the page: their figures at the players, and the choice for the next game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.fake_board import FakeBoard

pytestmark = pytest.mark.ci

WHITE, BLACK = ("#players [data-player=white] .time", "#players [data-player=black] .time")
CLOCK: dict[str, Any] = {
    "control": "5+3",
    "white_s": 297.4,
    "black_s": 301.0,
    "running": None,
    "flag": None,
    "strict": False,
    "bar_leds": 0,
}


def test_times_stand_at_the_players(board: FakeBoard, page: Page) -> None:
    expect(page.locator(WHITE)).to_be_hidden()
    board.say(clock=CLOCK)
    expect(page.locator(WHITE)).to_have_text("4:57")
    expect(page.locator(BLACK)).to_have_text("5:01")
    board.say(clock={**CLOCK, "white_s": None, "black_s": 3725.0})
    expect(page.locator(WHITE)).to_be_hidden()
    expect(page.locator(BLACK)).to_have_text("1:02:05")
    board.say(clock=None)
    expect(page.locator(BLACK)).to_be_hidden()


def test_clock_that_runs_is_told_apart_and_goes_on(board: FakeBoard, page: Page) -> None:
    board.say(clock={**CLOCK, "white_s": 200.0, "running": "white"})
    expect(page.locator(f"{WHITE}.runs")).to_be_visible()
    expect(page.locator(f"{BLACK}.runs")).to_have_count(0)
    expect(page.locator(WHITE)).not_to_have_text("3:20")
    expect(page.locator(BLACK)).to_have_text("5:01")


def test_low_time_and_time_that_is_up_stand_out(board: FakeBoard, page: Page) -> None:
    board.say(clock={**CLOCK, "black_s": 0.0, "white_s": 29.0, "flag": "black"})
    expect(page.locator(f"{BLACK}.flag.low")).to_have_text("0:00.0")
    expect(page.locator(f"{WHITE}.low")).to_have_count(0)
    board.say(clock={**CLOCK, "black_s": 290.0, "white_s": 29.0, "running": "white"})
    expect(page.locator(f"{WHITE}.low.runs")).to_be_visible()
    expect(page.locator(f"{BLACK}.flag")).to_have_count(0)


def test_side_bars_are_drawn_as_the_strip_lights_them(board: FakeBoard, page: Page) -> None:
    lit = {f"white-bar-{number}": "#0000ff" for number in (1, 2)} | {"black-bar-1": "#403000"}
    board.say(clock={**CLOCK, "bar_leds": 8}, leds=lit)
    expect(page.locator("#light [data-bar=white]")).to_have_count(8)
    expect(page.locator("#light [data-bar=white][data-led^='#']")).to_have_count(2)
    expect(page.locator("#light [data-bar=black][data-led^='#']")).to_have_count(1)


def test_clock_of_the_next_game_is_chosen_with_it(board: FakeBoard, page: Page) -> None:
    page.locator("#clocks summary").click()
    page.locator("#clock-white").select_option(label="5 min + 3 s")
    expect(page.locator("#clock-black")).to_have_value("5+3")
    page.locator("#clock-black").select_option(label="30 s a turn")
    page.locator("#begin").click()
    (asked,) = board.asked(1)
    assert asked["clock"] == "5+3/move:30"


def test_clocks_that_are_agreed_are_chosen_already(board: FakeBoard, page: Page) -> None:
    board.say(settings={**board.state["settings"], "clock": "7+1/none"})
    expect(page.locator("#clock-white")).to_have_value("7+1")
    expect(page.locator("#clock-black")).to_have_value("none")
