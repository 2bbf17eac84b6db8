"""The frames of turns that were taken back, by which hands can put them back, in any order.

The next of these turns is played like any other. Beyond its end a frame counts if it is that of a position
after it, or if it is on the way to one: then the rest may follow in a moment.

Invariants: a position that the sensors could not see all steps to is never matched.
"""

from __future__ import annotations

from firmware_host.games.game import Game
from firmware_host.ports import NOTHING, Frame
from firmware_host.tracking.sensor_model import SensorModel

_MAX_STEPS = 60
"""The number of steps that hands can redo at once; more would cost the frame after a take-back too much."""


class UndoneLine:
    """The positions of `furthest` after the next turn of `game`, which is its beginning."""

    def __init__(self, game: Game, furthest: Game, sensors: SensorModel) -> None:
        frames = [sensors.expected(position) for position in furthest.positions[game.ply :][: _MAX_STEPS + 1]]
        seen = _observed_steps(furthest, game.ply, frames)
        ends = (*furthest.turn_starts, furthest.ply)
        end = next((end for end in ends if end > game.ply), game.ply) - game.ply
        self._own, self._next = frames[0], frames[1 : end + 1]
        self._later = {game.ply + count: frames[count] for count in range(seen, end, -1)}

    def match(self, frame: Frame) -> int | None:
        """Return the last ply after the next turn whose position gives `frame`; None if there is none.

        A frame that the next turn gives as well is that of the next turn.
        """
        if frame in self._next:
            return None
        return next((ply for ply, later in self._later.items() if later == frame), None)

    def is_on_the_way(self, frame: Frame) -> bool:
        """Return whether pieces stand where turns after the next one put them, and the rest is unchanged."""
        if not self._later or not any(map(_is_landing, frame, self._own, self._next[-1])):
            return False
        return any(all(map(_is_either, frame, self._own, later)) for later in self._later.values())


def _observed_steps(furthest: Game, since: int, frames: list[Frame]) -> int:
    """Return the number of steps from ply `since` on that the sensors see, up to the first they don't."""
    for count, step in enumerate(furthest.steps[since:][: len(frames) - 1]):
        points = [point.index for point in (step.origin, step.target) if point is not None]
        if any(frames[count][index] == frames[count + 1][index] for index in points):
            return count
    return len(frames) - 1


def _is_landing(reading: int, own: int, following: int) -> bool:
    """Return whether a piece stands where it does neither now nor after the next turn."""
    return reading not in (NOTHING, own, following)


def _is_either(reading: int, own: int, later: int) -> bool:
    return reading in (own, later)
