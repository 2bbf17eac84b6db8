"""The choices of the device that shows the page: its colours, and how the board lies on its screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    box,
    choose,
    click,
    drag,
    middle,
    moved,
    pieces_at,
    point,
    turn_board,
    written,
)
from tests.support.web.keyboard import Keyboard

GROUNDS = {"light": "#f4ecdd", "dark": "#1f1711"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
# Of a board turned by quarters to the right: the points at its lower left, and at its lower right.
LOWER = {0: ("a1", "g1"), 1: ("g1", "g7"), 2: ("g7", "a7"), 3: ("a7", "a1")}
QUARTERS = sampled([1, 2, 3])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board("--sensors", "polarity") as address:
        yield address


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("#players .to-move")).to_be_visible()
    return page


def ground(page: Page) -> str:
    found: str = page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
    )
    return found


def frame(page: Page) -> list[str]:
    """The colours of the browser's frame that hold now."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll("meta[name=theme-color]")]
            .filter((meta) => matchMedia(meta.media).matches).map((meta) => meta.content)"""
    )
    return found


@pytest.mark.parametrize("asked", ["light", "dark"])
def test_the_colours_are_as_chosen_on_this_device(pages: OpenPage, address: str, asked: str) -> None:
    page = opened(pages(color_scheme=asked), address)
    other = {"light": "dark", "dark": "light"}[asked]
    assert ground(page) == GROUNDS[asked]
    choose(page, "to-settings")
    for chosen, shown in ((other, other), (asked, asked), (other, other)):
        page.locator("#scheme").select_option(chosen)
        assert ground(page) == GROUNDS[shown]
        assert frame(page) == [GROUNDS[shown]]
    page.reload()
    assert ground(page) == GROUNDS[other]
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == other
    choose(page, "to-settings")
    expect(page.locator("#scheme")).to_have_value(other)
    page.locator("#scheme").select_option("")
    assert ground(page) == GROUNDS[asked]
    assert frame(page) == [GROUNDS[asked]]


@pytest.mark.parametrize("quarters", QUARTERS)
@pytest.mark.parametrize("look", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_board_is_turned_with_its_names_and_boxes(
    pages: OpenPage, address: str, look: dict[str, Any], quarters: int
) -> None:
    page = opened(pages(**look), address)
    names = {(round(x), round(y)) for x, y in (point(page, name) for name in ("a1", "a7", "g1", "g7"))}
    turn_board(page, quarters)
    left, right = (point(page, name) for name in LOWER[quarters])
    corners = {(round(x), round(y)) for x, y in (point(page, name) for name in ("a1", "a7", "g1", "g7"))}
    assert corners == names, "the board has its place"
    assert left[0] == pytest.approx(min(x for x, _ in corners), abs=1)
    assert left[1] == pytest.approx(max(y for _, y in corners), abs=1)
    assert right[1] == pytest.approx(left[1], abs=1)
    white, black = (box(page, player) for player in ("white", "black"))
    along = 1 if look is PHONE else 0
    nearer = (white[along] > black[along]) if look is PHONE else (white[along] < black[along])
    assert nearer is (quarters < 2)
    written_below = page.locator("#wood .names text").all_text_contents()[:7]
    assert "".join(sorted(written_below)) == ("1234567" if quarters % 2 else "abcdefg")
    choose(page, "to-settings")
    expect(page.locator("#quarters")).to_have_value(str(quarters))


def swept(page: Page) -> None:
    """Begin a game, on an empty board."""
    choose(page, "new")
    page.locator("#begin").click()
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(pieces_at(page, "box")).to_have_count(18)


@pytest.mark.parametrize("quarters", QUARTERS)
def test_hands_do_what_they_mean_on_a_turned_board(pages: OpenPage, address: str, quarters: int) -> None:
    page = opened(pages(**LAPTOP), address)
    turn_board(page, quarters)
    swept(page)
    click(page, point(page, "d6"))  # a click on a free point
    written(page, ["d6"])
    drag(
        page,
        middle(page.locator(".piece[data-piece=black][data-from=box]").last.bounding_box()),
        point(page, "f4"),
    )
    written(page, ["d6", "f4"])
    Keyboard(page).do("b2", "white")
    written(page, ["d6", "f4", "b2"])
    Keyboard(page).go("f4")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(pieces_at(page, "f4")).to_have_count(0)
    page.locator("#set-right").click()
    expect(pieces_at(page, "f4")).to_have_count(1)
    page.locator("#look-back").click()
    expect(page.locator("#then .landed")).to_have_count(1)
    shown = middle(page.locator("#then .landed").bounding_box())
    page.locator("#now").click()
    assert shown == pytest.approx(point(page, "b2"), abs=2)
    swept(page)


@pytest.mark.parametrize("quarters", QUARTERS)
def test_a_piece_is_pushed_by_keys_as_the_screen_shows(pages: OpenPage, address: str, quarters: int) -> None:
    page = opened(pages(**LAPTOP), address)
    turn_board(page, quarters)
    swept(page)
    click(page, point(page, "d6"))
    written(page, ["d6"])
    piece = page.locator(".piece[data-number]")
    number = int(piece.get_attribute("data-number") or "")
    before = middle(piece.locator(".body").bounding_box())
    Keyboard(page).go("d6")
    page.keyboard.press("Shift+ArrowRight")
    after = moved(page, before, number)
    assert after[0] > before[0]
    assert after[1] == pytest.approx(before[1], abs=3)
    swept(page)


def test_a_finger_places_and_takes_on_a_board_turned_round(pages: OpenPage, address: str) -> None:
    page = opened(pages(**PHONE), address)
    page.locator("#more").tap()
    page.locator("#flip").tap()
    page.locator("#done").tap()
    swept(page)
    fingers = Fingers(page)
    for turns, name in enumerate(["d6", "f4", "d7", "a1", "d5"], start=1):
        fingers.press(0, point(page, name))
        fingers.lift()
        expect(pieces_at(page, name)).to_have_count(1)
        expect(page.locator("#turns span")).to_have_count(turns)
    expect(page.locator("#sentence")).to_contain_text("closed a mill")
    fingers.press(0, point(page, "a1"))
    fingers.lift()
    expect(pieces_at(page, "a1")).to_have_count(0)
    expect(page.locator("#sentence")).to_contain_text("Black to play")
    swept(page)
