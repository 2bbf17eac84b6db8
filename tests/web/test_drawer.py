"""The drawer of the simulated board in a browser: broken, seen and mended; a session saved and replayed."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import simulated_board
from browsing import MILLWRIGHT, play, point
from fake_board import FakeBoard
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The page of a simulated board that keeps its games."""
    with simulated_board("--store", str(tmp_path / "games.db")) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a laptop's size with an open drawer, on a board that is whole and empty."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(address)
    page.get_by_role("button", name="Break it").click()
    expect(page.locator("#drawer")).to_be_visible()
    yield page
    page.context.close()
    assert complaints == []


def choose(page: Page, name: str) -> None:
    """Press a point of the board, whose sensor is meant."""
    page.mouse.click(*point(page, name))
    expect(page.get_by_label("Sensor of the point")).to_have_value(name)


def felt(page: Page, name: str) -> dict[str, str]:
    """What is shown over a point of what is felt there."""
    found: dict[str, str] = page.locator(f"#feel [data-point={name}]").evaluate("mark => ({...mark.dataset})")
    return found


def test_a_sensor_that_sticks_is_seen_in_what_is_felt_and_done_and_mended_again(page: Page) -> None:
    page.get_by_label("Show what the sensors feel").check()
    choose(page, "d6")
    page.get_by_label("is stuck, and always feels a piece").check()
    expect(page.locator("#feel [data-point=d6]")).to_have_attribute("data-believed", "1")
    assert felt(page, "d6")["raw"] == "1"
    expect(page.locator("#feel [data-point=d6] .raw")).to_be_visible()
    expect(page.locator("#feel [data-point=d6] .believed")).to_be_visible()
    expect(page.locator("#feel [data-point=f4] .raw")).to_be_hidden()
    expect(page.locator("#drawer .reads")).to_contain_text(
        "The sensor says a piece, the board believes a piece."
    )
    expect(page.locator("#sentence")).to_contain_text("Black to play")  # as if White had set a piece there
    expect(page.locator("#drawer .count")).to_have_text("One thing is broken.")
    page.get_by_label("works", exact=True).first.check()
    expect(page.locator("#feel [data-point=d6]")).to_have_attribute("data-believed", "0")
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(page.locator("#drawer .count")).to_have_text("Nothing is broken.")


def test_what_chatters_is_counted_and_what_leds_were_sent_is_shown(page: Page) -> None:
    page.get_by_label("Show what the sensors feel").check()
    expect(page.locator("#feel [data-point=a1]")).to_have_attribute("data-led", re.compile("^#[0-9a-f]{6}$"))
    choose(page, "g7")
    page.get_by_label("chatters without end").check()
    expect(page.locator("#feel [data-point=g7] .flickers")).to_have_text(re.compile(r"^×\d\d+$"))
    page.get_by_label("Show what the sensors feel").uncheck()
    expect(page.locator("#feel [data-point=g7]")).to_be_hidden()


def test_what_is_broken_is_the_same_on_another_page_and_after_a_reload(page: Page, browser: Browser) -> None:
    page.get_by_label("Chip 1 is dead").check()
    page.get_by_label("The LEDs are unplugged").check()
    page.get_by_label("The disk").select_option("is full")
    slider = page.get_by_label("Strength of the magnets")
    slider.fill("12")
    slider.dispatch_event("change")
    expect(page.locator("#drawer .count")).to_have_text("4 things are broken.")
    other = browser.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Break it").click()
    page.reload()
    page.get_by_role("button", name="Break it").click()
    for each in (other, page):
        expect(each.locator("#drawer .count")).to_have_text("4 things are broken.")
        expect(each.get_by_label("Chip 1 is dead")).to_be_checked()
        expect(each.get_by_label("Chip 0 is dead")).not_to_be_checked()
        expect(each.get_by_label("The LEDs are unplugged")).to_be_checked()
        expect(each.locator("#drawer .disk select")).to_have_value("2")
        expect(each.get_by_label("Strength of the magnets")).to_have_value("12")
        expect(each.locator("#light [data-led]:not([data-led=''])")).to_have_count(0)
    other.get_by_role("button", name="Repair everything").click()
    expect(page.locator("#drawer .count")).to_have_text("Nothing is broken.")
    expect(page.get_by_label("Strength of the magnets")).to_have_value("30")
    other.context.close()


def test_the_plug_is_pulled_and_put_in_again_and_the_game_goes_on(page: Page) -> None:
    page.get_by_role("button", name="Close").click()
    play(page, "d6", "white")
    expect(page.locator("#turns span")).to_have_count(1)
    page.get_by_role("button", name="Break it").click()
    page.get_by_role("button", name="Pull the plug").click()
    expect(page.locator("#sentence")).to_contain_text("The plug is pulled")
    expect(page.locator("#light [data-led]:not([data-led=''])")).to_have_count(0)
    page.get_by_role("button", name="Put the plug in").click()
    expect(page.locator("#sentence")).to_contain_text("Black to play")


def test_all_of_it_can_be_done_by_keyboard(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.get_by_role("button", name="Break it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Pull the plug")).to_be_focused()
    page.locator("#hands [data-point=b4]").focus()
    expect(page.get_by_label("Sensor of the point")).to_have_value("b4")
    page.get_by_label("works", exact=True).first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#drawer .count")).to_have_text("One thing is broken.")
    expect(page.get_by_label("is stuck, and always feels a piece")).to_be_focused()
    page.get_by_label("Thickness of the wood").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#drawer .count")).to_have_text("2 things are broken.")
    expect(page.get_by_label("Thickness of the wood")).to_have_attribute("aria-valuetext", "6.5 mm")
    expect(page.get_by_label("Thickness of the wood")).to_be_focused()


def test_a_session_saved_as_a_script_is_replayed_to_the_same_end(page: Page, tmp_path: Path) -> None:
    page.get_by_role("button", name="Close").click()
    play(page, "d6", "white")
    expect(page.locator("#turns span")).to_have_count(1)
    play(page, "f4", "black")
    expect(page.locator("#turns span")).to_have_count(2)
    page.get_by_role("button", name="Break it").click()
    choose(page, "g7")
    page.get_by_label("is stuck, and always feels a piece").check()
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
    page.get_by_role("button", name="Close").click()
    assert page.locator("#turns span").all_text_contents() == ["d6", "f4", "g7"]
    state = told[-1]["state"]
    assert (state["to_move"], state["status"], state["held"]) == ("black", "ready", [])


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 640), (360, 640)])
def test_the_drawer_leaves_the_board_free(browser: Browser, address: str, width: int, height: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < 400)
    page.goto(address)
    page.get_by_role("button", name="Break it").click()
    expect(page.locator("#drawer")).to_be_visible()
    drawer = page.locator("#drawer").bounding_box()
    points = page.locator("#hands [data-point]")
    boxes = [points.nth(n).bounding_box() for n in range(points.count())]
    assert drawer is not None
    assert len(boxes) == 24
    for box in boxes:
        assert box is not None
        assert box["y"] >= 0
        beside = box["x"] + box["width"] <= drawer["x"]
        above = box["y"] + box["height"] <= drawer["y"]
        assert beside or above
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_a_real_board_has_no_drawer(browser: Browser) -> None:
    board = FakeBoard()
    page = browser.new_page()
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    expect(page.locator("#break")).to_be_hidden()
    page.context.close()
    board.server.close()
