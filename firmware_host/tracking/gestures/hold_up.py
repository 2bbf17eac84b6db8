"""The hold-up: two pieces of one player are lifted and held up for two seconds.

Invariants: only a board that lacks exactly these two pieces holds them up, and each time it does is one
gesture. Pieces that turns back by hand begin with, which are the last ones, are never part of it, nor are
pieces that vanished faster than a hand lifts one after the other, as in a jolt or with a chip that fails.
Time is an argument.
"""

from __future__ import annotations

from firmware_host.games.game import Game, Position
from firmware_host.games.layout import Point
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.observation import PACE
from firmware_host.tracking.sensor_model import SensorModel

HELD_FOR: Microseconds = 2_000_000
_LAST_STEPS = 4


class HoldUpDetector:
    """The pieces that are missing on a board, until two of them are held up or something else is done."""

    def __init__(self) -> None:
        self.deadline: Microseconds | None = None
        """The time at which two pieces have been held up for long enough."""
        self._last: Frame = ()
        self._position: Position | None = None
        self._opened: dict[int, Microseconds] = {}
        """By the index of a point that differs from the game: since when it does."""
        self._latest: Microseconds = 0
        self._is_armed = False

    def restart(self) -> None:
        """Wait until the board matches the game again, because it was not watched, or not followed."""
        self._last = ()
        self._opened = {}
        self._is_armed = False
        self.deadline = None

    def update(
        self, frame: Frame, game: Game, sensors: SensorModel, now: Microseconds, *, is_error: bool
    ) -> frozenset[Point]:
        """Return the points whose pieces are held up, once, when they have been for long enough.

        `is_error` says that no turn explains the missing pieces, or that none is looked for.
        """
        if frame != self._last or game.position is not self._position:
            self._latest = now if frame != self._last else self._latest
            self._note(frame, sensors.expected(game.position), now)
            self._last, self._position = frame, game.position
        self.deadline = None
        points = _held_up(frame, game, sensors, self._opened) if self._is_armed else frozenset()
        if not points:
            return points
        due = self._latest + HELD_FOR
        if now < due:
            self.deadline = due
            return frozenset()
        if not is_error:
            return frozenset()
        self._is_armed = False
        return points

    def _note(self, frame: Frame, own: Frame, now: Microseconds) -> None:
        differing = {index for index, (a, b) in enumerate(zip(frame, own, strict=True)) if a != b}
        self._opened = {index: self._opened.get(index, now) for index in differing}
        self._is_armed |= not differing


def _held_up(
    frame: Frame, game: Game, sensors: SensorModel, opened: dict[int, Microseconds]
) -> frozenset[Point]:
    """Return the two points that lack a piece of one player each, if that is all that is wrong."""
    if len(opened) != 2:
        return frozenset()
    one, other = opened
    if abs(opened[one] - opened[other]) < PACE:
        return frozenset()
    landed = {step.target.index for step in game.steps[-_LAST_STEPS:] if step.target is not None}
    stacks = game.position.stacks
    lifted = [stacks[i][-1].owner for i in opened if stacks[i] and i not in landed]
    is_lifted = all(stacks[i] and sensors.reading(stacks[i][:-1], i) == frame[i] for i in opened)
    if not is_lifted or len(lifted) != 2 or lifted[0] is not lifted[1]:
        return frozenset()
    return frozenset(game.rules.layout.points[index] for index in opened)
