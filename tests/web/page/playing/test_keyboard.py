"""The page's table played by the keyboard alone, and its announcements: on a table without rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from firmware_host.games.layout import MORRIS
from tests.support.web.browsing import middle, moved, pieces_at
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard


@pytest.fixture
def keys(board: FakeBoard, page: Page) -> Page:
    """A page whose focus is on d6."""
    Keyboard(page).go("d6")
    return page


def key(page: Page, name: str) -> Locator:
    return page.locator(f"#hands [data-point={name}]")


def spoken(page: Page) -> Locator:
    return page.locator("#stage .spoken")


def press(page: Page, *keys: str) -> None:
    for name in keys:
        page.keyboard.press(name)


@pytest.mark.smoke
def test_tab_comes_to_the_board_once(keys: Page) -> None:
    expect(keys.locator("#hands [tabindex='0']")).to_have_count(1)
    press(keys, "Tab")
    expect(keys.locator("#hands :focus")).to_have_count(0)
    press(keys, "Shift+Tab")
    expect(key(keys, "d6")).to_be_focused()


def test_every_stop_of_tab_has_a_name(keys: Page) -> None:
    stops = set()
    for _ in range(30):
        press(keys, "Tab")
        stops.add(keys.evaluate("document.activeElement.id || document.activeElement.dataset.point"))
    assert {"d6", "more", "begin"} <= stops
    assert not stops & {"hands", "stage", "then", "light"}


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("way", "names"),
    [
        ("ArrowRight", ["f6"]),
        ("ArrowLeft", ["b6"]),
        ("ArrowDown", ["d5", "d3", "d2", "d1", "d1"]),
        ("ArrowUp", ["d7", "d7"]),
    ],
)
def test_arrows_go_from_point_to_point_as_they_lie(keys: Page, way: str, names: list[str]) -> None:
    for name in names:
        press(keys, way)
        expect(key(keys, name)).to_be_focused()


def test_every_point_is_reached_by_arrows(keys: Page) -> None:
    walker = Keyboard(keys)
    for name in map(str, MORRIS.points):
        walker.go(name)
        expect(key(keys, name)).to_be_focused()


def test_labels_name_the_lights_of_unclear_points(board: FakeBoard, keys: Page) -> None:
    board.submit({"put": "d2", "piece": "white"})
    board.say(status="undecided", cues={"d2": ["unclear"]})
    expect(key(keys, "d2")).to_have_attribute("aria-label", "d2, white piece, moved last?")
    board.say(status="taking-back", cues={"d2": ["take-back"]})
    expect(key(keys, "d2")).to_have_attribute("aria-label", "d2, white piece, about to be taken back")


@pytest.mark.smoke
def test_enter_lifts_and_sets_down_and_says_so(board: FakeBoard, keys: Page) -> None:
    board.submit({"put": "d6", "piece": "white"})
    expect(key(keys, "d6")).to_have_attribute("aria-label", "d6, white piece")
    press(keys, "Enter")
    expect(spoken(keys)).to_have_text("Lifted from d6: white piece.")
    expect(pieces_at(keys, "carried")).to_be_visible()
    press(keys, "ArrowDown", " ")
    expect(spoken(keys)).to_have_text("Set down on d5: white piece.")
    expect(pieces_at(keys, "d5")).to_be_visible()
    assert board.asked(3)[1:] == [{"lift": 1}, {"put": "d5", "piece": 1}]


def test_a_piece_is_not_set_down_where_one_stands(board: FakeBoard, keys: Page) -> None:
    board.submit({"put": "d6", "piece": "white"})
    board.submit({"put": "d5", "piece": "black"})
    expect(pieces_at(keys, "d5")).to_be_visible()
    press(keys, "Enter")
    expect(spoken(keys)).to_have_text("Lifted from d6: white piece.")
    press(keys, "ArrowDown", "Enter")
    expect(keys.locator("#sentence")).to_have_text("d5 is occupied.")
    expect(keys.locator("#advice")).to_have_text("Choose a free point.")
    expect(pieces_at(keys, "carried")).to_have_count(1)
    press(keys, "Escape")
    expect(spoken(keys)).to_have_text("Put in the box.")
    expect(pieces_at(keys, "box")).to_have_count(17)


def test_a_piece_of_either_colour_is_set_down(board: FakeBoard, keys: Page) -> None:
    press(keys, "b", "ArrowDown", "w")
    expect(pieces_at(keys, "d6")).to_have_attribute("data-piece", "black")
    expect(pieces_at(keys, "d5")).to_have_attribute("data-piece", "white")


def test_a_piece_is_pushed_beside_its_point_and_lifted_from_there(board: FakeBoard, keys: Page) -> None:
    board.submit({"put": "d6", "piece": "white"})
    expect(pieces_at(keys, "d6")).to_be_visible()
    before = middle(keys.locator(".piece[data-number='1'] .body").bounding_box())
    press(keys, "Shift+ArrowRight")
    expect(spoken(keys)).to_have_text("Pushed, near d6: white piece.")
    assert board.asked(2)[-1] == {"push": 1, "to": [130, 200], "seconds": 0.15}
    expect(key(keys, "d6")).to_be_focused()
    board.publish()
    moved(keys, before)  # the next push goes on from where the page knows the piece
    press(keys, "Shift+ArrowRight")
    beside = keys.locator("#hands [data-beside='1']")
    expect(beside).to_be_focused()
    expect(beside).to_have_attribute("aria-label", "white piece beside d6")
    press(keys, "Enter")
    expect(pieces_at(keys, "carried")).to_be_visible()
    expect(beside).to_have_count(0)
    expect(key(keys, "d6")).to_be_focused()
    press(keys, "ArrowUp", "Enter")
    expect(pieces_at(keys, "d7")).to_be_visible()


def test_a_piece_is_knocked_over(board: FakeBoard, keys: Page) -> None:
    board.submit({"put": "d6", "piece": "white"})
    expect(pieces_at(keys, "d6")).to_be_visible()
    press(keys, "k")
    expect(spoken(keys)).to_have_text("Knocked over: white piece.")
    assert board.asked(2)[-1] == {"flick": 1, "speed": [0, 900]}


@pytest.mark.smoke
def test_where_the_focus_is_can_be_seen_on_light_and_on_dark(board: FakeBoard, keys: Page) -> None:
    press(keys, "ArrowDown")
    rings = (
        "[...document.activeElement.querySelectorAll('circle')].map((one) => getComputedStyle(one).stroke)"
    )
    assert keys.evaluate(rings) == ["rgb(18, 8, 10)", "rgb(255, 255, 255)"]


def test_keys_that_follow_each_other_at_once_are_done_one_after_the_other(
    board: FakeBoard, keys: Page
) -> None:
    press(keys, "w", "Enter", "ArrowDown", "Enter")
    expect(spoken(keys)).to_have_text("Set down on d5: white piece.")
    requests = board.asked(3)
    assert [next(iter(request)) for request in requests] == ["put", "lift", "put"]
    assert requests[-1]["put"] == "d5"
