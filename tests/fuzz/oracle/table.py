"""The wooden side of the truth: the pieces as hands moved them, and the possible readings of the sensors.

An `OracleTable` receives every command that the board receives, and decides whether hands can do it. For each
point it keeps the possible readings with their beginnings: exactly one reading where a piece rests or none
stands, several while something moves past, or while the sensor is at fault. A reading is `""` for nothing,
otherwise the detected colour, or `piece` if the sensors don't distinguish colours. Times are seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from tests.fuzz.oracle.plain_rules import BLACK, INNER, MIDDLE, OUTER, WHITE

POINTS = INNER + MIDDLE + OUTER
NOTHING = ""
FELT_WITHIN = 0.6
"""The distance at which a passing piece is detected, in units of the smallest distance between points;
generous."""

MOST_UNSEEN = 4
"""The number of acts at a point that are reckoned with while its sensor can read several things."""
JOLTED_APART_S = 0.01
"""The time from one piece to the next that a jolt moves."""

Frame = tuple[str, ...]
"""A reading for each of POINTS."""
Command = Mapping[str, Any]


class OracleTable:
    """Pieces, hands, box and faults; `do` follows a command, `possible` answers for the sensors."""

    def __init__(self, sensors: str, pieces: int) -> None:
        """An empty table with `pieces` of each colour in the box; `sensors` is presence or polarity."""
        self.now = 0.0
        self.standing: dict[str, str] = {}
        self.held: list[str] = []
        self.box = Counter({WHITE: pieces, BLACK: pieces})
        self.faults: dict[str, str] = {}
        """The kind of each faulty point's fault."""
        self.mux_dead = False
        self.changed_at = 0.0
        self._repaired_at = float("-inf")
        self._colours = sensors == "polarity"
        self._history: dict[str, list[tuple[float, frozenset[str]]]] = {
            point: [(0.0, frozenset({NOTHING}))] for point in POINTS
        }

    @property
    def places(self) -> list[str]:
        """The places of pieces."""
        return sorted(self.standing)

    def feel(self, colour: str | None) -> str:
        """Return a sound sensor's reading of a piece of `colour` (None: of no piece)."""
        if colour is None:
            return NOTHING
        return colour if self._colours else "piece"

    @property
    def all_sound(self) -> bool:
        """True if no sensor is at fault."""
        return not self.faults and not self.mux_dead

    def has_failed_since(self, since: float) -> bool:
        """Return whether a sensor is at fault, or was then or later."""
        return not self.all_sound or self._repaired_at >= since

    def do(self, command: Command) -> bool:
        """Follow `command`; False, with nothing changed, where hands cannot do it."""
        if "show" in command or "power" in command:
            return True
        return any(action(self, command) for word, action in _ACTIONS.items() if word in command)

    def possible(self, point: str, since: float, until: float) -> frozenset[str]:
        """All that the sensor of `point` can have read between two times."""
        readings = set[str]()
        for at, felt in reversed(self._history[point]):
            if at <= max(since, until):
                readings |= felt
            if at <= since:
                break
        return frozenset(readings)

    def stood(self, point: str, reading: str, at: float, lag: float) -> float:
        """Return the longest time for which `point` can have read so at `at`, with gaps up to `lag`."""
        since = gap_ends = at
        for time, felt in reversed(self._history[point]):
            if time > at:
                continue
            if reading in felt:
                since = gap_ends = time
            elif gap_ends - time > lag:
                break
        return at - since

    def first(self, point: str, reading: str, since: float) -> float:
        """Return the first time from `since` on at which `point` can have read so."""
        times = (at for at, felt in self._history[point] if at > since and reading in felt)
        return since if reading in self.possible(point, since, since) else next(times, since)

    def changed_since(self, since: float, until: float) -> frozenset[str]:
        """The points that can have read as several things between two times."""
        return frozenset(point for point in POINTS if len(self.possible(point, since, until)) > 1)

    def acts_since(self, point: str, since: float) -> int:
        """Return how often hands can have acted at a point since then, by what its sensor can have read."""
        acts, uncertain = 0, 0
        for at, felt in self._history[point]:
            acts = acts + uncertain + (len(felt) == 1) if at > since else 0
            uncertain = MOST_UNSEEN * (len(felt) > 1)
        return acts + uncertain

    def last_change(self, point: str) -> float:
        """Return the time of the last change that the sensor of a point can detect."""
        return self._history[point][-1][0]

    def changes_since(self, since: float) -> set[float]:
        """Return the times after `since` at which a sensor can have noticed a change."""
        return {time for history in self._history.values() for time, _ in history if time > since}

    def rested(self, seconds: float) -> Frame | None:
        """The one frame that can have been read all that time until now, or None where several can."""
        felt = [self.possible(point, self.now - seconds, self.now) for point in POINTS]
        return tuple(next(iter(f)) for f in felt) if all(len(f) == 1 for f in felt) else None

    def refill(self, pieces: int) -> None:
        """Have the box hold what a rule set with `pieces` of each colour leaves.

        That happens after each request, and as a game begins.
        """
        used = Counter([*self.standing.values(), *self.held])
        self.box = Counter({c: max(0, pieces - used[c]) for c in (WHITE, BLACK)})

    # ---- what hands do -----------------------------------------------------------------------------------

    def _put(self, command: Command) -> bool:
        point, colour = command["put"], command.get("piece")
        if point not in POINTS or point in self.standing:
            return False
        if colour is None:
            if not self.held:
                return False
            colour = self.held.pop()
        elif colour in self.held:
            self.held.reverse()
            self.held.remove(colour)
            self.held.reverse()
        elif self.box[colour] > 0:
            self.box[colour] -= 1
        else:
            return False
        self.standing[point] = colour
        self._note([point])
        return True

    def _lift(self, command: Command) -> bool:
        point = command["lift"]
        if point not in self.standing:
            return False
        self.held.append(self.standing.pop(point))
        self._note([point])
        return True

    def _slide(self, command: Command) -> bool:
        origin, *way = command["slide"]
        if origin not in self.standing or any(point in self.standing for point in way if point != origin):
            return False
        colour = self.standing.pop(origin)
        passed = [p for p in POINTS if p not in self.standing and _is_near([origin, *way], p)]
        self._note(passed, also={NOTHING, self.feel(colour)})
        self.now += command["seconds"]
        self.standing[way[-1]] = colour
        self._note(passed)
        return True

    def _box(self, command: Command) -> bool:
        self.box.update(self.held)
        self.held.clear()
        return True

    def _knock(self, command: Command) -> bool:
        jumps = command["knock"]
        targets = [target for target in jumps.values() if target is not None]
        stay = {point for point in self.standing if point not in jumps}
        if any(p not in self.standing for p in jumps) or any(t in stay for t in targets):
            return False
        if len(set(targets)) < len(targets):
            return False
        colours = {origin: self.standing.pop(origin) for origin in jumps}
        for origin, target in jumps.items():
            if target is None:
                self.box[colours[origin]] += 1
            else:
                self.standing[target] = colours[origin]
        if len(jumps) > 1:
            self._note([*jumps, *targets], also={NOTHING, *map(self.feel, colours.values())})
            self.now += JOLTED_APART_S * (len(jumps) - 1)
        self._note([*jumps, *targets])
        return True

    def _wait(self, command: Command) -> bool:
        if command["wait"] < 0:
            return False
        self.now += command["wait"]
        return True

    def _fault(self, command: Command) -> bool:
        fault = command["fault"]
        if "mux" in fault:
            self.mux_dead = True
            self._note(POINTS)
        elif "point" in fault:
            self.faults[fault["point"]] = fault["kind"]
            self._note([fault["point"]])
        return True

    def _repair(self, command: Command) -> bool:
        if not self.all_sound:
            self._repaired_at = self.now
        self.faults.clear()
        self.mux_dead = False
        self._note(POINTS)
        return True

    # ---- possible readings ---------------------------------------------------------------------------------

    def _note(self, points: Iterable[str], also: Iterable[str] = ()) -> None:
        for point in points:
            felt, history = self._felt(point) | frozenset(also), self._history[point]
            if felt != history[-1][1]:
                history.append((self.now, felt))
                self.changed_at = self.now
            if len(history) > 2 and history[-2][0] == self.now and history[-3][1] == felt:
                del history[-2:]  # no sensor notices a piece that was lifted and set down at one moment

    def _felt(self, point: str) -> frozenset[str]:
        true = self.feel(self.standing.get(point))
        somethings = {WHITE, BLACK} if self._colours else {"piece"}
        fault = self.faults.get(point)
        if self.mux_dead or fault == "chatter":
            return frozenset({NOTHING, *somethings})
        match fault:
            case "stuck-on":
                return frozenset(somethings)
            case "stuck-off":
                return frozenset({NOTHING})
            case "weak":
                return frozenset({NOTHING, true})
        return frozenset({true})


_ACTIONS = {
    "put": OracleTable._put,
    "lift": OracleTable._lift,
    "slide": OracleTable._slide,
    "box": OracleTable._box,
    "knock": OracleTable._knock,
    "wait": OracleTable._wait,
    "fault": OracleTable._fault,
    "repair": OracleTable._repair,
}


def _is_near(way: list[str], point: str) -> bool:
    """Return whether a piece that is pushed along `way` comes near `point`."""
    return any(_distance(one, other, point) < FELT_WITHIN for one, other in pairwise(way))


def _distance(one: str, other: str, point: str) -> float:
    """From `point` to the straight line between two others, in files and ranks."""
    (ax, ay), (bx, by), (px, py) = ((ord(p[0]), int(p[1])) for p in (one, other, point))
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / length)) if length else 0.0
    return float(((px - ax - share * dx) ** 2 + (py - ay - share * dy) ** 2) ** 0.5)
