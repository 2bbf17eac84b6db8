"""What hands do at the simulated table, read from one JSON object each: `{"put": "d6", "piece": "white"}`.

Rules kept here: an object is done whole or not at all, and what is wrong with it is said in its own words;
hands never put two pieces on one point and never push one through another; a jolt moves all at once. Time is
an argument; the same objects serve the headless board and the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Point
from firmware_host.settings import Microseconds
from sim.table import Piece, Spot, Table

PIECE_MM = 20.0
"""The diameter of a piece; two cannot come nearer."""

LONGEST_SLIDE_S = 60.0
USUAL_SLIDE_S = 0.5
_SECOND: Microseconds = 1_000_000

Command = Mapping[str, Any]


class Electronics(Protocol):
    """What hands can damage."""

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break what `described` says; raises HandsError where that makes no sense."""

    def repair(self) -> None:
        """End all faults."""


class Hands:
    """One player's hands and the other's: they hold pieces in the order in which they were lifted."""

    def __init__(self, table: Table, electronics: Electronics) -> None:
        self._table = table
        self._electronics = electronics

    @property
    def held(self) -> list[str]:
        """The kinds of the pieces that are held; the one lifted last is the last."""
        return [piece.kind for piece in self._table.hands]

    def do(self, command: Command, now: Microseconds) -> Microseconds:
        """Do what `command` says, and say how long it goes on: the time of a slide, else 0.

        Raises HandsError where that cannot be done; nothing has changed then.
        """
        verb = only_verb(command, _DEEDS)
        others, deed = _DEEDS[verb]
        only_keys(command, verb, others)
        return deed(self, command, now) or 0

    # ---- the verbs -------------------------------------------------------------------------------------

    def _put(self, command: Command, now: Microseconds) -> None:
        point = self._point(command["put"])
        piece = self._piece_to_put(command.get("piece"))
        there = self._table.standing(point, now)
        if there is not None:
            raise HandsError(f"a {there.kind} piece stands on {point} already")
        self._table.put(piece, self._spot(point), now)

    def _piece_to_put(self, kind: object) -> Piece:
        table = self._table
        if kind is None:
            if not table.hands:
                raise HandsError('the hands are empty; name a "piece" of the box')
            return table.hands[-1]
        if not isinstance(kind, str):
            raise HandsError(f'"piece" must be a kind such as "white", not {kind!r}')
        found = next((p for p in (*reversed(table.hands), *reversed(table.box)) if p.kind == kind), None)
        if found is None:
            kinds = {piece.kind for piece in (*table.hands, *table.box, *table.wood)}
            hint = "" if kind in kinds else f"; {did_you_mean(kind, kinds)}"
            raise HandsError(f"there is no {kind} piece in the hands or the box{hint}")
        return found

    def _lift(self, command: Command, now: Microseconds) -> None:
        self._table.take(self._piece_on(self._point(command["lift"]), now, "lift"), now)

    def _slide(self, command: Command, now: Microseconds) -> Microseconds:
        names = command["slide"]
        if not isinstance(names, list) or len(names) < 2:
            raise HandsError('"slide" must be a list of two points or more, such as ["g7", "d7"]')
        route = [self._point(name) for name in names]
        if any(one is other for one, other in pairwise(route)):
            raise HandsError("a slide goes from each point to another")
        lasts = duration(command.get("seconds", USUAL_SLIDE_S), "seconds", LONGEST_SLIDE_S)
        piece = self._piece_on(route[0], now, "slide")
        spots = [self._spot(point) for point in route]
        for other, track in self._table.wood.items():
            if other is not piece and _touches(spots, track.at(now)):
                at = self._table.point_of(other, now)
                raise HandsError(f"the {other.kind} piece on {at or 'the board'} is in the way of the slide")
        self._table.push(piece, spots[1:], now, now + lasts)
        return lasts

    def _box(self, command: Command, now: Microseconds) -> None:
        must_be_true(command, "box")
        for piece in tuple(self._table.hands):
            self._table.stow(piece, now)

    def _knock(self, command: Command, now: Microseconds) -> None:
        for piece, target in list(self._jumps(command["knock"], now)):
            if target is None:
                self._table.stow(piece, now)
            else:
                self._table.put(piece, self._spot(target), now)

    def _jumps(self, jumps: object, now: Microseconds) -> Iterator[tuple[Piece, Point | None]]:
        if not isinstance(jumps, Mapping) or not jumps:
            raise HandsError('"knock" must be an object such as {"a1": "a4", "d1": null}')
        origins = [self._point(name) for name in jumps]
        filled: set[Point] = set()
        for origin, name in zip(origins, jumps.values(), strict=True):
            target = None if name is None else self._point(name)
            if target is origin:
                raise HandsError(f"a knock takes the piece on {origin} elsewhere, or off the board: null")
            if target is not None:
                stays = target not in origins and self._table.standing(target, now) is not None
                if stays or target in filled:
                    raise HandsError(f"two pieces cannot come to stand on {target}")
                filled.add(target)
            yield self._piece_on(origin, now, "knock"), target

    def _fault(self, command: Command, _now: Microseconds) -> None:
        fault = command["fault"]
        if not isinstance(fault, Mapping):
            raise HandsError('"fault" must be an object such as {"point": "d6", "kind": "stuck-on"}')
        self._electronics.inject(fault)

    def _repair(self, command: Command, _now: Microseconds) -> None:
        must_be_true(command, "repair")
        self._electronics.repair()

    # ---- places ----------------------------------------------------------------------------------------

    def _point(self, name: object) -> Point:
        if not isinstance(name, str):
            raise HandsError(f'a point must be a text such as "d6", not {name!r}')
        points = self._table.layout.by_name
        if name not in points:
            raise HandsError(f"there is no point {name!r}; {did_you_mean(name, points)}")
        return points[name]

    def _spot(self, point: Point) -> Spot:
        return self._table.spots[point.index]

    def _piece_on(self, point: Point, now: Microseconds, verb: str) -> Piece:
        piece = self._table.standing(point, now)
        if piece is None:
            raise HandsError(f"there is no piece on {point} to {verb}")
        return piece


_DEEDS: dict[str, tuple[tuple[str, ...], Callable[[Hands, Command, Microseconds], Microseconds | None]]] = {
    "put": (("piece",), Hands._put),
    "lift": ((), Hands._lift),
    "slide": (("seconds",), Hands._slide),
    "box": ((), Hands._box),
    "knock": ((), Hands._knock),
    "fault": ((), Hands._fault),
    "repair": ((), Hands._repair),
}

VERBS = frozenset(_DEEDS)


def only_verb(command: Command, verbs: Mapping[str, object]) -> str:
    """The one key of `command` that says what to do; raises HandsError where none or several do."""
    found = [key for key in command if key in verbs]
    if len(found) != 1:
        several = f"{' and '.join(map(repr, found))} cannot be done in one" if found else "nothing to do"
        raise HandsError(f"{several}: an object has exactly one of {', '.join(sorted(verbs))}")
    return found[0]


def only_keys(command: Command, verb: str, others: tuple[str, ...]) -> None:
    """Raise HandsError where `command` has a key besides `verb` and `others`."""
    for key in command:
        if key != verb and key not in others:
            raise HandsError(f"{verb!r} takes no {key!r}; it takes {', '.join(others) or 'nothing else'}")


def duration(seconds: object, name: str, most: float) -> Microseconds:
    """What was given as `name` in microseconds; raises HandsError unless it is 0 to `most` seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= most:
        raise HandsError(f'"{name}" must be a number of seconds from 0 to {most:.0f}')
    return round(seconds * _SECOND)


def must_be_true(command: Command, verb: str) -> None:
    """Raise HandsError where a verb that stands alone is given anything but true."""
    if command[verb] is not True:
        raise HandsError(f'"{verb}" must be true')


def _touches(route: list[Spot], other: Spot) -> bool:
    """Whether a piece that is pushed along `route` meets one that lies at `other`."""
    return any(_distance(a, b, other) < PIECE_MM for a, b in pairwise(route))


def _distance(a: Spot, b: Spot, spot: Spot) -> float:
    """From a spot to the nearest of the straight way from `a` to `b`, in millimetres."""
    dx, dy = b.x - a.x, b.y - a.y
    part = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / (dx * dx + dy * dy)
    part = min(1.0, max(0.0, part))
    return spot.to(Spot(a.x + part * dx, a.y + part * dy))
