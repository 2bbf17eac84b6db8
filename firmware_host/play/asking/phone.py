"""A phone at the board: one empty point, lit by chance, that somebody who sits there touches twice.

Invariants: each search lights a point of its own, and what was touched lets one device be paired, once. The
ask's own knock opens nothing here, since hands that are asked for a touch do not open the menu.
"""

from __future__ import annotations

from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.play.asking.options import Option
from firmware_host.play.session import Session
from firmware_host.ports import NOTHING
from firmware_host.settings import Microseconds

PHONE_TIMEOUT: Microseconds = 60_000_000
"""The time in which the point has to be touched."""
PHONE_HERE = "phone-here"
"""The public name of the option."""


class PhoneSearch:
    """The point that is lit for a phone, and whether it was touched."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._point: Point | None = None
        self.was_touched = False
        """True from the touch until a device is paired, or another answer is given."""

    @property
    def options(self) -> dict[Point, Option]:
        """The one option of the question; none if there was no empty point."""
        return {} if self._point is None else {self._point: Option(PHONE_HERE, needs_sure=True)}

    def choose_point(self) -> None:
        """Choose an empty point by lot; raise RequestError if there is none."""
        session = self._session
        untouchable = set(session.sensor_model.unobservable_points(session.game.position.stacks))
        points = session.game.rules.layout.points
        free = [p for p in points if session.stable[p.index] == NOTHING and p.index not in untouchable]
        if not free:
            raise RequestError(Message("refused.no-light"))
        self._point = free[self._draw(len(free))]
        self.was_touched = False

    def _draw(self, count: int) -> int:
        """Return a number below `count`, by lots."""
        drawn = 0
        for _ in range(2 * count.bit_length()):
            drawn = 2 * drawn + (self._session.draw_lot() is Player.WHITE)
        return drawn % count

    def take(self, *, is_asking: bool) -> None:
        """Note that the device is paired now.

        Raises RequestError if the point was not touched: not yet, while it `is_asking`, or not any more.
        """
        if not self.was_touched:
            raise RequestError(Message("refused.phone-waits") if is_asking else Message("refused.phone-over"))
        self.was_touched = False
