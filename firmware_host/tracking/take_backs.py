"""Older positions and positions that were taken back: going more than one turn back or forward by hand.

A board that stands as some turns ago is a take-back, if its pieces were moved back at a human pace, and hands
may play on from there. Until another step is played, they can put the pieces forward again, in any order: the
next turn is played like any other, and beyond its end a frame counts if it is that of a later position, or on
the way to one. While a take-back that was requested is under way, nothing counts as the same turn played
again.

Invariants: a position that the sensors could not see all steps to is never matched. A board that is being
cleared is no older position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from firmware_host.games.game import Game
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.decision import differing, is_between
from firmware_host.tracking.display import Display
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.observation import LONG_AGO, PACE, Mark, Observation
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import PutForward, Revised, TakingBack, Unchanged

_CLEARED_PIECES = 3
"""This many missing pieces, with no other change, look like a board that is being cleared."""
_MAX_STEPS = 60
"""The number of steps that are compared one by one; more would cost a frame too much."""


class TakeBacks:
    """The ways of one game back and forward again over more than one turn."""

    allowed: bool
    """True if pieces that are moved back take back turns before the last."""

    def __init__(
        self, expected: ExpectedGame, seen: Observation, dwell: Dwell, display: Display, *, allowed: bool
    ) -> None:
        """Follow the `expected` game; `seen` is what happens on its board."""
        self.allowed = allowed
        self._expected = expected
        self._seen = seen
        self._dwell = dwell
        self._display = display
        self.announced: Mark | None = None
        """The older position that light has announced; None before that, and once play goes on."""
        self._requested_in: Frame | None = None
        self._furthest = expected.game
        self._undone: UndoneLine | None = None
        self._may_redo = False

    def rebase(self, requested_in: Frame | None) -> None:
        """Continue after the game has changed; `requested_in` is the frame in which that was requested."""
        self.announced = None
        self._requested_in = requested_in
        self._may_redo = self._may_redo and requested_in is None
        self.follow(self._expected.game)

    def follow(self, furthest: Game) -> None:
        """Let hands redo the rest of `furthest`, of which the game is the beginning."""
        self._furthest = furthest
        self.use_sensors()

    def use_sensors(self) -> None:
        """Continue with the frames that the expected game has now."""
        game, sensors = self._expected.game, self._expected.sensor_model
        has_more = self._furthest.ply > game.ply
        self._undone = UndoneLine(game, self._furthest, sensors) if has_more else None

    def settle(self) -> None:
        """Note that the board matches the game: a request is complied with, and redoing may begin."""
        self.announced = self._requested_in = None
        self._may_redo = True

    # ---- on request ----------------------------------------------------------------------------------

    @property
    def is_requested(self) -> bool:
        """True from a request until the board matches the game."""
        return self._requested_in is not None

    def is_under_way(self) -> bool:
        """Return whether hands are following a request.

        They are while a piece stands where it has to leave, or nothing else than the take-back has been done.
        """
        before = self._requested_in
        if before is None:
            return False
        frame, own = self._seen.frame, self._expected.own
        to_leave = (
            reading == was != expected and reading != NOTHING
            for reading, was, expected in zip(frame, before, own, strict=True)
        )
        return any(to_leave) or is_between(frame, before, own)

    # ---- back ----------------------------------------------------------------------------------------

    def note_back(self) -> None:
        """Note that the board stands as some turns ago, what they set down having left the latest first."""
        if self.allowed and not self._expected.is_found:
            ply = self._stands_as()
            if ply is not None and not self._is_put_forward(ply) and self.is_mirrored(ply):
                self._mark(ply)

    def _is_put_forward(self, ply: int) -> bool:
        """Return whether the board stands so because hands go on from an announced take-back."""
        return self.announced is not None and len(self.announced.steps) < ply

    def _mark(self, ply: int) -> None:
        seen = self._seen
        seen.back = Mark(self._expected.game.steps[:ply], seen.frame, dict(seen.removed), [])

    def _stands_as(self) -> int | None:
        """Return the ply before which the turns were taken back, if the board stands so; None if it doesn't.

        Each turn takes a touch at least, at the pace of hands. Few pieces often stand as long ago by chance.
        """
        expected, seen = self._expected, self._seen
        ply = self.last_like_this(expected.fully_observable_from)
        if ply is None:
            return None
        turns = sum(ply <= start < expected.game.ply for start in expected.game.turn_starts)
        moved = differing((seen.frame, expected.own))
        return None if turns > len(seen.changes) or seen.pace(moved) < PACE else ply

    def last_like_this(self, first: int) -> int | None:
        """Return the last ply before the game's, from ply `first` on, at which the board stood as it does."""
        older, frame = self._expected.frames[first:-1], self._seen.frame
        return first + len(older) - 1 - older[::-1].index(frame) if frame in older else None

    def go_back(self, best: Sequence[Explanation], now: Microseconds) -> Revised | Unchanged | None:
        """Return the take-back over several turns, that it is announced, or under way; None if it is none.

        If new turns explain the board `best`, the pieces must have been lifted in the reverse of the order in
        which they were played: new turns come in the other order.
        """
        expected = self._expected
        if not self.allowed or expected.is_found or expected.game.declared or self.is_clearing():
            return None
        ply, is_played = self._stands_as(), any(e.ply == expected.game.ply for e in best)
        if ply is not None and not (is_played and not self.is_mirrored(ply)):
            return self._announced(ply, now)
        return self._on_the_way_back(now, is_explained=bool(best))

    def _on_the_way_back(self, now: Microseconds, *, is_explained: bool) -> Unchanged | None:
        """Return that the next piece of a take-back is awaited; None if hands take none back, or no more.

        Hands that have only begun to take the last turn back think it over, if that explains the board. Each
        turn that was taken back took a touch at least.
        """
        expected, frame, due = self._expected, self._seen.frame, self._seen.latest + self._dwell.put_back
        if now >= due or self._display.mismatch is not None:
            return None
        most = len(self._seen.changes) + 1
        for start, end in itertools.islice(self._last_turns(), int(is_explained), most):
            if is_between(frame, expected.frames[start], expected.frames[end]):
                if not self.is_mirrored(start):
                    return None
                self._dwell.wait_until(due)
                return self._display.show_lifted()
        return None

    def _last_turns(self) -> Iterator[tuple[int, int]]:
        """Yield the ply before and after each turn that sensors can show taken back, the last turn first."""
        game, end = self._expected.game, self._expected.game.ply
        earliest = max(self._expected.fully_observable_from, end - _MAX_STEPS)
        for start in itertools.takewhile(lambda start: start >= earliest, reversed(game.turn_starts)):
            if start < end:
                yield start, end
                end = start

    def go_back_by(self, ply: int, touches: int, now: Microseconds) -> Revised | Unchanged | None:
        """Return the take-back to `ply`, for which that many points were touched; None if it is none."""
        expected, seen = self._expected, self._seen
        if not self.allowed or expected.is_found or expected.game.declared or self.is_clearing():
            return None
        moved = differing((seen.frame, expected.own))
        turns = sum(ply <= start < expected.game.ply for start in expected.game.turn_starts)
        return None if turns > touches or seen.pace(moved) < PACE else self._announced(ply, now)

    def is_mirrored(self, ply: int) -> bool:
        """Return whether what each turn since `ply` set down was lifted before that of the turn before.

        Hands take pieces one by one; a jolt doesn't.
        """
        lifted = LONG_AGO
        for start, end in self._last_turns():
            if end <= ply:
                break
            steps = self._expected.game.steps[start:end]
            targets = [step.target.index for step in steps if step.target is not None]
            times = (time for index in targets for time in self._seen.openings(index))
            later = [time for time in times if time >= lifted + PACE]
            if not later:
                return False
            lifted = min(later)
        return True

    def _announced(self, ply: int, now: Microseconds) -> Revised | Unchanged:
        """Return the take-back to `ply`, which is announced for most of its wait."""
        back = self._seen.back
        if back is None or back.log or back.own != self._seen.frame:
            self._mark(ply)
        due = self._seen.latest + self._dwell.rest
        announced = self._seen.latest + self._dwell.unannounced
        if now >= due:
            return Revised(ply, ())
        self._dwell.wait_until(due if now >= announced else announced)
        if now >= announced:
            self.announced = self._seen.back
            moved = differing((self._seen.frame, self._expected.own))
            return self._display.show(TakingBack(ply, self._expected.named(moved)))
        return self._display.show_lifted()

    def is_clearing(self) -> bool:
        """Return whether pieces are only being taken off: many of them, or some after the end."""
        frame, is_over = self._seen.frame, self._expected.game.outcome is not None
        missing, filled = self._expected.missing(frame), self._expected.filled(frame)
        return not any(frame) or (not filled and (is_over or len(missing) >= _CLEARED_PIECES))

    # ---- and forward ---------------------------------------------------------------------------------

    def redo(self, now: Microseconds) -> PutForward | Unchanged | None:
        """Return the verdict on a frame of turns that were taken back; None if it is not one, or no more."""
        if self._undone is None or not self._may_redo or self._expected.chosen is not None:
            return None
        to = self._undone.match(self._seen.frame)
        if to is not None and self._expected.gives_next(self._seen.frame):
            return None  # several turns with a capture can come to the same as one
        due = self._seen.latest + (self._dwell.redo if to is None else self._dwell.landing)
        if now >= due:
            return None if to is None else PutForward(to)
        lights = self._display.mismatch
        if to is None and (lights is not None or not self._undone.is_on_the_way(self._seen.frame)):
            return None
        self._dwell.wait_until(due)
        return lights or self._display.show_in_progress()


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
        return any(is_between(frame, self._own, later) for later in self._later.values())


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
