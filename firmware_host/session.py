"""One board in play: what hands and buttons do to the game, and what is told of it.

Rules kept here: hands are always right about where the pieces are, the rules about what may happen; a new
game begins only on an empty board; while the game is paused, hands do not count; an ending that the players
declared is taken back by nothing; a sensor that is masked stays so from game to game, and what it could not
feel is confirmed. Frames are debounced, time is an argument, and nothing here knows light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from firmware_host import events as ev
from firmware_host import masks
from firmware_host.clearing import Clearing
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Outcome, Player, Reason, Rules, Step, legal_turns
from firmware_host.games.layout import Point
from firmware_host.objecting import declining, objection
from firmware_host.playable import hindrance
from firmware_host.ports import NOTHING, Alphabet, Frame
from firmware_host.reconciler import Reconciler
from firmware_host.said import Said
from firmware_host.settings import Microseconds, Play, Timing
from firmware_host.sight import Sight
from firmware_host.verdict import Completed, Lifted, Mismatch, Revised, Settled


class Session:
    """Game after game on one board; `felt` and the requests change it, `take_events` says what happened."""

    verdict: Settled | Lifted | Mismatch
    """How the board was last found."""
    must_clear: bool
    """Whether the board must be cleared before the game can begin."""

    def __init__(
        self,
        rules: Rules,
        alphabet: Alphabet,
        *,
        timing: Timing,
        play: Play,
        draw_lot: Callable[[], Player],
        game: Game | None = None,
        masked: Iterable[str] = (),
        paused: bool = False,
    ) -> None:
        """`draw_lot` says who starts where the rules leave it to the lot; `game` is to be gone on with.

        `masked` are the names of points whose sensor is not believed; `paused`: whether that game was.
        """
        self.sight = masks.with_masks(Sight(alphabet), rules.layout, masked)
        """What the sensors can tell, and which are masked."""
        self._timing = timing
        self._play = play
        self._draw_lot = draw_lot
        self._happened: list[ev.Event] = []
        self._course: list[Game] = []
        self._lifted: frozenset[Point] = frozenset()
        self.frame: Frame = ()
        """The readings that were felt last, debounced."""
        self.believed: Frame = ()
        """The same, but for sensors that are masked: they say nothing."""
        self.paused = False
        """Whether hands do not count now."""
        self._going_on = game is not None
        if game is None:
            self._begin(rules)
        else:
            self._follow_game(game, found=True)
            self._happened.append(ev.GameContinued(game.rules.describe(), game.ply))
            if paused and game.outcome is None:
                self.pause()

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self._game

    def _change(self, game: Game) -> None:
        self._game = game
        self._course.append(game)

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """What is left to do of the only turn that may be done now; None where any legal one may."""
        return self._reconciler.chosen

    @property
    def masked(self) -> frozenset[Point]:
        """The points whose sensor is not believed: they are taken as the game says."""
        return masks.masked(self.sight, self.game.rules.layout)

    @property
    def confirmable(self) -> dict[str, tuple[Step, ...]]:
        """What may have been done without being felt, by its text; it counts once it is confirmed."""
        if self.game.outcome is not None or self.must_clear or not self.frame:
            return {}
        told = self._reconciler.confirmable(self.believed)
        return {self.game.rules.turn_text(steps): steps for steps in told}

    @property
    def suspects(self) -> frozenset[Point]:
        """While the board stands wrong, the points whose sensor may be broken."""
        if not isinstance(self.verdict, Mismatch):
            return frozenset()
        return self._reconciler.suspects(self.believed, self.verdict)

    @property
    def settled(self) -> bool:
        """Whether the game can be gone on with as it is: the board is as it should be, and all may happen."""
        hindered = self.paused or self.must_clear or self.chosen is not None or self.game.outcome is not None
        return not (hindered or self.masked) and self.verdict == Settled()

    @property
    def deadline(self) -> Microseconds | None:
        """When something may happen although no reading changes; None: nothing will."""
        if self._overdue:
            return 0
        if self.paused:
            return None
        dues = [self._clearing.due(self.game)]
        if self._hands_count:
            dues.append(self._reconciler.deadline)
        return min((due for due in dues if due is not None), default=None)

    def prepare(self) -> bool:
        """Work out a little of what hands may do next, while they do nothing; whether more may be left."""
        return self._reconciler.prepare()

    def take_events(self) -> tuple[ev.Event, ...]:
        """What happened since the last call, in order."""
        happened = tuple(self._happened)
        self._happened.clear()
        return happened

    def take_course(self) -> tuple[Game, ...]:
        """The states that the game, or game after game, went through since the last call, in order."""
        course = tuple(self._course)
        self._course.clear()
        return course

    # ---- what hands do ---------------------------------------------------------------------------------

    def felt(self, frame: Frame, now: Microseconds) -> None:
        """Judge `frame` at `now`: on each change, and when the deadline has come."""
        self._overdue = False
        if not self.frame:
            self._begin_to_feel(frame)
        self.frame = frame
        self.believed = self.sight.felt(frame)
        if self.paused:
            return
        empty = not any(self.believed) and not self.sight.misses_all(self.game.position)
        self._clearing.felt(empty=empty, now=now)
        self.must_clear = self.must_clear and not empty and not self._stands_ready
        due = self._clearing.due(self.game)
        if due is not None and now >= due:
            self._end_cleared()
        if self._hands_count:
            self._follow(now)

    def _begin_to_feel(self, frame: Frame) -> None:
        """Judge the board as it is found at the start.

        Of a game that goes on, a first piece may have been set down as the power went; one that was over is
        followed by the next where the board was cleared meanwhile.
        """
        stands = sum(reading != NOTHING for reading in self.sight.felt(frame))
        if self._going_on and self.game.outcome is not None and not stands:
            self._begin(self.game.rules)
        first = 1 if self._going_on else 0
        self.must_clear = stands > first and not any(self.game.position.stacks)

    @property
    def _stands_ready(self) -> bool:
        """Whether all pieces stand as the game says, as those with which a game of stacks begins."""
        return self.believed == self.sight.expected(self.game.position)

    @property
    def _hands_count(self) -> bool:
        return not self.must_clear and self.game.declared is None

    def _follow(self, now: Microseconds) -> None:
        while True:
            verdict = self._reconciler.update(self.believed, now)
            if isinstance(verdict, Completed):
                self._end_mismatch()
                self._advance(verdict.steps)
            elif isinstance(verdict, Revised):
                self._end_mismatch()
                self._go_back(verdict, now)
            else:
                break
        self._turn_to(verdict)

    def _advance(self, steps: tuple[Step, ...]) -> None:
        self._clearing.intended()
        for step in steps:
            by = self.game.position.to_move
            game = self.game.play(step)
            self._happened.append(ev.StepPlayed(step.text, by))
            if not game.mid_turn:
                self._happened.append(ev.TurnPlayed(game.turn_texts()[-1], by))
            self._change(game)
        self._rebase()
        self._tell_end()

    def _go_back(self, revised: Revised, now: Microseconds) -> None:
        if not revised.steps:
            self._clearing.took_back(self.game, now)
        self._change(self.game.back_to(revised.to))
        self._happened.append(ev.TakenBack(revised.to))
        if revised.steps:
            self._advance(revised.steps)
        else:
            self._rebase()

    def _rebase(self, undoing: Frame | None = None) -> None:
        self._lifted = frozenset()
        self.verdict = Settled()
        self._reconciler.rebase(self.game, undoing)

    def _turn_to(self, verdict: Settled | Lifted | Mismatch) -> None:
        if isinstance(verdict, Mismatch):
            if verdict != self.verdict:
                self._happened.append(ev.MismatchFound(verdict.missing, verdict.extra, verdict.wrong))
        else:
            self._end_mismatch()
            points = verdict.points if isinstance(verdict, Lifted) else frozenset()
            by_index = sorted(points ^ self._lifted, key=lambda point: point.index)
            self._happened += [ev.PutBack(point) for point in by_index if self._stands_again(point, points)]
            self._happened += [ev.PieceLifted(point) for point in by_index if point in points]
            self._lifted = points
        self.verdict = verdict

    def _stands_again(self, point: Point, lifted: frozenset[Point]) -> bool:
        return point not in lifted and self.believed[point.index] != NOTHING

    def _end_mismatch(self) -> None:
        if isinstance(self.verdict, Mismatch):
            self._happened.append(ev.Restored())
            self.verdict = Settled()

    # ---- beginning and ending --------------------------------------------------------------------------

    def _begin(self, rules: Rules) -> None:
        first = rules.first or self._draw_lot()
        self._follow_game(Game.begin(rules, rules.start(first)))
        self.must_clear = any(self.believed) and not self._stands_ready
        self._happened.append(ev.GameBegun(rules.describe(), first))

    def _follow_game(self, game: Game, *, found: bool = False) -> None:
        self._change(game)
        self._reconciler = Reconciler(
            self.game, self.sight, self._timing, take_back=self._play.take_back, found=found
        )
        self._clearing = Clearing(self._timing)
        self.verdict = Settled()
        self._lifted = frozenset()
        self.must_clear = False
        self._overdue = False

    def _end_cleared(self) -> None:
        self._end_mismatch()
        game = self._clearing.record(self.game) if self.game.declared is None else self.game
        undone = game is not self.game
        self._change(game)
        if game.outcome is None:
            self._declare(Reason.ABANDONED, None)
        elif undone:
            self._tell_end()
        self._begin(game.rules)

    def _declare(self, reason: Reason, winner: Player | None) -> None:
        self._change(self.game.declare(Outcome(reason, winner)))
        self._tell_end()
        self._look_again()

    def _tell_end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            self.paused = False
            self._happened.append(ev.GameOver(outcome.winner, outcome.reason, self.game.ply))

    # ---- what a button or a page asks for ----------------------------------------------------------------

    def new_game(self, rules: Rules) -> None:
        """End the game (abandoned, if it was not over) and begin one by `rules` once the board is clear.

        Raises RequestError where this board cannot play by them.
        """
        hindered = hindrance(rules, self.sight.alphabet, self.game.rules.layout)
        if hindered is not None:
            raise RequestError(hindered)
        self._end_mismatch()
        if self.game.outcome is None and self.game.ply:
            self._declare(Reason.ABANDONED, None)
        self.paused = False
        self._begin(rules)
        self._look_again()

    def allow_take_back(self, allowed: bool) -> None:
        """Whether turns older than the last can be taken back from now on."""
        self._play = replace(self._play, take_back=allowed)
        self._reconciler.take_back = allowed

    def take_back(self) -> None:
        """Go back to before the turn that began last; light leads the pieces there."""
        self._must_be_possible("take-back")
        self._end_mismatch()
        self._clearing.intended()
        self._change(self.game.back_to(self.game.last_turn))
        self._happened.append(ev.TakenBack(self.game.ply))
        self._rebase(undoing=self.believed)
        self._look_again()

    def decline(self) -> None:
        """Decline the removal that is due."""
        self._must_be_possible("decline")
        self._end_mismatch()
        self._advance(declining(self.game.position))
        self._look_again()

    def resign(self, player: Player | None = None) -> None:
        """Let `player` (None: who is to move) give the game up."""
        self._must_be_possible("resign")
        self._end_mismatch()
        loser = player or self.game.position.to_move
        self._declare(Reason.RESIGNED, loser.other)

    def agree_draw(self) -> None:
        """End the game drawn, as both players wish."""
        self._must_be_possible("draw")
        self._end_mismatch()
        self._declare(Reason.AGREED, None)

    def choose(self, text: str | None) -> None:
        """Let only the turn `text` (an engine's, a far player's) be done now; None: any legal one."""
        self._must_be_possible("choose")
        chosen = None
        if text is not None:
            turns = {self.game.rules.turn_text(t.steps): t.steps for t in legal_turns(self.game.position)}
            if text not in turns:
                raise RequestError(f"{text!r} is not a legal turn now")
            chosen = turns[text]
        self._reconciler.choose(chosen)
        self._look_again()

    def confirm(self, text: str) -> None:
        """Let count what was done at points whose sensor is masked: a turn, or some of its steps."""
        self._must_be_possible("confirm")
        steps = self.confirmable.get(text)
        if steps is None:
            raise RequestError(Said("refused.not-confirmable", {"turn": text}))
        self._end_mismatch()
        self._advance(steps)
        self._look_again()

    def look_through(self, sight: Sight) -> None:
        """Go on with other sensors masked, as `masks` has it."""
        before, self.sight = self.sight, sight
        self.believed = sight.felt(self.frame)
        self._reconciler.look_through(sight)
        self._happened += masks.changes(before, sight, self.game.rules.layout)
        self._look_again()

    def pause(self) -> None:
        """Let hands not count until `resume`, or until the game ends."""
        self._must_be_possible("pause")
        self.paused = True
        self._clearing.unseen()
        self._happened.append(ev.Paused())

    def resume(self) -> None:
        """Let hands count again; what they did meanwhile counts as done now."""
        self._must_be_possible("resume")
        self.paused = False
        self._happened.append(ev.Resumed())
        self._look_again()

    def objection(self, request: str) -> Said | None:
        """Why the request of that public name cannot be done now; None where it can.

        Hands may always think the last turn over; where they cannot be felt to, it may be asked for.
        """
        may_take_back = self._play.take_back or self._reconciler.hides_last_turn
        return objection(self.game, request, paused=self.paused, may_take_back=may_take_back)

    def _must_be_possible(self, request: str) -> None:
        why = self.objection(request)
        if why is not None:
            raise RequestError(why)

    def _look_again(self) -> None:
        """Have the next step judge the board as if it had just changed."""
        self._overdue = True
