"""A player without a pointer."""

from __future__ import annotations

from collections import deque

from playwright.sync_api import Locator, Page, expect

KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


class Keyboard:
    """A player who has no pointer, and finds the way over the board by the arrow keys."""

    def __init__(self, page: Page) -> None:
        self._press = page.keyboard.press
        self._page = page
        self._ways: dict[str, dict[str, str]] = {}
        while not self._at():
            self._press("Tab")

    def go(self, name: str) -> None:
        """Go to a point by arrow keys, trying those whose effect is not known."""
        here = self._at()
        while here != name:
            *known, last = self._route(here, name)
            for key in known:
                here = self._ways[here][key]
                self._press(key)
            self._press(last)
            here = self._ways.setdefault(here, {}).setdefault(last, self._at())

    def do(self, turn: str, player: str) -> None:
        """Do a turn: Enter lifts and sets down, and takes what may be taken."""
        step, *removed = turn.split("x")
        for name in step.split("-"):
            self.go(name)
            self._press("Enter")
        for name in removed:
            expect(self._page.locator("#sentence")).to_contain_text("closed a mill")
            self.go(name)
            self._press("Enter")
            expect(self._page.locator("#stage .spoken")).to_contain_text(f"Taken from {name}")

    def use(self, selector: str, *, back: bool = False) -> None:
        """Go to a control by Tab, and press Enter on it."""
        reach(self._page, self._page.locator(selector), back=back)
        self._press("Enter")

    def _at(self) -> str:
        return str(self._page.evaluate("document.activeElement.dataset.point ?? ''"))

    def _route(self, start: str, end: str) -> list[str]:
        """The keys of the shortest way that is known, or one to try, first of all towards the end."""
        for key in towards(start, end):
            if key not in self._ways.get(start, {}):
                return [key]
        due, seen = deque([(start, [])]), {start}
        while due:
            name, keys = due.popleft()
            for key in KEYS:
                there = self._ways.get(name, {}).get(key)
                if there in (None, end):
                    return [*keys, key]
                if there not in seen:
                    seen.add(there)
                    due.append((there, [*keys, key]))
        raise AssertionError(f"no arrow keys lead from {start} to {end}")


def reach(page: Page, control: Locator, *, back: bool = False) -> None:
    """Go to a control by Tab, or back to it by Shift and Tab."""
    expect(control).to_be_visible()
    while not control.evaluate("control => control === document.activeElement"):
        page.keyboard.press("Shift+Tab" if back else "Tab")


def towards(start: str, end: str) -> list[str]:
    """The keys that point from one point to another, as their names say where they are; none from beside.

    >>> towards("a1", "d7")
    ['ArrowRight', 'ArrowUp']
    """
    if not start:
        return []
    across, up = ord(end[0]) - ord(start[0]), int(end[1]) - int(start[1])
    away = dict(zip(KEYS, (-across, across, up, -up), strict=True))
    return [key for key in KEYS if away[key] > 0]
