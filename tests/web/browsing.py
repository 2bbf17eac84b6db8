"""A Chromium for tests of the page, and what a mouse does in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))
Spot = tuple[float, float]


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


def drag(page: Page, start: Spot, end: Spot) -> None:
    """Press at `start` and let go at `end`."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def play(page: Page, turn: str, player: str) -> None:
    """Do a turn as hands do: a piece from the box or a point to its point, then what it won off the board."""
    step, *removed = turn.split("x")
    origin, _, target = step.rpartition("-")
    in_box = page.locator(f".piece[data-piece={player}][data-from=box]")
    drag(page, point(page, origin) if origin else middle(in_box.last.bounding_box()), point(page, target))
    for name in removed:
        expect(page.locator("#sentence")).to_contain_text("closed a mill")
        drag(page, point(page, name), middle(page.locator("#stage").bounding_box()))


def play_all(page: Page, turns: list[str]) -> None:
    """Do one turn after the other, each when the one before it is written down."""
    for number, turn in enumerate(turns, start=1):
        play(page, turn, "white" if number % 2 else "black")
        expect(page.locator("#turns span")).to_have_count(number)
