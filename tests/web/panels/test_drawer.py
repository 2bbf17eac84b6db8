"""The drawer of the simulated board in a browser: faults, readings, repairs; a session saved and replayed."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from firmware_host.web import access, messages
from firmware_host.web.addresses import EVERYWHERE
from tests.support.matrix import sampled
from tests.support.web import browsing
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import MILLWRIGHT, OpenPage, draw, leave, play, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard, reach

PHONES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 360, "height": 740},
    {"width": 320, "height": 568},
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The page of a simulated board that keeps its games."""
    with simulated_board("--store", str(tmp_path / "games.db")) as found:
        yield found


@pytest.fixture
def page(address: str, pages: OpenPage) -> Page:
    """A page of a laptop's size with an open drawer, on a board that is whole and empty."""
    page = pages()
    page.goto(address)
    page.get_by_role("button", name="Break it").click()
    expect(page.locator("#drawer")).to_be_visible()
    return page


def choose(page: Page, name: str) -> None:
    """Choose the sensor of a point by tapping it on the board."""
    page.get_by_role("button", name="Tap it on the board").click()
    page.mouse.click(*point(page, name))
    expect(page.get_by_label("Sensor of the point")).to_have_value(name)


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
@pytest.mark.parametrize("size", sampled(PHONES), ids=lambda size: str(size["width"]))
def test_a_fault_is_named_in_sight_on_a_phone(
    address: str, pages: OpenPage, size: ViewportSize, language: str
) -> None:
    page = pages(viewport=size)
    page.goto(f"{address}?lang={language}")
    browsing.choose(page, "break-it")
    page.locator("#drawer .stories button").first.click()
    expect(page.locator("#turns button")).to_have_count(1)  # the board takes it for White's turn
    fault, dock = page.locator("#drawer .broken p"), page.locator("#dock")
    expect(fault).to_contain_text("d7")
    expect(page.locator(".piece.captured")).to_have_count(0)
    assert lower_edge(fault) <= upper_edge(dock)
    leave(page)


def upper_edge(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def lower_edge(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_a_sensor_that_sticks_is_seen_in_what_is_felt_and_done_and_mended_again(page: Page) -> None:
    page.get_by_label("Show sensor readings").check()
    choose(page, "d6")
    page.get_by_label("is stuck: always detects a piece").click()
    expect(page.locator("#feel [data-point=d6]")).to_have_attribute("data-believed", "1")
    expect(page.locator("#feel [data-point=d6]")).to_have_attribute("data-raw", "1")
    expect(page.locator("#feel [data-point=d6] .raw")).to_be_visible()
    expect(page.locator("#feel [data-point=d6] .believed")).to_be_visible()
    expect(page.locator("#feel [data-point=f4] .raw")).to_be_hidden()
    expect(page.locator("#drawer .reads")).to_contain_text("Raw reading: a piece. Debounced: a piece.")
    expect(page.locator("#sentence")).to_contain_text("Black to play")  # as if White had set a piece there
    expect(page.locator("#drawer .tally")).to_have_text("One thing is broken.")
    page.get_by_label("works", exact=True).first.click()
    expect(page.locator("#feel [data-point=d6]")).to_have_attribute("data-believed", "0")
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(page.locator("#drawer .tally")).to_have_text("Nothing is broken.")


def test_story_of_stuck_sensor_says_what_board_takes_it_for(page: Page) -> None:
    page.get_by_role("button", name="A sensor sticks").click()
    now = page.locator("#drawer .broken")
    expect(now).to_contain_text("The board takes it for White's turn.")
    now.get_by_role("button", name="Repair it").click()
    expect(now).to_have_count(0)
    expect(page.locator("#sentence")).to_contain_text("White to play")


def test_each_fault_is_named_as_it_was_broken(page: Page) -> None:
    """Two are named in the drawer's words: a chip by its box, a sensor by its kind."""
    now = page.locator("#drawer .broken p")
    page.get_by_label("Multiplexer 0 is dead").click()
    expect(now).to_have_text("Multiplexer 0 is dead.")
    choose(page, "d6")
    page.get_by_label("chatters constantly").click()
    page.get_by_label("Select lines").select_option("1 has come off")
    expect(now).to_have_text(
        ["Multiplexer 0 is dead.", "d6 chatters constantly.", "Select lines: 1 has come off."]
    )


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1366, "height": 768}], ids=str)
def test_swapped_wires_say_what_to_try(address: str, pages: OpenPage, size: ViewportSize) -> None:
    page = pages(viewport=size, has_touch=True)
    page.goto(address)
    browsing.choose(page, "break-it")
    page.get_by_role("button", name="Two wires are swapped").tap()
    fault = page.locator("#drawer .broken p")
    expect(fault).to_have_text(
        "The wires of d7 and d6 are swapped. Put a piece on one of them: the board reads it on the other."
    )
    page.touchscreen.tap(*point(page, "d6"))  # one tries that beside the drawer
    expect(page.locator("#turns button")).to_have_text("d7")
    leave(page)


def test_story_of_the_plug_is_undone_by_the_same_button(page: Page) -> None:
    story = page.get_by_role("button", name="The plug is pulled")
    story.click()
    expect(page.locator("#sentence")).to_contain_text("no power")
    story.click()
    expect(page.locator("#sentence")).to_contain_text("White to play")


def test_board_plays_on_without_a_sensor_that_sticks(page: Page) -> None:
    page.get_by_role("button", name="Two wires are swapped").click()
    expect(page.locator("#drawer .broken")).to_contain_text("are swapped")
    page.get_by_role("button", name="A sensor sticks").click()
    page.get_by_role("button", name="Play on without").click()
    expect(page.get_by_role("button", name="Play on without")).to_have_count(0)


def test_what_chatters_is_counted_and_what_leds_were_sent_is_shown(page: Page) -> None:
    page.get_by_label("Show sensor readings").check()
    expect(page.locator("#feel [data-point=a1]")).to_have_attribute("data-led", re.compile("^#[0-9a-f]{6}$"))
    choose(page, "g7")
    page.get_by_label("chatters constantly").click()
    expect(page.locator("#feel [data-point=g7] .flickers")).to_have_text(re.compile(r"^×\d\d+$"))
    page.get_by_label("Show sensor readings").uncheck()
    expect(page.locator("#feel [data-point=g7]")).to_be_hidden()


def test_what_is_broken_is_the_same_on_another_page_and_after_a_reload(page: Page, pages: OpenPage) -> None:
    page.get_by_label("Multiplexer 1 is dead").click()
    page.get_by_label("The LEDs are unplugged").click()
    page.get_by_label("The disk").select_option("is full")
    page.get_by_label("Strength of the magnets").fill("12")
    expect(page.locator("#drawer .tally")).to_have_text("4 things are broken.")
    other = pages()
    other.goto(page.url)
    other.get_by_role("button", name="Break it").click()
    page.reload()
    page.get_by_role("button", name="Break it").click()
    for each in (other, page):
        expect(each.locator("#drawer .tally")).to_have_text("4 things are broken.")
        expect(each.locator("#drawer .tally")).to_be_visible()
        expect(each.get_by_label("Multiplexer 1 is dead")).to_be_checked()
        expect(each.get_by_label("Multiplexer 0 is dead")).not_to_be_checked()
        expect(each.get_by_label("The LEDs are unplugged")).to_be_checked()
        expect(each.get_by_label("The disk")).to_have_value("is full")
        expect(each.get_by_label("Strength of the magnets")).to_have_value("12")
        expect(each.locator("#light [data-led]:not([data-led=''])")).to_have_count(0)
    other.get_by_role("button", name="Repair everything").click()
    expect(page.locator("#drawer .tally")).to_have_text("Nothing is broken.")
    expect(page.get_by_label("Strength of the magnets")).to_have_value("30")


def test_the_plug_is_pulled_and_put_in_again_and_the_game_goes_on(page: Page) -> None:
    page.locator("#done").click()
    play(page, "d6", "white")
    expect(page.locator("#turns span")).to_have_count(1)
    page.get_by_role("button", name="Break it").click()
    page.get_by_role("button", name="The plug is pulled").click()
    expect(page.locator("#sentence")).to_contain_text("The board has no power")
    expect(page.locator("#light [data-led]:not([data-led=''])")).to_have_count(0)
    page.get_by_role("button", name="Put the plug in").click()
    expect(page.locator("#sentence")).to_contain_text("Black to play")


def test_all_of_it_can_be_done_by_keyboard(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.get_by_role("button", name="Break it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="A sensor sticks")).to_be_focused()
    Keyboard(page).go("b4")
    expect(page.get_by_label("Sensor of the point")).to_have_value("b4")
    reach(page, page.get_by_label("works", exact=True).first)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#drawer .tally")).to_have_text("One thing is broken.")
    expect(page.get_by_label("is stuck: always detects a piece")).to_be_focused()
    reach(page, page.get_by_label("Thickness of the wood"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#drawer .tally")).to_have_text("2 things are broken.")
    expect(page.get_by_label("Thickness of the wood")).to_have_attribute("aria-valuetext", "6.5 mm")
    expect(page.get_by_label("Thickness of the wood")).to_be_focused()


def test_a_session_saved_as_a_script_is_replayed_to_the_same_end(page: Page, tmp_path: Path) -> None:
    page.locator("#done").click()
    play(page, "d6", "white")
    expect(page.locator("#turns span")).to_have_count(1)
    play(page, "f4", "black")
    expect(page.locator("#turns span")).to_have_count(2)
    page.get_by_role("button", name="Break it").click()
    choose(page, "g7")
    page.get_by_label("is stuck: always detects a piece").click()
    expect(page.locator("#turns span")).to_have_count(3)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as script").click()
    lines = Path(saved.value.path()).read_text("utf-8").splitlines()
    call = json.loads(lines[0])["note"].partition("to replay: millwright ")[2].removesuffix(" < FILE")
    words = shlex.split(call.replace("NEW-FILE", str(tmp_path / "replayed.db")))
    replayed = subprocess.run(  # noqa: S603 - our own program
        [MILLWRIGHT, *words], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
    )
    told = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert [one["text"] for one in told if one.get("event") == "turn"] == ["d6", "f4", "g7"]
    page.locator("#shut").click()
    expect(page.locator("#turns span")).to_have_text(["d6", "f4", "g7"])
    state = told[-1]["state"]
    assert (state["to_move"], state["status"], state["held"]) == ("black", "ready", [])


BOXES = "all => all.map((one) => one.getBoundingClientRect().toJSON())"


def test_the_drawer_leaves_the_board_free(address: str, pages: OpenPage) -> None:
    page = pages()
    for width, height in ((1280, 800), (1024, 640), (390, 844)):
        size = f"{width} by {height}"
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        page.get_by_role("button", name="Break it").click()
        expect(page.locator("#drawer")).to_be_visible()
        draw(page)
        (drawer,) = page.locator("#drawer").evaluate_all(BOXES)
        boxes = page.locator("#hands [data-point]").evaluate_all(BOXES)
        assert len(boxes) == 24
        for box in boxes:
            assert box["top"] >= 0, size
            assert box["right"] <= drawer["left"] or box["bottom"] <= drawer["top"], size
        assert page.evaluate("document.documentElement.scrollWidth") <= width, size


def test_on_a_real_board_who_only_looks_sees_what_the_sensors_feel(
    pages: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "is_here", lambda _: False)
    board = FakeBoard(host=EVERYWHERE, others=tmp_path / "devices.json")
    page = pages()
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    expect(page.locator("#break")).to_be_hidden()
    page.locator("#more").click()
    page.locator("#to-settings").click()
    page.get_by_text("Show sensor readings").click()
    until_watched(page, board, by=1)
    readings = {"raw": {"d6": 1, "f4": 2}, "stable": {"d6": 1}, "glitches": {"f4": 3}}
    shown = {"1": ["white"], "2": ["black"]}
    felt = messages.sensor_readings(shown=shown, masked=["a1"], levels={}, leds={}, **readings)
    board.server.publish(felt)
    expect(page.locator("#feel [data-point=d6] .believed")).to_have_class("believed white")
    expect(page.locator("#feel [data-point=f4] .raw")).to_have_class("raw black")
    expect(page.locator("#feel [data-point=f4] .believed")).to_be_hidden()
    expect(page.locator("#feel [data-point=f4] .flickers")).to_have_text("×3")
    expect(page.locator("#feel [data-point=a1] .masked")).to_be_visible()
    expect(page.locator("#feeling")).to_contain_text("the debounced reading, which the board uses")
    page.get_by_text("Show sensor readings").click()
    expect(page.locator("#feel [data-point=d6]")).to_be_hidden()
    until_watched(page, board, by=0)
    board.say(can=["try-again"])
    expect(page.locator("#feeling")).to_be_hidden()
    leave(page)
    board.server.close()


def until_watched(page: Page, board: FakeBoard, *, by: int) -> None:
    """Wait until the server has `by` pages that watch, which it tells nobody."""
    due = time.monotonic() + 60
    while board.server.watchers != by:
        assert time.monotonic() < due, f"{board.server.watchers} pages watch"
        page.wait_for_timeout(10)
