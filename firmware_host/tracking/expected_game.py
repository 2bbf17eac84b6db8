"""One game as its sensors should see it: the frame of each position, and the turns that each frame may begin.

Invariants: unobserved actions, at points whose sensor is masked or on high stacks, are never guessed. How far
back a frame can tell what was played depends on them, and on whether the board was watched at the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import Frame
from firmware_host.tracking.candidates import CandidateTurns
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import Mismatch, PartialTurn


class ExpectedGame:
    """A game, and what one sensor model shows of it."""

    def __init__(self, game: Game, sensors: SensorModel, *, found: bool) -> None:
        """Start from `game`; `found` says that the board was not watched since `game` was played."""
        self.game = game
        self.sensor_model = sensors
        self.frames: list[Frame] = []
        """The frame of each position of the game, by its ply."""
        self._observable_from: list[tuple[int, int]] = []
        """By each ply: the earliest one since which all actions, and one of each step, were observable."""
        self._extend_frames()
        self.permission = Permission()
        """The turns that hands may play."""
        self._bases: dict[int, CandidateTurns] = {}
        self._reply_base: CandidateTurns | None = None
        self.is_found = found
        """True if the board may differ from the game since before it was watched."""
        self._unwatched_until = game.ply if found else 0
        self._revisable_from: int | None = None
        self._compared: tuple[Frame, Frame, Mismatch] | None = None

    def rebase(self, game: Game) -> None:
        """Continue from `game`, which shares its start with the current one."""
        self.is_found = False
        known = _common_plies(self.game, game)
        if known < self.game.ply:
            self._unwatched_until = max(start for start in game.turn_starts if start <= known)
        del self.frames[known + 1 :], self._observable_from[known + 1 :]
        if self.permission.turn and not self.permission.holds_for(game.steps):
            self.permit(replace(self.permission, turn=()))
        self._bases = {ply: base for ply, base in self._bases.items() if game.last_turn <= ply <= known}
        self.game = game
        self._extend_frames()
        self._revisable_from = None
        self._reply_base = None

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked."""
        self.sensor_model = sensors
        self.frames, self._observable_from = [], []
        self._extend_frames()
        self._revisable_from = None
        self.permit(self.permission)

    def permit(self, permission: Permission) -> None:
        """Let hands play only the turns of that `permission`, also in a revision."""
        self.permission = permission
        self._bases.clear()
        self._reply_base = None

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of a chosen turn; None if none was chosen."""
        return self.permission.chosen_from(self.game.ply) or None

    def settle(self, *, may_take_back: bool) -> None:
        """Note that the board matches the game, even if it had not been watched.

        If hands `may_take_back` turns, they may then do the last one in another way, also after a take-back.
        """
        if self.is_found or may_take_back:
            self.is_found = False
            self._unwatched_until = 0
            self._revisable_from = None

    # ---- how far back sensors can tell -------------------------------------------------------------

    @property
    def own(self) -> Frame:
        """The frame of a board that matches the game."""
        return self.frames[self.game.ply]

    @property
    def may_revise(self) -> bool:
        """True if all of the last turn may be revised."""
        return self.game.ply > self.game.last_turn >= self.watched_from

    @property
    def revisable_from(self) -> int:
        """The earliest ply a revision can reach; the game's own if there is none."""
        if self._revisable_from is None:
            self._revisable_from = min(max(self.game.last_turn, self.watched_from), self.game.ply)
        return self._revisable_from

    @property
    def fully_observable_from(self) -> int:
        """The earliest ply from which every action of a take-back is visible to the sensors."""
        return self._observable_from[self.game.ply][0]

    @property
    def watched_from(self) -> int:
        """The earliest ply since which the board was watched and no step was invisible."""
        return max(self._unwatched_until, self._observable_from[self.game.ply][1])

    def _extend_frames(self) -> None:
        """Add the frames that are missing up to the game's position."""
        for ply in range(len(self.frames), self.game.ply + 1):
            self.frames.append(self.sensor_model.expected(self.game.positions[ply]))
            hidden = self._unobservable(ply) if ply else [False]
            wholly, partly = self._observable_from[-1] if ply else (0, 0)
            wholly, partly = ply if any(hidden) else wholly, ply if hidden and all(hidden) else partly
            self._observable_from.append((wholly, partly))

    def _unobservable(self, ply: int) -> list[bool]:
        """Return, for the origin and the target of the step to `ply`, whether its action is unobservable."""
        step, before, after = self.game.steps[ply - 1], self.frames[ply - 1], self.frames[ply]
        points = (step.origin, step.target)
        return [before[point.index] == after[point.index] for point in points if point is not None]

    # ---- turns in progress -------------------------------------------------------------------------

    def base(self, ply: int) -> CandidateTurns:
        """Return the turns that can be played from the position at that ply; cached."""
        if ply not in self._bases:
            self._bases[ply] = CandidateTurns(
                self.game.positions[ply],
                self.sensor_model,
                self.permission,
                self.permission.chosen_from(ply),
            )
        return self._bases[ply]

    def replies(self, after: Position, frame: Frame) -> tuple[PartialTurn, ...]:
        """Return how a turn from a position whose steps are not played yet can lead to `frame` and on."""
        if self._reply_base is None or self._reply_base.position is not after:
            self._reply_base = CandidateTurns(after, self.sensor_model, self.permission)
        return self._reply_base.fits(frame)

    def fits(self, frame: Frame) -> tuple[PartialTurn, ...]:
        """Return how the current turn, and the last one if it may be revised, can lead to `frame` and on.

        If nothing that the last turn set down was touched, it only goes on where the current one does not.
        """
        found = self.base(self.game.ply).fits(frame)
        landed = [step.target.index for step in self.game.steps[self.game.last_turn :] if step.target]
        if found and all(frame[index] == self.own[index] for index in landed):
            return found
        for ply in range(self.game.ply - 1, self.revisable_from - 1, -1):
            if frame == self.frames[ply]:
                break
            revised = self.base(ply).fits(frame)
            if revised:
                return found + revised
        return found

    def gives_next(self, frame: Frame) -> bool:
        """Return whether steps of the current turn alone give `frame`."""
        fits = self.base(self.game.ply).fits(frame)
        return any(self.sensor_model.expected(fit.turn.positions[-1]) == frame for fit in fits)

    def stood_like(self, frame: Frame) -> bool:
        """Return whether the board stood so before the last turn, or within it."""
        return frame in self.frames[self.game.last_turn : self.game.ply]

    # ---- comparing frames --------------------------------------------------------------------------

    def missing(self, frame: Frame) -> frozenset[Point]:
        """Return the points where a piece is missing and nothing else is wrong."""
        return self.mismatch(frame).missing

    def filled(self, frame: Frame) -> frozenset[Point]:
        """Return the points that hold something they should not."""
        mismatch = self.mismatch(frame)
        return mismatch.extra | mismatch.wrong

    def named(self, indexes: Iterable[int]) -> frozenset[Point]:
        """Return the points with these indexes."""
        points = self.game.rules.layout.points
        return frozenset(points[index] for index in indexes)

    def mismatch(self, frame: Frame) -> Mismatch:
        """Return all differences between `frame` and the game's position; the last ones are cached."""
        own = self.own
        if self._compared is None or self._compared[0] is not frame or self._compared[1] is not own:
            self._compared = frame, own, self._compare(frame, own)
        return self._compared[2]

    def _compare(self, frame: Frame, own: Frame) -> Mismatch:
        sensors = self.sensor_model
        differing = [p for p in self.game.rules.layout.points if own[p.index] != frame[p.index]]
        stacks = self.game.position.stacks if differing else ()
        missing = frozenset(p for p in differing if sensors.shows_part_of(stacks[p.index], frame[p.index]))
        filled = frozenset(differing) - missing
        extra = frozenset(p for p in filled if frame[p.index].added_top(own[p.index]))
        return Mismatch(missing, extra, filled - extra)


def _common_plies(before: Game, after: Game) -> int:
    """Return the number of steps that two games share from their start."""
    plies = 0
    for one, other in zip(before.steps, after.steps, strict=False):
        if one is not other:
            break
        plies += 1
    return plies
