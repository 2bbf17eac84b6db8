"""One evening on the page of a simulated board: its menu is asked for, and its lights and pieces are clicked.

Every question closes after twelve seconds without an answer, so the tests look at nothing between two clicks
that a question may not wait for.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, box, choose, drag, leave, middle, pieces_at, play, point

pytestmark = pytest.mark.long

BOARD = f"""
[strip]
leds = 40
white_bar = {list(range(24, 32))}
black_bar = {list(range(32, 40))}

[controls]
button = 26
off = true

[play]
hint_white = "on-request"
"""


def ask(page: Page) -> None:
    """Ask for the light menu; the board's button opens it too, but on a busy machine is held too long."""
    choose(page, "ask")
    expect(page.locator("#asking [data-at=d2]")).to_be_visible()


def answer(page: Page, name: str, text: str) -> None:
    """Click at the option `text`, which is lit at that point."""
    option = page.locator(f"#asking [data-at={name}]")
    expect(option).to_have_text(text)
    page.mouse.click(*middle(option.bounding_box()))


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("EVENING_SHOTS"):
        page.wait_for_timeout(300)
        page.screenshot(path=f"{folder}/{name}.png")


def test_an_evening_needs_no_keyboard(pages: OpenPage, tmp_path: Path) -> None:
    config = tmp_path / "millwright.toml"
    config.write_text(BOARD, encoding="utf-8")
    store = str(tmp_path / "games.db")
    page = pages()
    sentence, lights = page.locator("#sentence"), page.locator("#light")
    with simulated_board("--config", str(config), "--store", store) as address:
        page.goto(address)
        ask(page)
        shot(page, "1-menu")
        answer(page, "f2", "Clock")
        shot(page, "2-clock")
        answer(page, "e4", "5 min + 3 s")
        answer(page, "d2", "Back")
        answer(page, "b6", "New game")
        answer(page, "f6", "Who begins")
        answer(page, "e4", "By turns")
        answer(page, "d2", "Back")
        answer(page, "b6", "New game")
        shot(page, "3-rules")
        answer(page, "a7", "Lasker")
        expect(page.locator("#asking")).to_be_hidden()
        expect(lights.locator("[data-bar=white][data-led^='#']")).to_have_count(8)
        shot(page, "4-begun")
        for player, name in (("white", "d6"), ("black", "f4"), ("white", "d7"), ("black", "a1")):
            play(page, name, player)
            expect(pieces_at(page, name)).to_be_visible()
        expect(page.locator("#turns span")).to_have_text(["d6", "f4", "d7", "a1"])
        shot(page, "5-played")
        ask(page)
        answer(page, "c5", "Hint")
        expect(page.locator("#asking")).to_be_hidden()
        shot(page, "6-hint")
        play(page, "g1", "white")
        expect(page.locator("#turns span")).to_have_count(5)
        ask(page)
        answer(page, "d5", "Take back")
        expect(page.locator("#asking")).to_be_hidden()
        shot(page, "7-taken-back")
        drag(page, point(page, "g1"), box(page, "white"))
        expect(page.locator("#turns span")).to_have_text(["d6", "f4", "d7", "a1"])
        ask(page)
        answer(page, "e3", "Pause")
        expect(sentence).to_have_text("The game is paused.")
        shot(page, "8-paused")
        ask(page)
        answer(page, "e3", "Resume")
        expect(sentence).to_contain_text("White to play")
        ask(page)
        answer(page, "c4", "White has won")
        answer(page, "c4", "Again: White has won")
        expect(sentence).to_contain_text("White wins")
        shot(page, "9-over")
        choose(page, "clear")
        expect(sentence).to_contain_text("White to play")
        expect(lights.locator("[data-point=a7][data-led^='#']")).to_have_count(1)
        shot(page, "10-next")
        play(page, "d6", "white")
        expect(page.locator("#turns span")).to_have_text(["d6"])
        page.get_by_role("button", name="Break it").click()
        page.get_by_role("button", name="The plug is pulled").click()
        expect(sentence).to_contain_text("no power")
        shot(page, "11-plug")
        page.get_by_role("button", name="Put the plug in").click()
        expect(sentence).to_have_text("The game is paused.")
        shot(page, "12-power")
        ask(page)
        answer(page, "e3", "Resume")
        expect(sentence).to_contain_text("Black to play")
        ask(page)
        answer(page, "f4", "Switch off")
        answer(page, "f4", "Again: Switch off")
        shot(page, "13-counting")
        expect(sentence).to_contain_text("no power")
        shot(page, "14-off")
        leave(page)
