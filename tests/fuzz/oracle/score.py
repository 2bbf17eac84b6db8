"""The game as the events tell it, kept by the plain rules: an event that they forbid is an AssertionError."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import turn_text
from tests.fuzz.oracle.plain_rules import MillMoment

Object = dict[str, Any]


@dataclass
class MillScore:
    """One game after the other; `over`, `taken-back` and `redone` are accepted as far as the rules allow."""

    record: list[MillMoment] = field(default_factory=list)
    """The position after each step of the game so far, the start first."""
    steps: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """The ply at which each turn began that has a step."""
    declared: Object | None = None
    """The ending that the players gave it."""
    answered: int = 0
    """The ply before which nothing is thought over, since what answered it was taken back."""
    found: bool = False
    """True while the game goes on, before a step or a match since it was found."""
    undone: list[str] = field(default_factory=list)
    """The steps that were taken back and may be redone, since none that differs was played."""
    _ended: tuple[list[MillMoment], list[str], list[int], list[str]] = ([], [], [], [])
    """The game that the players or the cleared board ended last, with what could be redone."""
    _before: tuple[list[MillMoment], list[str], list[int]] = ([], [], [])
    """The longest game since a step was played last; the cleared board may bring it back."""

    @property
    def now(self) -> MillMoment:
        """The position."""
        return self.record[-1]

    @property
    def ending(self) -> Object | None:
        """The end of the game, or None."""
        ended = plain.outcome(self.now)
        return self.declared or (ended and {"winner": ended[0], "reason": ended[1]})

    @property
    def last_turn(self) -> tuple[str, ...]:
        """The steps of the turn that began last."""
        return tuple(self.steps[self.starts[-1] :]) if self.starts else ()

    @property
    def thought_over(self) -> list[MillMoment]:
        """The positions within the last turn, from which it may be done in another way, the latest first."""
        if not self.starts or self.starts[-1] < self.answered:
            return []
        return self.within_last_turn

    @property
    def within_last_turn(self) -> list[MillMoment]:
        """The positions within the last turn, the latest first."""
        return self.record[self.starts[-1] : -1][::-1] if self.starts else []

    @property
    def later(self) -> list[MillMoment]:
        """The positions to which hands may redo: those after the end of the next turn."""
        moments = [self.now]
        for text in self.undone:
            moments.append(plain.play(moments[-1], text))
        first = next((n for n, moment in enumerate(moments) if n and not moment.due), len(moments))
        return moments[first + 1 :]

    def begin(self, event: Object) -> None:
        """A new game."""
        name, *switches = event["rules"].split()
        rules = plain.RULE_SETS[name].with_set(dict(switch.split("=") for switch in switches))
        assert rules.first in ("lot", event["first"]), event
        self.record = [plain.start(rules, event["first"])]
        self.steps, self.starts, self._before = [], [], ([], [], [])
        self.answered, self.declared, self.found = 0, None, False
        self.undone = []

    def step(self, event: Object) -> None:
        """A step was played."""
        where = plain.position_text(self.now)
        assert self.declared is None, f"{event} after the game was ended"
        assert event["text"] in plain.legal_steps(self.now), f"{event} is not legal in {where}"
        assert event["by"] == self.now.to_move, f"{event} in {where}"
        self.undone = self.undone[1:] if self.undone[:1] == [event["text"]] else []
        self._play(event["text"])

    def _play(self, text: str) -> None:
        if not self.now.due:
            self.starts.append(len(self.steps))
        self.steps.append(text)
        self.record.append(plain.play(self.now, text))
        self.found = False
        self._before = ([], [], [])

    def turn(self, event: Object) -> None:
        """A turn is over."""
        assert event["text"] == turn_text(self.last_turn), f"{event}, but it was {self.last_turn}"
        assert event["by"] != self.now.to_move, event
        assert not self.now.due, event

    def take_back(self, ply: int) -> None:
        """The game went back."""
        assert 0 <= ply < len(self.steps), f"taken back to {ply} of {len(self.steps)}"
        assert self.declared is None, f"taken back to {ply} after the players had ended it"
        if len(self._before[1]) < len(self.steps):
            self._before = (list(self.record), list(self.steps), list(self.starts))
        self.undone = self.steps[ply:] + self.undone
        self._cut(ply)
        self.answered = self.starts[-1] if self.now.due else ply

    def redo(self, ply: int) -> None:
        """The game went forward over what was taken back."""
        count = ply - len(self.steps)
        assert 0 < count <= len(self.undone), f"redone to {ply} after {self.steps}, not {self.undone}"
        assert self.declared is None, f"redone to {ply} after the players had ended it"
        for text in self.undone[:count]:
            self._play(text)
        del self.undone[:count]

    def go_on(self, event: Object) -> None:
        """The game goes on after the power was gone: all of it, and nothing of it is thought over."""
        assert event["ply"] == len(self.steps), f"{event}, but {len(self.steps)} steps were accepted"
        self.answered = len(self.steps)
        self.found = True
        self._before = ([], [], [])

    def matched(self) -> None:
        """The board stands as the game says: the last turn may be thought over, whatever happened before."""
        self.answered = 0
        self.found = False

    def end(self, event: Object) -> bool:
        """The game is over; whether by its players or the cleared board, not the rules."""
        assert self.declared is None, f"{event} after the players had ended it"
        undone, self.undone = self.undone, []
        if event["ply"] > len(self.steps):
            undone = []
            self.record, self.steps, self.starts = self._before
            self._cut(event["ply"])
        assert event["ply"] == len(self.steps), event
        told = {"winner": event["winner"], "reason": event["reason"]}
        by_rules = self.ending
        assert by_rules in (None, told), f"{event}, but by the rules {by_rules}"
        if by_rules is None:
            self.declared = told
            self._ended = (list(self.record), list(self.steps), list(self.starts), undone)
        return by_rules is None

    def undo_end(self, event: Object) -> None:
        """The last game goes on: its pieces had not been cleared, but could not be read."""
        assert not self.steps, f"{event} after {self.steps}"
        self.record, self.steps, self.starts, self.undone = self._ended
        assert self.steps, f"{event}, but no game was ended"
        self.declared = None
        self.go_on(event)

    def _cut(self, ply: int) -> None:
        self.record = self.record[: ply + 1]
        self.steps = self.steps[:ply]
        self.starts = [start for start in self.starts if start < ply]
