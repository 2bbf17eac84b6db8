"""From what is felt to what was played: which position a frame fits, and since when.

Positions are tried as bases in this order:
(a) the game's own;
(b) the one after steps that wait for their dwell, if their pieces still stand: a quick reply;
(c) those of the last turn, the latest first: a player may think again until the opponent's turn is
    committed, whatever the take-back setting;
(d) older ones, the latest first, which must stand exactly so: only if take-back is on, the frame has
    rested, and the board is not being cleared.
A frame that fits none is a mismatch, which is told after a while and ends as soon as a frame fits again.

Where (a) fits only because the piece just played could be a capture taken early, and (c) fits too, both stay
open; if both complete, the revision wins if that piece's point opened first. A removed piece that is back
within a second was put back; later it counts as a placement where that is legal. After the end of a game
only (c) is tried, a lift alone takes nothing back, since the board may be being cleared, and nothing is a
mismatch.

Nothing here reads a clock or changes the game: `update` says what to do, `rebase` is told that it was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.fits import Base, completed_steps, expected_frame
from firmware_host.games.game import Game, Step
from firmware_host.games.layout import Point
from firmware_host.point_times import PointTimes
from firmware_host.ports import NOTHING, Alphabet, Frame, Reading
from firmware_host.settings import Microseconds, Timing
from firmware_host.verdict import Completed, Fit, Lifted, Mismatch, Revised, Settled, Verdict

_CLEARING = 3
"""So many pieces gone, and nothing else changed, look like a board that is being cleared."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """One way to understand a frame: from the position at `ply`, through `fits`.

    `steps` are those completed since `ply`: none where the frame is that position's own, and None where
    something is only begun.
    """

    ply: int
    fits: tuple[Fit, ...]
    steps: tuple[Step, ...] | None


class Reconciler:
    """Follows the frames of one game from its beginning to the clearing of the board."""

    def __init__(
        self, game: Game, alphabet: Alphabet, timing: Timing, *, take_back: bool, found: bool = False
    ) -> None:
        """`take_back`: whether turns older than the last may be taken back by moving back.

        `found`: the board was not looked at since `game` was played. Until it stands so, or hands play on,
        what is missing there is missing, and no take-back.
        """
        self.take_back = take_back
        self.deadline: Microseconds | None = None
        """When the verdict may change although the frame does not; None: not before it does."""
        self._alphabet = alphabet
        self._wait = _Waits(timing)
        self._game = game
        self._choice: tuple[int, tuple[Step, ...]] | None = None
        self._bases: dict[int, Base] = {}
        self._reply_base: Base | None = None
        self._expected = [expected_frame(position, alphabet) for position in game.positions]
        self._fixed = game.ply if found else 0
        self._found = found
        self._frame: Frame = ()
        self._times = PointTimes(len(self._expected[0]))
        self._waiting: _Claim | None = None
        self._unfit_since: Microseconds | None = None
        self._mended: Microseconds = 0
        self._undoing: Frame | None = None
        self._shown: Settled | Lifted | Mismatch = Settled()

    def rebase(self, game: Game, undoing: Frame | None = None) -> None:
        """Go on from `game`, which shares its start with the one before.

        `undoing`: the frame in which a take-back was asked for. On the way from there to the game's position
        nothing counts as the same turn once more.
        """
        known = _common_plies(self._game, game)
        if known < self._game.ply:
            self._fixed = max(start for start in game.turn_starts if start <= known)
        self._expected[known + 1 :] = [expected_frame(p, self._alphabet) for p in game.positions[known + 1 :]]
        if self._choice is not None and not _goes_on(game, *self._choice):
            self.choose(None)
        self._bases = {ply: base for ply, base in self._bases.items() if game.last_turn <= ply <= known}
        self._game = game
        if self._reply_base is not None and self._reply_base.position == game.position and not self.chosen:
            self._bases[game.ply] = self._reply_base
        self._reply_base = None
        self._waiting = None
        self._unfit_since = None
        self._found = False
        self._shown = Settled()
        self._undoing = undoing

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); thinking again keeps to it."""
        self._choice = None if turn is None else (self._game.ply, turn)
        self._bases.clear()

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """What is left to do of a chosen turn; None where any legal one may be done."""
        return self._chosen_from(self._game.ply)

    def update(self, frame: Frame, now: Microseconds) -> Verdict:
        """What `frame`, debounced and felt at `now`, means; to be called on each change and each deadline."""
        self._times.note(self._frame, frame, now)
        self._frame = frame
        self.deadline = None
        if frame == self._expected[self._game.ply]:
            return self._settle()
        if self._is_undoing(frame):
            return self._unfit(frame, now)
        claim = self._claim(frame)
        if claim is None:
            return self._older(frame, now) or self._unfit(frame, now)
        self._unfit_since = None
        if isinstance(self._shown, Mismatch):
            self._mended = now
        return self._judge(claim, frame, now)

    # ---- which base --------------------------------------------------------------------------------

    def _base(self, ply: int) -> Base:
        if ply not in self._bases:
            chosen = self._chosen_from(ply)
            self._bases[ply] = Base(self._game.positions[ply], self._alphabet, chosen)
        return self._bases[ply]

    def _chosen_from(self, ply: int) -> tuple[Step, ...] | None:
        if self._choice is None or ply < self._choice[0]:
            return None
        begun, turn = self._choice
        return turn[ply - begun :] or None

    def _claim(self, frame: Frame) -> _Claim | None:
        """Bases (a) to (c)."""
        own = self._fit(self._game.ply, frame)
        again = self._think_again(frame)
        if own is not None and again is not None:
            if self._put_back(own, frame):
                return again
            if self._could_be_early_capture(frame):
                return self._both(own, again, frame)
        if own is not None:
            return own
        waiting = self._waiting
        if waiting is not None and waiting.steps and self._is_quick_reply(waiting, frame):
            return waiting
        return again

    def _fit(self, ply: int, frame: Frame) -> _Claim | None:
        fits = self._base(ply).fits(frame)
        if not fits:
            return None
        whole = [fit for fit in fits if completed_steps(fit)]
        if not whole:
            return _Claim(ply, fits, None)
        done = min(whole, key=self._times.order)
        return _Claim(ply, (done, *(fit for fit in fits if fit is not done)), completed_steps(done))

    def _think_again(self, frame: Frame) -> _Claim | None:
        """Base (c): the latest that explains all of the frame, else the latest that explains it as begun."""
        begun = None
        for ply in range(self._game.ply - 1, max(self._game.last_turn, self._fixed) - 1, -1):
            if frame == self._expected[ply]:
                only_lifted = not any(self._filled(frame))
                return _Claim(ply, (), None if self._game.outcome and only_lifted else ())
            claim = self._fit(ply, frame)
            if claim is not None and claim.steps is not None:
                return claim
            begun = begun or claim
        return begun

    def _last_turn(self) -> tuple[Step, ...]:
        return self._game.steps[self._game.last_turn :]

    def _put_back(self, own: _Claim, frame: Frame) -> bool:
        """Whether a piece that the last turn removed stands again, and was away for a short time only.

        A piece that moved there from a point that opened before is not the one that was removed.
        """
        removed = [step.origin for step in self._last_turn() if step.origin and step.target is None]
        moved = {step.target for step in own.steps or () if self._times.opened_first(step)}
        return any(
            frame[point.index] != NOTHING and self._times.gap(point) < self._wait.put_back
            for point in removed
            if point not in moved
        )

    def _could_be_early_capture(self, frame: Frame) -> bool:
        own = self._expected[self._game.ply]
        played = [step.target.index for step in self._last_turn() if step.target]
        return any(frame[index] != own[index] for index in played)

    def _both(self, own: _Claim, again: _Claim, frame: Frame) -> _Claim:
        """Either a capture taken early or the last turn thought over: what follows decides."""
        if own.steps and again.steps is not None:
            opened = [
                self._times.opened[step.target.index]
                for step in self._last_turn()
                if step.target and frame[step.target.index] == NOTHING
            ]
            filled = [self._times.changed[point.index] for point in self._filled(frame)]
            return again if not filled or (opened and min(opened) <= max(filled)) else own
        if own.steps or again.steps:
            return own if own.steps else again
        return _Claim(own.ply, own.fits + again.fits, None)

    def _is_quick_reply(self, waiting: _Claim, frame: Frame) -> bool:
        steps = waiting.steps or ()
        after = waiting.fits[0].turn.positions[len(steps) - 1]
        base = self._reply_base
        if base is None or base.position is not after:
            base = self._reply_base = Base(after, self._alphabet)
        landed = [step.target.index for step in steps if step.target]
        stands = all(frame[index] == base.frame[index] for index in landed)
        return stands and not self._is_half_mended(_touched(steps)) and bool(base.fits(frame))

    def _is_half_mended(self, points: Iterable[Point]) -> bool:
        """Whether what would count stood so already when a mismatch came to its end elsewhere.

        Hands that mend a board pass through frames that look like a turn which nobody played.
        """
        return max((self._times.changed[point.index] for point in points), default=0) < self._mended

    def _is_undoing(self, frame: Frame) -> bool:
        """Whether a take-back was asked for and each point is still as it was then, or as it shall be."""
        if self._undoing is None:
            return False
        return all(map(_is_either, frame, self._undoing, self._expected[self._game.ply]))

    # ---- what it means -----------------------------------------------------------------------------

    def _settle(self) -> Settled:
        if self._found:
            self._found, self._fixed = False, 0
        self._waiting = None
        self._unfit_since = None
        self._undoing = None
        self._shown = Settled()
        return self._shown

    def _judge(self, claim: _Claim, frame: Frame, now: Microseconds) -> Verdict:
        if claim.steps is not None:
            replied = claim is self._waiting
            due = self._due(claim, frame)
            if replied or now >= due:
                self._waiting = None
                return (
                    Completed(claim.steps) if claim.ply == self._game.ply else Revised(claim.ply, claim.steps)
                )
            self.deadline = due
        self._waiting = claim if claim.steps is not None else None
        self._shown = Lifted(frozenset(self._gone(frame)), claim.fits)
        return self._shown

    def _due(self, claim: _Claim, frame: Frame) -> Microseconds:
        """When the claim's steps have waited long enough."""
        changed = self._times.changed
        dues: dict[Point, Microseconds] = {}
        if claim.ply != self._game.ply:
            dues = {point: changed[point.index] + self._wait.sliding for point in self._filled(frame)}
        for index, step in enumerate(claim.steps or ()):
            if step.target is not None:
                slides = self._base(claim.ply).has_other_landing(claim.fits[0], index)
                wait = self._wait.sliding if slides else self._wait.landing
                dues[step.target] = changed[step.target.index] + wait
            elif step.origin is not None:
                dues[step.origin] = changed[step.origin.index] + self._wait.removal
        if not dues:
            dues = {point: changed[point.index] + self._wait.removal for point in self._gone(frame)}
        if self._is_half_mended({*dues, *_touched(claim.steps or ())}):
            return max(*dues.values(), self._mended + self._wait.rest)
        return max(dues.values())

    def _older(self, frame: Frame, now: Microseconds) -> Revised | None:
        """Base (d)."""
        if not self.take_back or self._found or self._game.outcome or self._is_clearing(frame):
            return None
        for ply in range(self._game.ply - 1, -1, -1):
            if frame == self._expected[ply]:
                rested = self._times.latest + self._wait.rest
                if now >= rested:
                    return Revised(ply, ())
                self.deadline = rested
                return None
        return None

    def _is_clearing(self, frame: Frame) -> bool:
        gone = list(self._gone(frame))
        only_gone = not any(self._filled(frame))
        return not any(frame) or (only_gone and len(gone) >= _CLEARING)

    def _unfit(self, frame: Frame, now: Microseconds) -> Settled | Lifted | Mismatch:
        if self._game.outcome is not None:
            return self._settle()
        if self._unfit_since is None:
            self._unfit_since = now
        mismatch = self._mismatch(frame)
        dues = [self._unfit_since + self._wait.mismatch]
        for point in mismatch.extra | mismatch.wrong:
            landed = self._times.changed[point.index]
            if landed >= self._unfit_since:
                dues.append(landed + self._wait.illegal)
        if isinstance(self._shown, Mismatch) or self._undoing is not None or now >= min(dues):
            self._shown = self._without_brushes(mismatch, now)
        else:
            self._wake_at(min(dues))
        return self._shown

    def _without_brushes(self, mismatch: Mismatch, now: Microseconds) -> Mismatch:
        """Leave out points that are filled since a moment only, unless they are shown already."""
        shown = self._shown
        known = shown.extra | shown.wrong if isinstance(shown, Mismatch) else frozenset[Point]()
        dues = {
            point: self._times.changed[point.index] + self._wait.illegal
            for point in (mismatch.extra | mismatch.wrong) - known
        }
        young = {point for point, due in dues.items() if now < due}
        rest = Mismatch(mismatch.missing, mismatch.extra - young, mismatch.wrong - young)
        if not young or not (rest.missing or rest.extra or rest.wrong):
            return mismatch
        self._wake_at(min(dues[point] for point in young))
        return rest

    def _wake_at(self, due: Microseconds) -> None:
        self.deadline = due if self.deadline is None else min(due, self.deadline)

    def _mismatch(self, frame: Frame) -> Mismatch:
        own = self._expected[self._game.ply]
        filled = frozenset(self._filled(frame))
        extra = frozenset(point for point in filled if own[point.index] == NOTHING)
        return Mismatch(missing=frozenset(self._gone(frame)), extra=extra, wrong=filled - extra)

    def _gone(self, frame: Frame) -> Iterator[Point]:
        """The points that are empty and should not be."""
        own = self._expected[self._game.ply]
        return (p for p in self._game.rules.layout.points if own[p.index] != frame[p.index] == NOTHING)

    def _filled(self, frame: Frame) -> Iterator[Point]:
        """The points that hold what they should not."""
        own = self._expected[self._game.ply]
        return (p for p in self._game.rules.layout.points if own[p.index] != frame[p.index] != NOTHING)


class _Waits:
    """The waits of `Timing` in microseconds."""

    def __init__(self, timing: Timing) -> None:
        self.landing = timing.landing_ms * 1000
        self.sliding = timing.sliding_landing_ms * 1000
        self.removal = timing.removal_ms * 1000
        self.put_back = timing.put_back_ms * 1000
        self.illegal = timing.illegal_landing_ms * 1000
        self.mismatch = timing.mismatch_ms * 1000
        self.rest = timing.take_back_rest_ms * 1000


def _touched(steps: Iterable[Step]) -> Iterator[Point]:
    """The points that hands touch when they do `steps`."""
    return (point for step in steps for point in (step.origin, step.target) if point is not None)


def _goes_on(game: Game, begun: int, turn: tuple[Step, ...]) -> bool:
    """Whether a game has come to ply `begun`, and what was played from there is of `turn`."""
    played = game.steps[begun : begun + len(turn)]
    return game.ply >= begun and played == turn[: len(played)]


def _is_either(reading: Reading, one: Reading, other: Reading) -> bool:
    return reading in (one, other)


def _common_plies(before: Game, after: Game) -> int:
    """How many steps two games have in common from their start."""
    plies = 0
    for one, other in zip(before.steps, after.steps, strict=False):
        if one is not other:
            break
        plies += 1
    return plies
