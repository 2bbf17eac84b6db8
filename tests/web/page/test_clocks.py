"""Clocks on the page: their figures at the players, and the choice for the next game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.browsing import OpenPage, draw, resize_text
from tests.support.web.fake_board import FakeBoard

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


@pytest.mark.parametrize(("control", "loses"), [("3+2", True), ("10", True), ("10+5", False)])
def test_usual_time_of_a_club_is_played_for(
    board: FakeBoard, open_page: OpenPage, control: str, *, loses: bool
) -> None:
    page = open_page(viewport={"width": 1366, "height": 768})
    page.locator("#clocks summary").click()
    page.locator("#clock-white").select_option(control)
    assert page.locator("#clock-loses").is_checked() is loses
    page.locator("#begin").click()
    *flagged, begun = board.asked(2 if loses else 1)
    assert flagged == [{"do": "set", "clock_flag": "strict"}] * loses
    assert begun["clock"] == control


SIZES = [(1366, 768), (390, 844), (320, 568), (844, 390), (1024, 640), (2560, 1440)]
READ = """() => {
    const size = (part, as) => parseFloat(getComputedStyle(part, as).fontSize);
    const cut = (part) => part.scrollWidth - part.clientWidth > 1;
    const sign = (name) => parseFloat(getComputedStyle(name, "::before").width);
    return [...document.querySelectorAll("#players div")].map((plaque) => {
        const [name, count, time] = plaque.children;
        return {
            clock: size(time) / size(document.querySelector("#sentence")),
            least: Math.min(size(name) || sign(name), size(count) || size(count, "::before")),
            cut: [plaque, name, time].filter(cut).map((part) => part.outerHTML),
            below: plaque.scrollHeight - plaque.clientHeight,
        };
    });
}"""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_plaques_can_be_read_across_a_table(
    board: FakeBoard, open_page: OpenPage, size: tuple[int, int]
) -> None:
    """The clock is as large as the sentence, names and counts have 14 px at least, in German as well."""
    width, height = size
    touch = {"has_touch": True, "is_mobile": True} if min(size) < 500 else {}
    page = open_page(viewport={"width": width, "height": height}, **touch)
    page.goto(f"{board.server.address}?lang=de")
    board.say(clock={**CLOCK, "white_s": 897.0, "black_s": 725.0, "running": "white"})
    expect(page.locator(WHITE)).to_be_visible()
    draw(page)
    draw(page)
    for plaque in page.evaluate(READ):
        assert plaque["clock"] >= 1
        assert plaque["least"] >= 14
        assert plaque["cut"] == []
        assert plaque["below"] <= 1


def test_clocks_that_are_agreed_are_chosen_already(board: FakeBoard, page: Page) -> None:
    board.say(settings={**board.state["settings"], "clock": "7+1/none"})
    expect(page.locator("#clock-white")).to_have_value("7+1")
    expect(page.locator("#clock-black")).to_have_value("none")


OVERLAPS = """() => [...document.querySelectorAll("#players div")].flatMap((plaque) => {
    const { top, bottom } = plaque.getBoundingClientRect();
    const [name, time] = ["dt", ".time"].map((part) => plaque.querySelector(part).getBoundingClientRect());
    const isOut = Math.min(name.top, time.top) < top - 1 || time.bottom > bottom + 1;
    return isOut || name.bottom > time.top + 1.5 ? [[top, name.top, name.bottom, time.top, time.bottom]] : [];
})"""


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (768, 1024), (1366, 768)])
def test_time_and_name_have_their_own_room_in_large_text(
    board: FakeBoard, pages: OpenPage, size: tuple[int, int]
) -> None:
    page = pages(viewport={"width": size[0], "height": size[1]})
    board.say(clock=CLOCK, seats={"white": "here", "black": "engine:1"})
    for text in (16, 24):
        resize_text(page, text)
        page.goto(f"{board.server.address}?lang=de")
        expect(page.locator(WHITE)).to_be_visible()
        draw(page)
        assert page.evaluate(OVERLAPS) == []
