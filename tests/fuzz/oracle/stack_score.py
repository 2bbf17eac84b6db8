"""The game of stacks as the events tell it, kept by the plain rules: an event that they forbid is an error.

Each broken rule is an AssertionError with the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import StackMoment

Object = dict[str, Any]


class StackScore:
    """One game after the other; endings by the players are accepted if they were requested."""

    def __init__(self) -> None:
        self.moments: list[StackMoment] = []
        """The position before each turn so far, the present one last."""
        self.steps: list[str] = []
        self.ends: list[int] = []
        """The ply after each whole turn."""
        self.declared = False
        """True if its players, or the cleared board, ended the game."""
        self.paused = False
        self.undone: list[str] = []
        """The steps that were taken back and may be redone, since none that differs was played."""
        self._undone_ends: set[int] = set()
        """The ply after each whole turn of these."""
        self._before: tuple[list[StackMoment], list[str], list[int]] = ([], [], [])
        """The longest game since a step was played last; the cleared board may bring it back."""

    @property
    def now(self) -> StackMoment:
        """The position before the turn that is due or begun."""
        return self.moments[-1]

    @property
    def begun(self) -> str:
        """The steps of the turn that is begun, as one text."""
        return " ".join(self.steps[self.ends[-1] if self.ends else 0 :]).replace(" /", "/")

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.declared or self.now.outcome is not None

    @property
    def last_turn(self) -> int:
        """The ply at which the turn began that has the last step."""
        return ([0, *self.ends])[-1 if self.begun else -2] if self.steps else 0

    def take_in(self, event: Object, asked: Mapping[str, Any], *, cleared: bool) -> None:
        """Take in what happened after the request `asked`; `cleared`: whether no piece is on the board."""
        match event["event"]:
            case "game":
                self._begin(event)
            case "step":
                assert not self.paused or asked.get("do") == "confirm", f"{event} while it is paused"
                self._step(event)
            case "turn":
                assert event["text"] == self.begun, f"{event}, but it was {self.begun}"
                self.moments.append(plain.play(self.now, self.begun))
                self.ends.append(len(self.steps))
            case "taken-back":
                by_request = asked.get("do") == "take-back"
                assert by_request or not self.paused, f"{event} while it is paused"
                assert not by_request or event["ply"] == self.last_turn, f"{event}, not {self.last_turn}"
                self._take_back(event["ply"])
            case "redone":
                self._redo(event["ply"], by_request=asked.get("do") == "redo")
            case "over":
                self._end(event, asked, cleared=cleared)
            case "paused" | "resumed":
                self.paused = event["event"] == "paused"

    def _begin(self, event: Object) -> None:
        name, *switches = event["rules"].split()
        told = dict(switch.split("=") for switch in switches)
        assert name == "mitsudomoe", event
        assert told.get("first", "white") in ("lot", event["first"]), event
        self.moments = [plain.start(event["first"][0], int(told.get("repetition", 3)))]
        self.steps, self.ends, self._before = [], [], ([], [], [])
        self.declared = self.paused = False
        self.undone = []

    def _step(self, event: Object) -> None:
        assert not self.over, f"{event} after the end"
        assert event["by"] == plain.NAMES[self.now.to_move], event
        self.undone = self.undone[1:] if self.undone[:1] == [event["text"]] else []
        self.steps.append(event["text"])
        legal = plain.turns(self.now)
        assert any(turn.startswith(self.begun) for turn in legal), f"{self.begun} is not legal"
        self._before = ([], [], [])

    def _take_back(self, ply: int) -> None:
        assert not self.declared, f"taken back to {ply} after its players had ended it"
        assert 0 <= ply < len(self.steps), f"taken back to {ply} of {len(self.steps)}"
        if len(self._before[1]) < len(self.steps):
            self._before = (list(self.moments), list(self.steps), list(self.ends))
        if not self.undone:
            self._undone_ends = set()
        self.undone = self.steps[ply:] + self.undone
        self._undone_ends |= {end for end in self.ends if end > ply}
        self._cut(ply)

    def _redo(self, ply: int, *, by_request: bool) -> None:
        assert not self.declared, f"redone to {ply} after its players had ended it"
        assert by_request or not self.paused, f"redone to {ply} while it is paused"
        last = len(self.steps) + len(self.undone)
        assert len(self.steps) < ply <= last, f"redone to {ply} of {last}, after {len(self.steps)}"
        following = min((end for end in self._undone_ends if end > len(self.steps)), default=last)
        assert ply == following if by_request else ply > following, f"redone to {ply}, not {following}"
        while len(self.steps) < ply:
            self.steps.append(self.undone.pop(0))
            if len(self.steps) in self._undone_ends:
                self.moments.append(plain.play(self.now, self.begun))
                self.ends.append(len(self.steps))
        self._before = ([], [], [])

    def _cut(self, ply: int) -> None:
        del self.steps[ply:]
        self.ends = [end for end in self.ends if end <= ply]
        del self.moments[len(self.ends) + 1 :]

    def _end(self, event: Object, asked: Mapping[str, Any], *, cleared: bool) -> None:
        told = event["winner"], event["reason"]
        self.undone = []
        if event["ply"] > len(self.steps):
            assert cleared, f"{event}, but there are {len(self.steps)} steps"
            self.moments, self.steps, self.ends = self._before
            self._cut(event["ply"])
        assert event["ply"] == len(self.steps), event
        self.paused = False
        if self.now.outcome is not None:
            assert told == self.now.outcome, f"{event}, but it is {self.now.outcome}"
            return
        loser = asked.get("player", plain.NAMES[self.now.to_move])
        winner = plain.NAMES[plain.OTHER[loser[0]]]
        wanted = {"resign": (winner, "resigned"), "draw": (None, "agreed")}.get(asked.get("do", ""))
        assert told == (wanted or (None, "abandoned")), event
        assert wanted or asked.get("do") == "new-game" or (cleared and self.steps), event
        self.declared = True
