"""The session of a board: frames in, games out.

`observe` judges each frame, and plays the steps that it shows. GameControls has the requests of buttons and
pages. Frames are debounced, time is an argument, and nothing here knows about light.

Invariants: the board is right about where the pieces are, and the rules about what may happen; a new game
begins only on an empty board; while a game is paused, the board is not followed; of a side that is not played
here, hands complete only the turn that was chosen for it; a declared end is
undone only by request, and before the next game's first step; a masked sensor stays masked from game to game,
and what it may have missed has to be confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from firmware_host.games.game import Game, Outcome, Player, Position, Rules, Step
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import LESSONS
from firmware_host.play import events as ev
from firmware_host.play.clear_gesture import ClearBoardGesture
from firmware_host.play.masking import Masking
from firmware_host.play.seats import Seats, Sides
from firmware_host.play.timeline import GameTimeline, VerdictReporter
from firmware_host.ports import NOTHING, Frame, SensorKind
from firmware_host.settings import Microseconds, Play, Timing
from firmware_host.tracking.reconciler import Reconciler
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import (
    Completed,
    Mismatch,
    PutForward,
    Revised,
    Settled,
    TakingBack,
    Unchanged,
)


class Session:
    """Game after game on one board."""

    paused: bool
    """True while the board is not followed."""
    verdict: Unchanged
    """The state in which the board was found last."""
    must_clear: bool
    """True if the board must be cleared before the game can begin."""
    cleared: Game | None
    """The last game, without its end, while players can still say how it ended; they cleared its board."""
    was_cleared: bool
    """True if the board was cleared of a game that was not over, and nothing was asked for since."""
    rules_after: Rules | None = None
    """The rules of the next game; None for those of this one."""
    suspended: bool = False
    """True while something else is asked of hands; only clearing the board counts then."""

    def __init__(
        self,
        rules: Rules,
        alphabet: SensorKind,
        *,
        timing: Timing,
        play: Play,
        draw_lot: Callable[[], Player],
        game: Game | None = None,
        masked: Iterable[str] = (),
        paused: bool = False,
        furthest: Sequence[str] = (),
        seats: Seats | None = None,
    ) -> None:
        """Begin a game by `rules`, or continue `game`, which may have been `paused`.

        `draw_lot` returns the starting player where the rules leave that to chance; `masked` are the names of
        points whose sensor is masked; `furthest` are the steps as `GameTimeline.go_on` takes them.
        """
        self.masking = Masking.of(alphabet, rules.layout, masked)
        self.timing = timing
        self.may_take_back = play.take_back  # turns before the last
        self.program = play.program  # the name of the other program that can play a side, if there is one
        self.draw_lot = draw_lot
        self.timeline = GameTimeline()
        self.reporter = VerdictReporter(self.timeline)
        self.frame: Frame = ()  # the last readings, debounced; empty before the first
        self.stable: Frame = ()  # the same without those of masked sensors
        self.paused = False
        self._is_continued = game is not None
        self.sides = Sides(play.starts, seats or Seats(), self.timeline)
        if game is None:
            self.begin(rules, as_they_sit=True)
        else:
            self.timeline.go_on(game, furthest)
            self.follow_game(found=True)
            self.paused = paused and game.outcome is None
            if self.paused:
                self.timeline.add(ev.Paused())

    # ---- the state -------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The current game, or the last one."""
        return self.timeline.game

    @property
    def seats(self) -> Seats:
        """The players of both sides."""
        return self.sides.seats

    @property
    def sensor_model(self) -> SensorModel:
        """The model of the sensors, with those that are masked."""
        return self.masking.model

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of the only turn that is allowed now; None if none was chosen."""
        return self.reconciler.chosen

    @property
    def is_others_turn(self) -> bool:
        """True if the side to move is not played by people at the board."""
        return self.game.position.to_move in self.seats.bound(self.game.rules)

    @property
    def confirmable(self) -> dict[str, tuple[Step, ...]]:
        """The steps that the sensors may have missed, by their texts; they count once they are confirmed."""
        if self.game.outcome is not None or self.must_clear or not self.frame:
            return {}
        missed = self.reconciler.doubts.confirmable(self.stable)
        return {self.game.rules.turn_text(steps): steps for steps in missed}

    @property
    def overlooked(self) -> dict[str, tuple[Step, ...]]:
        """The placements that the sensors may have missed before the last turn, with that turn, by texts."""
        if self.game.outcome is not None or self.must_clear or not self.frame:
            return {}
        missed = self.reconciler.doubts.overlooked(self.stable)
        return {" ".join(step.text for step in steps): steps for steps in missed}

    @property
    def suspects(self) -> frozenset[Point]:
        """The points whose sensor may be broken, while the board does not match the game."""
        if not isinstance(self.verdict, Mismatch):
            return frozenset()
        return self.reconciler.doubts.suspects(self.stable, self.verdict)

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; None if nothing will."""
        if self._must_judge:
            return 0
        if self.paused:
            return None
        dues = [self.clear_gesture.due(self.game)]
        if self._is_followed and not self.suspended:
            dues.append(self.reconciler.deadline)
        return min((due for due in dues if due is not None), default=None)

    def expected_frame(self) -> Frame:
        """Return the frame of a board that matches the game, without masked sensors."""
        return self.sensor_model.expected(self.game.position)

    # ---- frames ----------------------------------------------------------------------------------------

    def observe(self, frame: Frame, now: Microseconds) -> None:
        """Judge `frame` at `now`; to be called when it has changed, and when the deadline has come."""
        self._must_judge = False
        if is_first := not self.frame:
            self._judge_first(frame)
        before, self.frame = self.stable, frame
        self.stable = self.sensor_model.observe(frame)
        if self.paused:
            return
        empty = not any(self.stable) and not self.sensor_model.is_blind_to(self.game.position)
        is_over = self.game.outcome is not None and not self.suspended
        self.clear_gesture.note_read(before, self.stable, empty=empty, is_over=is_over, now=now)
        if (is_first or (self.must_clear and empty)) and _is_bare(self):
            self.rebase(undoing=self.stable)
        self.must_clear = self.must_clear and not empty and self.stable != self.expected_frame()
        due = self.clear_gesture.due(self.game)
        if due is not None and now >= due and _has_far_game(self):
            _pause_cleared(self)
        elif due is not None and now >= due:
            for earlier, since in _begin_next(self):
                self.stable = earlier
                self._follow(since)
            self.stable = self.sensor_model.observe(frame)
        if not self._is_followed:
            self.verdict = Settled()  # whatever was awaited of hands, or announced, no longer is
        elif not self.suspended:
            self._follow(now)
        if self.suspended or not self._is_followed:
            self.reconciler.look_away()
        if _are_back(self, before):
            self.clear_gesture.end_wait()

    def _judge_first(self, frame: Frame) -> None:
        """Judge the board as it is at the start of the program.

        If the stored game is over and the board is empty, the players cleared it and the next game begins. If
        the stored game has no move yet, one piece may have been placed as the power failed.
        """
        pieces = sum(reading != NOTHING for reading in self.sensor_model.observe(frame))
        if self._is_continued and self.game.outcome is not None and not pieces:
            self.begin(self.game.rules)
        allowed = 1 if self._is_continued else 0
        self.must_clear = pieces > allowed and not any(self.game.position.stacks)
        if self.game.is_set_up and not (pieces and self.game.ply):
            self.clear_gesture.wait_for_pieces()

    @property
    def _is_followed(self) -> bool:
        return not self.must_clear and self.game.declared is None

    def _follow(self, now: Microseconds) -> None:
        """Play or take back what the readings show, until they show nothing more."""
        while True:
            verdict = self.reconciler.update(self.stable, now)
            if isinstance(verdict, Completed):
                self.reporter.end_mismatch()
                self.advance(verdict.steps, self.reconciler.stood(verdict.steps))
            elif isinstance(verdict, Revised | PutForward):
                self.reporter.end_mismatch()
                self._jump(verdict, now)
            else:
                break
        self.reporter.report(verdict, self.stable)
        self.verdict = verdict

    def _jump(self, verdict: Revised | PutForward, now: Microseconds) -> None:
        if isinstance(verdict, PutForward):
            self.clear_gesture.confirm_take_backs()
            self.timeline.redo(verdict.to)
            self.rebase()
            return
        if not verdict.steps:
            self.clear_gesture.took_back(self.game, now)
        stood = self.reconciler.stood(verdict.steps)
        self.timeline.go_back(verdict.to, revises=verdict.to >= self.game.last_turn)
        if verdict.steps:
            self.advance(verdict.steps, stood)
        else:
            self.rebase()

    # ---- changes, for frames and controls alike --------------------------------------------------------

    def begin(self, rules: Rules, *, at: Position | None = None, as_they_sit: bool = False) -> None:
        """Begin a game by `rules`, or in a position that was set up, to which the light leads the pieces.

        Nobody changes sides for it if they are wanted `as_they_sit`. Otherwise a player on another board
        leaves: only the boards together begin their next game. They drew lots for White, who begins.
        """
        last = None if as_they_sit else self.game
        self.rules_after = next_rules(self) if last is not None and rules.name in LESSONS else None
        far = frozenset() if as_they_sit else self.seats.far_players
        is_drawn = as_they_sit and self.seats.has_far
        self.timeline.begin(rules, rules.first or (Player.WHITE if is_drawn else self.draw_lot()), at)
        if far:
            self.sides.leave(far)
        elif last is not None and at is None:
            self.sides.choose_for(self.game.positions[0].to_move, last, self.draw_lot)
        self.follow_game(found=at is not None)
        if at is None:
            self.must_clear = any(self.stable) and self.stable != self.expected_frame()
            is_led = not self.must_clear and _is_bare(self)
        else:
            is_led = any(self.stable)
            self.clear_gesture.wait_for_pieces()
        if is_led:
            lead_pieces(self)

    def follow_game(self, *, found: bool = False) -> None:
        """Follow a game from its current position; `found` if the board may differ from that already."""
        self.reconciler = Reconciler(
            self.game, self.sensor_model, self.timing, take_back=self.may_take_back, found=found
        )
        self.reconciler.take_backs.follow(self.timeline.furthest)
        self.reconciler.bind(self.seats.bound(self.game.rules))
        self.clear_gesture = ClearBoardGesture(self.timing)
        self.verdict = Settled()
        self.reporter.forget_lifted()
        self.must_clear = False
        self.cleared = None
        self.was_cleared = False
        self._must_judge = False

    def advance(self, steps: tuple[Step, ...], stood: tuple[Microseconds | None, ...] = ()) -> None:
        """Play `steps`, each of which has `stood` since then."""
        self.clear_gesture.confirm_take_backs()
        self.timeline.play(steps, stood)
        self.paused = self.paused and self.game.outcome is None
        self.reporter.forget_lifted(p for step in steps for p in (step.origin, step.target) if p is not None)
        self._rebase()
        if self.is_others_turn and _needs_no_hands(self.chosen):
            self.advance(self.chosen or ())

    def rebase(self, undoing: Frame | None = None) -> None:
        """Follow the game from where it is now, at a request from the readings `undoing`."""
        if undoing is not None:
            self.clear_gesture.follow_request(empty=not any(undoing))
        self.paused = self.paused and self.game.outcome is None
        self.must_clear = False
        self.reporter.forget_lifted()
        self._rebase(undoing)

    def _rebase(self, undoing: Frame | None = None) -> None:
        self.verdict = Settled()
        self.reconciler.rebase(self.game, undoing)
        self.reconciler.take_backs.follow(self.timeline.furthest)

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Allow only `turn` now; with None any legal one, unless the side is played by somebody else."""
        self.reconciler.choose(turn)
        if turn is not None and self.is_others_turn:
            by = self.game.position.to_move
            self.timeline.add(ev.TurnChosen(self.game.rules.turn_text(turn), by))
        if self.is_others_turn and _needs_no_hands(turn):
            self.advance(turn or ())

    def take_seats(self, seats: Seats) -> None:
        """Have both sides played by `seats` from now on; a turn that another player chose is given up."""
        player = self.game.position.to_move
        if self.seats.at(player) != seats.at(player):
            self.reconciler.choose(None)
        self.sides.take(seats)
        self.reconciler.bind(seats.bound(self.game.rules))

    def obey(self, play: Play) -> None:
        """Let people change sides, and take back turns before the last, as they prefer from now on."""
        self.sides.starts = play.starts
        self.may_take_back = self.reconciler.take_backs.allowed = play.take_back
        self.judge_again()

    def judge_again(self) -> None:
        """Have the next frame judged as if it had just changed."""
        self._must_judge = True


def follow_again(session: Session) -> None:
    """Follow the board after a time in which it was not: whatever differs from the game began now."""
    session.reconciler.use_sensors(session.sensor_model)
    session.judge_again()


def _are_back(session: Session, before: Frame) -> bool:
    """Return whether a piece of the game was set down since `before`, or all of them stand, and no others."""
    frame, own = session.stable, session.expected_frame()
    landed = any(was == NOTHING != reads for was, reads in zip(before, frame, strict=False))
    is_part = any(frame) and all(reads in (NOTHING, wanted) for reads, wanted in zip(frame, own, strict=True))
    return is_part and (landed or frame == own)


def _is_bare(session: Session) -> bool:
    """Return whether a game begins with pieces and none of them stands yet: light leads to them at once."""
    own = session.expected_frame()
    stand = any(reads == wanted != NOTHING for reads, wanted in zip(session.stable, own, strict=False))
    is_new = not session.game.ply and session.game.outcome is None
    return is_new and any(own) and bool(session.stable) and not stand


def lead_pieces(session: Session) -> None:
    """Have the light lead the pieces to where a game that has just changed by itself has them."""
    session.rebase(undoing=session.stable)  # a mismatch stays one, unless the board happens to match
    session.judge_again()


def next_rules(session: Session) -> Rules:
    """Return the rules of the next game: after a lesson or a puzzle, those of the game before it."""
    return session.rules_after or session.game.rules


def is_just_cleared(session: Session) -> bool:
    """Return whether the board was cleared of a game that was not over, and is followed since."""
    return session.was_cleared and not session.paused and not session.suspended


def _begin_next(session: Session) -> list[tuple[Frame, Microseconds]]:
    """Begin the next game on the board that was cleared; return the frames in which its first pieces came."""
    session.reporter.end_mismatch()
    game, gesture, frame = session.game, session.clear_gesture, session.stable
    was_declared = game.declared is not None
    ended = game if was_declared else gesture.record(game)
    if was_declared or ended.ply:
        session.timeline.clear(ended)
    abandoned = None if was_declared or session.game.declared is None else session.timeline.ended
    session.begin(next_rules(session))
    begun = gesture.begun(frame)
    session.must_clear = session.must_clear and not begun
    session.cleared = None if game.rules.name in LESSONS else abandoned
    session.was_cleared = abandoned is not None
    session.suspended = False
    return begun[:-1]


def _has_far_game(session: Session) -> bool:
    """Return whether a game with another board goes on, which hands here alone cannot end."""
    return session.seats.has_far and session.game.outcome is None


def _pause_cleared(session: Session) -> None:
    """Wait for the pieces of a game with another board, which somebody has cleared."""
    session.paused = True
    session.clear_gesture.wait_for_pieces()
    session.timeline.add(ev.Paused())


def _needs_no_hands(turn: tuple[Step, ...] | None) -> bool:
    """Return whether the rest of a turn, if there is one, only declines a removal."""
    return bool(turn) and not any(step.origin or step.target for step in turn or ())


def shown_end(session: Session) -> Outcome | None:
    """Return the end of the game; None before it, and while hands take back the turns that led to it."""
    return None if isinstance(session.verdict, TakingBack) else session.game.outcome
