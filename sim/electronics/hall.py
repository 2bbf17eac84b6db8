"""Linear hall sensors: what comes out of them follows the magnets above, wherever these are.

Rules kept here: the field of a magnet falls with the cube of its distance, and fields add up; of pieces that
lie on each other, each counts a third of the one above it; each sensor has
its own level at rest and its own gain, drawn from the seed where nobody has measured them; levels are those
that a 10-bit ADC gives, before its noise. What is wrong with a sensor, its contact's fault says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from firmware_host.config.wiring_map import ADC_MOST
from firmware_host.games.layout import Layout
from firmware_host.ports import WHITE_PIECE, Alphabet
from firmware_host.settings import Microseconds
from hardware.sensors.decode import unmeasured
from hardware.sensors.stack_decode import DEEPER
from sim.electronics.contacts import Fault
from sim.electronics.reeds import ABOVE_MM
from sim.table.table import ON_POINT_MM, Piece, Spot, Track

_OFFSET = 25
"""How far beside its usual level a sensor may rest: half of what the data sheet of the SS49E allows."""

_GAIN = 0.1
"""By what share its gain may differ from others'."""


class LinearField:
    """The sensors of all points; `levels` has those that were measured, by the index of the point."""

    def __init__(
        self,
        spots: Sequence[Spot],
        levels: Mapping[int, tuple[int, ...]],
        seed: int,
        alphabet: Alphabet = Alphabet.POLARITY,
    ) -> None:
        self._spots = spots
        self._levels = [levels.get(n) or _drawn(seed, n, unmeasured(alphabet)) for n in range(len(spots))]
        self._strength = 1.0
        self._above_mm = ABOVE_MM
        self._resting: dict[Piece, Spot] = {}
        self._moving: dict[Piece, Track] = {}
        self._still = [0.0] * len(spots)
        self._shares: dict[Spot, tuple[float, ...]] = {}
        """How much of a magnet on a point each sensor feels, once that was worked out."""

    def follow(self, piece: Piece, track: Track | None, now: Microseconds) -> None:
        """Feel `piece` go along `track` from `now` on, or leave the wood."""
        self._resting.pop(piece, None)
        self._moving.pop(piece, None)
        if track is not None:
            self._moving[piece] = track
        self._come_to_rest(now)
        self._work_out()

    def strengthen(self, strength: float) -> None:
        """Magnets are so many times as strong as they were made."""
        self._strength = strength
        self._work_out()

    def raise_to(self, above_mm: float) -> None:
        """Magnets lie so high above the sensors."""
        self._above_mm = above_mm
        self._shares.clear()
        self._work_out()

    def moves(self, now: Microseconds) -> bool:
        """Whether a magnet moves."""
        if self._moving and self._come_to_rest(now):
            self._work_out()
        return bool(self._moving)

    def level(self, point: int, fault: Fault | None, now: Microseconds, *, closed: bool) -> float:
        """What the sensor of the point of that index gives.

        `fault` is what is wrong with it, and `closed` whether a contact with that fault would be closed.
        """
        own = self._levels[point]
        rest = own[0]
        if fault is not None:
            if fault in (Fault.STUCK_ON, Fault.STUCK_OFF, Fault.CHATTER):
                return own[1] if closed else rest
            if fault in (Fault.WEAK, Fault.FAINT) and not closed:
                return rest
        moves = self._moving and self.moves(now)
        field = self._still[point]
        if moves:
            field += sum(self._field(piece, track.at(now), point) for piece, track in self._moving.items())
        return min(max(rest + (-field if fault is Fault.WRONG_POLE else field), 0), ADC_MOST)

    def _come_to_rest(self, now: Microseconds) -> bool:
        ended = [piece for piece, track in self._moving.items() if track.times[-1] <= now]
        for piece in ended:
            self._resting[piece] = self._moving.pop(piece).spots[-1]
        return bool(ended)

    def _work_out(self) -> None:
        """Add up, for each sensor, the fields of all magnets at rest."""
        lying = list(self._resting.items())
        above = [
            sum(spot.to(upper) < ON_POINT_MM for _, upper in lying[n + 1 :])
            for n, (_, spot) in enumerate(lying)
        ]
        self._still = [0.0] * len(self._spots)
        for (piece, spot), deep in zip(lying, above, strict=True):
            shares, deeper = self._shares_at(spot), DEEPER**deep
            for point, share in enumerate(shares):
                self._still[point] += self._felt(piece, share, point) * deeper

    def _shares_at(self, spot: Spot) -> tuple[float, ...]:
        """The same wherever a magnet lies; those that lie on points are remembered."""
        shares = self._shares.get(spot)
        if shares is None:
            shares = tuple([self._share(spot, point) for point in range(len(self._spots))])
            if spot in self._spots:
                self._shares[spot] = shares
        return shares

    def _share(self, spot: Spot, point: int) -> float:
        return (ABOVE_MM / math.hypot(self._above_mm, spot.to(self._spots[point]))) ** 3

    def _field(self, piece: Piece, spot: Spot, point: int) -> float:
        """By how much the sensor of a point reads more than at rest for a magnet that lies so."""
        return self._felt(piece, self._share(spot, point), point)

    def _felt(self, piece: Piece, share: float, point: int) -> float:
        levels = self._levels[point]
        full = levels[1 + 2 * piece.make.magnet + (piece.pole != WHITE_PIECE)] - levels[0]
        return full * share * piece.strength * self._strength


def measured(seed: int, layout: Layout, alphabet: Alphabet) -> dict[str, tuple[int, ...]]:
    """What set-up would find that the sensors of a board read, by the names of its points."""
    return {point.name: _drawn(seed, point.index, unmeasured(alphabet)) for point in layout.points}


def _drawn(seed: int, point: int, usual: tuple[int, ...]) -> tuple[int, ...]:
    """What a sensor that nobody measured reads at rest, and under pieces, where others read `usual`."""
    random = Random(f"{seed} {point}")  # noqa: S311 - it shall be the same each time
    rest = usual[0] + random.randint(-_OFFSET, _OFFSET)
    gain = 1 + random.uniform(-_GAIN, _GAIN)
    return rest, *(rest + round((level - usual[0]) * gain) for level in usual[1:])
