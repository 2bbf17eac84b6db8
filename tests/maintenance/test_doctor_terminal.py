"""The doctor's questions on the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.i18n import Message
from firmware_host.maintenance.terminal import TerminalOperator
from hardware.colour_order import ColourLook
from hardware.doctor.light_checks import DARKNESS, look_question
from hardware.doctor.prompts import DONE, NOT_THERE, ClearBoard, PlacePiece, Question, StoppedError

LOOK = look_question(ColourLook("GRB", "R"), is_expected=True)


def maker(*typed: str) -> tuple[TerminalOperator, list[str]]:
    said: list[str] = []
    return TerminalOperator(said.append, typed), said


def replies(typist: TerminalOperator) -> Iterator[str]:
    """Yield their answers until they stop; lines come from another thread."""
    patience = 500
    while patience:
        patience -= 1
        try:
            word = typist.reply()
        except StoppedError:
            return
        if word:
            yield word
        else:
            time.sleep(0.002)
    raise AssertionError("it never stopped")


def test_tasks_are_said_in_words():
    typist, said = maker()
    typist.do(ClearBoard())
    typist.do(PlacePiece("d6", piece="white", lit=True, number=3, of=24))
    typist.do(PlacePiece("a1", turned=True))
    assert said == [
        "Take all pieces off the board, then continue.  [Enter] The board is empty",
        "3/24  Put a white piece on d6.  [Enter] Done, and nothing happens   [n] The light isn't there",
        "1/1  Turn the piece over and put it on a1.  [Enter] Done, and nothing happens",
    ]


def test_enter_is_done_and_other_words_are_told_what_there_is():
    typist, said = maker("\n", " N \n", "what?\n", "\n")
    assert list(replies(typist)) == [DONE, NOT_THERE, DONE]
    assert said == ["  Enter: done; n: the light is not there; q: stop here"]


@pytest.mark.parametrize("typed", [(), ("q\n",), ("quit",)])
def test_who_goes_away_stops_it(typed: Iterable[str]):
    typist, _ = maker(*typed)
    with pytest.raises(StoppedError):
        typist.answer(LOOK, lambda: None)


@given(st.sampled_from(sorted(LOOK.answers)), st.integers(1, 10))
def test_the_beginning_of_an_answer_is_enough(answer, length):
    typist, _ = maker(f"{answer[:length]}\n")
    assert typist.answer(LOOK, lambda: None) == answer


def test_what_is_no_answer_is_asked_again():
    typist, said = maker("\n", "drak\n", "dark\n")
    assert typist.answer(Question(Message("setup.doctor.dark"), DARKNESS), lambda: None) == "dark"
    assert said[0].startswith("Now they should all be dark. [dark (all dark), first (")
    assert said[2] == "  'drak' isn't an answer here: did you mean dark?"
