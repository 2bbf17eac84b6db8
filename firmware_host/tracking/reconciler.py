"""From observed frames to moves: the position of the game that a frame fits, and since when.

Positions are tried as bases in this order:
(a) the game's own;
(b) the one after steps that wait for their dwell, if their pieces still stand: a quick reply;
(c) those of the last turn, the latest first: a player may revise a turn until the opponent's is committed,
    whatever the take-back setting;
(d) older ones, the latest first, which must match exactly: only if take-back is on, the frame has rested,
    and the board is not being cleared.
A frame that fits none is a mismatch, which is reported after a while and ends as soon as a frame fits again.
A turn and its reply that appear in a single frame are a mismatch, too, since nothing shows that both were
meant.

If (a) fits only because the piece just played could be a capture taken early, and (c) fits as well, both stay
open; if both complete, the revision wins if that piece's point was vacated first. A removed piece that is
back within a second was put back; later it counts as a placement, if that is legal. Where pieces may be moved
while others are placed, a piece that is lifted right after a placement could have been moved there instead:
that counts once the board has rested. After the end of a game only (c) is tried, a lift alone takes nothing
back, since the board may be being cleared, and nothing is a mismatch.

Turns that were taken back are put back like others, the next one first. A frame of a position after more
than one of them wins over all bases, once it has stood for a landing, and one on the way there, in whatever
order, is left time. That holds once the board has stood as the game went back to.

Invariants: nothing here reads a clock or changes the game. `update` returns the change to make, and the
caller confirms it with `rebase`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import Frame, Reading
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.ambiguity import confirmable, overlooked, suspects
from firmware_host.tracking.history import PointHistory
from firmware_host.tracking.hypotheses import Hypothesis, HypothesisTracker
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.undone import UndoneLine
from firmware_host.tracking.verdict import Completed, InProgress, Mismatch, Redone, Revised, Settled, Verdict

_NOTHING_WRONG = Mismatch(frozenset(), frozenset(), frozenset())
_CLEARED_PIECES = 3
"""This many missing pieces, with no other change, look like a board that is being cleared."""


class Reconciler:
    """A follower of one game's frames, from its beginning to the clearing of the board."""

    def __init__(
        self, game: Game, sensors: SensorModel, timing: Timing, *, take_back: bool, found: bool = False
    ) -> None:
        """Follow `game`; `take_back` allows taking back turns before the last by moving the pieces back.

        `found` says that the board was not watched since `game` was played. Until the board matches the game,
        or play continues, a missing piece is missing, and is no take-back.
        """
        self.take_back = take_back
        self.deadline: Microseconds | None = None
        """The time at which the verdict may change with the same frame; None if it cannot."""
        self._wait = _Waits(timing)
        self._history = PointHistory(len(game.rules.layout))
        self._hypotheses = HypothesisTracker(game, sensors, self._history, found=found)
        self._found = found
        self._frame: Frame = ()
        self._waiting: Hypothesis | None = None
        self._mismatch_since: Microseconds | None = None
        self._repaired_at: Microseconds = 0
        self._undoing: Frame | None = None
        self._furthest = game
        self._undone: UndoneLine | None = None
        self._may_redo = False
        self._shown: Settled | InProgress | Mismatch = Settled()
        self._confirmable: tuple[tuple[object, ...], tuple[tuple[Step, ...], ...]] | None = None

    def rebase(self, game: Game, undoing: Frame | None = None) -> None:
        """Continue from `game`, which shares its start with the current one.

        `undoing` is the frame in which a take-back was requested. On the way from there to the game's
        position nothing counts as the same turn played again.
        """
        self._hypotheses.rebase(game)
        self._waiting = None
        self._mismatch_since = None
        self._found = False
        self._shown = Settled()
        self._undoing = undoing
        self._may_redo = self._may_redo and undoing is None
        self.follow_undone(game)

    def follow_undone(self, furthest: Game) -> None:
        """Let hands redo the rest of `furthest`, of which the game is the beginning."""
        self._furthest = furthest
        has_more = furthest.ply > self._game.ply
        sensors = self._hypotheses.sensor_model
        self._undone = UndoneLine(self._game, furthest, sensors) if has_more else None

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked; to be followed by an `update` with the frame they give."""
        self._hypotheses.use_sensors(sensors)
        self.follow_undone(self._furthest)
        self._waiting = None

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); a revision keeps to it, too."""
        self._hypotheses.choose(turn)

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of a chosen turn; None if any legal turn may be played."""
        return self._hypotheses.chosen

    @property
    def is_last_turn_ambiguous(self) -> bool:
        """True if some action of the last turn was unobservable."""
        return self._hypotheses.fully_observable_from > self._game.last_turn

    def confirmable(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """Return the beginnings of the current turn that `frame` allows and the player has to confirm."""
        key = frame, self._game, self._hypotheses.sensor_model, self.chosen
        if self._confirmable is None or self._confirmable[0] != key:
            self._confirmable = key, confirmable(self._hypotheses, frame)
        return self._confirmable[1]

    def overlooked(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """Return unobserved placements that may precede the last turn, each with that turn as the reply."""
        return overlooked(self._hypotheses, frame) if self.chosen is None else ()

    def suspects(self, frame: Frame, mismatch: Mismatch) -> frozenset[Point]:
        """Return the points whose sensor may be broken if `frame` gave that mismatch."""
        return suspects(self._hypotheses, frame, mismatch)

    @property
    def _game(self) -> Game:
        return self._hypotheses.game

    def update(self, frame: Frame, now: Microseconds) -> Verdict:
        """Return the verdict on a debounced `frame` at `now`; to be called on each change and deadline.

        `frame` has nothing at points whose sensor is masked (`SensorModel.observe`).
        """
        self._history.note(self._frame, frame, now)
        self._frame = frame
        self.deadline = None
        if frame == self._hypotheses.own:
            self._may_redo = True
            return self._settle()
        if self._is_undoing(frame):
            return self._mismatch(frame, now)
        redo = self._redo(frame, now)
        if redo is not None:
            return redo
        hypothesis = self._hypothesis(frame)
        if hypothesis is None:
            return self._older_position(frame, now) or self._mismatch(frame, now)
        self._mismatch_since = None
        if isinstance(self._shown, Mismatch):
            self._repaired_at = now
        return self._judge(hypothesis, frame, now)

    def prepare(self) -> bool:
        """Work out a little of what the next frame may need, and return whether more may be left.

        It changes nothing but the time that `update` takes.
        """
        return self._hypotheses.prepare(None if self._waiting is None else self._waiting.after)

    # ---- choosing a base -------------------------------------------------------------------------------

    def _hypothesis(self, frame: Frame) -> Hypothesis | None:
        """Return the hypothesis of bases (a) to (c)."""
        own = self._hypotheses.continue_turn(frame)
        revision = self._hypotheses.revise_last_turn(frame)
        if own is not None:
            return (
                own
                if revision is None
                else self._hypotheses.decide(own, revision, frame, self._wait.put_back)
            )
        waiting = self._waiting
        after = None if waiting is None else waiting.after
        if waiting is not None and after is not None and self._is_quick_reply(waiting, after, frame):
            return waiting
        return revision

    def _is_quick_reply(self, waiting: Hypothesis, after: Position, frame: Frame) -> bool:
        steps = waiting.steps or ()
        base = self._hypotheses.reply_base(after)
        landed = [step.target.index for step in steps if step.target]
        stands = all(frame[index] == base.frame[index] for index in landed)
        begun = frame != base.frame and bool(base.fits(frame))
        return stands and begun and not self._was_so_at_repair(_touched(steps))

    def _was_so_at_repair(self, points: Iterable[Point]) -> bool:
        """Return whether the points already stood so when a mismatch ended elsewhere.

        A board that is being corrected passes through frames that look like a turn which nobody played.
        """
        return max((self._history.changed[point.index] for point in points), default=0) < self._repaired_at

    def _is_undoing(self, frame: Frame) -> bool:
        """Return whether a take-back is under way, and each point reads as it did then or as it should."""
        if self._undoing is None:
            return False
        return all(map(_is_either, frame, self._undoing, self._hypotheses.own))

    # ---- judging -------------------------------------------------------------------------------------

    def _settle(self) -> Settled:
        if self._found:
            self._found = False
            self._hypotheses.mark_restored()
        self._waiting = None
        self._mismatch_since = None
        self._undoing = None
        self._shown = Settled()
        return self._shown

    def _judge(self, hypothesis: Hypothesis, frame: Frame, now: Microseconds) -> Verdict:
        if hypothesis.steps is not None:
            replied = hypothesis is self._waiting
            due = self._due(hypothesis, frame)
            if replied or now >= due:
                self._waiting = None
                return (
                    Completed(hypothesis.steps)
                    if hypothesis.ply == self._game.ply
                    else Revised(hypothesis.ply, hypothesis.steps)
                )
            self.deadline = due
        self._waiting = hypothesis if hypothesis.steps is not None else None
        self._shown = InProgress(frozenset(self._hypotheses.gone(frame)), hypothesis.fits)
        return self._shown

    def _due(self, hypothesis: Hypothesis, frame: Frame) -> Microseconds:
        """Return the time at which the hypothesis has waited long enough."""
        changed = self._history.changed
        dues: dict[Point, Microseconds] = {}
        if hypothesis.ply != self._game.ply:
            dues = {
                point: changed[point.index] + self._wait.sliding for point in self._hypotheses.filled(frame)
            }
        for index, step in enumerate(hypothesis.steps or ()):
            if step.target is not None:
                slides = self._hypotheses.base(hypothesis.ply).has_other_landing(hypothesis.fits[0], index)
                wait = self._wait.sliding if slides else self._wait.landing
                dues[step.target] = changed[step.target.index] + wait
                if hypothesis.ply != self._game.ply and step.origin and not self._history.opened_first(step):
                    dues[step.origin] = changed[step.origin.index] + self._wait.rest
            elif step.origin is not None:
                dues[step.origin] = changed[step.origin.index] + self._wait.removal
        if not dues:
            dues = {
                point: changed[point.index] + self._wait.removal for point in self._hypotheses.gone(frame)
            }
        if self._was_so_at_repair({*dues, *_touched(hypothesis.steps or ())}):
            return max(*dues.values(), self._repaired_at + self._wait.rest)
        return max(dues.values())

    def _older_position(self, frame: Frame, now: Microseconds) -> Revised | None:
        """Return the take-back of base (d), if it is due."""
        if not self.take_back or self._found or self._game.outcome or self._is_clearing(frame):
            return None
        for ply in range(self._game.ply - 1, self._hypotheses.fully_observable_from - 1, -1):
            if frame == self._hypotheses.expected[ply]:
                rested = self._history.latest + self._wait.rest
                if now >= rested:
                    return Revised(ply, ())
                self.deadline = rested
                return None
        return None

    def _redo(self, frame: Frame, now: Microseconds) -> Verdict | None:
        """Return the verdict on a frame of turns that were taken back; None if it is not one, or no more."""
        if self._undone is None or not self._may_redo or self.chosen is not None:
            return None
        to, latest = self._undone.match(frame), self._history.latest
        due = latest + (self._wait.rest if to is None else self._wait.landing)
        if now >= due:
            return None if to is None else Redone(to)
        if isinstance(self._shown, Mismatch):
            if to is None:
                return None
            self._mismatch(frame, now)
        elif to is not None or self._undone.is_on_the_way(frame):
            self._waiting = None
            self._shown = InProgress(frozenset(self._hypotheses.gone(frame)), ())
        else:
            return None
        self._wake_at(due)
        return self._shown

    def _is_clearing(self, frame: Frame) -> bool:
        gone = list(self._hypotheses.gone(frame))
        only_gone = not any(self._hypotheses.filled(frame))
        return not any(frame) or (only_gone and len(gone) >= _CLEARED_PIECES)

    def _mismatch(self, frame: Frame, now: Microseconds) -> Settled | InProgress | Mismatch:
        if self._game.outcome is not None:
            return self._settle()
        if self._mismatch_since is None:
            self._mismatch_since = now
        mismatch = self._hypotheses.mismatch(frame)
        dues = [self._mismatch_since + self._wait.mismatch]
        for point in mismatch.extra | mismatch.wrong:
            landed = self._history.changed[point.index]
            if landed >= self._mismatch_since:
                dues.append(landed + self._wait.illegal)
        if isinstance(self._shown, Mismatch) or self._undoing is not None or now >= min(dues):
            self._shown = self._without_touches(mismatch, now)
        else:
            self._wake_at(min(dues))
        return self._shown

    def _without_touches(self, mismatch: Mismatch, now: Microseconds) -> Settled | Mismatch:
        """Return the mismatch without points filled only a moment ago, unless they are shown already.

        If nothing is left of the mismatch that was shown, it has ended, and a new one has to last as long as
        any.
        """
        shown = self._shown
        known = shown.extra | shown.wrong if isinstance(shown, Mismatch) else frozenset[Point]()
        dues = {
            point: self._history.changed[point.index] + self._wait.illegal
            for point in (mismatch.extra | mismatch.wrong) - known
        }
        recent = {point for point, due in dues.items() if now < due}
        rest = Mismatch(mismatch.missing, mismatch.extra - recent, mismatch.wrong - recent)
        if not recent:
            return mismatch
        if rest == _NOTHING_WRONG:
            if not isinstance(shown, Mismatch) or self._undoing is not None:
                return mismatch
            self._mismatch_since = min(self._history.changed[point.index] for point in recent)
            self._repaired_at = now
        self._wake_at(min(dues[point] for point in recent))
        return Settled() if rest == _NOTHING_WRONG else rest

    def _wake_at(self, due: Microseconds) -> None:
        self.deadline = due if self.deadline is None else min(due, self.deadline)


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
    """Yield the points that are touched when `steps` are played."""
    return (point for step in steps for point in (step.origin, step.target) if point is not None)


def _is_either(reading: Reading, one: Reading, other: Reading) -> bool:
    return reading in (one, other)
