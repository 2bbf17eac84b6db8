"""Plays a game on the page of `millwright sim` with the mouse, up to a mill, and takes its picture.

Run as `python tests/web/take_screenshot.py FILE` (`make screenshot`); needs the browser of the page's tests.
"""

from __future__ import annotations

import re
import sys

from browsing import chromium, drag, play_all, point, simulated_board
from playwright.sync_api import expect

PLACED = ["d6", "f4", "b4", "d7", "f6", "b6", "d5", "e4", "d3", "g4xd5", "e3", "c3", "b2", "g1", "f2", "d2"]
MOVED = ["a4", "a7", "d6-d5"]
BRIGHT = re.compile("#[5-9a-f]")


def main(file: str) -> None:
    """Write the picture to `file`."""
    with simulated_board() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        play_all(page, [*PLACED, *MOVED])
        drag(page, point(page, "g4"), point(page, "g7"))
        expect(page.locator("#sentence")).to_contain_text("Black closed a mill")
        expect(page.locator("#light [data-point=d7]")).to_have_attribute("data-led", BRIGHT)
        page.screenshot(path=file)


if __name__ == "__main__":
    main(sys.argv[1])
