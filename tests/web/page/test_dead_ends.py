"""Places where a beginner must not get stuck: a board without hardware, and a page used by keys alone.

The dead ends of the terminal, such as its help, rule sets and folders, are in tests/commands/test_cli.py and
test_cli_sim.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.matrix import sampled
from tests.support.real_board import real_programs
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, draw, leave
from tests.support.web.keyboard import Keyboard
from tests.support.web.person import LAPTOP, PHONE, Person

NOTED = """() => {
  window.stops = [];
  addEventListener("focusin", ({ target }) => {
    const labels = [...(target.labels ?? [])].map(({ textContent }) => textContent).join(" ");
    const name = target.getAttribute("aria-label") ?? (labels || target.textContent);
    const { width, height } = target.getBoundingClientRect();
    const is = target.id || target.dataset.point || target.outerHTML;
    window.stops.push([is, name.trim() !== "" && width * height > 0]);
  });
}"""
"""Notes each stop of Tab, and whether it has a name and can be seen."""


@pytest.fixture
def address() -> Iterator[str]:
    """A simulated board before a first game."""
    with simulated_board("--no-store", plain=True) as address:
        yield address


def at_page(page: Page, address: str, look: dict[str, Any]) -> Person:
    """A person at a page that shows its board."""
    page.goto(address)
    expect(page.locator("#players .to-move")).to_be_visible()
    return Person(page, "has_touch" in look)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of `millwright run` on a computer without hardware."""
    with real_programs(tmp_path_factory.mktemp("home")) as start:
        yield start()[1]


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="there is a GPIO chip here")
@pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=["mouse", "touch"])
def test_board_without_hardware_leads_to_a_simulated_one(
    pages: OpenPage, bare: str, look: dict[str, Any]
) -> None:
    page = pages(**look)
    page.goto(bare)
    person = Person(page, "has_touch" in look)
    expect(page.locator("#sentence")).to_have_text("This board has no sensors yet")
    expect(page.locator("#slot > :visible")).to_have_text(["Copy the command"])
    person.press(page.locator("#copy-command"))
    expect(page.locator("#no-sensors [role=status]")).to_have_text("Copied.")
    for name in ("take-back", "redo", "look-back"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    person.press(page.locator("#more"))
    for name in ("pause", "draw", "resign", "new", "new-position"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    person.press(page.locator("#to-settings"))
    person.press(page.locator("#called-white"))
    for key in ("Control+A", "Control+V"):
        page.keyboard.press(key)
    expect(page.locator("#called-white")).to_have_value("millwright sim")
    person.press(page.locator("#done"))


def stops(page: Page) -> list[str]:
    """Go round the page by Tab; return its stops, and see that each has a name and can be seen."""
    page.evaluate("window.stops.length = 0")
    found: list[list[Any]] = []
    while len(found) == len({name for name, _ in found}):
        for _ in range(10):
            page.keyboard.press("Tab")
        found = page.evaluate("window.stops")
    assert [name for name, is_clear in found if not is_clear] == []
    return [name for name, _ in found]


@pytest.mark.parametrize("look", sampled([LAPTOP, PHONE]), ids=["laptop", "phone"])
def test_every_stop_of_tab_has_a_name(pages: OpenPage, address: str, look: dict[str, Any]) -> None:
    person = at_page(pages(**look), address, look)
    page = person.page
    page.evaluate(NOTED)
    for opened in ("", "more", "to-settings"):
        if opened:
            person.press(page.locator(f"#{opened}"))
        found = {*stops(page)}
        assert {"take-back", "redo", "done" if opened else "more"} <= found, opened
        assert not {"hands", "stage"} & found, opened
    leave(page)


class Tabber:
    """A player without a pointer, who always knows where the keys are."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keyboard = Keyboard(page)

    def use(self, *selectors: str, back: bool = False) -> None:
        """Go to each of these controls by Tab and press Enter; then something has the focus."""
        for selector in selectors:
            self.keyboard.use(selector, back=back)
            draw(self.page)
            expect(self.page.locator(":focus")).to_have_count(1)

    def is_asked(self, said: str) -> None:
        """Wait for the sentence, with something in focus."""
        expect(self.page.locator("#say")).to_contain_text(said)
        expect(self.page.locator(":focus")).to_have_count(1)


@pytest.mark.parametrize("look", sampled([LAPTOP, PHONE]), ids=["laptop", "phone"])
def test_keys_never_lose_their_place(pages: OpenPage, address: str, look: dict[str, Any]) -> None:
    page = at_page(pages(**look), address, look).page
    tabber = Tabber(page)
    if page.locator("#choose").is_visible():
        tabber.use("#choose")
    tabber.use("#begin")
    tabber.keyboard.do("d6", "white")
    tabber.is_asked("Black to play")
    tabber.keyboard.do("f4", "black")
    tabber.is_asked("White to play")
    tabber.use("#take-back", "#set-right")
    tabber.is_asked("Black to play")
    tabber.use("#redo", "#set-right")
    tabber.is_asked("White to play")
    tabber.use("#more", "#pause", "#resume")
    tabber.is_asked("White to play")
    tabber.use("#more", "#draw", "#question button:last-of-type")  # "Keep playing"
    tabber.use("#draw", "#question button:first-of-type")
    tabber.use("#undo", back=True)
    tabber.is_asked("White to play")
    tabber.use("#more", "#clear")
    tabber.use("#undo", back=True)
    tabber.is_asked("White to play")
    tabber.use("#look-back", "#now", "#more", "#share", "#view-share .offers button", "#done")
    tabber.use("#more", "#to-settings", "#done", "#more", "#break-it")
    tabber.use("role=button[name=/A sensor sticks/]", "#repair", "#done")
    tabber.is_asked("White to play")
    tabber.use("#more", "#new", "#begin")
    tabber.is_asked("White to play")
    leave(page)
