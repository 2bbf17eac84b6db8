"""The table: the board with its points, the pieces on it, the hands and the box.

Invariants: a piece is in one place at a time. Pieces on the board have coordinates in millimetres, on a point
or beside one. The last piece set down on a spot is the top one. A push is a path in time, so that everything
it passes can be computed exactly. A piece has a number, for good, from when it first leaves the box. Time is
an argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from firmware_host.errors import HandsError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.ports import BLACK_PIECE, WHITE_PIECE, Reading
from firmware_host.settings import Microseconds
from sim.scheduler import Action, ScheduledEvent, Scheduler

ACROSS_MM = 240.0
"""Distance from the first row of points to the last: 40 mm between those of a board of 7 rows."""

ON_POINT_MM = 10.0
"""Maximum distance from a point at which a piece still stands on it."""

PIECE_MM = 28.0
"""Width of a piece, and so the minimum distance between the middles of two."""

EDGE_MM = 34.4
"""Width of the margin around the outermost points."""

_POLES: Mapping[str, Reading] = {"white": WHITE_PIECE, "black": BLACK_PIECE}
_OTHER: Mapping[Reading, Reading] = {WHITE_PIECE: BLACK_PIECE, BLACK_PIECE: WHITE_PIECE}


@frozen
class Spot:
    """A place on the board: millimetres to the right of and above the layout's origin."""

    x: float
    y: float

    def to(self, other: Spot) -> float:
        """Return the distance in millimetres."""
        return math.hypot(other.x - self.x, other.y - self.y)


Route = tuple[Spot, ...]
"""The path of a piece, straight from spot to spot; a single one if it rests."""


class Make(NamedTuple):
    """The make of a piece: its magnet among a set's, 0 the weakest, and whether it can carry other pieces."""

    magnet: int = 0
    flat: bool = False


@dataclass(eq=False, slots=True)
class TablePiece:
    """A piece with a magnet.

    `kind` is its owner, with further traits behind a hyphen. A good magnet has `strength` 1. `turned`: it is
    upside down.
    """

    kind: str
    strength: float = 1.0
    turned: bool = False
    make: Make = field(default_factory=Make)

    @property
    def pole(self) -> Reading:
        """The reading of the sensor that detects its lower pole."""
        pole = _POLES[self.kind.partition("-")[0]]
        return _OTHER[pole] if self.turned else pole


@frozen
class Track:
    """The path of a piece: at `spots[k]` at `times[k]`, moving evenly in between, then at the last."""

    spots: Route
    times: tuple[Microseconds, ...]

    def at(self, now: Microseconds) -> Spot:
        """Return its place at `now`."""
        for (a, began), (b, ends) in pairwise(zip(self.spots, self.times, strict=True)):
            if now < ends:
                part = (now - began) / (ends - began) if now > began else 0.0
                return Spot(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
        return self.spots[-1]

    def rest(self, now: Microseconds) -> Route:
        """Return the part that is still to come."""
        return (self.at(now), *(spot for spot, at in zip(self.spots, self.times, strict=True) if at > now))


Watcher = Callable[[TablePiece, Track | None, Microseconds], None]
"""A function called with each piece that changes its path: the new track, or None off the board."""

IsFree = Callable[[Spot, Microseconds], bool]
"""A function that returns whether a piece can come to lie at a spot at a time."""


class Table:
    """All pieces of a set, and where they are."""

    def __init__(
        self, layout: Layout, *, spacing_mm: float | None = None, agenda: Scheduler | None = None
    ) -> None:
        """Create an empty table; pieces fall off it when its `agenda` is run."""
        self.layout = layout
        self.pitch = spacing_mm or ACROSS_MM / max(p.x for p in layout.points)
        """Millimetres between neighbouring rows of points."""
        self.spots = tuple(Spot(p.x * self.pitch, p.y * self.pitch) for p in layout.points)
        """The places of the points, in the layout's order."""
        self.box: list[TablePiece] = []
        self.hands: list[TablePiece] = []
        """The pieces held; the one lifted last is the last."""
        self.air: list[TablePiece] = []
        """The pieces that a jolt has thrown up and that have not landed yet."""
        self.wood: dict[TablePiece, Track] = {}
        """The pieces on the board, and their tracks."""
        self._agenda = agenda or Scheduler()
        self._watchers: list[Watcher] = []
        self._numbers: dict[TablePiece, int] = {}
        self._coming: dict[TablePiece, ScheduledEvent] = {}
        """The next event of each piece that leaves its place, or lands, without another hand."""

    def watch(self, watcher: Watcher) -> None:
        """Call `watcher` for each change on the board."""
        self._watchers.append(watcher)

    def stock(self, counts: Mapping[str, int], makes: Mapping[str, Make] | None = None) -> None:
        """Fill or empty the box until there are `counts` pieces of each kind on the whole table.

        `makes` has the make of each kind; by default all are alike.
        """
        for kind in dict.fromkeys((*counts, *(piece.kind for piece in self.box))):
            there = sum(piece.kind == kind for piece in (*self.box, *self.hands, *self.air, *self.wood))
            wanted = counts.get(kind, 0)
            self.box += [
                TablePiece(kind, make=(makes or {}).get(kind, Make())) for _ in range(wanted - there)
            ]
            for piece in [p for p in self.box if p.kind == kind][: max(0, there - wanted)]:
                self.box.remove(piece)

    def standing(self, point: Point, now: Microseconds) -> TablePiece | None:
        """Return the top piece on `point`, or None."""
        there = self.stack(self.spots[point.index], now)
        return there[-1] if there else None

    def stack(self, spot: Spot, now: Microseconds) -> list[TablePiece]:
        """Return the pieces at a spot, the lowest first."""
        return [piece for piece, track in self.wood.items() if track.at(now).to(spot) <= ON_POINT_MM]

    def upon(self, piece: TablePiece, now: Microseconds) -> TablePiece | None:
        """Return the top piece of those on `piece`, or None."""
        top = self.stack(self.wood[piece].at(now), now)[-1]
        return None if top is piece else top

    def point_of(self, piece: TablePiece, now: Microseconds) -> Point | None:
        """Return the point that `piece` stands on, or None."""
        track = self.wood.get(piece)
        if track is None:
            return None
        lies = track.at(now)
        point = min(self.layout.points, key=lambda p: self.spots[p.index].to(lies))
        return point if self.spots[point.index].to(lies) <= ON_POINT_MM else None

    def number(self, piece: TablePiece) -> int:
        """Return the number of `piece`, which is assigned when it first leaves the box."""
        return self._numbers.setdefault(piece, len(self._numbers) + 1)

    def numbered(self, number: int) -> TablePiece | None:
        """Return the piece with that number, or None."""
        return next((piece for piece, own in self._numbers.items() if own == number), None)

    def ways(self, but: Iterable[TablePiece], now: Microseconds) -> list[Route]:
        """Return the paths of the pieces on the board from now on, except those in `but`."""
        left_out = set(but)
        return [track.rest(now) for piece, track in self.wood.items() if piece not in left_out]

    def rests_from(self) -> Microseconds:
        """Return the time from which nothing moves on its own; 0 if nothing is on the board."""
        arrivals = (track.times[-1] for track in self.wood.values())
        return max((*arrivals, *(event.at for event in self._coming.values())), default=0)

    def catch_up(self, now: Microseconds) -> None:
        """Let everything happen that is due by `now`."""
        self._agenda.run(now)

    def put(self, piece: TablePiece, spot: Spot, now: Microseconds) -> None:
        """Set `piece` down, from wherever it is."""
        self._move(piece, Track((spot,), (now,)), now)

    def push(self, piece: TablePiece, route: Sequence[Spot], now: Microseconds, until: Microseconds) -> None:
        """Push `piece` over the spots of `route` at an even speed, to arrive at `until`.

        Raises HandsError if it is not on the board. Obstacles are ignored.
        """
        if piece not in self.wood:
            text = f"the {piece.kind} piece is not on the board: it cannot be pushed"
            raise HandsError(text, Message("hands.gone"))
        spots = (self.wood[piece].at(now), *route)
        self._move(piece, Track(spots, _times(spots, now, until)), now)

    def send(self, piece: TablePiece, track: Track, now: Microseconds, *, off: bool = False) -> None:
        """Let `piece`, which is on the board, follow `track`; `off`: it falls off the board at its end."""
        self._move(piece, track, now)
        if off:
            self.stow_at(piece, track.times[-1])

    def take(self, piece: TablePiece, now: Microseconds) -> None:
        """Take `piece` into the hands, from wherever it is, and hold it the right way up."""
        self._move(piece, None, now)
        piece.turned = False
        self.hands.append(piece)

    def stow(self, piece: TablePiece, now: Microseconds) -> None:
        """Put `piece` into the box, from wherever it is."""
        self._move(piece, None, now)
        piece.turned = False
        self.box.append(piece)

    def stow_at(self, piece: TablePiece, at: Microseconds) -> None:
        """Put `piece`, which is on the board, into the box at the time `at`, unless it is moved before."""
        self._schedule(piece, at, partial(self.stow, piece))

    def throw(
        self, piece: TablePiece, spot: Spot, leaves: Microseconds, lands: Microseconds, is_free: IsFree
    ) -> None:
        """Let `piece`, which is on the board, jump to `spot`, unless it is moved before.

        If `spot` is not free when it lands, it ends in the box.
        """
        self._schedule(piece, leaves, partial(self._take_off, piece, spot, lands, is_free))

    def _take_off(
        self, piece: TablePiece, spot: Spot, lands: Microseconds, is_free: IsFree, now: Microseconds
    ) -> None:
        self._move(piece, None, now)
        self.air.append(piece)
        self._schedule(piece, lands, partial(self._land, piece, spot, is_free))

    def _land(self, piece: TablePiece, spot: Spot, is_free: IsFree, now: Microseconds) -> None:
        if is_free(spot, now):
            self.put(piece, spot, now)
        else:
            self.stow(piece, now)

    def _schedule(self, piece: TablePiece, at: Microseconds, do: Action) -> None:
        if piece in self._coming:
            self._coming[piece].cancel()
        self._coming[piece] = self._agenda.enter(at, do)

    def _move(self, piece: TablePiece, track: Track | None, now: Microseconds) -> None:
        self.number(piece)
        if piece in self._coming:
            self._coming.pop(piece).cancel()
        for place in (self.box, self.hands, self.air):
            if piece in place:
                place.remove(piece)
        on_board = self.wood.pop(piece, None) is not None or track is not None
        if track is not None:
            self.wood[piece] = track
        if on_board:
            for watcher in self._watchers:
                watcher(piece, track, now)


def _times(spots: Iterable[Spot], began: Microseconds, until: Microseconds) -> tuple[Microseconds, ...]:
    """Return when each spot is reached at an even speed."""
    way = [0.0]
    for a, b in pairwise(spots):
        way.append(way[-1] + a.to(b))
    return tuple(began + round((until - began) * (part / way[-1] if way[-1] else 1.0)) for part in way)
