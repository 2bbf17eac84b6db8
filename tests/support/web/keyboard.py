"""A player without a pointer."""

from __future__ import annotations

from collections import deque

from playwright.sync_api import Page, expect


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
        while (here := self._at()) != name:
            for key in self._route(here, name):
                before = self._at()
                self._press(key)
                self._ways.setdefault(before, {})[key] = self._at()

    def do(self, turn: str, player: str) -> None:
        """Do a turn: Enter lifts and sets down, Escape puts what was taken into the box."""
        step, *removed = turn.split("x")
        for name in step.split("-"):
            self.go(name)
            self._press("Enter")
        for name in removed:
            expect(self._page.locator("#sentence")).to_contain_text("closed a mill")
            self.go(name)
            self._press("Enter")
            expect(self._page.locator("#stage .spoken")).to_contain_text(f"Lifted from {name}")
            self._press("Escape")

    def _at(self) -> str:
        return str(self._page.evaluate("document.activeElement.dataset.point ?? ''"))

    def _route(self, start: str, end: str) -> list[str]:
        """The keys of the shortest way that is known, or one to where the nearest is to be tried."""
        due, seen = deque([(start, [])]), {start}
        while due:
            name, keys = due.popleft()
            for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
                there = self._ways.get(name, {}).get(key)
                if there in (None, end):
                    return [*keys, key]
                if there not in seen:
                    seen.add(there)
                    due.append((there, [*keys, key]))
        raise AssertionError(f"no arrow keys lead from {start} to {end}")
