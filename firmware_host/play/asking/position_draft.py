"""The pieces of a position that hands set up, as far as the sensors tell whose they are.

Sensors that only detect a piece take all pieces for White's first, and then what is added for Black's.

Invariants: a piece of White's that is lifted and put back stays White's, since it may be a touch, or a weak
sensor that drops out. Of a high stack the sensor reads only the top, so it is followed piece by piece. Time
is an argument.
"""

from __future__ import annotations

from collections.abc import Collection

from firmware_host.games.game import Piece, Player, Rules
from firmware_host.games.layout import Point
from firmware_host.games.set_up import SetUps, set_ups
from firmware_host.play.asking.touches import MAX_TOUCH
from firmware_host.ports import NOTHING, Frame, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.sensor_model import SensorModel


class PositionDraft:
    """A position that is being set up on a board."""

    def __init__(self, rules: Rules, sensors: SensorModel, white: Collection[str] | None = None) -> None:
        """Begin with an empty board; `white` are the points of White's pieces if all of them stand."""
        self._rules = rules
        self._sensors = sensors
        self.tells_owners = sensors.alphabet is not SensorKind.PRESENCE
        """True if the sensors tell whose each piece is."""
        self.white: frozenset[Point] | None = None
        """The points of White's pieces, once all of them stand; None before, and if the sensors tell."""
        if white is not None and not self.tells_owners:
            self.white = frozenset(point for point in rules.layout.points if point.name in white)
        self._frame: Frame = (NOTHING,) * len(rules.layout)
        self._stacks: list[tuple[Piece, ...]] = [()] * len(rules.layout)
        self._gone_since: dict[int, Microseconds] = {}
        self.result: SetUps = set_ups(rules, self._stacks)
        """The games that the pieces can begin as they stand now."""

    @property
    def owners(self) -> dict[Point, Player]:
        """The owner of the top piece on each point that has one."""
        return {
            p: self._stacks[p.index][-1].owner for p in self._rules.layout.points if self._stacks[p.index]
        }

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which `read` has news although no reading changes; None if it won't."""
        return min((since + MAX_TOUCH for since in self._gone_since.values()), default=None)

    def finish_white(self) -> None:
        """Take the pieces that stand now for White's, and those to come for Black's."""
        self.white = frozenset(self.owners)
        self._gone_since.clear()

    def read(self, frame: Frame, now: Microseconds) -> bool:
        """Take in a debounced frame without masked sensors; return whether the pieces differ from before."""
        self._forget_white(frame, now)
        before, self._frame = self._frame, frame
        stacks = [self._stack(index, before[index]) for index in range(len(frame))]
        if stacks == self._stacks:
            return False
        self._stacks = stacks
        self.result = set_ups(self._rules, stacks)
        return True

    def _forget_white(self, frame: Frame, now: Microseconds) -> None:
        """Forget the points of White's pieces that have been gone for longer than a touch."""
        for point in self.white or ():
            if frame[point.index] != NOTHING:
                self._gone_since.pop(point.index, None)
            else:
                self._gone_since.setdefault(point.index, now)
        gone = {index for index, since in self._gone_since.items() if now - since >= MAX_TOUCH}
        for index in gone:
            del self._gone_since[index]
        if gone and self.white is not None:
            self.white = frozenset(point for point in self.white if point.index not in gone)

    def _stack(self, index: int, before: int) -> tuple[Piece, ...]:
        """Return the pieces on a point, by its reading and by those that stood there `before`."""
        reading, stack = self._frame[index], self._stacks[index]
        if reading == NOTHING:
            return ()
        if not self.tells_owners:
            return (self._piece_of(Player.WHITE if self._is_white(index) else Player.BLACK),)
        if reading == before:
            return stack
        shown = self._sensors.shown(reading, self._rules.box)
        if reading.is_complete or not stack:
            return shown
        if self._sensors.reading((*stack, shown[-1]), index) == reading:
            return (*stack, shown[-1])
        return stack[:-1] if self._sensors.reading(stack[:-1], index) == reading else shown

    def _is_white(self, index: int) -> bool:
        return self.white is None or any(point.index == index for point in self.white)

    def _piece_of(self, player: Player) -> Piece:
        return next(piece for piece in self._rules.box if piece.owner is player)
