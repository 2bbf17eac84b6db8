"""The table: the wooden board with its points, the magnets that lie on it, the hands and the box.

Rules kept here: a magnet is in one place at a time; what lies on the wood has coordinates in millimetres,
whether it is on a point or beside one; what was set down last on a spot lies uppermost; a push is a path in
time, so that what it passes can be told exactly; a piece has a number from when it first leaves the box, for
good; time is an argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from firmware_host.errors import HandsError
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.ports import BLACK_PIECE, WHITE_PIECE, Reading
from firmware_host.settings import Microseconds
from sim.scheduler import Agenda, Entry

ACROSS_MM = 240.0
"""From the first row of points to the last: 40 mm between those of a board of 7 rows."""

ON_POINT_MM = 10.0
"""How far from a point a piece may lie and still stand on it."""

PIECE_MM = 28.0
"""How wide a piece is; the middles of two cannot come nearer."""

EDGE_MM = 34.4
"""How much wood there is around the outermost points."""

_POLES: Mapping[str, Reading] = {"white": WHITE_PIECE, "black": BLACK_PIECE}
_OTHER: Mapping[Reading, Reading] = {WHITE_PIECE: BLACK_PIECE, BLACK_PIECE: WHITE_PIECE}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the wood: millimetres to the right of and above the layout's origin."""

    x: float
    y: float

    def to(self, other: Spot) -> float:
        """The distance in millimetres."""
        return math.hypot(other.x - self.x, other.y - self.y)


Way = tuple[Spot, ...]
"""Where a piece goes, straight from spot to spot; a single one where it rests."""


class Make(NamedTuple):
    """How a piece is made: which of a set's magnets it has, 0 the weakest, and whether it carries others."""

    magnet: int = 0
    flat: bool = False


@dataclass(eq=False, slots=True)
class Piece:
    """A piece with a magnet in it.

    `kind` is its owner, and what else there is behind a hyphen; a good magnet has `strength` 1. `turned`:
    whether it stands on its head. What it is made like, its `make` says.
    """

    kind: str
    strength: float = 1.0
    turned: bool = False
    make: Make = field(default_factory=Make)

    @property
    def pole(self) -> Reading:
        """The reading whose sensor feels the pole that lies below."""
        pole = _POLES[self.kind.partition("-")[0]]
        return _OTHER[pole] if self.turned else pole


@dataclass(frozen=True, slots=True)
class Track:
    """Where a piece lies: at `spots[k]` at `times[k]`, moving evenly in between, and then at the last."""

    spots: Way
    times: tuple[Microseconds, ...]

    def at(self, now: Microseconds) -> Spot:
        """Where it lies at `now`."""
        for (a, began), (b, ends) in pairwise(zip(self.spots, self.times, strict=True)):
            if now < ends:
                part = (now - began) / (ends - began) if now > began else 0.0
                return Spot(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
        return self.spots[-1]

    def rest(self, now: Microseconds) -> Way:
        """What of it is still to come."""
        return (self.at(now), *(spot for spot, at in zip(self.spots, self.times, strict=True) if at > now))


Watcher = Callable[[Piece, Track | None, Microseconds], None]
"""Told of each piece that goes elsewhere: its track from now on, None where it left the wood."""


class Table:
    """Every piece of a set, and where it is."""

    def __init__(
        self, layout: Layout, *, spacing_mm: float | None = None, agenda: Agenda | None = None
    ) -> None:
        """An empty table; what falls off it does so when its `agenda` is run."""
        self.layout = layout
        self.pitch = spacing_mm or ACROSS_MM / max(p.x for p in layout.points)
        """Millimetres between neighbouring rows of points."""
        self.spots = tuple(Spot(p.x * self.pitch, p.y * self.pitch) for p in layout.points)
        """Where the points are, in the layout's order."""
        self.box: list[Piece] = []
        self.hands: list[Piece] = []
        """What is held; the piece lifted last is the last."""
        self.wood: dict[Piece, Track] = {}
        """What lies on the board, and where."""
        self._agenda = agenda or Agenda()
        self._watchers: list[Watcher] = []
        self._numbers: dict[Piece, int] = {}
        self._falling: dict[Piece, Entry] = {}

    def watch(self, watcher: Watcher) -> None:
        """Have `watcher` told of each change on the wood."""
        self._watchers.append(watcher)

    def stock(self, counts: Mapping[str, int], makes: Mapping[str, Make] | None = None) -> None:
        """Fill or empty the box until there are so many pieces of each kind, wherever they are.

        `makes` has how each kind is made; without it all are alike.
        """
        for kind in dict.fromkeys((*counts, *(piece.kind for piece in self.box))):
            there = sum(piece.kind == kind for piece in (*self.box, *self.hands, *self.wood))
            wanted = counts.get(kind, 0)
            self.box += [Piece(kind, make=(makes or {}).get(kind, Make())) for _ in range(wanted - there)]
            for piece in [p for p in self.box if p.kind == kind][: max(0, there - wanted)]:
                self.box.remove(piece)

    def standing(self, point: Point, now: Microseconds) -> Piece | None:
        """The uppermost piece that stands on `point`, or None."""
        there = self.stack(self.spots[point.index], now)
        return there[-1] if there else None

    def stack(self, spot: Spot, now: Microseconds) -> list[Piece]:
        """What lies at a spot, the lowest first."""
        return [piece for piece, track in self.wood.items() if track.at(now).to(spot) <= ON_POINT_MM]

    def upon(self, piece: Piece, now: Microseconds) -> Piece | None:
        """The uppermost piece that lies on `piece`, or None."""
        top = self.stack(self.wood[piece].at(now), now)[-1]
        return None if top is piece else top

    def point_of(self, piece: Piece, now: Microseconds) -> Point | None:
        """The point that `piece` stands on, or None."""
        track = self.wood.get(piece)
        if track is None:
            return None
        lies = track.at(now)
        point = min(self.layout.points, key=lambda p: self.spots[p.index].to(lies))
        return point if self.spots[point.index].to(lies) <= ON_POINT_MM else None

    def number(self, piece: Piece) -> int:
        """What `piece` is called for as long as the table lasts; counted as pieces first leave the box."""
        return self._numbers.setdefault(piece, len(self._numbers) + 1)

    def numbered(self, number: int) -> Piece | None:
        """The piece that is called so, or None."""
        return next((piece for piece, own in self._numbers.items() if own == number), None)

    def ways(self, but: Iterable[Piece], now: Microseconds) -> list[Way]:
        """Where what lies on the board goes from now on, `but` these pieces."""
        left_out = set(but)
        return [track.rest(now) for piece, track in self.wood.items() if piece not in left_out]

    def rests_from(self) -> Microseconds:
        """From when on nothing moves, if no hand moves it; 0 if nothing lies on the board."""
        return max((track.times[-1] for track in self.wood.values()), default=0)

    def put(self, piece: Piece, spot: Spot, now: Microseconds) -> None:
        """Set `piece` down, from wherever it is."""
        self._go(piece, Track((spot,), (now,)), now)

    def push(self, piece: Piece, route: Sequence[Spot], now: Microseconds, until: Microseconds) -> None:
        """Push `piece` from where it lies over the spots of `route` at an even speed, to arrive at `until`.

        Raises HandsError if it does not lie on the board. What is in the way is not felt.
        """
        if piece not in self.wood:
            text = f"the {piece.kind} piece is not on the board: it cannot be pushed"
            raise HandsError(text, Message("hands.gone"))
        spots = (self.wood[piece].at(now), *route)
        self._go(piece, Track(spots, _times(spots, now, until)), now)

    def send(self, piece: Piece, track: Track, now: Microseconds, *, off: bool = False) -> None:
        """Let `piece`, which lies on the board, go along `track`; `off` the board into the box at its end."""
        self._go(piece, track, now)
        if off:
            self._falling[piece] = self._agenda.enter(track.times[-1], partial(self.stow, piece))

    def take(self, piece: Piece, now: Microseconds) -> None:
        """Take `piece` into the hands, from wherever it is, and hold it the right way up."""
        self._go(piece, None, now)
        piece.turned = False
        self.hands.append(piece)

    def stow(self, piece: Piece, now: Microseconds) -> None:
        """Put `piece` into the box, from wherever it is."""
        self._go(piece, None, now)
        piece.turned = False
        self.box.append(piece)

    def _go(self, piece: Piece, track: Track | None, now: Microseconds) -> None:
        self.number(piece)
        if piece in self._falling:
            self._falling.pop(piece).call_off()
        for place in (self.box, self.hands):
            if piece in place:
                place.remove(piece)
        felt = self.wood.pop(piece, None) is not None or track is not None
        if track is not None:
            self.wood[piece] = track
        if felt:
            for watcher in self._watchers:
                watcher(piece, track, now)


def _times(spots: Iterable[Spot], began: Microseconds, until: Microseconds) -> tuple[Microseconds, ...]:
    """When each spot is reached at an even speed."""
    way = [0.0]
    for a, b in pairwise(spots):
        way.append(way[-1] + a.to(b))
    return tuple(began + round((until - began) * (part / way[-1] if way[-1] else 1.0)) for part in way)
