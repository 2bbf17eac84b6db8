"""The two ends of the way from magnet to light: the readings of the sensors and the colours of the strip.

A driver, real or simulated, is any object with the methods of `SensorPort` or `LedPort`, or of the parts
beside them. Moments, which the machine's clock gives, are here as well. This module knows no
rules and no pins.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, final

from firmware_host.frozen import frozen
from firmware_host.i18n import Message

MAGNET_STRENGTHS = 2
"""The number of magnet strengths a linear sensor can tell apart, each with either pole down."""

READABLE_PIECES = 3
"""The number of pieces from the top of a stack that a linear sensor can read; deeper ones are too weak.

In random games of Mitsudomoe no two legal turns (of 60,187) led to the same readings of three pieces on each
square, but an eighth of them did with one piece, and an eightieth with two.
"""

_KINDS: Final = 2 * MAGNET_STRENGTHS + 1
_BELOW: Final[int] = _KINDS ** (READABLE_PIECES - 1)


@final
class Reading(int):
    """The state of one point as its sensor reports it.

    Its number is 0 for an empty point; the meaning of the others depends on the sensor, see `SensorKind`. The
    protocols and scenarios show that number. There is one object for each number, so that frames compare by
    identity; anything else that is computed from a reading is a plain int.

    >>> Reading.of_stack([1, 2]).top == BLACK_PIECE
    True
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Reading:
        """Return the reading of that number; raise ValueError for one that no sensor can report."""
        if not 0 <= number < len(_READINGS):
            raise ValueError(f"a reading is a number from 0 to {len(_READINGS) - 1}, not {number}")
        return _READINGS[number]

    @classmethod
    def of_stack(cls, kinds: Sequence[int]) -> Reading:
        """Return the reading of a stack of pieces, given by their kinds, the lowest first.

        A kind is 1 or 2 for a white or a black piece with the weaker magnet, 3 or 4 with the stronger. The
        kind of the top piece is the last digit of the number to the base 5. A single piece with the weaker
        magnet reads as it does with POLARITY.
        """
        number = 0
        for kind in kinds[-READABLE_PIECES:]:
            number = number % _BELOW * _KINDS + kind
        return cls(number)

    @property
    def top(self) -> Reading:
        """The reading of the top piece alone."""
        return _READINGS[self % _KINDS]

    @property
    def below(self) -> Reading:
        """The reading of the pieces under the top one, as far as the sensor can tell them apart."""
        return _READINGS[self // _KINDS]

    @property
    def is_complete(self) -> bool:
        """True unless there may be pieces too deep in the stack to be part of the reading."""
        return self < _BELOW

    def with_top(self, top: Reading) -> Reading:
        """Return the reading after a piece that alone reads `top` was set down there.

        >>> Reading.of_stack([1, 2]).with_top(Reading(4)) == Reading.of_stack([1, 2, 4])
        True
        """
        return _READINGS[self % _BELOW * _KINDS + top]

    def lost_top(self, before: Reading) -> bool:
        """Return whether the top piece of `before` is gone and the rest of it is still there.

        A sensor that reports one piece only has then nothing left to report.
        """
        return self != before and (self == NOTHING or self % _BELOW == before // _KINDS)

    def added_top(self, before: Reading) -> bool:
        """Return whether one more piece stands on those of `before`."""
        return before.lost_top(self)


_READINGS: Final[tuple[Reading, ...]] = tuple(
    int.__new__(Reading, number) for number in range(_KINDS**READABLE_PIECES)
)

NOTHING: Final = Reading(0)
SOMETHING: Final = Reading(1)
WHITE_PIECE: Final = Reading(1)
BLACK_PIECE: Final = Reading(2)

Contact = tuple[int, Reading]
"""A switch under the board: the index of its point, and the reading that it stands for when closed."""

Frame = tuple[Reading, ...]
"""The readings of all points, in the layout's order."""


class SensorKind(enum.Enum):
    """The kind of a board's sensors: the distinctions that their readings make."""

    PRESENCE = "presence"
    """NOTHING or SOMETHING: a reed switch or a Hall switch."""
    POLARITY = "polarity"
    """NOTHING, WHITE_PIECE or BLACK_PIECE: the owner, by the pole that faces down."""
    PIECES = "pieces"
    """NOTHING or `Reading.of_stack`: the top pieces of a stack, by their combined field."""


@frozen
class ChipMap:
    """The chips behind the sensors, or the wires of a matrix, for the name of the one that fails.

    `names` has the chips, and `bus` the wires that all of them share. `chips` has the numbers of those that a
    contact depends on: one chip, or a row and a column. It is found by the index of a point and the reading
    of its contact, which is NOTHING for a sensor that is one for all. `wires`: they are wires, not chips.
    `misreads` has the wires that can fail so that other contacts are read: their names, and for each contact
    the one that is then read, or None.
    """

    names: Sequence[Message]
    bus: Message
    chips: Mapping[Contact, tuple[int, ...]]
    wires: bool = False
    misreads: Sequence[tuple[Message, Mapping[Contact, Contact | None]]] = ()

    def chips_of(self, point: int, reading: Reading) -> tuple[int, ...]:
        """Return the numbers of the chips that report that reading of a point."""
        return self.chips.get((point, reading), self.chips.get((point, NOTHING), ()))


Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255, as they are sent to an LED."""

LedFrame = tuple[Colour, ...]
"""One colour for each point, in the layout's order, and after them for each LED of the side bars."""

DARK: Colour = (0, 0, 0)


class SensorPort(Protocol):
    """A source of frames."""

    def read(self) -> Frame:
        """Scan every point once and return their readings; raise SensorError if that fails."""

    @property
    def levels(self) -> Mapping[int, int]:
        """The last raw values of linear sensors, by the index of their point; empty for other sensors."""

    def close(self) -> None:
        """Release the pins; may be called twice."""


class ButtonPort(Protocol):
    """A push button."""

    def is_down(self) -> bool:
        """Return True while the button is pressed; raise SensorError if it can't be read."""

    def close(self) -> None:
        """Release the line; may be called twice."""


class BuzzerPort(Protocol):
    """An active buzzer, which has one pitch of its own."""

    def sound(self, *, on: bool) -> None:
        """Sound, or be silent; raise SoundError if that fails."""

    def close(self) -> None:
        """Be silent and release the line; may be called twice, and raises nothing."""


class LedPort(Protocol):
    """A strip of LEDs."""

    def show(self, frame: LedFrame) -> None:
        """Send every LED its colour, whether it has changed or not; raise StripError if that fails."""

    def close(self) -> None:
        """Go dark and release the pins; may be called twice, and raises nothing."""


# ---- moments ---------------------------------------------------------------------------------------------

Moment = int
"""A point in time, in milliseconds: since 1970 (UTC), or without a date, since a boot; 0 is unknown.

A moment without a date has the number of its boot in it, so that it can't be confused with one of another
boot, and gets its date wherever it was stored once that is known (`Dating`).
"""
UNKNOWN: Moment = 0
MAX_BOOTS = 1 << 22
_BOOT_SPAN_MS = 1 << 40
_NO_DATE_BELOW: Moment = -(1 << 48)
"""Far before the year 1800, the first of which games have dates."""


def date_of(moment: Moment) -> Moment:
    """Return a moment as milliseconds since 1970; 0 if its date is unknown."""
    return moment if moment > _NO_DATE_BELOW else 0


def before(moment: Moment, ms: int) -> Moment:
    """Return the moment `ms` earlier; without a date, its boot at the earliest."""
    if date_of(moment) or moment == UNKNOWN:
        return moment - ms
    return moment - min(ms, (moment - _NO_DATE_BELOW) % _BOOT_SPAN_MS)


class WallClock(Protocol):
    """A clock that gives moments, and dates to those without one: the machine's, which `runtime` reads."""

    def now(self) -> Moment:
        """Return this moment, with a date if that is known."""

    def dated(self, moment: Moment) -> Moment:
        """Return a moment with its date, if that is known."""


@frozen
class Boot:
    """The time from switching a machine on to switching it off; `number` is a random one below MAX_BOOTS.

    >>> Boot(7).since(Boot(7).moment(1500))
    1500
    """

    number: int

    def moment(self, since_ms: int) -> Moment:
        """Return the moment this long after the machine was switched on, without a date."""
        return self.first + since_ms

    def since(self, moment: Moment) -> int | None:
        """Return how long after switching on a moment without a date was; None for any other."""
        return moment - self.first if self.first <= moment <= self.last else None

    @property
    def first(self) -> Moment:
        """The moment at which the machine was switched on."""
        return _NO_DATE_BELOW - (self.number + 1) * _BOOT_SPAN_MS

    @property
    def last(self) -> Moment:
        """The last moment that this boot can have."""
        return self.first + _BOOT_SPAN_MS - 1


@frozen
class Dating:
    """The date of a boot, which gives one to its moments."""

    boot: Boot
    began_ms: int
    """The milliseconds from 1970 to the boot."""

    def dated(self, moment: Moment) -> Moment:
        """Return a moment with its date; one that has a date, or is of another boot, as it is."""
        since_ms = self.boot.since(moment)
        return moment if since_ms is None else self.began_ms + since_ms
