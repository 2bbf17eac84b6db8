"""LinkTimes between two machines, by what the pages of both show and the logs of their links say.

Invariants: each time ends at the moment at which a page shows its end, whatever the hands are doing. A
turn during which something was killed is left out.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.fuzz.link.machines import LinkedMachine

_AGREED = ("arrived", "stands", "asking")
_ONLINE = "connected to the broker"
_FOLLOWING = "following the board"


@dataclass
class LinkTimes:
    """Measured times, in seconds."""

    counted: list[float] = field(default_factory=list)
    """From the last action of a turn to its page showing that it counts, without the wait of its landing."""
    lit: list[float] = field(default_factory=list)
    """From there to the other board's page showing its light, without the rest of a turn."""
    hand_to_light: list[float] = field(default_factory=list)
    """Both together."""
    agreed_again: list[float] = field(default_factory=list)
    """From the moment at which all that was killed is connected again to agreement."""


@dataclass
class _Turn:
    """A turn on its way to the other board."""

    mover: LinkedMachine
    before: tuple[str, ...]
    dwell_s: float
    counted_at: float | None = None


@dataclass(frozen=True)
class _Return:
    """A text that the link of a machine logs once it is connected again."""

    machine: LinkedMachine
    text: str
    since: int

    @property
    def has_come(self) -> bool:
        return self.machine.has_logged(self.text, self.since)


class LinkWatch:
    """The times of turns and of agreement on two machines."""

    def __init__(self, machines: Sequence[LinkedMachine], rest_s: float) -> None:
        """Watch `machines`, whose turns rest for that time before they are sent."""
        self.times = LinkTimes()
        self._machines, self._rest_s = machines, rest_s
        self._lock = threading.Lock()
        self._turn: _Turn | None = None
        self._returns: list[_Return] = []
        self._back_at: float | None = None
        for machine in machines:
            machine.on_change = self._look

    def begin(self) -> None:
        """Begin a game; nothing that was measured before it goes on."""
        with self._lock:
            self._turn, self._returns, self._back_at = None, [], None

    def plays(self, mover: LinkedMachine, dwell_s: float) -> None:
        """Note that hands begin a turn, whose last action has to stand for this time."""
        with self._lock:
            is_calm = not self._returns and self._back_at is None
            self._turn = _Turn(mover, mover.turns, dwell_s) if is_calm else None

    def breaks(self, what: str, machine: LinkedMachine | None) -> None:
        """Note that the broker, or the board or link of a machine, is killed now."""
        with self._lock:
            self._turn, self._back_at = None, None
            text = _FOLLOWING if what == "board" else _ONLINE
            cut = self._machines if machine is None else [machine]
            self._returns += [_Return(one, text, one.log_size) for one in cut]

    def look_for_returns(self) -> None:
        """See whether all that was killed is connected again."""
        with self._lock:
            if self._returns:
                self._returns = [one for one in self._returns if not one.has_come]
                self._back_at = None if self._returns else time.monotonic()
        self._look()

    def _look(self) -> None:
        """See what the pages show now."""
        with self._lock:
            now = time.monotonic()
            if self._turn is not None:
                self._follow(self._turn, now)
            if self._back_at is not None and self._is_agreed():
                self.times.agreed_again.append(now - self._back_at)
                self._back_at = None

    def _follow(self, turn: _Turn, now: float) -> None:
        mover = turn.mover
        if turn.counted_at is None and _is_done(mover, turn.before):
            turn.counted_at = now
        if turn.counted_at is None:
            return
        other = next(one for one in self._machines if one is not mover)
        if other.turns == turn.before and _lights_turn(other):
            counted = turn.counted_at - mover.acted_at - turn.dwell_s
            lit = now - turn.counted_at - self._rest_s
            self.times.counted.append(counted)
            self.times.lit.append(lit)
            self.times.hand_to_light.append(counted + lit)
            self._turn = None

    def _is_agreed(self) -> bool:
        """Return whether both boards have the same turns, or one lights the last, and both know it."""
        first, second = self._machines
        if not (first.state and second.state):
            return False
        if first.state.get("outcome") and second.state.get("outcome"):
            return first.turns == second.turns
        known = all((one.state.get("far") or {}).get("status") in _AGREED for one in self._machines)
        behind, ahead = sorted(self._machines, key=lambda one: len(one.turns))
        is_lit = ahead.turns[:-1] == behind.turns and _lights_turn(behind)
        return known and (first.turns == second.turns or is_lit)


def _is_done(mover: LinkedMachine, before: tuple[str, ...]) -> bool:
    """Return whether a whole turn counts after those before it."""
    state = mover.state
    return len(mover.turns) > len(before) and (
        mover.is_others_turn(state) or state.get("outcome") is not None
    )


def _lights_turn(machine: LinkedMachine) -> bool:
    """Return whether a board lights a turn of the other one."""
    return bool(machine.state.get("moves")) and machine.is_others_turn(machine.state)
