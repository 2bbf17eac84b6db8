"""Steps that masked sensors cannot show, and sensors that may be broken.

Invariants: nothing is guessed. A step that may have been played without being observed is offered to the
player to confirm. A sensor is suspected only if its failure alone would explain the frame.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.games.game import Position, Step, Turn
from firmware_host.games.layout import Point
from firmware_host.ports import Frame, SensorKind
from firmware_host.tracking.candidates import CandidateTurns, sure_steps
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.verdict import Mismatch

_MAX_SUSPECTS = 3
"""The largest number of wrong points that may all be due to broken sensors."""

Steps = tuple[Step, ...]


class Doubts:
    """The doubts that the sensors leave about one game."""

    def __init__(self, expected: ExpectedGame) -> None:
        """Doubt the frames of the `expected` game."""
        self._expected = expected
        self._confirmable: tuple[tuple[object, ...], tuple[Steps, ...]] | None = None

    @property
    def is_last_turn_ambiguous(self) -> bool:
        """True if some action of the last turn was unobservable."""
        return self._expected.fully_observable_from > self._expected.game.last_turn

    def confirmable(self, frame: Frame) -> tuple[Steps, ...]:
        """Return the beginnings of the current turn that `frame` allows but does not prove.

        Each is as short as can be confirmed on its own. The opponent may have replied already.
        """
        expected = self._expected
        key = frame, expected.game, expected.sensor_model, expected.permission
        if self._confirmable is None or self._confirmable[0] != key:
            self._confirmable = key, self._find_confirmable(frame)
        return self._confirmable[1]

    def overlooked(self, frame: Frame) -> tuple[Steps, ...]:
        """Return unobserved placements that may precede the last turn, each with that turn as the reply.

        Where sensors cannot tell the players apart, the opponent's placement may have been taken for the one
        that was due. The board must match the game, so that nothing else is in progress.
        """
        expected = self._expected
        game, sensors = expected.game, expected.sensor_model
        played = game.steps[game.last_turn :]
        if sensors.alphabet is not SensorKind.PRESENCE or not sensors.masked or frame != expected.own:
            return ()
        if len(played) != 1 or game.mid_turn or played[0].origin is not None or not expected.may_revise:
            return ()
        if expected.chosen is not None or expected.permission.bound:
            return ()
        before = game.positions[game.last_turn]
        return tuple(
            (step, reply)
            for step in before.legal_steps()
            if step.origin is None and step.target is not None and step.target.index in sensors.masked
            for reply in _replies(before, step)
            if reply.origin is None and reply.target is played[0].target
        )

    def suspects(self, frame: Frame, mismatch: Mismatch) -> frozenset[Point]:
        """Return the points whose sensor may be broken if `frame` gave that mismatch."""
        wrong = mismatch.missing | mismatch.extra | mismatch.wrong
        found = set(wrong) if len(wrong) <= _MAX_SUSPECTS else set()
        game = self._expected.game
        base = self._expected.base(game.ply)
        found.update(point for point in game.rules.layout.points if base.explains_except(frame, point.index))
        return frozenset(found)

    def _find_confirmable(self, frame: Frame) -> tuple[Steps, ...]:
        base = self._expected.base(self._expected.game.ply)
        doubtful = tuple(base.unconfirmed_turns(frame))
        if not doubtful or (frame != self._expected.own and sure_steps(base.fits(frame))):
            return ()
        found: dict[Steps, bool] = {}
        for turn, unobservable in doubtful:
            for steps in _beginnings(turn):
                if steps not in found:
                    some = any(number < len(steps) for number in unobservable)
                    found[steps] = self._may_be_played(turn, steps, frame, unobservable=some)
                if found[steps]:
                    break
        return tuple(steps for steps, possible in found.items() if possible)

    def _may_be_played(self, turn: Turn, steps: Steps, frame: Frame, *, unobservable: bool) -> bool:
        """Return whether `frame` may show the position after `steps`, or the beginning of a reply."""
        sensors = self._expected.sensor_model
        after = turn.positions[len(steps) - 1]
        shown = sensors.expected(after)
        if shown == frame:
            return self._expected.base(self._expected.game.ply).is_ambiguous(frame)
        if not unobservable or after.outcome is not None:
            return False
        touched = (point.index for step in steps for point in (step.origin, step.target) if point is not None)
        if any(frame[index] != shown[index] for index in touched):
            return False
        return bool(CandidateTurns(after, sensors, self._expected.permission).fits(frame))


def _replies(before: Position, step: Step) -> tuple[Step, ...]:
    """Return the opponent's possible steps after `step`; none if it does not end the turn."""
    after = before.play(step)
    return after.legal_steps() if after.to_move is not before.to_move else ()


def _beginnings(turn: Turn) -> Iterator[Steps]:
    """Yield the beginnings of a turn, up to a declined removal, which has a request of its own."""
    for count, step in enumerate(turn.steps, start=1):
        if step.piece is None:
            return
        yield turn.steps[:count]
