"""The gestures that open the ask, watched while none is open.

Invariants: a knock that was slow enough to be taken for a placement is taken back. Time is an argument.
"""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.game import Game, Player, Position
from firmware_host.games.layout import Point
from firmware_host.play.asking.touches import TOLERANCE
from firmware_host.play.session import Session
from firmware_host.play.timeline import Checkpoint
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.observation import PACE
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import Mismatch

# ---- the knock ------------------------------------------------------------------------------------------
# The knock: a piece is set down on one empty point three times, quickly.
#
# The reconciler takes a visit for a placement once its dwell is over, and forgets its observations when that
# counts. A slow knock is three such visits, so it is observed here, beside the reconciler and across its
# steps.
#
# Invariants: only presences on an empty point are part of a knock, since a weak sensor drops out by itself;
# exactly three visits are a knock, and a point that goes on changing makes none. Time is an argument.


KNOCKS = 3
MIN_KNOCK: Microseconds = 50_000
MAX_KNOCK: Microseconds = 600_000
"""The shortest and the longest visit, and the shortest and the longest gap between two."""
QUIET: Microseconds = 700_000
"""The time without a change after which a knock is complete, or has failed."""


class KnockDetector:
    """The visits to one point of a board, until they are a knock or something else."""

    def __init__(self) -> None:
        self.deadline: Microseconds | None = None
        """The time at which a knock may be complete although no reading changes."""
        self._last: Frame = ()
        self._home: Frame = ()
        self._point: int | None = None
        self._changes: list[Microseconds] = []

    def restart(self) -> None:
        """Forget the visits so far, because the board was not watched."""
        self._last = ()
        self._forget()

    def update(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> int | None:
        """Return the index of the point that was knocked on, once, when the knock is complete.

        `own` is the frame of a board that matches the game. `may_begin` says that pieces are being placed; a
        knock then begins on a board that matches the game, or that is empty.
        """
        if frame != self._last:
            self._note(frame, own, now, may_begin=may_begin)
            self._last = frame
        return self._decide(now)

    @property
    def began(self) -> Microseconds | None:
        """The time of the first visit, until it is clear what follows; None if none is under way."""
        return self._changes[0] if self._changes else None

    @property
    def _is_down(self) -> bool:
        return len(self._changes) % 2 == 1

    def _note(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> None:
        if self._point is None:
            self._begin(frame, own, now, may_begin=may_begin)
            return
        differing = _differing(frame, self._home)
        if differing - {self._point}:  # what seemed a visit may be a placement, and this the first visit
            self._forget()
            self._begin(frame, own, now, may_begin=may_begin)
        elif bool(differing) != self._is_down:
            self._changes.append(now)
            if len(self._changes) > 2 * KNOCKS + 2:  # it chatters: neither more changes nor fewer are a knock
                del self._changes[:2]

    def _begin(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> None:
        """Begin with a visit to an empty point, if `frame` is one and the board was as it should be."""
        before = self._last
        if not may_begin or not before or (before != own and any(before)):
            return
        differing = _differing(frame, before)
        if len(differing) == 1 and all(before[index] == own[index] == NOTHING for index in differing):
            self._home, self._point, self._changes = before, min(differing), [now]

    def _decide(self, now: Microseconds) -> int | None:
        self.deadline = None
        point, changes = self._point, self._changes
        if point is None:
            return None
        due = changes[-1] + (MAX_KNOCK + TOLERANCE + 1 if self._is_down else QUIET)
        if now < due:
            self.deadline = due
            return None
        is_complete = len(changes) == 2 * KNOCKS and all(map(_is_knock, pairwise(changes)))
        self._forget()
        return point if is_complete else None

    def _forget(self) -> None:
        self._point = None
        self._changes = []
        self.deadline = None


def _is_knock(times: tuple[Microseconds, Microseconds]) -> bool:
    before, after = times
    return MIN_KNOCK - TOLERANCE <= after - before <= MAX_KNOCK + TOLERANCE


def _differing(one: Frame, other: Frame) -> set[int]:
    return {index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b}


# ---- the hold-up ----------------------------------------------------------------------------------------
# The hold-up: two pieces of one player are lifted and held up for two seconds.
#
# Invariants: only a board that lacks exactly these two pieces holds them up, and each time it does is one
# gesture. Pieces that turns back by hand begin with, which are the last ones, are never part of it, nor are
# pieces that vanished faster than a hand lifts one after the other, as in a jolt or with a chip that fails.
# Time is an argument.


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


# ---- the watch ------------------------------------------------------------------------------------------


class GestureWatch:
    """The knock and the two pieces held up, at the board of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._knock = KnockDetector()
        self._hold_up = HoldUpDetector()
        self._began: Microseconds | None = None
        self._before_knock: Checkpoint | None = None
        """The state of the game at the first visit of a knock, of which the game may make a turn."""

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which a gesture may be complete although no reading changes; None if none will be."""
        dues = (self._knock.deadline, self._hold_up.deadline)
        return min((due for due in dues if due is not None), default=None)

    def restart(self) -> None:
        """Forget what was seen so far, because the board was not watched."""
        self._knock.restart()
        self._hold_up.restart()
        self._began = self._before_knock = None

    def completed_in(self, frame: Frame, now: Microseconds) -> set[int]:
        """Return the indexes of the points of a gesture that is complete with this frame; none if none is."""
        session = self._session
        game, sensors = session.game, session.sensor_model
        places_pieces = any(game.position.in_hand(player) for player in Player)
        checkpoint = session.timeline.checkpoint
        knocked = self._knock.update(frame, session.expected_frame(), now, may_begin=places_pieces)
        if knocked is not None:
            self._withdraw_knock()
            return {knocked}
        began = self._knock.began
        if began != self._began:
            self._began, self._before_knock = began, checkpoint
        is_error = session.paused or game.outcome is not None or isinstance(session.verdict, Mismatch)
        held = self._hold_up.update(frame, game, sensors, now, is_error=is_error)
        return {point.index for point in held}

    def _withdraw_knock(self) -> None:
        """Take back what the game has made of the knock."""
        session, before = self._session, self._before_knock
        if before is not None and before != session.timeline.checkpoint:
            session.timeline.restore(before)
            session.rebase()
