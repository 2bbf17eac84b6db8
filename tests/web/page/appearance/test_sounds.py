"""Sounds of the page: none unless asked for, none before a gesture, and each for what has happened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import choose, forget, leave, new_page
from tests.support.web.fake_board import FakeBoard
from tests.web.page.appearance.ear import EAR, PLACED, SHAKER, heard

WRONG, OVER = [130, 110], [392, 523, 659, 784, 1047]
BEEPS_OF_MILL = [2300, 2300]
CUES = {
    "placed": PLACED,
    "removed": [320, 240],
    "mill": [*PLACED, 523, 659, 784],
    "wrong": WRONG,
    "low": [880] * 4,
    "turn": [523, 784],
    "ask": [659, 880],
    "over": OVER,
}


@pytest.fixture(scope="module")
def board() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


@pytest.fixture(scope="module")
def listening(browser: Browser) -> Iterator[Page]:
    page = new_page(browser, viewport={"width": 800, "height": 600})
    page.add_init_script(EAR)
    yield page
    page.context.close()


@pytest.fixture
def page(listening: Page, board: FakeBoard) -> Iterator[Page]:
    """A page that was not asked for sounds yet."""
    board.reset()
    listening.goto(board.server.address)
    expect(listening.locator("#sentence")).to_contain_text("White to play")
    yield listening
    forget(listening, board.server.address)


class Sounding:
    """The sounds of a fake board, each with the next number."""

    def __init__(self, page: Page, board: FakeBoard) -> None:
        self._page, self._board = page, board
        self._number = 0

    def __call__(self, what: str) -> None:
        """Publish a sound, and wait until the page has it."""
        self._number += 1
        last = {"number": self._number, "what": what, "by": None, "soft": False}
        text = f"Sound {self._number}."
        self._board.say(sentence=text, sound={"level": "few", "can": [], "last": last})
        expect(self._page.locator("#sentence")).to_have_text(text)


@pytest.fixture
def sounding(page: Page, board: FakeBoard) -> Sounding:
    return Sounding(page, board)


def test_there_are_none_unless_they_are_asked_for(page: Page, sounding: Sounding) -> None:
    page.locator("h1").click()
    sounding("over")
    assert heard(page) == []
    assert page.evaluate("() => window.contexts") is None


def test_each_has_a_sound_of_its_own_and_is_heard_once(
    page: Page, board: FakeBoard, sounding: Sounding
) -> None:
    choose(page, "to-settings")
    page.get_by_role("checkbox", name="Sounds on this device").check()
    assert heard(page) == PLACED
    for what, pitches in CUES.items():
        sounding(what)
        assert heard(page) == pitches
    board.say(sentence="Nothing new.")
    expect(page.locator("#sentence")).to_have_text("Nothing new.")
    assert heard(page) == []
    page.get_by_role("checkbox", name="Sounds on this device").uncheck()
    sounding("over")
    assert heard(page) == []


def test_a_simulated_buzzer_is_heard_and_shown_instead_of_the_wood(listening: Page) -> None:
    page = listening
    with simulated_board() as address:
        page.goto(address)
        buzzer = page.locator("#board-buzzer")
        expect(buzzer).to_be_visible()
        choose(page, "to-settings")
        page.get_by_role("checkbox", name="Sounds on this device").check()
        assert heard(page) == PLACED
        page.get_by_role("combobox", name="Sounds of the board").select_option("all")
        expect(buzzer).to_have_attribute("data-sounded", "mill")
        assert heard(page) == BEEPS_OF_MILL
        page.get_by_role("combobox", name="Sounds of the board").select_option("off")
        expect(page.locator("#as-configured")).to_be_visible()
        page.locator("#done").click()
        choose(page, "ask")
        expect(page.locator("#asking button").first).to_be_visible()
        assert heard(page) == []
        expect(buzzer).to_have_attribute("data-sounded", "mill")
        leave(page)


def test_the_choice_is_remembered_and_still_waits_for_a_gesture(page: Page, sounding: Sounding) -> None:
    choose(page, "to-settings")
    page.get_by_role("checkbox", name="Sounds on this device").check()
    page.reload()
    expect(page.locator("#sentence")).to_contain_text("White to play")
    sounding("placed")
    assert heard(page) == []
    assert page.evaluate("() => window.contexts") is None
    page.locator("h1").click()
    sounding("placed")
    assert heard(page) == PLACED


def test_a_phone_shakes_until_it_is_told_not_to(browser: Browser, board: FakeBoard) -> None:
    board.reset()
    page = new_page(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.add_init_script(SHAKER)
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_contain_text("White to play")
    sounding = Sounding(page, board)
    sounding("wrong")
    assert page.evaluate("window.shaken") == ["80 60 80"]
    choose(page, "to-settings")
    page.get_by_label("Vibrate with each turn").uncheck()
    page.locator("#done").click()
    page.reload()
    expect(page.locator("#sentence")).to_have_text("Sound 1.")
    sounding("placed")
    assert page.evaluate("window.shaken ?? []") == []
    page.context.close()


def test_a_laptop_does_not_offer_to_shake(page: Page) -> None:
    choose(page, "to-settings")
    expect(page.locator("#sounds")).to_be_visible()
    expect(page.get_by_label("Vibrate with each turn")).to_be_hidden()


def test_sounds_are_offered_before_the_first_game(page: Page, board: FakeBoard) -> None:
    page.locator("#sounds-first").check()
    assert heard(page) == PLACED
    choose(page, "to-settings")
    expect(page.locator("#sounds")).to_be_checked()
