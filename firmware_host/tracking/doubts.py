"""Steps that masked sensors cannot show, and sensors that may be broken.

Invariants: nothing is guessed. A step that may have been played without being observed is offered to the
player to confirm. A sensor is suspected if its failure alone would explain the frame, or if only few points
are wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.games.game import Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import Frame, SensorKind
from firmware_host.tracking.candidates import CandidateTurns
from firmware_host.tracking.decision import agreed, likeliest
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.verdict import Mismatch

_MAX_SUSPECTS = 3
"""The largest number of wrong points that may all be due to broken sensors."""

Steps = tuple[Step, ...]


class Doubts:
    """The doubts that the sensors leave about one game."""

    def __init__(
        self,
        expected: ExpectedGame,
        seen: Observation,
        moves: Moves,
        search: Callable[..., list[Explanation]],
    ) -> None:
        """Doubt what is `seen` of the `expected` game.

        `search` returns the explanations of the last frame, with `guess` also by steps that no sensor shows.
        """
        self._expected = expected
        self._seen = seen
        self._moves = moves
        self._search = search
        self._confirmable: tuple[tuple[object, ...], tuple[Steps, ...]] | None = None
        self._suspects: tuple[tuple[object, ...], frozenset[Point]] | None = None

    @property
    def is_last_turn_ambiguous(self) -> bool:
        """True if some action of the last turn was unobservable."""
        return self._expected.fully_observable_from > self._expected.game.last_turn

    def confirmable(self, frame: Frame) -> tuple[Steps, ...]:
        """Return the beginnings of the current turn that `frame` allows but does not prove.

        Each is as short as can be confirmed on its own. The opponent may have replied already.
        """
        expected, seen = self._expected, self._seen
        if frame != seen.frame or not any(
            True for _ in expected.sensor_model.unobservable_points(expected.game.position.stacks)
        ):
            return ()
        key = frame, seen.latest, expected.game, expected.sensor_model, expected.permission
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
        """Return the points whose sensor may be broken if `frame` gave that mismatch.

        Pages are sent them with every change, so those of the last frame are kept.
        """
        base = self._expected.base(self._expected.game.ply)
        key = frame, mismatch, base
        if self._suspects is None or self._suspects[0] != key:
            self._suspects = key, _find_suspects(frame, mismatch, base)
        return self._suspects[1]

    def _find_confirmable(self, frame: Frame) -> tuple[Steps, ...]:
        possible = [e for e in self._search(guess=True) if e.complete]
        if not any(explanation.unobserved for explanation in possible):
            return ()
        if frame != self._expected.own:
            best = likeliest(self._search(guess=False), self._seen)
            if best and agreed(best):
                return ()  # these count first
        return tuple(dict.fromkeys(filter(None, map(self._beginning, possible))))

    def _beginning(self, explanation: Explanation) -> Steps:
        """Return the first steps with an unobserved action that the frame shows done; all if none has one.

        A declined removal has a request of its own, and a reply is not confirmed.
        """
        moves, sensors, frame = self._moves, self._expected.sensor_model, self._seen.frame
        begun = position = self._expected.game.position
        is_unobserved = False
        touched: set[int] = set()
        for count, step in enumerate(explanation.steps, start=1):
            if step.piece is None or position.to_move is not begun.to_move:
                return ()
            actions = moves.actions(position, step)
            is_unobserved |= any(action.before == action.after for action in actions)
            touched |= {action.point for action in actions}
            position = moves.play(position, step)
            stacks = moves.stacks(position)
            if is_unobserved and all(frame[i] == sensors.reading(stacks[i], i) for i in touched):
                return explanation.steps[:count]
        return explanation.steps if explanation.is_whole else ()


def _find_suspects(frame: Frame, mismatch: Mismatch, base: CandidateTurns) -> frozenset[Point]:
    wrong = mismatch.missing | mismatch.extra | mismatch.wrong
    found = set(wrong) if len(wrong) <= _MAX_SUSPECTS else set()
    points = base.position.rules.layout.points
    found.update(point for point in points if base.explains_except(frame, point.index))
    return frozenset(found)


def _replies(before: Position, step: Step) -> tuple[Step, ...]:
    """Return the opponent's possible steps after `step`; none if it does not end the turn."""
    after = before.play(step)
    return after.legal_steps() if after.to_move is not before.to_move else ()
