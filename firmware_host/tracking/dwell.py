"""The dwell: how long each kind of explanation must hold before it counts.

| what                                                   | waits                                       |
| ------------------------------------------------------ | ------------------------------------------- |
| a landing that ends its step                           | `landing_ms` after it                       |
| a landing from which the piece could slide on          | `sliding_landing_ms` after it               |
| a landing on a high stack that reads like a lift       | `put_back_ms` after it                      |
| a removal                                              | `removal_ms` after it                       |
| a step of a piece that vanished together with another  | `put_back_ms` after it                      |
| a revision, an unlikely turn, a piece that may be back | `put_back_ms` after the last lift or change |
| an answer to a question that ends with a lift          | `put_back_ms` after it                      |
| a move of the opponent's piece, revised or undone      | `put_back_ms` after its landing             |
| a placement, after a piece has touched another point    | `put_back_ms` after that piece was lifted   |
| a removal that a reply declines                        | `put_back_ms` after the mill and the reply  |
| several explanations that end differently              | half of `mismatch_ms` after the last change |
| the same, while a piece is in hand or a removal is due | `put_back_ms` after the last change         |
| an older position                                      | `take_back_rest_ms` after the last change   |
| the next piece on the way to an older position         | `put_back_ms` after the last change         |

Invariants: a step counts at the earliest `landing_ms` after all likely explanations agreed on it, and never
before the steps in front of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from firmware_host.games.game import Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import SensorKind
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import DOUBTFUL, Explanation
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.verdict import Completed, Revised


class Dwell:
    """The waits of `Timing` in microseconds, and since when steps have been agreed on."""

    def __init__(self, timing: Timing) -> None:
        """Take the waits from `timing`."""
        self.debounce = timing.debounce_ms * 1000
        self.landing = timing.landing_ms * 1000
        self.sliding = timing.sliding_landing_ms * 1000
        self.removal = timing.removal_ms * 1000
        self.put_back = timing.put_back_ms * 1000
        self.illegal = timing.illegal_landing_ms * 1000
        self.mismatch = timing.mismatch_ms * 1000
        self.undecided = self.mismatch // 2
        self.rest = timing.take_back_rest_ms * 1000
        self.unannounced = self.rest // 3
        """An older position is announced by light for the last two thirds of its wait."""
        self.carried = self.redo = 2 * self.put_back
        """The longest time for which a piece is carried that seems to be removed, and the longest between two
        pieces of a turn that is redone."""
        self.deadline: Microseconds | None = None
        """The time at which the first wait ends that is on now; None if nothing is waited for."""
        self._before: dict[tuple[str, ...], Microseconds] = {}
        self._agreed: dict[tuple[str, ...], Microseconds] = {}
        """Since when runs of steps have been agreed on, without a break."""

    def wait_until(self, due: Microseconds) -> None:
        """Note that something may change at `due` although no reading does."""
        self.deadline = due if self.deadline is None else min(due, self.deadline)

    def begin(self) -> None:
        """Begin another look at the board: only what it agrees on again keeps its time."""
        self._before, self._agreed = self._agreed, {}

    def forget(self) -> None:
        """Start again without steps that were agreed on."""
        self._agreed = {}

    def dues(
        self,
        steps: Iterable[tuple[Step, Microseconds]],
        seen: Observation,
        earliest: Microseconds,
        now: Microseconds,
    ) -> list[Microseconds]:
        """Return when each step counts; each comes with the wait after its last action."""
        dues: list[Microseconds] = []
        due, texts = earliest, tuple[str, ...]()
        for step, wait in steps:
            texts = (*texts, step.text)
            since = self._agreed[texts] = self._before.get(texts, now)
            point = step.target or step.origin
            if point is not None:
                due = max(due, since + self.landing, seen.changed[point.index] + wait)
            dues.append(due)
        return dues


class Committer:
    """The counting of steps that all likely explanations agree on, once each has waited for its dwell."""

    def __init__(self, expected: ExpectedGame, seen: Observation, dwell: Dwell, moves: Moves) -> None:
        """Judge steps of the `expected` game by when they were `seen`."""
        self._expected = expected
        self._seen = seen
        self._dwell = dwell
        self._moves = moves

    def commit(
        self,
        best: Sequence[Explanation],
        steps: tuple[Step, ...],
        now: Microseconds,
        *,
        may_return: bool,
        may_go_back: bool,
    ) -> Completed | Revised | None:
        """Return the change to make if some of the steps that were agreed on have waited long enough.

        `may_return` says that a piece in hand, if it comes back, would make another explanation whole, and
        `may_go_back` that hands were asked what they did, and may be about to put all of it back.
        """
        first, dwell = best[0], self._dwell
        steps = _until_lifted(steps, best)
        revised = first.ply < self._expected.game.ply
        earliest = self._revision_due(first, may_return=may_return or not steps) if revised else 0
        earliest = max(earliest, self._decline_due(first.ply, steps), self._return_due(steps))
        if may_go_back or first.cost >= DOUBTFUL or (revised and self.moves_back(steps)):
            earliest = max(earliest, self._seen.latest + dwell.put_back)
        dues = dwell.dues(self._waits(first, steps), self._seen, earliest, now)
        ready = sum(due <= now for due in dues)
        while ready and (steps[ready - 1].piece is None or _restores(steps[ready:])):
            ready -= 1
        landing = next((at for at, step in enumerate(steps, start=1) if step.target is not None), 0)
        if revised and now >= earliest and ready >= landing and (ready or not steps):
            return Revised(first.ply, steps[:ready])
        if ready and not revised:
            return Completed(steps[:ready])
        later = [due for due in (*dues, earliest) if due > now]
        if later:
            dwell.wait_until(min(later))
        return None

    def _decline_due(self, ply: int, steps: tuple[Step, ...]) -> Microseconds:
        """Return when a reply declines a removal: until then, the piece may still be taken.

        A reply may have landed before the mill was closed.
        """
        run = (*self._expected.game.steps[:ply][-1:], *steps)
        declined = (
            (closing.target, reply.target)
            for closing, decline, reply in zip(run, run[1:], run[2:], strict=False)
            if decline.piece is None and reply.target
        )
        landed = (self._seen.changed[point.index] for points in declined for point in points if point)
        return max((time + self._dwell.put_back for time in landed), default=0)

    def _return_due(self, steps: tuple[Step, ...]) -> Microseconds:
        """Return when a placement is no reply: until then, a piece that touched another point may return.

        Sensors that recognise colours tell whose piece is down.
        """
        expected, seen = self._expected, self._seen
        knows_owner = expected.sensor_model.alphabet is not SensorKind.PRESENCE or expected.permission.bound
        if knows_owner or not steps or steps[0].origin is not None or steps[0].target is None:
            return 0
        last, landed = seen.counted[1], seen.changed[steps[0].target.index]
        left = [index for index, time in enumerate(seen.opened) if last < time < landed]
        if not left:
            return 0
        before, now = expected.game.positions[expected.game.last_turn].stacks, expected.game.position.stacks
        free = (index for index in left if not (seen.frame[index] or before[index] or now[index]))
        return max((seen.opened[index] + self._dwell.put_back for index in free), default=0)

    def moves_back(self, steps: tuple[Step, ...]) -> bool:
        """Return whether a step is an earlier one in reverse, so that more may be taken back after it."""
        game = self._expected.game
        kept = {step.text for step in game.steps[game.last_turn :]}
        moved = [step for step in steps if step.origin and step.target and step.text not in kept]
        return any(
            earlier.origin is step.target and earlier.target is step.origin
            for step in moved
            for earlier in game.steps
        )

    def _waits(
        self, explanation: Explanation, steps: tuple[Step, ...]
    ) -> Iterator[tuple[Step, Microseconds]]:
        """Yield each step with how long its last action has to stand."""
        position = self._expected.game.positions[explanation.ply]
        moved = {step.origin.index for step in steps if step.origin is not None}
        for step in steps:
            is_doubtful = step.origin is not None and self._vanished_with_another(step.origin, moved)
            yield step, self._dwell.put_back if is_doubtful else self._wait(position, step)
            position = self._moves.play(position, step)

    def _vanished_with_another(self, point: Point, moved: Set[int]) -> bool:
        """Return whether another piece, not `moved`, left in the same frame: a chip may have failed."""
        expected, seen = self._expected, self._seen
        missing = (index for index, own in enumerate(expected.own) if own and seen.frame[index] != own)
        return any(seen.opened[index] == seen.opened[point.index] for index in missing if index not in moved)

    def _wait(self, position: Position, step: Step) -> Microseconds:
        """Return how long a step's last action has to stand.

        On a high stack a landing may read like a lift, and the lifted piece may come back.
        """
        if step.target is None:
            return self._dwell.removal
        landing = self._moves.actions(position, step)[-1]
        if landing.after.lost_top(landing.before):
            return self._dwell.put_back
        others = (s.target for s in self._moves.steps(position) if s.origin is step.origin and s.target)
        could_slide = any(target is not step.target for target in others)
        return self._dwell.sliding if could_slide else self._dwell.landing

    def _revision_due(self, explanation: Explanation, *, may_return: bool) -> Microseconds:
        """Return when a revision counts: a piece that comes back within a second was only straightened.

        One that sets down a piece of the opponent may be the beginning of the opponent's turn.
        """
        frame, seen = self._seen.frame, self._seen
        later = {step.target for step in explanation.steps[1:]}
        filled = self._expected.filled(frame) - later
        wait = self._dwell.put_back if self._relocates(explanation) else self._dwell.sliding
        dues = [seen.changed[point.index] + wait for point in filled]
        if may_return:
            before = self._expected.frames[explanation.ply]
            vacated = [index for index in explanation.undone if frame[index] == before[index]]
            dues += [seen.opened[index] + self._dwell.put_back for index in vacated]
        return max(dues, default=0)

    def _relocates(self, explanation: Explanation) -> bool:
        """Return whether a run begins with a piece of the opponent that is moved elsewhere, or moved back."""
        game, ply = self._expected.game, explanation.ply
        mover = game.positions[ply].to_move
        begun = explanation.steps[:1] or game.steps[ply : ply + 1]
        return any(s.target and s.piece and s.piece.owner is not mover for s in begun)


def _restores(steps: tuple[Step, ...]) -> bool:
    """Return whether steps vacate and fill a point, as would be forgotten if those before them counted."""
    return not {step.origin for step in steps}.isdisjoint({step.target for step in steps} - {None})


def _until_lifted(steps: tuple[Step, ...], best: Iterable[Explanation]) -> tuple[Step, ...]:
    """Return the steps up to the first whose piece is lifted again."""
    lifted = {index for explanation in best for index in explanation.in_hand}
    stand = next((i for i, s in enumerate(steps) if s.target and s.target.index in lifted), len(steps))
    return steps[:stand]
