"""A Chromium for tests of the page, and what a mouse does in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Locator, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))
Spot = tuple[float, float]
OpenPage = Callable[..., Page]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window, as long as the context lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_QUIET.split())
        yield browser
        browser.close()


@contextmanager
def simulated_board(*options: str) -> Iterator[str]:
    """The address of the page of a `millwright sim` that runs as long as the context lasts."""
    command = [MILLWRIGHT, "sim", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as board:  # noqa: S603
        try:
            line = board.stdout.readline() if board.stdout else ""
            found = re.search(r"http://\S+", line)
            assert found is not None, f"no address in {line!r}"
            yield found[0]
        finally:
            board.terminate()


def point(page: Page, name: str) -> Spot:
    """Where a point of the board is in the window."""
    return middle(page.locator(f"#hands [data-point={name}]").bounding_box())


def middle(box: FloatRect | None) -> Spot:
    """The middle of an element that is there."""
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def box(page: Page, player: str) -> Spot:
    """Where the box of a player is in the window, at its end that is empty first."""
    tray = page.locator(f"#wood [data-box={player}]").bounding_box()
    assert tray is not None
    if tray["height"] > tray["width"]:
        return tray["x"] + tray["width"] / 2, tray["y"] + tray["width"] / 2
    return tray["x"] + tray["width"] - tray["height"] / 2, tray["y"] + tray["height"] / 2


def pieces_at(page: Page, name: str) -> Locator:
    """The pieces on a point, on the `table` beside the points, in the `box` or in the `hands`."""
    return page.locator(f".piece[data-from={name}]")


def drag(page: Page, start: Spot, end: Spot, *, rests: bool = False) -> None:
    """Press at `start` and let go at `end`; a hand that `rests` there first does not flick."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    if rests:
        page.wait_for_timeout(150)
    page.mouse.up()


def play(page: Page, turn: str, player: str) -> None:
    """Do a turn as hands do: a piece from the box or a point to its point, then what it won off the board."""
    step, *removed = turn.split("x")
    origin, _, target = step.rpartition("-")
    in_box = page.locator(f".piece[data-piece={player}][data-from=box]")
    drag(page, point(page, origin) if origin else middle(in_box.last.bounding_box()), point(page, target))
    for name in removed:
        expect(page.locator("#sentence")).to_contain_text("closed a mill")
        drag(page, point(page, name), box(page, "black" if player == "white" else "white"))


def play_all(page: Page, turns: list[str]) -> None:
    """Do one turn after the other, each when the one before it is written down."""
    for number, turn in enumerate(turns, start=1):
        play(page, turn, "white" if number % 2 else "black")
        expect(page.locator("#turns span")).to_have_count(number)


class Fingers:
    """Fingers on the screen of a page, by their numbers."""

    def __init__(self, page: Page) -> None:
        self._screen = page.context.new_cdp_session(page)
        self._down: dict[int, Spot] = {}

    def press(self, finger: int, spot: Spot) -> None:
        """Put a finger down."""
        self._down[finger] = spot
        self._tell("touchStart")

    def move(self, finger: int, spot: Spot, steps: int = 4) -> None:
        """Move a finger that is down straight to `spot`."""
        x, y = self._down[finger]
        for step in range(1, steps + 1):
            part = step / steps
            self._down[finger] = x + (spot[0] - x) * part, y + (spot[1] - y) * part
            self._tell("touchMove")

    def lift(self) -> None:
        """Take all fingers away, which is all that the browser lets a test do."""
        self._down.clear()
        self._tell("touchEnd")

    def be_taken_away(self) -> None:
        """Let the system take the touch for itself."""
        self._down.clear()
        self._tell("touchCancel")

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start` and let go at `end`."""
        self.press(0, start)
        self.move(0, end)
        self.lift()

    def _tell(self, kind: str) -> None:
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in self._down.items()]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
