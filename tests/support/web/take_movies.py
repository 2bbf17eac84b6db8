"""Plays on the page of `millwright sim`, and takes the two moving pictures that README shows.

Run as `python -m tests.support.web.take_movies FOLDER` (`make movies`); needs the browser of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize, expect

from tests.support.web.animation import ScreenPicture, animated
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import chromium, click, middle, patient_page, play_all, point, written
from tests.support.web.pixels import decode

SIZE: ViewportSize = {"width": 400, "height": 740}
HEAD, DOCK = 48, 60
"""The head, and the lower part of the dock, which no picture needs, in pixels."""
PLACED = ["d6", "f4", "b6", "d2", "b4", "f2"]

Look = Callable[[int], None]
"""A function that takes a picture, and has it shown for a number of milliseconds."""


def turn(page: Page, look: Look) -> None:
    """White closes a mill and takes a piece."""
    play_all(page, PLACED)
    look(900)
    page.mouse.move(*middle(page.locator(".piece[data-piece=white][data-from=box]").last.bounding_box()))
    page.mouse.down()
    for part in (0.4, 0.7, 1.0):
        x, y = middle(page.locator(".piece[data-from=carried], .piece[data-piece=white]").last.bounding_box())
        to_x, to_y = point(page, "f6")
        page.mouse.move(x + (to_x - x) * part, y + (to_y - y) * part, steps=3)
        look(180)
    page.mouse.up()
    expect(page.locator("#sentence")).to_contain_text("lit black pieces")
    for _ in range(4):
        page.wait_for_timeout(250)
        look(350)
    look(900)
    click(page, point(page, "f4"))
    written(page, [*PLACED, "f6xf4"])
    page.wait_for_timeout(500)
    look(1500)


def drawer(page: Page, look: Look) -> None:
    """A sensor sticks, the board takes it for a turn, and it is repaired."""
    play_all(page, PLACED[:2])
    look(800)
    page.locator("#break").click()
    page.wait_for_timeout(300)
    look(1000)
    page.get_by_role("button", name="A sensor sticks").click()
    expect(page.locator("#drawer .broken")).to_contain_text("takes it for")
    page.locator("#drawer .broken").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    look(2200)
    page.get_by_role("button", name="Repair it").click()
    expect(page.locator("#drawer .broken")).to_have_count(0)
    expect(page.locator("#sentence")).to_contain_text("White to play")
    page.wait_for_timeout(600)
    look(1400)


def take(name: str, film: Callable[[Page, Look], None], folder: Path) -> None:
    """Write the moving picture of `film` into `folder`."""
    frames: list[ScreenPicture] = []
    clip: FloatRect = {"x": 0, "y": HEAD, "width": SIZE["width"], "height": SIZE["height"] - HEAD - DOCK}
    with chromium() as browser, simulated_board("--sensors", "polarity") as address:
        page = patient_page(browser, viewport=SIZE, color_scheme="light")
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White")
        film(page, lambda shown: frames.append(ScreenPicture(decode(page.screenshot(clip=clip)), shown)))
        page.context.close()
    (folder / f"{name}.png").write_bytes(animated(frames))


def main(folder: str) -> None:
    """Write both moving pictures into `folder`."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    take("turn", turn, Path(folder))
    take("break", drawer, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
