"""Sounds of the page: none unless asked for, none before a gesture, and each for what has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web.browsing import choose, new_page
from tests.support.web.fake_board import FakeBoard

EAR = """
window.heard = [];
window.AudioContext = class {
  constructor() { window.contexts = (window.contexts ?? 0) + 1; this.currentTime = 0; this.destination = {}; }
  resume() {}
  createGain() { return { gain: silent(), connect: (next) => next }; }
  createOscillator() {
    return {
      frequency: { ...silent(), setValueAtTime: (hz) => window.heard.push(hz) },
      connect: (next) => next, start() {}, stop() {},
    };
  }
};
const silent = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
"""
PLACED, REMOVED, MILL, WRONG = [210, 640], [320, 240], [210, 640, 523, 659, 784], [130, 110]
OVER = [392, 523, 659, 784, 1047]


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
    listening.evaluate("localStorage.clear()")


def heard(page: Page) -> Any:
    return page.evaluate("() => window.heard.splice(0)")


def turns(page: Page, board: FakeBoard, *texts: str, **state: Any) -> None:
    board.say(turns=list(texts), **state)
    expect(page.locator("#turns button")).to_have_text(list(texts))


def test_there_are_none_unless_they_are_asked_for(page: Page, board: FakeBoard) -> None:
    page.locator("h1").click()
    turns(page, board, "d6")
    assert heard(page) == []
    assert page.evaluate("() => window.contexts") is None


def test_each_has_a_sound_of_its_own(page: Page, board: FakeBoard) -> None:
    choose(page, "to-settings")
    page.get_by_role("checkbox", name="Sounds on this device").check()
    assert heard(page) == PLACED
    turns(page, board, "d6")
    assert heard(page) == PLACED
    turns(page, board, "d6", "f4", status="remove")
    assert heard(page) == MILL
    turns(page, board, "d6", "f4 and took d6", status="ready", taken=["d6"])
    assert heard(page) == REMOVED
    board.say(status="mismatch", sentence="Wrong.")
    expect(page.locator("#sentence")).to_have_text("Wrong.")
    assert heard(page) == WRONG
    board.say(status="ready", sentence="Right.")
    expect(page.locator("#sentence")).to_have_text("Right.")
    turns(page, board, "d6", taken=[])
    assert heard(page) == []
    turns(page, board, "d6", "x1")
    assert heard(page) == PLACED
    turns(page, board, "d6")
    turns(page, board, "d6", "a1", status="over", outcome={"winner": None, "reason": "agreed"})
    assert heard(page) == OVER
    page.get_by_role("checkbox", name="Sounds on this device").uncheck()
    turns(page, board, status="ready", outcome=None)
    turns(page, board, "d6")
    assert heard(page) == []


def test_an_undecided_board_sounds_wrong_once(page: Page, board: FakeBoard) -> None:
    choose(page, "to-settings")
    page.get_by_role("checkbox", name="Sounds on this device").check()
    assert heard(page) == PLACED
    for status, sound in (
        ("undecided", WRONG),
        ("mismatch", []),
        ("undecided", []),
        ("taking-back", []),
        ("undecided", WRONG),
    ):
        board.say(status=status, sentence=f"It is {status}.")
        expect(page.locator("#sentence")).to_have_text(f"It is {status}.")
        assert heard(page) == sound


def test_the_choice_is_remembered_and_still_waits_for_a_gesture(page: Page, board: FakeBoard) -> None:
    choose(page, "to-settings")
    page.get_by_role("checkbox", name="Sounds on this device").check()
    page.reload()
    expect(page.locator("#sentence")).to_contain_text("White to play")
    turns(page, board, "d6")
    assert heard(page) == []
    assert page.evaluate("() => window.contexts") is None
    page.locator("h1").click()
    turns(page, board, "d6", "f4")
    assert heard(page) == PLACED


SHAKER = "navigator.vibrate = (pattern) => (window.shaken ??= []).push(pattern.join(' '))"


def test_a_phone_shakes_until_it_is_told_not_to(browser: Browser, board: FakeBoard) -> None:
    board.reset()
    page = new_page(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.add_init_script(SHAKER)
    page.goto(board.server.address)
    turns(page, board, "d6")
    assert page.evaluate("window.shaken") == ["12"]
    choose(page, "to-settings")
    page.get_by_label("Vibrate with each turn").uncheck()
    page.locator("#done").click()
    page.reload()
    expect(page.locator("#turns button")).to_have_count(1)
    turns(page, board, "d6", "f4")
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
