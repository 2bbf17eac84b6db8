"""What a maker is asked to do and to look at, by a terminal or by a program that stands in for them.

Rules kept here: a task says all that is needed to obey it; whoever answers sees only hands and light, and
knows nothing of wires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Clear:
    """Take all pieces off the board."""

    def __str__(self) -> str:
        return "Take all pieces off the board. (Enter: there are none)"


@dataclass(frozen=True, slots=True)
class Place:
    """Take the piece from where it is and set it down on `point`, turned over or not.

    `piece` is `white` or `black`, empty where any will do. `lit`: whether its light should be on, so that
    `NOT_THERE` can be answered.
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


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be looked at. `answers` has what can be answered, and what that means where it is said."""

    text: str
    answers: Mapping[str, str]

    def __str__(self) -> str:
        said = ", ".join(f"{answer} ({means})" for answer, means in self.answers.items() if means)
        return f"{self.text} [{said}]" if said else self.text


DONE = "done"
NOT_THERE = "n"
"""The light is not where it should be."""


class StoppedError(Exception):
    """The maker has gone."""


class Maker(Protocol):
    """Who has hands and eyes; each of these may raise StoppedError."""

    def do(self, task: Clear | Place) -> None:
        """Begin to do `task`."""

    def reply(self) -> str:
        """What they have said since the last call: DONE, NOT_THERE or nothing yet, an empty text."""

    def answer(self, question: Question, meanwhile: Callable[[], object]) -> str:
        """One of the question's answers; `meanwhile` is done again and again until then."""
