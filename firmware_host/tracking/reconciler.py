"""From observed frames to moves: the explanation of everything that hands did, once it has lasted.

On each change all explanations of what was observed since the board last matched the game are considered. The
likeliest ones are kept, and what all of them agree on counts as soon as each of its steps has waited for its
dwell. If they lead to different positions the board is undecided, and says which points tell them apart. If
nothing explains the board, or only new turns that look like old ones in reverse, it may stand as some turns
ago: that is a take-back. Otherwise the board is a mismatch, which ends only when every point that was lit has
been answered.

A frame of a position after more than one of the turns that were taken back wins over all explanations, once
it has stood for a landing, and one on the way there is left time. That holds once the board has stood as the
game went back to.

Invariants: nothing here reads a clock or changes the game. `update` returns the change to make, and the
caller confirms it with `rebase`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from firmware_host.games.game import Game, Player, Step
from firmware_host.ports import NOTHING, Frame, SensorKind
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.decision import (
    OpenQuestion,
    agreed,
    asked_player,
    awaits_capture,
    differing,
    held_back,
    is_undo,
    lacks_captured,
    likeliest,
    may_be_older,
    prefer_whole,
    still_shows,
    whole_instead,
)
from firmware_host.tracking.display import Display
from firmware_host.tracking.doubts import Doubts
from firmware_host.tracking.dwell import Committer, Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import UNLIKELY, Explanation
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.search import Search
from firmware_host.tracking.second_look import SecondLook
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.take_backs import TakeBacks
from firmware_host.tracking.verdict import PartialTurn, Settled, Unchanged, Undecided, Verdict
from firmware_host.tracking.weighing import BoardEvidence


class Reconciler:
    """A follower of one game's frames, from its beginning to the clearing of the board."""

    def __init__(
        self, game: Game, sensors: SensorModel, timing: Timing, *, take_back: bool, found: bool = False
    ) -> None:
        """Follow `game`; `take_back` allows taking back turns before the last by moving the pieces back.

        `found` says that the board was not watched since `game` was played. Until the board matches the game,
        or play continues, a missing piece is missing, and is no take-back.
        """
        self._expected = ExpectedGame(game, sensors, found=found)
        self._seen = Observation(len(game.rules.layout), stacked=sensors.alphabet is SensorKind.PIECES)
        self._moves = Moves(sensors)
        self._dwell = Dwell(timing)
        self._display = Display(self._expected, self._seen, self._dwell)
        self._committer = Committer(self._expected, self._seen, self._dwell, self._moves)
        self._explanations: list[Explanation] | None = None
        """Those of the last frame; None if they have to be searched again."""
        self._updated: Microseconds = 0
        """The time of the last frame that changed, or at which the verdict may have."""
        self._question = OpenQuestion()
        self.take_backs = TakeBacks(self._expected, self._seen, self._dwell, self._display, allowed=take_back)
        self._second_look = SecondLook(
            self._expected, self._seen, self._dwell, self._moves, self._display, self.take_backs
        )
        self.doubts = Doubts(self._expected, self._seen, self._moves, self._search)

    # ---- the game that is followed -----------------------------------------------------------------

    def rebase(self, game: Game, undoing: Frame | None = None) -> None:
        """Continue from `game`, which shares its start with the current one.

        `undoing` is the frame in which a take-back was requested. On the way from there to the game's
        position nothing counts as the same turn played again.
        """
        has_gone_on = game.ply > self._expected.game.ply
        self._expected.rebase(game)
        before = max((start for start in game.turn_starts[-3:] if start < game.last_turn), default=0)
        self._seen.count(game.steps[game.last_turn :], game.steps[before : game.last_turn])
        if self._seen.frame:
            self._seen.settle(self._expected.own, is_answer=self._question.is_asked)
            if has_gone_on:
                self._seen.mark(game.steps, self._expected.own)
        self._go_on()
        self.take_backs.rebase(undoing)

    def look_away(self) -> None:
        """Note that changes up to the next `update` are not watched."""
        self._seen.look_away()

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked; to be followed by an `update` with the frame they give."""
        self._expected.use_sensors(sensors)
        self._moves.use_sensors(sensors)
        self._seen.restart()
        self.take_backs.use_sensors()

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them), also in a revision."""
        expected = self._expected
        expected.permit(replace(expected.permission, line=expected.game.steps, turn=turn or ()))
        self._forget_explanations()

    def bind(self, players: frozenset[Player]) -> None:
        """Let hands play no turns of `players` but chosen ones, also in a revision."""
        self._expected.permit(replace(self._expected.permission, bound=players))
        self._forget_explanations()

    @property
    def is_bound(self) -> bool:
        """True if hands may play nothing from here, because a turn has yet to be chosen."""
        permission, game = self._expected.permission, self._expected.game
        return permission.forbids(game.position, permission.chosen_from(game.ply))

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of a chosen turn; None if none was chosen."""
        return self._expected.chosen

    @property
    def allowed(self) -> tuple[Step, ...] | None:
        """The rest of the only turn that hands may play; empty if they may play none, None if any."""
        return () if self.is_bound else self.chosen

    def stood(self, steps: tuple[Step, ...]) -> tuple[Microseconds | None, ...]:
        """Return since when each of the `steps` of the last verdict has stood, before it was debounced.

        None for one that no reading shows.
        """
        times = self._seen.action_times(steps)
        return tuple(None if time is None else time - self._dwell.debounce for time in times)

    # ---- observe -----------------------------------------------------------------------------------

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which the verdict may change with the same frame; None if it cannot."""
        return self._dwell.deadline

    def update(self, frame: Frame, now: Microseconds) -> Verdict:
        """Return the verdict on a debounced `frame` at `now`; to be called on each change and deadline.

        `frame` has nothing at points whose sensor is masked (`SensorModel.observe`).
        """
        has_changed = frame != self._seen.frame
        has_rested = now >= self._updated + self._dwell.put_back
        if has_changed and has_rested and self._seen.frame == self._expected.own:
            self._seen.forget_touches()
        self._updated = now
        self._seen.note(frame, self._expected.own, now)
        self._dwell.deadline = None
        if has_changed:
            self._forget_explanations()
            self._display.end_questions()
        if frame == self._expected.own:
            return self._settle()
        if has_changed:
            self.take_backs.note_back()
        if self.take_backs.is_under_way():
            return self._show_mismatch(now)
        played_on = self._second_look.played_on(now)
        return played_on or self.take_backs.redo(now) or self._reconcile(now)

    def _settle(self) -> Settled:
        if self._seen.frame == self._expected.own:
            self._seen.settle(self._seen.frame, is_answer=self._question.is_asked)
            self._seen.mark(self._expected.game.steps, self._seen.frame)
            self._expected.settle(may_take_back=self.take_backs.allowed)
            self.take_backs.settle()
        return self._go_on()

    def _forget_explanations(self) -> None:
        self._explanations = None
        self._second_look.forget()

    def _go_on(self) -> Settled:
        self._forget_explanations()
        self._question = OpenQuestion()
        self._dwell.forget()
        return self._display.settle()

    # ---- explain -----------------------------------------------------------------------------------

    def _reconcile(self, now: Microseconds) -> Verdict:
        self._dwell.begin()
        explanations = self._explain()
        self._display.note_answers()
        if self._display.is_half_corrected:
            # If a turn that was undone since explains more cheaply, it was played, and not corrected.
            cheapest = min((e.cost for e in explanations if e.is_whole), default=0)
            explanations = [e for e in explanations if still_shows(e, self._seen, self._expected.own)]
            whole = [e for e in explanations if e.is_whole]
            if all(e.cost > cheapest for e in whole) or self._display.was_pushed():
                again = self._second_look.at_rest(now, is_asked=self._question.is_asked)
                return again or self._show_mismatch(now)
            if not self._display.may_play_on(whole, now):
                return self._display.hold()
        return self._decide(explanations, now)

    def _explain(self) -> list[Explanation]:
        if self._explanations is None:
            self._explanations = self._search(guess=False)
        return self._explanations

    def _search(self, *, guess: bool) -> list[Explanation]:
        expected = self._expected
        has_objected = self._display.has_objected
        evidence = BoardEvidence(expected.sensor_model, expected.own, self._seen, self._dwell, has_objected)
        earliest = expected.game.ply if guess else expected.revisable_from
        search = Search(self._moves, evidence, guess=guess)
        return search.explain(expected.game, earliest, expected.permission)

    # ---- decide ------------------------------------------------------------------------------------

    def _decide(self, explanations: list[Explanation], now: Microseconds) -> Verdict:
        seen = self._seen
        only_lifted = not self._expected.filled(seen.frame)
        if only_lifted and self._expected.game.outcome is not None:
            return self._settle()  # the board may be being cleared
        if self._expected.is_found and self._expected.stood_like(seen.frame):
            return self._show_mismatch(now)
        if self._question.is_asked:
            explanations = explanations + self._second_look.returned()
        best = likeliest(self._question.answers(explanations, seen.frame, self._expected.own), seen)
        if not best:
            again = self._second_look.explain(now, is_asked=self._question.is_asked)
            return again or self._show_unexplained(explanations, now)
        exchanged = self._second_look.exchanged(best)
        if exchanged:
            return self._show_undecided(best, [], now, only_lifted=False, exchanged=exchanged)
        if best[0].cost < UNLIKELY:
            return self._choose(explanations, best, now, only_lifted=only_lifted)
        earlier = self._second_look.thought_over(now)
        if earlier is None and (awaits_capture(explanations) or self._second_look.has_returned_capture()):
            return self._show_mismatch(now)
        return earlier or self._choose(explanations, best, now, only_lifted=only_lifted)

    def _choose(
        self,
        explanations: list[Explanation],
        best: list[Explanation],
        now: Microseconds,
        *,
        only_lifted: bool,
    ) -> Verdict:
        """Return what the `best` explanations agree on, once that has waited, or what is shown until then."""
        game, seen, dwell = self._expected.game, self._seen, self._dwell
        is_other_capture = only_lifted and all(e.ply < game.ply and e.steps for e in best)
        if is_other_capture or self._may_go_on(explanations, best):
            return self._display.show_in_progress()  # until something lands
        if only_lifted and self._question.is_asked:
            best = [e for e in best if is_undo([e], game.ply)] or best
        if all(may_be_older(e, game.ply) or self._committer.moves_back(e.steps) for e in best):
            older = self.take_backs.go_back(best, now)
            if older is not None:
                return older
        held = held_back(explanations, best, seen, dwell, now, is_asked=self._question.is_asked)
        whole = [] if only_lifted else whole_instead(explanations, best, game)
        if whole:
            return self._show_undecided(best + whole, held, now, only_lifted=False)
        if len({e.ply for e in best}) == 1 and any(lacks_captured(e, game) for e in best):
            return self._display.show_lacking(best, now)
        steps = agreed(best + held)
        if not steps and not is_undo(best, game.ply) and not only_lifted:
            whole = prefer_whole(best, game.ply, seen, dwell, now)
            if whole is not best:
                best, steps = whole, agreed(whole)
        if steps or (steps is not None and is_undo(best, game.ply)):
            may_return = any(e.ply == game.ply and e.steps and not e.complete for e in explanations)
            may_go_back = self._question.is_asked and any(e.ends_with_lift for e in best)
            committed = self._committer.commit(
                best, steps, now, may_return=may_return, may_go_back=may_go_back
            )
            return committed or self._show_progress(best)
        return self._show_undecided(best, held, now, only_lifted=only_lifted)

    def _may_go_on(self, explanations: list[Explanation], best: list[Explanation]) -> bool:
        """Return whether the next turn may be in progress, while only a change of mind explains the board.

        With stacks a turn can be begun at its end, by moving a ball before the one that vaults it. A piece
        in hand shows that it has begun.
        """
        ply, frame = self._expected.game.ply, self._seen.frame
        is_late = all(e.ply < ply for e in explanations) and all(e.in_hand and e.steps for e in best)
        return is_late and bool(self._expected.base(ply).fits(frame))

    # ---- tell --------------------------------------------------------------------------------------

    def _show_progress(self, best: list[Explanation]) -> Unchanged:
        """Return that hands are at it, with the replies to the shortest explanation unless it is unlikely."""
        shortest = min(best, key=lambda e: len(e.steps))
        return self._display.show_in_progress(shortest.position if shortest.cost < UNLIKELY else None)

    def _show_undecided(
        self,
        best: list[Explanation],
        held: list[Explanation],
        now: Microseconds,
        *,
        only_lifted: bool,
        exchanged: Sequence[Explanation] = (),
    ) -> Unchanged:
        """Return that several explanations are left, once hands have had time to add what decides.

        `exchanged` are some that change what has counted.
        """
        expected, dwell, display = self._expected, self._dwell, self._display
        best = [*best, *exchanged]
        if not only_lifted and any(e.sure is not None for e in best):  # some step has to be confirmed first
            return self._show_mismatch(now)
        if only_lifted or any(e.unobserved for e in best):
            return self._show_progress(best)
        may_go_on = any(e.in_hand or e.position.removal_due for e in (*best, *held))
        due = self._seen.latest + (dwell.put_back if may_go_on else dwell.undecided)
        if now < due and display.mismatch is None and not isinstance(display.verdict, Undecided):
            dwell.wait_until(due)
            return display.show_in_progress()
        touched = {p.index for e in best for s in e.steps for p in (s.origin, s.target) if p is not None}
        points = differing(e.position.stacks for e in best + held) & touched or touched
        points |= {s.target.index for e in exchanged for s in e.steps if s.target is not None}
        points = {index for index in points if self._seen.frame[index] != NOTHING} or points
        if not touched:
            return self._show_progress(best)  # a turn was taken back, and another begun
        by = asked_player(best, points)
        self._question.ask([*best, *held], self._seen.frame, points, by)
        return display.show(Undecided(expected.named(points), expected.missing(self._seen.frame), by))

    def _show_unexplained(self, explanations: list[Explanation], now: Microseconds) -> Unchanged:
        """Return that nothing explains the board, once what has begun has had time to go on."""
        expected, seen, display = self._expected, self._seen, self._display
        fits = expected.fits(seen.frame)
        if any(_lands_in_any_order(fit, self._moves) for fit in fits):
            return display.show_in_progress()
        lacking = [e for e in explanations if lacks_captured(e, expected.game).issuperset(e.in_hand or {-1})]
        if lacking:
            return self._display.show_lacking(lacking, now)
        if expected.game.outcome is not None or not (explanations or fits):
            return self._show_mismatch(now)
        waits = [seen.opened[point.index] for point in expected.missing(seen.frame)]
        for explanation in explanations:
            removing = explanation.steps if explanation.position.removal_due else ()
            landed = [step.target.index for step in removing if step.target is not None]
            waits += [seen.changed[index] for index in (*explanation.early, *landed)]
        due = max(waits, default=seen.latest) + self._dwell.put_back
        if now >= due or display.mismatch is not None:
            return self._show_mismatch(now, at_once=True)
        self._dwell.wait_until(due)
        return display.show_in_progress() if fits else display.verdict

    def _show_mismatch(self, now: Microseconds, *, at_once: bool = False) -> Unchanged:
        if self._expected.game.outcome is not None:
            return self._settle()
        return self._display.show_mismatch(now, at_once=at_once or self.take_backs.is_requested)


def _lands_in_any_order(fit: PartialTurn, moves: Moves) -> bool:
    """Return whether one of several landings is still due, so that another may have been the first."""
    positions = (fit.turn.begun_at, *fit.turn.positions)
    begun = zip(positions, fit.turn.steps, fit.done, strict=False)
    is_over = all(done == len(moves.actions(position, step)) for position, step, done in begun)
    return not is_over and sum(step.target is not None for step in fit.turn.steps) > 1
