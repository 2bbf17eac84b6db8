"""The sensors under the board: contacts that close when a magnet comes near and open when it is gone.

Invariants: a contact closes at one distance and opens at a greater one. The times at which a moving magnet
crosses them are computed, not sampled. A contact that distinguishes poles detects only one of them.

The field of a small magnet falls with the cube of the distance, so the range of a magnet of strength s is the
cube root of s times that of a good one, measured through the wood to the middle of the magnet. A reed detects
either pole; a hall switch that is upside down detects only the wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from random import Random

from firmware_host.frozen import frozen
from firmware_host.games.layout import Point
from firmware_host.ports import Contact, Reading, SensorKind
from firmware_host.settings import Microseconds
from sim.electronics.contacts import ContactFault, Switch
from sim.scheduler import ScheduledEvent, Scheduler
from sim.table.table import Spot, TablePiece, Track

ABOVE_MM = 10.0
"""Height of the magnets' middles above the sensors, with wood of the usual thickness."""


@frozen
class SensingRange:
    """The lateral distances at which a good magnet closes and opens a contact, in millimetres.

    Negative: the magnet is too high to be detected at all.
    """

    closes_mm: float = 10.0
    opens_mm: float = 12.0

    def of(self, piece: TablePiece, strength: float = 1.0, above_mm: float = ABOVE_MM) -> SensingRange:
        """Return the range for the magnet of `piece`, with all magnets of this strength and height."""
        strength *= piece.strength
        if strength == 1.0 and above_mm == ABOVE_MM:
            return self
        scale = math.cbrt(strength)
        closes, opens = (scale * math.hypot(ABOVE_MM, mm) for mm in (self.closes_mm, self.opens_mm))
        return SensingRange(_lateral(closes, above_mm), _lateral(opens, above_mm))

    def turns(self, near: bool, distance: float) -> bool:
        """Return True if a magnet at `distance` comes within range, or leaves it."""
        return distance > self.opens_mm if near else distance <= self.closes_mm


def _lateral(reach_mm: float, above_mm: float) -> float:
    """Return the lateral distance of a range from that height; -1 if it does not reach the board."""
    square = reach_mm * reach_mm - above_mm * above_mm
    return -1.0 if square < 0 else math.sqrt(square)


REED = SensingRange()
"""A magnet pushed over the contact at 0.2 m/s holds it closed for about 100 ms."""


class SensorField:
    """The contacts of all points, their places, and the magnets that each detects.

    `spots` are those of the points. `shows` has, for each contact, the function that receives its state.
    """

    def __init__(
        self,
        agenda: Scheduler,
        alphabet: SensorKind,
        spots: Sequence[Spot],
        shows: Mapping[Contact, Callable[[bool], None]],
        *,
        seed: int = 0,
        feel: SensingRange = REED,
    ) -> None:
        self.switches: dict[Contact, Switch] = {
            (point, reading): Switch(agenda, _random(seed, point, reading), show)
            for (point, reading), show in sorted(shows.items(), key=lambda item: item[0])
        }
        self._agenda = agenda
        self._alphabet = alphabet
        self._spots = spots
        self._feel = feel
        self._strength = 1.0
        self._above_mm = ABOVE_MM
        self._coming: dict[TablePiece, list[ScheduledEvent]] = {}

    def follow(self, piece: TablePiece, track: Track | None, now: Microseconds) -> None:
        """Let the contacts detect `piece` along `track` from `now` on, or off the board."""
        self._agenda.run(now)
        for entry in self._coming.pop(piece, ()):
            entry.cancel()
        feel = self._feel.of(piece, self._strength, self._above_mm)
        coming = []
        for (point, reading), switch in self.switches.items():
            near = piece in switch.near
            noticed = track if self._detects(switch, reading, piece) else None
            for at, comes_near in _crossing_times(noticed, self._spots[point], feel, near=near, now=now):
                if at <= now:
                    switch.feel(piece, comes_near, now)
                else:
                    coming.append(self._agenda.enter(at, partial(switch.feel, piece, comes_near)))
        if coming:
            self._coming[piece] = coming

    def strengthen(self, strength: float) -> None:
        """Scale the strength of all magnets; pieces on the board must then be followed again."""
        self._strength = strength

    def raise_to(self, above_mm: float) -> None:
        """Set the height of magnets above the sensors; pieces on the board must then be followed again."""
        self._above_mm = above_mm

    def bounce(self, ms: float) -> None:
        """Set the maximum bounce time of all contacts."""
        for switch in self.switches.values():
            switch.bounce_ms = ms

    def apply_fault(self, point: Point, fault: ContactFault | None, now: Microseconds) -> None:
        """Let the contacts of `point` fail in this way from `now` on, or work again.

        If a point has several contacts, all of them drop out or stay open, but only one sticks, chatters or
        is upside down: the one that is held closed now, otherwise the first. Pieces on the board must then be
        followed again.
        """
        self._agenda.run(now)
        own = [switch for (index, _), switch in self.switches.items() if index == point.index]
        if fault in (ContactFault.STUCK_ON, ContactFault.CHATTER, ContactFault.WRONG_POLE):
            own = [next((switch for switch in own if switch.near), own[0])]
        for switch in own:
            switch.apply_fault(fault, now)

    def _detects(self, switch: Switch, reading: Reading, piece: TablePiece) -> bool:
        """Return True if a contact can detect the lower pole of `piece`."""
        upside_down = switch.fault is ContactFault.WRONG_POLE
        if self._alphabet is SensorKind.PRESENCE:
            return piece.turned or not upside_down
        return (piece.pole == reading) is not upside_down


def _random(*seed: int) -> Random:
    return Random(" ".join(map(str, seed)))  # noqa: S311 - it shall be the same each time


def _crossing_times(
    track: Track | None, centre: Spot, feel: SensingRange, *, near: bool, now: Microseconds
) -> Iterator[tuple[Microseconds, bool]]:
    """Yield when a magnet comes within range of a contact or leaves it, given that it is `near` at `now`.

    Each leg is checked for crossing the closing circle inwards and the opening circle outwards, and so is
    each spot itself, so that no crossing is missed where two legs meet.
    """
    if track is None:
        if near:
            yield now, False
        return
    legs = [(spot, at) for spot, at in zip(track.spots, track.times, strict=True) if at > now]
    legs.insert(0, (track.at(now), now))
    if feel.turns(near, legs[0][0].to(centre)):
        near = not near
        yield now, near
    for (a, began), (b, ends) in pairwise(legs):
        enters, _ = _crossings(a, b, centre, feel.closes_mm)
        if not near and 0 <= enters <= 1:
            near = True
            yield began + math.ceil(enters * (ends - began)), near
        _, leaves = _crossings(a, b, centre, feel.opens_mm)
        if near and 0 <= leaves <= 1:
            near = False
            yield began + math.ceil(leaves * (ends - began)), near
        if feel.turns(near, b.to(centre)):
            near = not near
            yield ends, near


def _crossings(a: Spot, b: Spot, centre: Spot, radius: float) -> tuple[float, float]:
    """Return where the line from `a` (0) to `b` (1) enters and leaves a circle; NaN if it does not."""
    x, y, dx, dy = a.x - centre.x, a.y - centre.y, b.x - a.x, b.y - a.y
    length, half, rest = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    root = half * half - length * rest
    if length == 0 or root < 0 or radius < 0:
        return math.nan, math.nan
    return (-half - math.sqrt(root)) / length, (-half + math.sqrt(root)) / length
