"""A person at a page, who sees it and touches the screen or uses a mouse: nothing is called in the page.

Invariants: whatever a person does is done at a place on the screen, or with a key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.support.web.browsing import FLICK_MS, Fingers, Spot, click, drag, draw, middle, point, written

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@dataclass(frozen=True)
class Person:
    """A person at a page, with a mouse or with a finger."""

    page: Page
    by_touch: bool

    def touch(self, spot: Spot) -> None:
        """Touch or click a place on the screen."""
        if self.by_touch:
            fingers = Fingers(self.page)
            fingers.press(0, spot)
            fingers.lift()
            draw(self.page)
        else:
            click(self.page, spot)

    def tap(self, name: str) -> None:
        """Touch or click a point."""
        self.touch(point(self.page, name))

    def press(self, what: Locator) -> None:
        """Touch or click something beside the board, where it is on the screen, once it is there."""
        if self.by_touch:
            what.tap()
        else:
            what.click()
        draw(self.page)

    def choose(self, name: str) -> None:
        """Press the button with this id of what lies under "More"."""
        if not self.page.locator("#view-menu").is_visible():
            self.press(self.page.locator("#more"))
        self.press(self.page.locator(f"#{name}"))

    def write(self, field: Locator, text: str) -> None:
        """Write into a field, in place of what it says."""
        self.press(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def pick(self, at: str, text: str) -> None:
        """Open the list at a selector, and go to a choice by arrow keys, which no list of a phone needs."""
        choices = self.page.locator(at)
        self.press(choices)
        texts = choices.locator("option").all_text_contents()
        chosen = choices.locator("option:checked").text_content()
        way = texts.index(text) - texts.index(chosen or "")
        for _ in range(abs(way)):
            self.page.keyboard.press("ArrowDown" if way > 0 else "ArrowUp")
        self.page.keyboard.press("Enter")
        expect(choices.locator("option:checked")).to_have_text(text)

    def drag(self, start: Spot, end: Spot) -> None:
        """Take hold of a piece, move it to a spot, rest there, and let go."""
        if self.by_touch:
            fingers = Fingers(self.page)
            fingers.press(0, start)
            fingers.move(0, end)
            self.page.wait_for_timeout(FLICK_MS)
            fingers.lift()
            draw(self.page)
        else:
            drag(self.page, start, end, rests=True)

    def carry(self, player: str, name: str) -> None:
        """Take a piece of a player out of the box, and set it on a point."""
        in_box = self.page.locator(f".piece[data-piece={player}][data-from=box]").last
        self.drag(middle(in_box.bounding_box()), point(self.page, name))

    def play(self, turns: Sequence[str], *, after: Sequence[str] = ()) -> None:
        """Play turns by taps, each when the one before it is written down and over, `after` those played."""
        done = list(after)
        for turn in turns:
            step, *taken = turn.split("x")
            for name in step.split("-"):
                self.tap(name)
            for name in taken:
                expect(self.page.locator(f"[data-mark={name}].mark-pieces")).to_have_count(1)
                self.tap(name)
            done.append(turn)
            written(self.page, done)

    def told(self, why: str, then: str) -> None:
        """Wait for a refusal, which is in the sentence's box and nowhere else."""
        expect(self.page.locator("#sentence")).to_have_text(why)
        expect(self.page.locator("#advice")).to_have_text(then)
        expect(self.page.locator("#advice")).to_be_visible()
        expect(self.page.locator("#note")).to_be_hidden()

    def frame(self) -> FloatRect | None:
        """The box of the sentence."""
        draw(self.page)
        return self.page.locator("#say").bounding_box()
