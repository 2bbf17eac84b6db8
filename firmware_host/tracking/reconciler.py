"""From observed frames to moves: the explanation of everything that hands did, once it has lasted.

On each change all explanations of what was observed since the board last matched the game are considered. The
likeliest ones are kept, and what all of them agree on counts as soon as each of its steps has waited for its
dwell. If they lead to different positions the board is undecided, and says which points tell them apart. If
nothing explains the board, an older position may: that is a take-back over several turns, if the pieces were
moved back at a human pace. Otherwise the board is a mismatch, which ends only when every point that was lit
has been answered.

Turns that were taken back are put back like others, the next one first. A frame of a position after more than
one of them wins over all explanations, once it has stood for a landing, and one on the way there, in whatever
order, is left time. That holds once the board has stood as the game went back to.

Invariants: nothing here reads a clock or changes the game. `update` returns the change to make, and the
caller confirms it with `rebase`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from firmware_host.games.game import Game, Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.ambiguity import confirmable, overlooked, suspects
from firmware_host.tracking.decision import agreed, differing, is_undo, likeliest
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import DOUBTFUL, Explanation, Limits
from firmware_host.tracking.mismatch import MismatchDisplay
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import PACE, Observation
from firmware_host.tracking.search import Search
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.undone import UndoneLine
from firmware_host.tracking.verdict import (
    Completed,
    InProgress,
    Mismatch,
    PartialTurn,
    Redone,
    Revised,
    Settled,
    TakingBack,
    Unchanged,
    Undecided,
    Verdict,
)

_Shown = TypeVar("_Shown", InProgress, Undecided, TakingBack)
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
        self._dwell = Dwell(timing)
        self._limits = Limits(put_back=self._dwell.put_back, brush=self._dwell.sliding)
        self._moves = Moves()
        self._seen = _observation(game, sensors)
        self._expected = ExpectedGame(game, sensors, found=found)
        self._removed: dict[int, Microseconds] = {}
        """By the points that the last turn removed from: when they were vacated."""
        self._found = found
        self._undoing: Frame | None = None
        self._furthest = game
        self._undone: UndoneLine | None = None
        self._may_redo = False
        self._mismatch = MismatchDisplay(self._dwell)
        self._shown: Unchanged = Settled()
        self._asked: list[Explanation] = []
        """The explanations that players have been asked to choose from."""
        self._confirmable: tuple[tuple[object, ...], tuple[tuple[Step, ...], ...]] | None = None

    def rebase(self, game: Game, undoing: Frame | None = None) -> None:
        """Continue from `game`, which shares its start with the current one.

        `undoing` is the frame in which a take-back was requested. On the way from there to the game's
        position nothing counts as the same turn played again.
        """
        self._expected.rebase(game)
        self._removed = {
            step.origin.index: self._seen.opened[step.origin.index]
            for step in game.steps[game.last_turn :]
            if step.target is None and step.origin is not None
        }
        if self._seen.frame:
            self._seen.settle(self._expected.own)
        self._go_on()
        self._found = False
        self._undoing = undoing
        self._may_redo = self._may_redo and undoing is None
        self.follow_undone(game)

    def follow_undone(self, furthest: Game) -> None:
        """Let hands redo the rest of `furthest`, of which the game is the beginning."""
        self._furthest = furthest
        has_more = furthest.ply > self._game.ply
        sensors = self._expected.sensor_model
        self._undone = UndoneLine(self._game, furthest, sensors) if has_more else None

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked; to be followed by an `update` with the frame they give."""
        self._expected.use_sensors(sensors)
        self._seen = _observation(self._game, sensors)
        self.follow_undone(self._furthest)

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); a revision keeps to it, too."""
        self._expected.choose(turn)

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of a chosen turn; None if any legal turn may be played."""
        return self._expected.chosen

    @property
    def is_last_turn_ambiguous(self) -> bool:
        """True if some action of the last turn was unobservable."""
        return self._expected.fully_observable_from > self._game.last_turn

    def confirmable(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """Return the beginnings of the current turn that `frame` allows and the player has to confirm."""
        key = frame, self._game, self._expected.sensor_model, self.chosen
        if self._confirmable is None or self._confirmable[0] != key:
            self._confirmable = key, confirmable(self._expected, frame)
        return self._confirmable[1]

    def overlooked(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """Return unobserved placements that may precede the last turn, each with that turn as the reply."""
        return overlooked(self._expected, frame) if self.chosen is None else ()

    def suspects(self, frame: Frame, mismatch: Mismatch) -> frozenset[Point]:
        """Return the points whose sensor may be broken if `frame` gave that mismatch."""
        return suspects(self._expected, frame, mismatch)

    def prepare(self) -> bool:
        """Work out a little of what the next frame may need, and return whether more may be left.

        It changes nothing but the time that `update` takes.
        """
        return self._expected.prepare()

    @property
    def _game(self) -> Game:
        return self._expected.game

    # ---- the way from a frame to a verdict ---------------------------------------------------------

    def update(self, frame: Frame, now: Microseconds) -> Verdict:
        """Return the verdict on a debounced `frame` at `now`; to be called on each change and deadline.

        `frame` has nothing at points whose sensor is masked (`SensorModel.observe`).
        """
        own = self._expected.own
        if frame != self._frame and isinstance(self._shown, (TakingBack, Undecided)):
            self._shown = InProgress(self._expected.missing(frame), ())
        self._seen.note(frame, own, now)
        self.deadline = None
        if frame == own:
            self._may_redo = True
            return self._settle()
        if self._is_undoing():
            return self._show_mismatch(now)
        redone = self._redo(now)
        if redone is not None:
            return redone
        self._dwell.begin()
        explanations = self._explain()
        self._mismatch.look(frame, own)
        if self._mismatch.is_half_corrected:
            return self._correct(explanations, now)
        return self._decide(explanations, now)

    def _explain(self) -> list[Explanation]:
        expected = self._expected
        search = Search(
            self._moves, expected.sensor_model, expected.own, self._seen, self._removed, self._limits
        )
        return search.explain(self._game, expected.revisable_from, expected.chosen_from)

    def _decide(self, explanations: list[Explanation], now: Microseconds) -> Verdict:
        only_lifted = not self._expected.filled(self._frame)
        if only_lifted and self._game.outcome is not None:
            return self._settle()  # the board may be being cleared
        best = likeliest(self._answering(explanations), self._seen)
        if not best:
            return self._unexplained(explanations, now)
        if only_lifted and self._asked:
            best = [e for e in best if is_undo([e], self._game.ply)] or best
        if all(map(self._thinks_over_and_replies, best)):
            older = self._older_position(now)
            if older is not None:
                return older
        steps = agreed(best + self._held_back(explanations, best, now))
        if not steps and not is_undo(best, self._game.ply) and not only_lifted:
            whole = self._prefer_whole(best, now)
            if whole is not best:
                best, steps = whole, agreed(whole)
        if steps or (steps is not None and is_undo(best, self._game.ply)):
            may_return = any(e.ply == self._game.ply and e.steps and not e.complete for e in explanations)
            committed = self._commit(best, steps, now, may_return=may_return)
            return committed or self._in_progress(best)
        if only_lifted:
            return self._in_progress(best)
        if any(e.sure is not None for e in best):
            return self._show_mismatch(now)  # what no sensor showed has to be confirmed first
        return self._in_progress(best) if any(e.unobserved for e in best) else self._undecided(best, now)

    def _answering(self, explanations: list[Explanation]) -> list[Explanation]:
        """Return the explanations that answer what was asked: those that take some of it back, if any do."""
        answers = [
            e
            for e in explanations
            if e.complete and any(e.ply == a.ply and _is_beginning(e.steps, a.steps) for a in self._asked)
        ]
        return answers or explanations

    def _thinks_over_and_replies(self, explanation: Explanation) -> bool:
        """Return whether a revision goes on with a reply, which may look like an older position."""
        begun = self._game.positions[explanation.ply]
        revised = explanation.ply < self._game.ply and bool(explanation.steps)
        return revised and explanation.position.to_move is begun.to_move

    def _held_back(
        self, explanations: list[Explanation], best: list[Explanation], now: Microseconds
    ) -> list[Explanation]:
        """Return explanations that lack only an action which may still follow soon.

        They count against others that are less likely, or as likely with as many pieces in hand.
        """
        most = max(len(e.in_hand) for e in best)
        held = []
        for explanation in explanations:
            set_down = {step.target.index for step in explanation.steps if step.target is not None}
            if explanation.complete or not explanation.steps or explanation.ply != best[0].ply:
                continue
            if set_down.intersection(explanation.in_hand):
                continue
            waits = [self._seen.opened[index] for index in explanation.in_hand]
            waits += [self._seen.changed[index] for index in explanation.early]
            due = max(waits, default=now) + self._dwell.put_back
            is_likelier = explanation.cost < best[0].cost
            is_as_likely = explanation.cost == best[0].cost and len(explanation.in_hand) <= most
            if (is_likelier or is_as_likely) and now < due:
                self._wake_at(due)
                held.append(explanation)
        return held

    def _prefer_whole(self, best: list[Explanation], now: Microseconds) -> list[Explanation]:
        """Return, of explanations that agree on nothing, those that leave no piece in hand, if it is time."""
        whole = [e for e in best if e.is_whole]
        if not whole or len(whole) == len(best) or any(e.unobserved for e in best):
            return best
        due = now if all(e.ply == self._game.ply for e in whole) else self._seen.latest + self._dwell.put_back
        if now >= due:
            return whole
        self._wake_at(due)
        return best

    def _commit(
        self, best: Sequence[Explanation], steps: tuple[Step, ...], now: Microseconds, *, may_return: bool
    ) -> Completed | Revised | None:
        """Return the change to make if some of the steps that were agreed on have waited long enough.

        `may_return` says that a piece in hand, if it comes back, would make another explanation whole.
        """
        first = best[0]
        steps = _until_lifted(steps, best)
        revised = first.ply < self._game.ply
        earliest = self._revision_due(first, may_return=may_return or not steps) if revised else 0
        if first.cost >= DOUBTFUL or (revised and self._moves_back(steps)):
            earliest = max(earliest, self._seen.latest + self._dwell.put_back)
        dues = self._dwell.dues(self._slides(first, steps), self._seen, earliest, now)
        ready = sum(due <= now for due in dues)
        while ready and steps[ready - 1].piece is None:
            ready -= 1
        landing = next((at for at, step in enumerate(steps, start=1) if step.target is not None), 0)
        if revised and now >= earliest and ready >= landing and (ready or not steps):
            return Revised(first.ply, steps[:ready])
        if ready and not revised:
            return Completed(steps[:ready])
        self._wake_at(next((due for due in dues if due > now), earliest))
        return None

    def _moves_back(self, steps: tuple[Step, ...]) -> bool:
        """Return whether a step is an earlier one in reverse, so that more may be taken back after it."""
        earlier = {(step.target, step.origin) for step in self._game.steps if step.origin and step.target}
        return any((step.origin, step.target) in earlier for step in steps)

    def _slides(self, explanation: Explanation, steps: tuple[Step, ...]) -> list[tuple[Step, bool]]:
        """Return each step with whether its piece could go on to another legal landing."""
        position = self._game.positions[explanation.ply]
        found = []
        for step in steps:
            others = (s.target for s in self._moves.steps(position) if s.origin is step.origin and s.target)
            found.append((step, step.target is not None and any(t is not step.target for t in others)))
            position = self._moves.play(position, step)
        return found

    def _revision_due(self, explanation: Explanation, *, may_return: bool) -> Microseconds:
        """Return when a revision counts: a piece that comes back within a second was only straightened."""
        changed, opened = self._seen.changed, self._seen.opened
        before = self._expected.frames[explanation.ply]
        later = {step.target for step in explanation.steps[1:]}
        dues = [
            changed[point.index] + self._dwell.sliding for point in self._expected.filled(self._frame) - later
        ]
        if may_return:
            open_points = [index for index in explanation.undone if self._frame[index] == before[index]]
            dues += [opened[index] + self._dwell.put_back for index in open_points]
        return max(dues, default=0)

    # ---- without one explanation -------------------------------------------------------------------

    def _undecided(self, best: list[Explanation], now: Microseconds) -> Verdict:
        """Return that several explanations are left, once hands have had time to add what decides."""
        begun = any(e.in_hand for e in best)
        due = self._seen.latest + (self._dwell.put_back if begun else self._dwell.undecided)
        if now < due and not isinstance(self._shown, (Mismatch, Undecided)):
            self._wake_at(due)
            return self._in_progress([])
        self._asked = best
        touched = {index for e in best for step in e.steps for index in _touched(step)}
        points = differing(e.position.stacks for e in best) & touched or touched
        if self._found or not points:  # no order was observed, or nothing can be asked for
            return self._show_mismatch(now)
        return self._show(Undecided(self._named(points), self._expected.missing(self._frame)))

    def _unexplained(self, explanations: list[Explanation], now: Microseconds) -> Verdict:
        older = self._older_position(now)
        if older is not None:
            return older
        fits = self._expected.fits(self._frame)
        if any(map(_lands_in_any_order, fits)):
            return self._in_progress([])
        if self._game.outcome is not None or not (explanations or fits):
            return self._show_mismatch(now)
        waits = [self._seen.opened[point.index] for point in self._expected.missing(self._frame)]
        waits += [self._seen.changed[index] for e in explanations for index in e.early]
        due = max(waits, default=self._seen.latest) + self._dwell.put_back
        if now >= due or isinstance(self._shown, Mismatch):
            return self._show_mismatch(now, at_once=True)
        self._wake_at(due)
        return self._in_progress([]) if fits else self._shown

    def _older_position(self, now: Microseconds) -> Revised | Unchanged | None:
        """Return the take-back over several turns, or that it is announced; None if it is none."""
        expected, frame = self._expected, self._frame
        if not self.take_back or self._found or self._game.outcome or self._is_clearing():
            return None
        for ply in range(self._game.ply - 1, expected.fully_observable_from - 1, -1):
            if frame == expected.frames[ply]:
                moved = differing((frame, expected.own))
                return None if self._seen.pace(moved) < PACE else self._take_back(ply, moved, now)
        return None

    def _take_back(self, ply: int, moved: frozenset[int], now: Microseconds) -> Revised | Unchanged:
        """Return the take-back to `ply`, which is announced for most of its wait."""
        due = self._seen.latest + self._dwell.rest
        announced = self._seen.latest + self._dwell.unannounced
        if now >= due:
            return Revised(ply, ())
        self._wake_at(due if now >= announced else announced)
        if now >= announced:
            return self._show(TakingBack(ply, self._named(moved)))
        if not isinstance(self._shown, Mismatch):
            self._shown = InProgress(self._expected.missing(self._frame), ())
        return self._shown

    def _redo(self, now: Microseconds) -> Redone | Unchanged | None:
        """Return the verdict on a frame of turns that were taken back; None if it is not one, or no more."""
        if self._undone is None or not self._may_redo or self.chosen is not None:
            return None
        to = self._undone.match(self._frame)
        due = self._seen.latest + (self._dwell.redo if to is None else self._dwell.landing)
        if now >= due:
            return None if to is None else Redone(to)
        if to is None and (isinstance(self._shown, Mismatch) or not self._undone.is_on_the_way(self._frame)):
            return None
        self._wake_at(due)
        if not isinstance(self._shown, Mismatch):
            self._in_progress([])
        return self._shown

    def _is_clearing(self) -> bool:
        missing, filled = self._expected.missing(self._frame), self._expected.filled(self._frame)
        return not any(self._frame) or (not filled and len(missing) >= _CLEARED_PIECES)

    # ---- a board that is being corrected -----------------------------------------------------------

    def _is_undoing(self) -> bool:
        """Return whether a requested take-back is under way.

        It is while a piece stands where it has to leave, or nothing else than the take-back has been done.
        """
        undoing, own = self._undoing, self._expected.own
        if undoing is None:
            return False
        to_leave = (
            reading == before != expected and reading != NOTHING
            for reading, before, expected in zip(self._frame, undoing, own, strict=True)
        )
        return any(to_leave) or all(map(_is_either, self._frame, undoing, own))

    def _correct(self, explanations: list[Explanation], now: Microseconds) -> Verdict:
        """Keep the lights of a half-corrected board, until what is left was meant: whole, set, and at rest.

        If all that is left is a piece in hand, which then moves, nothing is half corrected any more.
        """
        whole = [e for e in explanations if e.is_whole]
        if not whole or self._was_pushed():
            return self._show_mismatch(now)
        origins = {step.origin for e in whole for step in e.steps if step.origin is not None}
        due = self._seen.latest + self._dwell.put_back
        if now >= due or self._mismatch.is_answered_by(origins):
            return self._decide(explanations, now)
        self._wake_at(due)
        self._shown = self._mismatch.hold() or self._shown
        return self._shown

    def _was_pushed(self) -> bool:
        """Return whether a point was filled as another was vacated, which is a push and no move."""
        filled = [point.index for point in self._expected.filled(self._frame)]
        vacated = [point.index for point in self._expected.missing(self._frame)]
        return any(
            index != other and abs(time - self._seen.changed[index]) < PACE
            for index in filled
            for other in vacated
            for time in self._seen.openings(other)
        )

    def _may_be_early(self, landed: Point) -> bool:
        """Return whether the opponent may have set down a reply before the turn has landed."""
        since = self._seen.changed[landed.index]
        if any(since < time + self._dwell.put_back for time in self._removed.values()):
            return True  # what was lifted may have been no removal
        position = self._game.position
        piece = self._expected.sensor_model.visible(self._frame[landed.index], self._game.rules.box)
        if piece is not None:
            return piece.owner is not position.to_move
        missing = self._expected.missing(self._frame)
        return len({position.stacks[point.index][-1].owner for point in missing}) > 1

    # ---- what is shown -----------------------------------------------------------------------------

    @property
    def _frame(self) -> Frame:
        return self._seen.frame

    def _go_on(self) -> None:
        self._dwell.forget()
        self._mismatch.end()
        self._shown = Settled()
        self._asked = []

    def _settle(self) -> Settled:
        if self._frame == self._expected.own:
            self._seen.settle(self._frame)
            if self._found:
                self._found = False
                self._expected.mark_restored()
            self._undoing = None
        self._go_on()
        return Settled()

    def _show(self, verdict: _Shown) -> _Shown:
        self._mismatch.explained()
        self._shown = verdict
        return verdict

    def _in_progress(self, best: list[Explanation]) -> InProgress:
        """Return that hands are at it, with the ways that lead on."""
        fits = self._expected.fits(self._frame)
        if not fits and best:
            fits = self._expected.reply_base(best[0].position).fits(self._frame)
        return self._show(InProgress(self._expected.missing(self._frame), fits))

    def _show_mismatch(self, now: Microseconds, *, at_once: bool = False) -> Unchanged:
        if self._game.outcome is not None:
            return self._settle()
        mismatch = self._mismatch.show(
            self._expected.mismatch(self._frame),
            self._seen,
            now,
            at_once=at_once or self._undoing is not None,
            may_be_early=self._may_be_early,
        )
        if self._mismatch.due is not None:
            self._wake_at(self._mismatch.due)
        if mismatch is not None:
            self._shown = mismatch
        elif isinstance(self._shown, Mismatch):
            self._shown = Settled()
        return self._shown

    def _named(self, indexes: Iterable[int]) -> frozenset[Point]:
        points = self._game.rules.layout.points
        return frozenset(points[index] for index in indexes)

    def _wake_at(self, due: Microseconds) -> None:
        self.deadline = due if self.deadline is None else min(due, self.deadline)


def _observation(game: Game, sensors: SensorModel) -> Observation:
    return Observation(len(game.rules.layout), stacked=sensors.alphabet is SensorKind.PIECES)


def _until_lifted(steps: tuple[Step, ...], best: Iterable[Explanation]) -> tuple[Step, ...]:
    """Return the steps up to the first whose piece is lifted again."""
    lifted = {index for explanation in best for index in explanation.in_hand}
    stand = next((i for i, s in enumerate(steps) if s.target and s.target.index in lifted), len(steps))
    return steps[:stand]


def _is_beginning(steps: tuple[Step, ...], others: tuple[Step, ...]) -> bool:
    """Return whether `steps` are the first of `others`, and not all of them."""
    return len(steps) < len(others) and all(a.text == b.text for a, b in zip(steps, others, strict=False))


def _lands_in_any_order(fit: PartialTurn) -> bool:
    """Return whether the turn sets down several pieces, of which a later one may be first."""
    return sum(step.target is not None for step in fit.turn.steps) > 1


def _touched(step: Step) -> set[int]:
    return {point.index for point in (step.origin, step.target) if point is not None}


def _is_either(reading: Reading, one: Reading, other: Reading) -> bool:
    return reading in (one, other)
