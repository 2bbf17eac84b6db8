"""Tasks and questions for the operator at the board, a person or a program that stands in for one.

Invariants: a task says everything needed to carry it out. The operator only needs hands and eyes, and no
knowledge of the wiring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english

DONE = "done"
NOT_THERE = "n"
"""The answer that the light is not where it should be."""

_NOTHING = {"": Message("setup.doctor.nothing")}
_NO_LIGHT = {NOT_THERE: Message("setup.doctor.no-light")}


@frozen
class ClearBoard:
    """A task: to take all pieces off the board."""

    @property
    def text(self) -> Message:
        """The task in words."""
        return Message("setup.clear.first")

    @property
    def answers(self) -> Mapping[str, Message]:
        """The answers by their keys; that of Enter is empty."""
        return {"": Message("setup.board-empty")}

    def __str__(self) -> str:
        return _line(self.text, self.answers)


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

    def text_at(self, place: str | Message) -> Message:
        """Return the task in words, with the point described as `place`."""
        if self.turned:
            return Message("setup.doctor.turned", {"place": place})
        piece = self.piece or "any"
        return Message(f"setup.put.{piece}.at", {"place": place})

    @property
    def answers(self) -> Mapping[str, Message]:
        """The answers by their keys; that of Enter is empty."""
        return {**_NOTHING, **(_NO_LIGHT if self.lit else {})}

    def __str__(self) -> str:
        return f"{self.number}/{self.of}  {_line(self.text_at(self.point), self.answers)}"


@frozen
class PressButton:
    """A task: to press the button once."""

    @property
    def text(self) -> Message:
        """The task in words."""
        return Message("setup.doctor.press")

    @property
    def answers(self) -> Mapping[str, Message]:
        """The answers by their keys; that of Enter is empty."""
        return _NOTHING

    def __str__(self) -> str:
        return _line(self.text, self.answers)


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


def _line(text: Message, answers: Mapping[str, Message]) -> str:
    """Return a task in English, with the keys of its answers."""
    keys = "   ".join(f"[{key or 'Enter'}] {to_english(label)}" for key, label in answers.items())
    return f"{to_english(text)}  {keys}"


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
