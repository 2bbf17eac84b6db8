"""The sensors under the wood: contacts that close when a magnet comes near and open when it is gone.

Rules kept here: a contact closes at one distance and opens at a greater one; when a moving magnet crosses
either is worked out, not sampled; a contact that tells poles apart feels only one of them.

The field of a small magnet falls with the cube of the distance, so a magnet of strength s is felt at the cube
root of s times the distance of a good one, measured through the wood to the middle of the magnet. A reed
feels either pole; a hall switch that lies upside down feels only the one that it should not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from random import Random

from firmware_host.games.layout import Point
from firmware_host.ports import Alphabet, Reading
from firmware_host.settings import Microseconds
from hardware.wiring.contacts import Contact
from sim.electronics.contacts import Fault, Switch
from sim.scheduler import Agenda, Entry
from sim.table.table import Piece, Spot, Track

ABOVE_MM = 10.0
"""How far above the sensors the magnets' middles are, with wood as thick as is usual."""


@dataclass(frozen=True, slots=True)
class Feel:
    """How far beside a contact a good magnet's centre closes it, and how far away opens it, in millimetres.

    Negative: it is too far above to be felt at all.
    """

    closes_mm: float = 10.0
    opens_mm: float = 12.0

    def of(self, piece: Piece, strength: float = 1.0, above_mm: float = ABOVE_MM) -> Feel:
        """The same for the magnet of `piece`, where all are so many times as strong and lie so high above."""
        strength *= piece.strength
        if strength == 1.0 and above_mm == ABOVE_MM:
            return self
        scale = math.cbrt(strength)
        closes, opens = (scale * math.hypot(ABOVE_MM, mm) for mm in (self.closes_mm, self.opens_mm))
        return Feel(_beside(closes, above_mm), _beside(opens, above_mm))

    def turns(self, near: bool, distance: float) -> bool:
        """Whether a magnet at `distance` is near and was not, or the other way round."""
        return distance > self.opens_mm if near else distance <= self.closes_mm


def _beside(reach_mm: float, above_mm: float) -> float:
    """How far beside a sensor something is felt that reaches so far, from so high above; -1 where nowhere."""
    square = reach_mm * reach_mm - above_mm * above_mm
    return -1.0 if square < 0 else math.sqrt(square)


REED = Feel()
"""A magnet pushed over it at 0.2 m/s holds it closed for about 100 ms."""


class SensorField:
    """The contacts of all points, where they lie, and which magnet each feels.

    `spots` are those of the points. `shows` has, for each contact, who is told whether it is closed.
    """

    def __init__(
        self,
        agenda: Agenda,
        alphabet: Alphabet,
        spots: Sequence[Spot],
        shows: Mapping[Contact, Callable[[bool], None]],
        *,
        seed: int = 0,
        feel: Feel = REED,
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
        self._coming: dict[Piece, list[Entry]] = {}

    def follow(self, piece: Piece, track: Track | None, now: Microseconds) -> None:
        """Let the contacts feel `piece` go along `track` from `now` on, or leave the wood."""
        self._agenda.run(now)
        for entry in self._coming.pop(piece, ()):
            entry.call_off()
        feel = self._feel.of(piece, self._strength, self._above_mm)
        coming = []
        for (point, reading), switch in self.switches.items():
            near = piece in switch.near
            felt = track if self._feels(switch, reading, piece) else None
            for at, comes_near in _passes(felt, self._spots[point], feel, near=near, now=now):
                if at <= now:
                    switch.feel(piece, comes_near, now)
                else:
                    coming.append(self._agenda.enter(at, partial(switch.feel, piece, comes_near)))
        if coming:
            self._coming[piece] = coming

    def strengthen(self, strength: float) -> None:
        """Magnets are so many times as strong as they were made; pieces that lie there must be felt anew."""
        self._strength = strength

    def raise_to(self, above_mm: float) -> None:
        """Magnets lie so high above the sensors; pieces that lie there must be felt anew."""
        self._above_mm = above_mm

    def bounce(self, ms: float) -> None:
        """Contacts bounce for up to so long from now on."""
        for switch in self.switches.values():
            switch.bounce_ms = ms

    def suffer(self, point: Point, fault: Fault | None, now: Microseconds) -> None:
        """Let the contacts of `point` fail so from `now` on, or work again.

        Where a point has several, all of them drop out or stay open, but only one sticks, chatters or lies
        upside down: the one that is held closed now, else the first. Pieces that lie there must be felt anew.
        """
        self._agenda.run(now)
        own = [switch for (index, _), switch in self.switches.items() if index == point.index]
        if fault in (Fault.STUCK_ON, Fault.CHATTER, Fault.WRONG_POLE):
            own = [next((switch for switch in own if switch.near), own[0])]
        for switch in own:
            switch.suffer(fault, now)

    def _feels(self, switch: Switch, reading: Reading, piece: Piece) -> bool:
        """Whether a contact can feel the pole of `piece` that lies below."""
        upside_down = switch.fault is Fault.WRONG_POLE
        if self._alphabet is Alphabet.PRESENCE:
            return piece.turned or not upside_down
        return (piece.pole == reading) is not upside_down


def _random(*seed: int) -> Random:
    return Random(" ".join(map(str, seed)))  # noqa: S311 - it shall be the same each time


def _passes(
    track: Track | None, centre: Spot, feel: Feel, *, near: bool, now: Microseconds
) -> Iterator[tuple[Microseconds, bool]]:
    """When a magnet that is `near` a contact at `now`, or not, comes near it or goes away on its track.

    Looks at the way between two spots for where it crosses the closing circle inwards and the opening circle
    outwards, and at each spot itself, so that none is missed where two legs meet.
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
    """Where the line from `a` (0) to `b` (1) enters and leaves a circle; NaN where it does neither."""
    x, y, dx, dy = a.x - centre.x, a.y - centre.y, b.x - a.x, b.y - a.y
    length, half, rest = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    root = half * half - length * rest
    if length == 0 or root < 0 or radius < 0:
        return math.nan, math.nan
    return (-half - math.sqrt(root)) / length, (-half + math.sqrt(root)) / length
