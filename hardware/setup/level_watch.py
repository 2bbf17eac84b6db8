"""What hands did on a board of which only levels are known: which wires feel a piece now, and which no more.

Rules kept here: nothing counts before all wires have come to rest, so that bounce, brushes and slides over
others are no answers; a wire that comes and goes without end keeps nobody waiting, and is told apart; time is
an argument, and a list of levels and times says all.

A switch feels (1) or not (0). A linear sensor is compared with what it reads at rest: 1 above, -1 below.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.settings import Microseconds
from hardware.scanner import Level, Levels

REST: Microseconds = 350_000
"""How long nothing may change before a board is at rest; a brush over a point lasts 100 ms."""

RESTLESS_CHANGES = 8
RESTLESS_WITHIN: Microseconds = 2_000_000
"""A wire that changes so often in this time comes and goes; hands lift and set down less than four times."""

FELT_COUNTS = 16
"""How far from rest a linear sensor must read to feel a piece: some 5 mT of an SS49E at 3.3 V."""
LOST_COUNTS = 10

_LEARNS: Microseconds = 500_000
_SETTLES: Microseconds = 100_000
_MOST_READINGS = 40


@dataclass(frozen=True, slots=True)
class Change:
    """What is otherwise than when all was last at rest, as numbers of wires; those that changed first come
    first. `passed` changed meanwhile, and stand as before.
    """

    set_down: tuple[int, ...]
    lifted: tuple[int, ...]
    passed: tuple[int, ...] = ()


class Watch:
    """The wires of a board, level after level.

    A linear board must be empty at first, for half a second, unless `rests` has what each sensor reads there.
    """

    def __init__(self, wires: int, *, linear: bool = False, rests: Sequence[Level] | None = None) -> None:
        self.felt: tuple[int, ...] = (0,) * wires
        """What each wire felt when all was last at rest."""
        self.at_rest = False
        """Whether all wires are, but those that are `restless`."""
        self.restless: tuple[int, ...] = ()
        """The wires that come and go without end."""
        self.changes = [0] * wires
        """How often each wire changed since the beginning: a resting piece's should stay the same."""
        self.rests: tuple[Level, ...] | None = tuple(rests) if rests is not None else None
        """What each linear sensor reads at rest, once that is known; switches have none."""
        self._linear = linear
        self._feels = [0] * wires
        self._turned: list[Microseconds] = [0] * wires
        self._recent: list[deque[Microseconds]] = [deque(maxlen=RESTLESS_CHANGES) for _ in range(wires)]
        self._sums = [(0, 0)] * wires
        self._prior: dict[int, float] = {}
        self._levels: Levels | None = None
        self._began: Microseconds | None = None

    def step(self, levels: Levels, now: Microseconds) -> Change | None:
        """Take in all levels at `now`; what hands did, once all has come to rest and is not as it was.

        What feels a piece from the beginning is in the first change.
        """
        if self._began is None:
            self._began = now
        same = levels is self._levels and not self._linear
        if same and self.at_rest and not self.restless:
            return None
        self._levels = levels
        if self._linear and self.rests is None:
            self._average(levels, now)
            return self._learn(now)
        if not same:
            self._turn([self._feeling(wire, level) for wire, level in enumerate(levels)], now)
        if self._linear:
            self._average(levels, now)
        return self._rest(now)

    @property
    def feels(self) -> tuple[int, ...]:
        """What each wire feels right now, at rest or not."""
        return tuple(self._feels)

    def level(self, wire: int) -> Level:
        """What `wire` has read on average since it last changed and settled."""
        total, count = self._sums[wire]
        return round(total / count) if count else (self._levels[wire] if self._levels else 0)

    def swing(self, wire: int) -> float:
        """How much more `wire` reads on average than before it last began to feel something.

        What stood on other points then still does, so that their magnets change nothing of it.
        """
        total, count = self._sums[wire]
        level = total / count if count else self.level(wire)
        return level - self._prior.get(wire, 0 if self.rests is None else self.rests[wire])

    def _feeling(self, wire: int, level: Level) -> int:
        if self.rests is None:
            return 1 if level else 0
        away = level - self.rests[wire]
        if abs(away) >= (LOST_COUNTS if self._feels[wire] else FELT_COUNTS):
            return 1 if away > 0 else -1
        return 0

    def _turn(self, feels: list[int], now: Microseconds) -> None:
        for wire, (before, feel) in enumerate(zip(self._feels, feels, strict=True)):
            if feel != before:
                total, count = self._sums[wire]
                if not before and count:
                    self._prior[wire] = total / count
                self.changes[wire] += 1
                self._turned[wire] = now
                self._recent[wire].append(now)
                self._sums[wire] = 0, 0
        self._feels = feels

    def _rest(self, now: Microseconds) -> Change | None:
        self.restless = tuple(wire for wire, recent in enumerate(self._recent) if _is_restless(recent, now))
        quiet = [wire for wire in range(len(self._feels)) if wire not in self.restless]
        turned = max((self._turned[wire] for wire in quiet if self._recent[wire]), default=None)
        since = self._began if turned is None else max(turned, self._began or 0)
        self.at_rest = since is not None and now - since >= REST
        if not self.at_rest:
            return None
        felt, before = list(self.felt), self.felt
        for wire in quiet:
            felt[wire] = self._feels[wire]
        self.felt = tuple(felt)
        moved = sorted((w for w in quiet if self._recent[w]), key=lambda wire: (self._recent[wire][0], wire))
        changed = [wire for wire in moved if felt[wire] != before[wire]]
        passed = tuple(wire for wire in moved if felt[wire] == before[wire])
        for wire in quiet:
            self._recent[wire].clear()
        if not changed:
            return None
        set_down = tuple(wire for wire in changed if felt[wire])
        return Change(set_down, tuple(wire for wire in changed if not felt[wire]), passed)

    def _average(self, levels: Levels, now: Microseconds) -> None:
        for wire, level in enumerate(levels):
            if now - self._turned[wire] >= _SETTLES or self.rests is None:
                total, count = self._sums[wire]
                if count >= _MOST_READINGS:
                    total, count = total // 2, count // 2
                self._sums[wire] = total + level, count + 1

    def _learn(self, now: Microseconds) -> Change | None:
        if self._began is not None and now - self._began >= _LEARNS:
            self.rests = tuple(map(self.level, range(len(self._sums))))
            self._began = now
        return None


def _is_restless(recent: deque[Microseconds], now: Microseconds) -> bool:
    return len(recent) == RESTLESS_CHANGES and now - recent[0] <= RESTLESS_WITHIN
