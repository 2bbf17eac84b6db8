"""The lesson on the simulated board, walked through as a newcomer would, and left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_host.play import lesson
from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    Spot,
    begin,
    box,
    choose,
    choose_rules,
    drag,
    learn,
    leave,
    middle,
    pace,
    pieces_at,
    point,
    turn_board,
)
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard, reach

AN_HOUR = 3_600_000


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Options with which a board decides sooner than usual that a removed piece was not put back."""
    config = tmp_path_factory.mktemp("config") / "millwright.toml"
    config.write_text("[timing]\nput_back_ms = 100\n")
    return "--config", str(config)


@pytest.fixture
def address(quick: tuple[str, str]) -> Iterator[str]:
    with simulated_board(*quick) as address:
        yield address


def arrive(page: Page, address: str) -> None:
    """Come to a page where Black thinks but a moment."""
    page.goto(address)
    pace(page, "lesson", thinks=20, afterRemoval=400)


@pytest.fixture
def page(address: str, pages: OpenPage) -> Page:
    page = pages()
    arrive(page, address)
    learn(page)
    told(page, "put it on d7, where the light blinks")
    expect(page.locator("#hands [data-point=d7]")).to_have_attribute("aria-label", re.compile("hint"))
    expect(page.locator(".piece[data-from=box]")).to_have_count(8)
    return page


def told(page: Page, text: str) -> None:
    expect(page.locator("#lesson p").first).to_contain_text(text)


def put(page: Page, name: str) -> None:
    white = page.locator(".piece[data-piece=white][data-from=box]").last
    drag(page, middle(white.bounding_box()), point(page, name))


def move(page: Page, origin: str, target: str) -> None:
    drag(page, point(page, origin), point(page, target))


def take(page: Page, name: str) -> None:
    drag(page, point(page, name), box(page, "black"))


@pytest.mark.long
def test_a_newcomer_is_led_through_a_whole_game(page: Page) -> None:
    expect(page.locator("#sentence")).to_be_hidden()
    expect(page.locator("#learn")).to_be_hidden()
    put(page, "d7")
    told(page, "make a mill")
    put(page, "a7")
    told(page, "Close the mill")
    put(page, "g7")
    told(page, "A mill! It wins a black piece")
    take(page, "d2")
    told(page, "put your last piece on d2")
    put(page, "d2")
    told(page, "first make a mistake, on purpose: move the piece from g7 to c4")
    move(page, "g7", "c4")
    told(page, "The board never stops you")
    expect(page.locator("#lesson p").nth(1)).to_have_text(
        "c4 isn't next to g7. Put the piece back on g7, or move it to g4."
    )
    move(page, "c4", "g4")
    told(page, "Be Black this once: move the piece from e4 to c3")
    expect(page.locator("#lesson p").nth(1)).to_be_empty()
    move(page, "e4", "c3")
    told(page, "slide from g4 back to g7")
    move(page, "g4", "g7")
    told(page, "A mill!")
    take(page, "c3")
    told(page, "White wins")
    expect(page.locator("#turns button").last).to_have_text("g4-g7xc3")
    page.get_by_role("button", name="Play a game").click()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#sentence")).to_have_text(
        "White to play: place a piece on a free point (9 in hand)."
    )
    expect(page.locator("#rules")).to_have_text("Standard")


def test_another_move_is_no_harm_and_the_lights_lead_back(page: Page) -> None:
    put(page, "a1")
    told(page, "Not quite, but nothing is lost.")
    expect(page.locator("#lesson p").nth(1)).to_contain_text("clear a1")
    take(page, "a1")
    told(page, "put it on d7")
    put(page, "d7")
    told(page, "make a mill")


def test_a_piece_put_down_in_turn_of_black_is_taken_back_and_the_lesson_goes_on(page: Page) -> None:
    pace(page, "lesson", thinks=AN_HOUR)
    put(page, "d7")
    told(page, "Black is playing")
    black = page.locator(".piece[data-piece=black][data-from=box]").last
    drag(page, middle(black.bounding_box()), point(page, "e4"))
    told(page, "Not quite, but nothing is lost.")
    expect(page.locator("#lesson p").nth(1)).to_contain_text("e4")
    pace(page, "lesson", thinks=20)
    drag(page, point(page, "e4"), box(page, "black"))
    told(page, "make a mill")
    expect(page.locator("#turns button")).to_have_text(["d7", "d2"])


def begun(board: FakeBoard, page: Page) -> None:
    """Begin the lesson, on a board whose state the test makes up."""
    page.goto(board.server.address)
    learn(page)
    board.asked_until(lambda requests: any(one.get("do") == "new-game" for one in requests))
    board.say(rules="lesson", status="ready")
    told(page, "put it on d7")


@pytest.mark.parametrize("status", ["undecided", "taking-back"])
def test_the_board_speaks_when_the_lesson_is_astray(pages: OpenPage, status: str) -> None:
    board, page = FakeBoard(), pages()
    begun(board, page)
    board.say(rules="lesson", status=status, sentence="Put everything back.")
    told(page, "Not quite, but nothing is lost.")
    expect(page.locator("#lesson p").nth(1)).to_have_text("Put everything back.")
    leave(page)
    board.server.close()


def test_it_ends_with_a_game_or_a_puzzle(pages: OpenPage) -> None:
    board, page = FakeBoard(), pages()
    begun(board, page)
    expect(page.locator("#first-puzzle")).to_be_hidden()
    over = {"winner": "white", "reason": "few-pieces"}
    board.say(rules="lesson", status="over", outcome=over, turns=[one.turn for one in lesson.COURSE])
    told(page, "White wins")
    expect(page.get_by_role("button", name="Play a game")).to_be_visible()
    page.locator("#first-puzzle").click()
    board.asked_until(lambda requests: any(one.get("do") == "puzzle" for one in requests))
    leave(page)
    board.server.close()


def test_it_shows_how_far_it_is_in_place_of_the_tools(page: Page) -> None:
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#lesson-step span")).to_have_text("Step 1 of 7")
    page.locator("#leave").click()
    expect(page.locator("#tools")).to_be_visible()
    expect(page.locator("#lesson-step")).to_be_hidden()


def test_it_can_be_left_at_any_time(page: Page) -> None:
    pace(page, "lesson", thinks=AN_HOUR)
    put(page, "d7")
    told(page, "Black is playing")
    page.get_by_role("button", name="Leave the lesson").click()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#sentence")).to_have_text(
        "White to play: place a piece on a free point (9 in hand)."
    )
    expect(page.locator(".piece[data-from=box]")).to_have_count(18)
    expect(page.get_by_role("button", name="Learn to play")).to_be_visible()


def test_a_game_that_somebody_else_begins_ends_it(page: Page, pages: OpenPage, address: str) -> None:
    other = pages()
    other.goto(address)
    choose_rules(other, "Lasker")
    begin(other)
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#rules")).to_have_text("Lasker")


def test_it_is_offered_on_an_empty_table_only_and_fits_a_phone(address: str, pages: OpenPage) -> None:
    page = pages(viewport={"width": 360, "height": 640}, locale="de-DE")
    page.goto(address)
    page.get_by_role("button", name="Spiel wählen").click()
    page.get_by_role("button", name="Spielen lernen in zwei Minuten").click()
    told(page, "Nimm einen weißen Stein aus seinem Kasten")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#hands [data-point=d7]")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Einführung beenden").click()
    page.get_by_role("button", name="Spiel wählen").click()
    expect(page.locator("#learn")).to_be_visible()
    page.keyboard.press("Escape")
    Keyboard(page).go("d7")
    page.keyboard.press("Enter")
    expect(page.locator("#learn")).to_have_attribute("hidden", "")


def test_one_that_was_left_by_a_reload_can_be_begun_anew_and_is_followed_by_a_game(page: Page) -> None:
    put(page, "d7")
    told(page, "make a mill")
    page.reload()
    learn(page)
    told(page, "put it on d7")
    expect(page.locator(".piece[data-from=box]")).to_have_count(8)
    page.get_by_role("button", name="Leave the lesson").click()
    expect(page.locator("#rules")).to_have_text("Standard")
    expect(page.locator("#rule-set")).to_have_value("standard")


def test_a_lesson_is_told_from_games_where_they_are_stored_and_is_not_gone_on_with(
    pages: OpenPage, tmp_path: Path
) -> None:
    store = ("--store", str(tmp_path / "games.db"))
    page = pages()
    with simulated_board(*store) as address:
        arrive(page, address)
        learn(page)
        told(page, "put it on d7")
        expect(page.locator(".piece[data-from=box]")).to_have_count(8)
        put(page, "d7")
        told(page, "make a mill")
        leave(page)
    with simulated_board(*store) as address:
        page.goto(address)
        expect(page.locator("#rules")).to_have_text("Standard")
        expect(page.get_by_role("button", name="Learn to play")).to_be_visible()
        choose(page, "saved-games")
        expect(page.locator("#game-list p")).to_contain_text("Lesson · 2 turns")
        expect(page.locator("#rule-set")).not_to_contain_text("Lesson")
        leave(page)


class Keys:
    """A newcomer without a pointer."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._keyboard = Keyboard(page)

    def _press(self, name: str, key: str) -> None:
        self._keyboard.go(name)
        self._page.keyboard.press(key)

    def put(self, name: str) -> None:
        self._press(name, "w")

    def move(self, origin: str, target: str) -> None:
        self._press(origin, "Enter")
        expect(self._page.locator(".piece:is([data-from=hands], [data-from=carried])")).to_have_count(1)
        self._press(target, "Enter")

    def take(self, name: str) -> None:
        self._press(name, "Enter")
        expect(pieces_at(self._page, name)).to_have_count(0)


class Finger:
    """A newcomer with a phone."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._fingers = Fingers(page)

    def _drag(self, start: Spot, end: Spot) -> None:
        self._fingers.drag(start, end)

    def put(self, name: str) -> None:
        white = self._page.locator(".piece[data-piece=white][data-from=box]").last
        self._drag(middle(white.bounding_box()), point(self._page, name))

    def move(self, origin: str, target: str) -> None:
        self._drag(point(self._page, origin), point(self._page, target))

    def take(self, name: str) -> None:
        self._drag(point(self._page, name), box(self._page, "black"))


COURSE = (
    ("put it on d7", "put", "d7"),
    ("make a mill", "put", "a7"),
    ("Close the mill", "put", "g7"),
    ("It wins a black piece", "take", "d2"),
    ("put your last piece", "put", "d2"),
    ("first make a mistake", "move", "g7", "c4"),
    ("The board never stops you", "move", "c4", "g4"),
    ("Be Black this once", "move", "e4", "c3"),
    ("slide from g4", "move", "g4", "g7"),
    ("It wins a black piece", "take", "c3"),
)
"""The words of each step, and what the newcomer does."""


@pytest.mark.parametrize("hands", sampled([Finger, Keys]))
def test_it_is_done_by_the_keyboard_alone_and_on_a_phone_where_the_board_stays_under_the_finger(
    address: str, pages: OpenPage, hands: type[Keys] | type[Finger]
) -> None:
    phone = hands is Finger
    page = pages(viewport={"width": 360, "height": 640}, has_touch=phone, is_mobile=phone)
    arrive(page, address)
    expect(page.locator("#sentence")).to_contain_text("White")
    places = [page.locator("#stage").bounding_box()]
    learn(page)
    expect(page.locator(".piece[data-from=box]")).to_have_count(8)
    expect(page.locator("#hands [data-point]:focus")).to_have_count(1)
    expect(page.locator("#sentence")).to_be_hidden()
    expect(page.locator("#learn")).to_be_hidden()
    learner = hands(page)
    for words, deed, *points in COURSE:
        told(page, words)
        expect(page.locator("#suspects")).to_be_hidden()
        places.append(page.locator("#stage").bounding_box())
        getattr(learner, deed)(*points)
    told(page, "White wins")
    expect(page.locator("#turns button").last).to_have_text("g4-g7xc3")
    assert places == places[:1] * len(places), "the board stays where it was"
    reach(page, page.get_by_role("button", name="Play a game"))
    page.keyboard.press("Enter")
    expect(page.locator("#rules")).to_have_text("Standard")
    expect(page.locator("#slot :focus, #hands [data-point]:focus")).to_have_count(1)


@pytest.mark.parametrize(("quarters", "hands"), sampled(product((2, 1, 3), (Finger, Keys))))
def test_it_is_led_on_a_board_that_is_turned(
    address: str, pages: OpenPage, quarters: int, hands: type[Keys] | type[Finger]
) -> None:
    phone = hands is Finger
    page = pages(viewport={"width": 390, "height": 844}, has_touch=phone, is_mobile=phone)
    arrive(page, address)
    turn_board(page, quarters)
    learn(page)
    expect(page.locator(".piece[data-from=box]")).to_have_count(8)
    learner = hands(page)
    for words, deed, *points in COURSE:
        told(page, words)
        getattr(learner, deed)(*points)
    told(page, "White wins")
    expect(page.locator("#turns button").last).to_have_text("g4-g7xc3")
