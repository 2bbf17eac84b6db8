"""The voice of the page: its sentences, the silence of screen readers, and questions by keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.i18n import Message
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import choose, forget, leave, new_page, play, until
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard
from tests.web.page.appearance.voice import VOICE, announced, spoken

BLACK = Message("places.black", {"count": 9})
WHITE_D6 = Message("speech.turn.white", {"turn": "d6"})


@pytest.fixture(scope="module")
def board() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


@pytest.fixture(scope="module")
def hearing(browser: Browser) -> Iterator[Page]:
    page = new_page(browser, viewport={"width": 1280, "height": 800})
    page.add_init_script(VOICE)
    yield page
    page.context.close()


@pytest.fixture
def page(hearing: Page, board: FakeBoard) -> Iterator[Page]:
    """A page whose voice was not asked for yet."""
    board.reset()
    hearing.goto(f"{board.server.address}?lang=de")
    expect(hearing.locator("#sentence")).to_contain_text("White to play")
    yield hearing
    forget(hearing, board.server.address)


class Saying:
    """The utterances of a fake board, each with the next number."""

    def __init__(self, page: Page, board: FakeBoard) -> None:
        self._page, self._board = page, board
        self._number = 0

    def __call__(self, level: str, *reports: Message, prompt: Message = BLACK, to: str | None = None) -> None:
        """Publish an utterance, whose prompt is the sentence of the page as well, and wait for that."""
        self._number += 1
        parts = {"reports": reports, "prompts": (prompt,)}
        sentences = {name: [self._public(one) for one in messages] for name, messages in parts.items()}
        marks = {"number": self._number, "level": level, "aloud": True, "soft": False, "to": to}
        self._board.say(said=prompt.as_dict(), speech=[{**marks, **sentences}], turns=["d6"] * self._number)
        expect(self._page.locator("#turns span")).to_have_count(self._number)

    @staticmethod
    def _public(message: Message) -> dict[str, Any]:
        return {"text": "in the language of the board", "said": message.as_dict()}


@pytest.fixture
def saying(page: Page, board: FakeBoard) -> Saying:
    return Saying(page, board)


def choose_voice(page: Page, level: str) -> None:
    choose(page, "to-settings")
    page.locator("#voice").select_option(level)
    until(page, "(level) => document.body.classList.contains('speaks') === (level !== 'off')", level)
    spoken(page)
    announced(page)


def test_it_says_nothing_unless_it_is_chosen(page: Page, saying: Saying) -> None:
    saying("answers", WHITE_D6)
    assert spoken(page) == []
    assert any("Schwarz ist am Zug" in text for text in announced(page))


def test_it_speaks_the_pages_language_and_hushes_screen_readers(page: Page, saying: Saying) -> None:
    choose_voice(page, "turns")
    saying("turns", WHITE_D6)
    assert spoken(page) == [
        "Weiß: d6.",
        "Schwarz ist am Zug: Setze einen Stein auf einen freien Punkt (noch 9 im Vorrat).",
    ]
    assert announced(page) == []
    choose_voice(page, "off")
    saying("turns", WHITE_D6, prompt=Message("paused"))
    assert spoken(page) == []
    assert announced(page) != []


def test_it_says_what_its_level_asks_for(page: Page, saying: Saying) -> None:
    choose_voice(page, "answers")
    saying("turns", WHITE_D6)
    saying("answers", prompt=Message("paused"))
    assert spoken(page) == ["Das Spiel ist angehalten."]


def test_a_newer_utterance_ends_a_prompt_and_no_report(page: Page, saying: Saying) -> None:
    choose_voice(page, "all")
    saying("turns", WHITE_D6)
    saying("turns", Message("speech.turn.black", {"turn": "f4"}), prompt=Message("paused"))
    assert spoken(page) == ["Weiß: d6.", "Schwarz: f4.", "Das Spiel ist angehalten."]
    saying("all")
    saying("all", prompt=Message("paused"))
    first, *rest = spoken(page)
    assert first.startswith("Schwarz ist am Zug")
    assert rest == ["!", "Das Spiel ist angehalten."]


def test_an_answer_for_another_page_is_not_heard_here(page: Page, saying: Saying) -> None:
    choose_voice(page, "all")
    saying("answers", WHITE_D6, to="another")
    assert spoken(page) == []


def test_what_was_said_before_the_page_was_opened_is_not_said(page: Page, saying: Saying) -> None:
    saying("answers", WHITE_D6)
    choose_voice(page, "all")
    assert spoken(page) == []


def test_keys_ask_the_board_and_screen_readers_hear_the_answer(hearing: Page) -> None:
    with simulated_board() as address:
        hearing.goto(f"{address}?lang=en")
        play(hearing, "d6", "white")
        expect(hearing.locator("#turns span")).to_have_text(["d6"])
        keyboard = Keyboard(hearing)
        keyboard.go("d6")
        answer = hearing.locator(".spoken")
        for key, text in (
            ("l", "White: d6."),
            ("h", "d6: white piece."),
            ("n", "White: 8 in hand, 1 on the board. Black: 9 in hand, 0 on the board."),
            ("c", "There's no clock."),
            ("t", "Black to play: place a piece on a free point (9 in hand)."),
            ("r", "Outer ring: empty. Middle ring: white piece at d6. Inner ring: empty."),
        ):
            hearing.keyboard.press(key)
            expect(answer).to_have_text(text)
        leave(hearing)


def test_with_a_voice_nothing_is_said_twice(hearing: Page) -> None:
    with simulated_board() as address:
        hearing.goto(f"{address}?lang=en")
        choose_voice(hearing, "all")
        hearing.keyboard.press("Escape")
        for number, (turn, player) in enumerate((("d6", "white"), ("f4", "black"), ("d5", "white")), 1):
            play(hearing, turn, player)
            expect(hearing.locator("#turns span")).to_have_count(number)
        keyboard = Keyboard(hearing)
        keyboard.go("d5")
        hearing.keyboard.press("h")
        said = spoken(hearing, until="d5: white piece.")
        assert "White: d6." in said
        assert {
            text for text in announced(hearing) if any(one in text for one in said if one != "!")
        } == set()
        leave(hearing)
