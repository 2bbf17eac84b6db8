"""The output of a set-up on the terminal, and the lines typed there."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.maintenance.terminal import Terminal, screen
from hardware.setup.prompts import STOP, Answer, Prompt

PROMPT = Prompt(
    "find",
    Message("setup.lift.any.at", {"place": Message("setup.place.done")}),
    notes=(Message("setup.known"),),
    point="a7",
    known=("d7", "c3"),
    answers=(Answer("", Message("setup.none-stands")), STOP),
    done=2,
    of=48,
)

SCREEN = """
  7  @-----------o-----------+
  6  |   +-------+-------+   |
  5  |   |   +---+---+   |   |
  4  +---+---+       +---+---+
  3  |   |   o---+---+   |   |
  2  |   +-------+-------+   |
  1  +-----------+-----------+
     a   b   c   d   e   f   g

[2/48] Take the piece off a finished point.
  - That sensor is already known.
  [Enter] No piece there   [q] Stop here"""


def test_the_point_is_drawn_with_what_is_known():
    assert screen(PROMPT, MORRIS) == SCREEN


def test_what_was_said_last_is_not_said_again():
    said: list[str] = []
    terminal = Terminal(MORRIS, said.append, ())
    terminal.show(PROMPT)
    terminal.show(PROMPT)
    assert said == [SCREEN]


def test_lines_are_answers_and_what_is_wrong_with_one_is_said():
    said: list[str] = []
    answers: list[str] = []
    done = threading.Event()

    def submit(text: str) -> Future[None]:
        answers.append(text)
        future: Future[None] = Future()
        if text == "z\n":
            future.set_exception(RequestError("'z' isn't an answer here"))
        else:
            future.set_result(None)
        if len(answers) == 3:
            done.set()
        return future

    Terminal(MORRIS, said.append, ["n\n", "z\n", "\n"]).listen(submit)
    assert done.wait(60)
    assert answers == ["n\n", "z\n", "\n"]
    assert said == ["  'z' isn't an answer here"]
