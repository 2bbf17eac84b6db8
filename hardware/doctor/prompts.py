"""Tasks and questions for the operator at the board, a person or a program that stands in for one.

Invariants: a task says everything needed to carry it out. The operator only needs hands and eyes, and no
knowledge of the wiring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english


@frozen
class ClearBoard:
    """A task: to take all pieces off the board."""

    def __str__(self) -> str:
        return "Take all pieces off the board. (Enter: there are none)"


@frozen
class PlacePiece:
    """A task: to take the piece from where it is and set it down on `point`, turned over or not.

    `piece` is `white` or `black`, or empty if any will do. `lit`: its light should be on, so that `NOT_THERE`
    is a possible answer.
    """

    point: str
    piece: str = ""
    turned: bool = False
    lit: bool = False
    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        piece = f"the {self.piece} piece".replace("  ", " ") if self.piece else "the piece"
        how = ", turned over," if self.turned else ""
        light = f"; {NOT_THERE}: the light is not there" if self.lit else ""
        keys = f"Enter: done, and nothing happens{light}"
        return f"{self.number}/{self.of}  Put {piece}{how} on {self.point}. ({keys})"


@frozen
class PressButton:
    """A task: to press the button once."""

    def __str__(self) -> str:
        return "Press the button at the board, and let it go. (Enter: done, and nothing happens)"


Task = ClearBoard | PlacePiece | PressButton


@frozen
class Question:
    """A question about light or sound; `answers` maps each answer to its meaning, None for a point."""

    text: Message
    answers: Mapping[str, Message | None]

    def __str__(self) -> str:
        means = {answer: to_english(meant) for answer, meant in self.answers.items() if meant is not None}
        meanings = ", ".join(f"{answer} ({text[:1].lower()}{text[1:]})" for answer, text in means.items())
        return f"{to_english(self.text)} [{meanings}]"


DONE = "done"
NOT_THERE = "n"
"""The answer that the light is not where it should be."""


class StoppedError(Exception):
    """The operator has left."""


class Operator(Protocol):
    """A person with hands and eyes; each method may raise StoppedError."""

    def do(self, task: Task) -> None:
        """Start doing `task`."""

    def reply(self) -> str:
        """Return the answer since the last call: DONE, NOT_THERE or, without one, ""."""

    def answer(self, question: Question, while_waiting: Callable[[], object]) -> str:
        """Return one of the question's answers, calling `while_waiting` repeatedly until there is one."""
