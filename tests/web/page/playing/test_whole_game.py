"""A whole game on the page of the simulated board: with the mouse, by the keyboard alone, and on a phone.

The first ones are in English. The last plays in each way and language, on a phone upright and on its side; it
looks at nothing but light, pieces and the sentence, as people do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle, product
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from firmware_host.i18n import LANGUAGES, Message, translate
from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import Fingers, OpenPage, Spot, box, drag, middle, pieces_at, point, written
from tests.support.web.keyboard import Keyboard

GAME = ["a1", "b2", "d1", "b4", "g4", "c5", "d6", "e5", "g4-g1xb2", "b4-b6", "g1-g4", "c5-c4", "g4-g1xb6"]
"""Placing, moving, two mills and flying, until Black has two of its four pieces left."""

Drag = Callable[[Spot, Spot], None]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A board that is sooner sure than usual that it was cleared, which each game here waits for."""
    config = tmp_path_factory.mktemp("config") / "millwright.toml"
    config.write_text("[timing]\ncleared_ms = 500\n")
    with simulated_board("--set", "pieces=4", "--config", str(config)) as address:
        yield address


@pytest.fixture
def opened(pages: OpenPage, address: str) -> OpenPage:
    """Opens the page, and begins a new game with it."""

    def opened(**context: Any) -> Page:
        page = pages(**context)
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("White to play")
        expect(pieces_at(page, "box")).to_have_count(8)
        return page

    return opened


def played(page: Page, do: Callable[[str, str], None]) -> None:
    """Play the game with what does a turn of a player, and see that it is over; then clear the board."""
    for number, (turn, player) in enumerate(zip(GAME, cycle(["white", "black"])), start=1):
        do(turn, player)
        written(page, GAME[:number])
    expect(page.locator("#sentence")).to_have_text(
        "White wins: Black has fewer than three pieces left. Clear the board for the next game."
    )


def next_game(page: Page) -> None:
    """See that a new game has begun, with all pieces in their boxes."""
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(pieces_at(page, "box")).to_have_count(8)


def tap_until_gone(page: Page, button: str) -> None:
    """Tap as people do, again where nothing happens: Chromium makes no click of a tap soon after a drag."""
    for _ in range(10):
        with suppress(AssertionError, Error):
            page.locator(button).tap(timeout=10_000)
            expect(page.locator(button)).to_be_hidden(timeout=2_000)
            return
    expect(page.locator(button)).to_be_hidden()


def dragging(page: Page, dragged: Drag) -> Callable[[str, str], None]:
    """Does turns by dragging pieces."""

    def do(turn: str, player: str) -> None:
        step, *removed = turn.split("x")
        origin, _, target = step.rpartition("-")
        in_box = page.locator(f".piece[data-piece={player}][data-from=box]").last
        dragged(point(page, origin) if origin else middle(in_box.bounding_box()), point(page, target))
        for name in removed:
            expect(page.locator("#sentence")).to_contain_text("closed a mill")
            dragged(point(page, name), box(page, "black" if player == "white" else "white"))

    return do


@pytest.mark.long
def test_a_whole_game_is_played_with_the_mouse(opened: OpenPage) -> None:
    page = opened()
    played(page, dragging(page, lambda start, end: drag(page, start, end)))
    page.locator("#again").click()
    next_game(page)


def test_a_whole_game_is_played_on_a_phone(opened: OpenPage) -> None:
    page = opened(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640})
    fingers = Fingers(page)
    played(page, dragging(page, fingers.drag))
    tap_until_gone(page, "#again")
    next_game(page)


def test_a_whole_game_is_played_by_the_keyboard_alone(opened: OpenPage) -> None:
    page = opened()
    keyboard = Keyboard(page)
    played(page, keyboard.do)
    keyboard.use("#again")
    next_game(page)


UPRIGHT: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE: dict[str, Any] = {**UPRIGHT, "viewport": {"width": 844, "height": 390}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


Using = Callable[[str], None]


def clicking(page: Page) -> tuple[Using, Using]:
    return lambda name: page.mouse.click(*point(page, name)), lambda button: page.locator(button).click()


def tapping(page: Page) -> tuple[Using, Using]:
    return lambda name: page.touchscreen.tap(*point(page, name)), lambda button: page.locator(button).tap()


def typing(page: Page) -> tuple[Using, Using]:
    keyboard = Keyboard(page)

    def use(name: str) -> None:
        keyboard.go(name)
        page.keyboard.press("Enter")

    return use, keyboard.use


WAYS: dict[str, tuple[dict[str, Any], Callable[[Page], tuple[Using, Using]]]] = {
    "a finger, upright": (UPRIGHT, tapping),
    "a finger, on its side": (ON_ITS_SIDE, tapping),
    "the mouse": (LAPTOP, clicking),
    "the keyboard": (LAPTOP, typing),
}
"""The look of each, and what uses a point and what presses a button in it."""


@pytest.mark.parametrize(("language", "way"), sampled(product(sorted(LANGUAGES), WAYS)))
def test_a_whole_game_is_played_in_each_way_and_language(
    pages: OpenPage, address: str, language: str, way: str
) -> None:
    look, using = WAYS[way]
    page = pages(**look)
    page.goto(f"{address}?lang={language}")
    expect(pieces_at(page, "box")).to_have_count(8)
    use, press = using(page)
    for number, turn in enumerate(GAME, start=1):
        step, *removed = turn.split("x")
        for name in step.split("-"):
            use(name)
        expect(pieces_at(page, step[-2:])).to_have_count(1)
        for name in removed:
            expect(page.locator(f"[data-mark={name}].mark-pieces")).to_have_count(1)
            use(name)
        written(page, GAME[:number])
    over = Message("over.next", {"what": Message("over.white", {"why": Message("why.few-pieces.black")})})
    expect(page.locator("#sentence")).to_have_text(translate(over, language))
    press("#again")
    expect(pieces_at(page, "box")).to_have_count(8)
