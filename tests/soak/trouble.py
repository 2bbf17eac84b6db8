"""The faults of a month, their times and durations; only the random numbers know them in advance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.fuzz.oracle.table import POINTS

Command = dict[str, Any]

SECONDS_BETWEEN = 900.0
"""The average time from the repair of one thing to the breakdown of the next."""

KINDS = {
    "stuck-on": 3,
    "stuck-off": 3,
    "chatter": 2,
    "weak": 3,
    "mux": 2,
    "leds": 2,
    "disk full": 2,
    "disk slow": 2,
    "power": 3,
}
"""The faults, and how often each occurs."""

HARMLESS = {"leds", "disk full"}
"""With these, turns are accepted as usual. Not so with a weak sensor, where a piece may be moved while others
are in hand: for a moment, a placement and a drop-out look like a move."""

LONGEST_S = {"chatter": 60.0, "leds": 300.0, "weak": 600.0}
"""Those whose every frame must be gone through are kept short; all else is whole after an hour."""


class Trouble:
    """One thing after the other that breaks, and is whole again after a while."""

    def __init__(self, luck: Random) -> None:
        self.counts: Counter[str] = Counter()
        self.mended = 0
        """The number of times that faults which keep turns from being accepted were all repaired."""
        self.whole_at = 0.0
        """The time at which everything is repaired again; in the past if it is."""
        self.broken: set[str] = set()
        self.due = 0.0
        """The time of the next fault or repair."""
        self._luck = luck
        self._quiet(0.0)

    @property
    def keeps_turns(self) -> bool:
        """True while a fault may delay a turn."""
        return bool(self.broken - HARMLESS)

    def was_whole(self, mended: int) -> bool:
        """Return whether no turn had to wait since all had been repaired `mended` times."""
        return not self.keeps_turns and self.mended == mended

    def happen(self, now: float, *, unkept_game: bool) -> Iterator[Command]:
        """Break or repair something; yield the commands for the board."""
        if self.broken:
            yield from self._mend(now, unkept_game=unkept_game)
            return
        kinds = dict(KINDS)
        if unkept_game:  # events reported then may be lost, and there would be nothing to compare
            del kinds["power"]
        wanted = 2 if self._luck.random() < 0.15 else 1
        lasts = 3600.0
        for _ in range(wanted):
            kind = self._luck.choices(list(kinds), list(kinds.values()))[0]
            del kinds[kind]
            if kind in ("power", "disk full"):  # together they would leave no report that could be lost
                kinds = {k: often for k, often in kinds.items() if k not in ("power", "disk full")}
            self.broken.add(kind)
            self.counts[kind] += 1
            lasts = min(lasts, LONGEST_S.get(kind, 3600.0))
            yield self._command(kind)
        lasts = min(lasts, max(1.0, math.exp(self._luck.gauss(3.5, 1.5))))
        self.due = self.whole_at = now + round(lasts, 3)

    def _mend(self, now: float, *, unkept_game: bool) -> Iterator[Command]:
        if "disk full" in self.broken and not unkept_game and self._luck.random() < 0.3:
            self.counts["power, while nothing was kept"] += 1
            self.broken.add("power")
            yield {"power": "off"}
        yield {"repair": True}
        if "power" in self.broken:
            yield {"power": "on"}
        self.mended += self.keeps_turns
        self.broken.clear()
        self._quiet(now)

    def _quiet(self, now: float) -> None:
        self.due = now + round(max(5.0, self._luck.expovariate(1 / SECONDS_BETWEEN)), 3)

    def _command(self, kind: str) -> Command:
        match kind:
            case "power":
                return {"power": "off"}
            case "mux":
                return {"fault": {"mux": self._luck.randrange(3), "kind": "dead"}}
            case "leds":
                return {"fault": {"leds": "unplugged"}}
            case "disk full":
                return {"fault": {"disk": "full"}}
            case "disk slow":
                return {"fault": {"disk": "slow", "seconds": round(self._luck.uniform(0.1, 15), 2)}}
        return {"fault": {"point": self._luck.choice(POINTS), "kind": kind}}
