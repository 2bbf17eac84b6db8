"""One contact: its behaviour in time, with and without a fault.

Invariants: the state of a contact at any time follows from the events until then and from its own random
numbers, never from the times at which it is read. It bounces like a reed: usually for 0.5 to 1 ms, sometimes
for up to 2 ms. Worse contacts do the same for longer. A plan is the future of a contact if nothing else
happens to it: waits, and the state after each.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from firmware_host.settings import Microseconds
from sim.scheduler import ScheduledEvent, Scheduler
from sim.table.table import TablePiece

ContactPlan = Iterator[tuple[Microseconds, bool]]
"""Waits after the state before, each with the state that follows; endless plans always wait."""

_MILLISECOND: Microseconds = 1000

BOUNCE_MS = 2.0
"""Maximum bounce time of a good contact."""


class ContactFault(enum.Enum):
    """A fault of a contact."""

    STUCK_ON = "stuck-on"
    STUCK_OFF = "stuck-off"
    CHATTER = "chatter"
    WEAK = "weak"
    FAINT = "faint"
    """The magnet barely holds it, so that it opens and closes without end."""
    WRONG_POLE = "wrong-pole"
    """A hall switch that is upside down and detects the other pole only."""


_RESPONSIVE = (None, ContactFault.WEAK, ContactFault.FAINT, ContactFault.WRONG_POLE)
"""The faults with which a contact still follows magnets."""


class Switch:
    """One contact, and the magnets that hold it closed."""

    def __init__(self, agenda: Scheduler, random: Random, show: Callable[[bool], None]) -> None:
        self.fault: ContactFault | None = None
        self.near: set[TablePiece] = set()
        self.bounce_ms = BOUNCE_MS
        """Maximum bounce time from the next change on."""
        self._agenda = agenda
        self._random = random
        self._show = show
        self._coming: ScheduledEvent | None = None

    def feel(self, piece: TablePiece, near: bool, now: Microseconds) -> None:
        """Record that `piece` has come within the closing distance, or gone beyond the opening one."""
        before = bool(self.near)
        (self.near.add if near else self.near.discard)(piece)
        if bool(self.near) != before and self.fault in _RESPONSIVE:
            self._follow(self._plan(), now)

    def apply_fault(self, fault: ContactFault | None, now: Microseconds) -> None:
        """Begin to fail in this way, or to work again."""
        if fault is not self.fault:
            self.fault = fault
            self._follow(self._plan(), now)

    def _plan(self) -> ContactPlan:
        match self.fault:
            case ContactFault.STUCK_ON | ContactFault.STUCK_OFF:
                return _hold(self.fault is ContactFault.STUCK_ON)
            case ContactFault.CHATTER:
                return _chatter(self._random)
            case ContactFault.FAINT if self.near:
                return _chatter(self._random)
            case ContactFault.WEAK if self.near:
                return _drop_out(self._random, self.bounce_ms)
        return _settle(bool(self.near), self._random, self.bounce_ms)

    def _follow(self, plan: ContactPlan, now: Microseconds) -> None:
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None
        self._advance(plan, now)

    def _advance(self, plan: ContactPlan, now: Microseconds) -> None:
        for wait, closed in plan:
            if wait == 0:
                self._show(closed)
                continue
            self._coming = self._agenda.enter(now + wait, partial(self._turn, plan, closed))
            return

    def _turn(self, plan: ContactPlan, closed: bool, now: Microseconds) -> None:
        self._show(closed)
        self._advance(plan, now)


def _settle(closed: bool, random: Random, bounce_ms: float) -> ContactPlan:
    """Become `closed` after bouncing for at most `bounce_ms`, usually for a quarter to a half of that."""
    yield 0, closed
    longest = round(bounce_ms * _MILLISECOND)
    shortest, most = (longest // 2, longest) if random.random() < 0.1 else (longest // 4, longest // 2)
    span = random.randint(shortest, most)
    count = 2 * random.randint(1, 3) - 1
    if span <= count:
        return
    turns = sorted(random.sample(range(1, span), count))
    state, before = closed, 0
    for turn in (*turns, span):
        state = not state
        yield turn - before, state
        before = turn


def _hold(closed: bool) -> ContactPlan:
    """Stay `closed`, whatever happens."""
    yield 0, closed


def _chatter(random: Random) -> ContactPlan:
    """Open and close for ever, every 1 to 40 ms."""
    closed = False
    while True:
        closed = not closed
        yield random.randint(1 * _MILLISECOND, 40 * _MILLISECOND), closed


def _drop_out(random: Random, bounce_ms: float) -> ContactPlan:
    """Close, and open now and then for 20 to 250 ms."""
    yield from _settle(closed=True, random=random, bounce_ms=bounce_ms)
    while True:
        yield random.randint(300 * _MILLISECOND, 3000 * _MILLISECOND), False
        yield random.randint(20 * _MILLISECOND, 250 * _MILLISECOND), True
