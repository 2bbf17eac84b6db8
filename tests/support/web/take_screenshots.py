"""Plays on the page of `millwright sim` with mouse and fingers, and takes the pictures that README shows.

Run as `python -m tests.support.web.take_screenshots FOLDER` (`make screenshots`); needs the browser of the
page's tests. Each picture has a board of its own, and a look: dark or light, on a laptop, a projector or a
phone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from firmware_host.games.rulesets import rule_set
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import chromium, drag, patient_page, play_all, play_steps, point

PLACED = ["d6", "f4", "b4", "d7", "f6", "b6", "d5", "e4", "d3", "g4xd5", "e3", "c3", "b2", "g1", "f2", "d2"]
MOVED = ["a4", "a7", "d6-d5"]
VAULTING = ["+b2 a1-b2", "+c5 e5^c5", "a1>c2 b2-c2", "+d3 e4-d3", "b2>e4 c2^e4"]
BRIGHT = re.compile("#[5-9a-f]")
LIT = re.compile("#[0-9a-f]{5}")
LAPTOP = {"width": 1280, "height": 800}
PROJECTOR = {"width": 1920, "height": 1080}
PHONE = {"width": 360, "height": 740}
QUALITY = 78
"""Of JPEG, which the grain of wood takes less room in than in PNG."""


def start(page: Page) -> None:
    """Nothing is on the board; every point is lit, since a piece may be set there."""
    expect(page.locator("#light [data-point=d7]")).to_have_attribute("data-led", LIT)


def removal(page: Page) -> None:
    """Black has closed a mill and may take a lit piece."""
    play_all(page, [*PLACED, *MOVED])
    drag(page, point(page, "g4"), point(page, "g7"))
    expect(page.locator("#sentence")).to_contain_text("Black closed a mill")
    expect(page.locator("#light [data-point=d7]")).to_have_attribute("data-led", BRIGHT)


def error(page: Page) -> None:
    """A white piece was moved although it is Black's turn."""
    play_all(page, PLACED[:5])
    drag(page, point(page, "d6"), point(page, "g7"))
    expect(page.locator("#say")).to_contain_text("g7")
    expect(page.locator("#light [data-point=g7]")).to_have_attribute("data-led", BRIGHT)


def drawer(page: Page) -> None:
    """A sensor is stuck and counts as a turn, and the readings of all are shown."""
    play_all(page, PLACED[:6])
    page.get_by_role("button", name="Break it").click()
    page.get_by_label("Show sensor readings").check()
    page.get_by_label("Sensor of the point").select_option("d3")
    page.get_by_label("is stuck: always detects a piece").check()
    expect(page.locator("#feel [data-point=d3]")).to_have_attribute("data-believed", "1")
    expect(page.locator("#drawer .broken")).to_contain_text("takes it for White's turn")
    page.locator("#panel").evaluate("list => list.scrollTo(0, 0)")


def looking_back(page: Page) -> None:
    """A position of some turns ago, in place of the board."""
    play_all(page, PLACED[:10])
    page.get_by_role("button", name="g4xd5", exact=True).click()
    expect(page.locator("#then")).to_be_visible()


def vaulted(page: Page) -> None:
    """White has vaulted over a black ball, which is to be moved elsewhere."""
    play_steps(page, VAULTING)
    expect(page.locator("#sentence")).to_contain_text("White vaulted")
    expect(page.locator("#light [data-point=d3]")).to_have_attribute("data-led", BRIGHT)


def vaults_past(page: Page) -> None:
    """A position of some turns ago, of stacks."""
    play_steps(page, [*VAULTING[:-1], f"{VAULTING[-1]}/d3-e5"])
    expect(page.locator("#turns button")).to_have_count(len(VAULTING))
    page.locator("#turns button").last.click()
    expect(page.locator("#then")).to_be_visible()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to take: what is done before, in what browser, and on what board."""

    prepare: Callable[[Page], None]
    size: dict[str, int]
    scheme: str
    scale: float = 1.0
    game: str = "standard"

    def take(self, browser: Browser, file: Path) -> None:
        """Write it to `file`."""
        look: dict[str, Any] = {"viewport": self.size, "color_scheme": self.scheme}
        with simulated_board("--game", self.game) as address:
            page = patient_page(browser, **look, device_scale_factor=self.scale, has_touch=self.size is PHONE)
            page.goto(address)
            expect(page.locator(".piece")).to_have_count(sum(rule_set(self.game).box.values()))
            self.prepare(page)
            page.mouse.move(1, 1)
            page.screenshot(path=file, type="jpeg", quality=QUALITY)
            page.context.close()


PICTURES = {
    "removal": Picture(removal, LAPTOP, "dark"),
    "start": Picture(start, LAPTOP, "light"),
    "error": Picture(error, LAPTOP, "light"),
    "drawer": Picture(drawer, LAPTOP, "dark"),
    "past": Picture(looking_back, LAPTOP, "light"),
    "mitsudomoe": Picture(vaulted, LAPTOP, "dark", game="mitsudomoe"),
    "mitsudomoe-past": Picture(vaults_past, LAPTOP, "light", game="mitsudomoe"),
    "phone-dark": Picture(removal, PHONE, "dark", 1.5),
    "phone-light": Picture(error, PHONE, "light", 1.5),
    "projector": Picture(removal, PROJECTOR, "light"),
}


def main(folder: str) -> None:
    """Write all pictures into `folder`."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name, picture in PICTURES.items():
            picture.take(browser, Path(folder, f"{name}.jpg"))


if __name__ == "__main__":
    main(sys.argv[1])
