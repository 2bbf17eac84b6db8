"""Lines to a board and its answers, as people who play on it follow them, and what became of a hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.fuzz.actors.board import BoardInProcess
from tests.fuzz.actors.deeds import HabitualHand, Object
from tests.fuzz.oracle.judging.course import GameCourse

LATE_S = 1.1
"""Longer than a turn that is done waits until it counts: a second, and the time that readings take."""
STANDS = ("ready", "remove", "over")
"""A status in which the board shows nothing wrong and waits for nothing in the air."""


@dataclass(frozen=True)
class HandJudgement:
    """The result of a hand; `count` is the number of readings that the oracle finds."""

    count: int
    likely: bool
    """True if the truth is one of them."""
    shown: bool
    mended: bool
    wrong: bool
    conventional: bool
    """True if the wrong position is the only one that the oracle would read."""
    lost: int
    status: str
    told: str
    truth: str
    wrong_s: float = 0.0
    """The time for which a position counted that hands never meant, though the right one does at last."""
    late_s: float = 0.0
    """The longest time from which a turn was done to which it counted for good."""
    why: str = ""
    """The sentence that says what is wrong at last, and what to do."""

    @property
    def silent(self) -> bool:
        """True if the board shows an error at last and no sentence says what to do."""
        return self.status == "mismatch" and not self.why

    @property
    def ambiguous(self) -> bool:
        """True if several readings are possible."""
        return self.count != 1 or not self.likely


class UnexplainedError(AssertionError):
    """The oracle finds no explanation that is the truth: it, or the hands, are wrong."""


class BoardLines:
    """The lines to and from a board, and the time."""

    def __init__(self, board: BoardInProcess) -> None:
        self.board = board
        self.now = 0.0
        """The board's time in seconds."""
        self.ply = self.reds = 0
        """The number of steps that count, and of reported mismatches."""
        self.script: list[str] = []
        self.states: list[tuple[float, Object]] = []
        """The states shown, with their times."""
        self.steps_at: list[float] = []
        """The times at which reported steps were accepted."""
        self.course: GameCourse | None = None
        """The positions that counted, once the game has begun."""

    def do(self, line: Object, *, may_fail: bool = False) -> list[Object]:
        """Send a line, and take in the answers; a request may be refused by a board that stands wrong."""
        self.script.append(json.dumps(line))
        answers: list[Any] = [json.loads(one) for one in self.board.feed(self.script[-1], len(self.script))]
        for answer in answers:
            assert may_fail or "error" not in answer, answer
            self._take_in(answer)
        self.now += line.get("wait", 0.0)
        return answers

    def perform(self, plan: HabitualHand) -> None:
        """Send all of a hand, each line at its time."""
        at = 0.0
        for deed in plan.deeds:
            at = self._wait_until(deed.at, at)
            self.do(deed.line, may_fail="do" in deed.line)
        self._wait_until(plan.lasts, at)

    def rest(self, seconds: float) -> Object:
        """Let the board rest with empty hands, and look at it; close the menu that lifted pieces opened."""
        self.do({"wait": seconds})
        self.do({"box": True})
        state = self._shown()
        if state["status"] == "asking":
            self.do({"do": "ask"})
            self.do({"wait": seconds})
            state = self._shown()
        return state

    def _shown(self) -> Object:
        state: Object = self.do({"show": True})[-1]["state"]
        return state

    def _wait_until(self, time: float, now: float) -> float:
        if time > now:
            self.do({"wait": round(time - now, 6)})
        return max(time, now)

    def _take_in(self, answer: Object) -> None:
        if "state" in answer:
            self.states.append((answer["t"], answer["state"]))
        if "event" in answer and self.course is not None:
            self.course.take_in(answer)
        match answer.get("event"):
            case "step":
                self.ply += 1
                self.steps_at.append(answer["t"])
            case "taken-back" | "redone" | "end-undone" | "continued":
                self.ply = answer["ply"]
            case "game":
                self.ply = 0
            case "mismatch":
                self.reds += 1
