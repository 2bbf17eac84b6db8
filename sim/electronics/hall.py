"""Linear hall sensors, with an output that follows the magnets above.

Invariants: the field of a magnet falls with the cube of its distance, and fields add up. In a stack, each
piece counts a third of the one above it. Each sensor has its own level at rest and its own gain, drawn from
the seed unless it was measured. Levels are those of a 10-bit ADC, before its noise. The fault of a sensor is
that of its contact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from firmware_host.config.wiring_map import ADC_MAX
from firmware_host.games.layout import Layout
from firmware_host.ports import WHITE_PIECE, SensorKind
from firmware_host.settings import Microseconds
from hardware.sensors.decode import default_levels
from hardware.sensors.stack_decode import DEPTH_FACTOR
from sim.electronics.contacts import ContactFault
from sim.electronics.reeds import ABOVE_MM
from sim.table.table import ON_POINT_MM, Spot, TablePiece, Track

_MAX_OFFSET = 25
"""Maximum offset of a sensor's rest level: half of what the data sheet of the SS49E allows."""

_MAX_GAIN_ERROR = 0.1
"""Maximum deviation of its gain, as a share."""


class LinearField:
    """The sensors of all points; `levels` has the measured ones, by the index of the point."""

    def __init__(
        self,
        spots: Sequence[Spot],
        levels: Mapping[int, tuple[int, ...]],
        seed: int,
        alphabet: SensorKind = SensorKind.POLARITY,
    ) -> None:
        self._spots = spots
        self._levels = [levels.get(n) or _drawn(seed, n, default_levels(alphabet)) for n in range(len(spots))]
        self._strength = 1.0
        self._above_mm = ABOVE_MM
        self._resting: dict[TablePiece, Spot] = {}
        self._moving: dict[TablePiece, Track] = {}
        self._still = [0.0] * len(spots)
        self._shares: dict[Spot, tuple[float, ...]] = {}
        """The share of a magnet's field on a point that each sensor detects, computed once."""

    def follow(self, piece: TablePiece, track: Track | None, now: Microseconds) -> None:
        """Let the sensors detect `piece` along `track` from `now` on, or off the board."""
        self._resting.pop(piece, None)
        self._moving.pop(piece, None)
        if track is not None:
            self._moving[piece] = track
        self._stop_arrived(now)
        self._add_up()

    def strengthen(self, strength: float) -> None:
        """Scale the strength of all magnets."""
        self._strength = strength
        self._add_up()

    def raise_to(self, above_mm: float) -> None:
        """Set the height of the magnets above the sensors."""
        self._above_mm = above_mm
        self._shares.clear()
        self._add_up()

    def moves(self, now: Microseconds) -> bool:
        """Return True if a magnet moves."""
        if self._moving and self._stop_arrived(now):
            self._add_up()
        return bool(self._moving)

    def level(self, point: int, fault: ContactFault | None, now: Microseconds, *, closed: bool) -> float:
        """Return the output of the sensor of the point with that index.

        `fault` is its fault; `closed`: a contact with that fault would be closed.
        """
        own = self._levels[point]
        rest = own[0]
        if fault is not None:
            if fault in (ContactFault.STUCK_ON, ContactFault.STUCK_OFF, ContactFault.CHATTER):
                return own[1] if closed else rest
            if fault in (ContactFault.WEAK, ContactFault.FAINT) and not closed:
                return rest
        moves = self._moving and self.moves(now)
        field = self._still[point]
        if moves:
            field += sum(self._field(piece, track.at(now), point) for piece, track in self._moving.items())
        return min(max(rest + (-field if fault is ContactFault.WRONG_POLE else field), 0), ADC_MAX)

    def _stop_arrived(self, now: Microseconds) -> bool:
        ended = [piece for piece, track in self._moving.items() if track.times[-1] <= now]
        for piece in ended:
            self._resting[piece] = self._moving.pop(piece).spots[-1]
        return bool(ended)

    def _add_up(self) -> None:
        """Add up, for each sensor, the fields of all magnets at rest."""
        resting = list(self._resting.items())
        above = [
            sum(spot.to(upper) < ON_POINT_MM for _, upper in resting[n + 1 :])
            for n, (_, spot) in enumerate(resting)
        ]
        self._still = [0.0] * len(self._spots)
        for (piece, spot), depth in zip(resting, above, strict=True):
            shares, weakened = self._shares_at(spot), DEPTH_FACTOR**depth
            for point, share in enumerate(shares):
                self._still[point] += self._level_change(piece, share, point) * weakened

    def _shares_at(self, spot: Spot) -> tuple[float, ...]:
        """Return the share that each sensor detects of a magnet at `spot`; those of points are cached."""
        shares = self._shares.get(spot)
        if shares is None:
            shares = tuple([self._share(spot, point) for point in range(len(self._spots))])
            if spot in self._spots:
                self._shares[spot] = shares
        return shares

    def _share(self, spot: Spot, point: int) -> float:
        return (ABOVE_MM / math.hypot(self._above_mm, spot.to(self._spots[point]))) ** 3

    def _field(self, piece: TablePiece, spot: Spot, point: int) -> float:
        """Return the change of a point's sensor for a magnet at `spot`."""
        return self._level_change(piece, self._share(spot, point), point)

    def _level_change(self, piece: TablePiece, share: float, point: int) -> float:
        levels = self._levels[point]
        full = levels[1 + 2 * piece.make.magnet + (piece.pole != WHITE_PIECE)] - levels[0]
        return full * share * piece.strength * self._strength


def measured(seed: int, layout: Layout, alphabet: SensorKind) -> dict[str, tuple[int, ...]]:
    """Return the levels that set-up would measure on a board, by the names of its points."""
    return {point.name: _drawn(seed, point.index, default_levels(alphabet)) for point in layout.points}


def _drawn(seed: int, point: int, usual: tuple[int, ...]) -> tuple[int, ...]:
    """Return the levels of an unmeasured sensor, at rest and under pieces; `usual` are the typical ones."""
    random = Random(f"{seed} {point}")  # noqa: S311 - it shall be the same each time
    rest = usual[0] + random.randint(-_MAX_OFFSET, _MAX_OFFSET)
    gain = 1 + random.uniform(-_MAX_GAIN_ERROR, _MAX_GAIN_ERROR)
    return rest, *(rest + round((level - usual[0]) * gain) for level in usual[1:])
