"""One board in play: what hands and buttons do to the game, and what is told of it.

Rules kept here: hands are always right about where the pieces are, the rules about what may happen; a new
game begins only on an empty board; while the game is paused, hands do not count; an ending that the players
declared is taken back by nothing; a sensor that is masked stays so from game to game, and what it could not
feel is confirmed. Frames are debounced, time is an argument, and nothing here knows light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from firmware_host.config.compatibility import hindrance
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player, Reason, Rules, Step, legal_turns
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play import masking as masks
from firmware_host.play.availability import declining, objection
from firmware_host.play.clear_gesture import Clearing
from firmware_host.play.timeline import Course
from firmware_host.ports import NOTHING, Alphabet, Frame
from firmware_host.settings import Microseconds, Play, Timing
from firmware_host.tracking.reconciler import Reconciler
from firmware_host.tracking.sensor_model import Sight
from firmware_host.tracking.verdict import Completed, Lifted, Mismatch, Revised, Settled


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
        self._course = Course()
        self._lifted: frozenset[Point] = frozenset()
        self._wrong: Mismatch | None = None
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
            self._course.go_on(game)
            self._follow_game(found=True)
            if paused and game.outcome is None:
                self.pause()

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self._course.game

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
    def overlooked(self) -> dict[str, tuple[Step, ...]]:
        """What may have been placed unfelt before the last turn, with that as the answer, by its texts."""
        if self.game.outcome is not None or self.must_clear or not self.frame:
            return {}
        told = self._reconciler.overlooked(self.believed)
        return {" ".join(step.text for step in steps): steps for steps in told}

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
        return self._course.take_events()

    def take_course(self) -> tuple[Game, ...]:
        """The states that the game, or game after game, went through since the last call, in order."""
        return self._course.take_states()

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
        self._course.play(steps)
        self.paused = self.paused and self.game.outcome is None
        self._rebase()

    def _go_back(self, revised: Revised, now: Microseconds) -> None:
        if not revised.steps:
            self._clearing.took_back(self.game, now)
        self._course.go_back(revised.to)
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
            if verdict != self._wrong:
                self._course.tell(ev.MismatchFound(verdict.missing, verdict.extra, verdict.wrong))
            self._wrong = verdict
        else:
            self._end_mismatch()
            points = verdict.points if isinstance(verdict, Lifted) else frozenset()
            by_index = sorted(points ^ self._lifted, key=lambda point: point.index)
            self._course.tell(*(ev.PutBack(point) for point in by_index if self._stands_again(point, points)))
            self._course.tell(*(ev.PieceLifted(point) for point in by_index if point in points))
            self._lifted = points
        self.verdict = verdict

    def _stands_again(self, point: Point, lifted: frozenset[Point]) -> bool:
        return point not in lifted and self.believed[point.index] != NOTHING

    def _end_mismatch(self) -> None:
        if self._wrong is not None:
            self._course.tell(ev.Restored())
            self._wrong = None

    # ---- beginning and ending --------------------------------------------------------------------------

    def _begin(self, rules: Rules) -> None:
        self._course.begin(rules, rules.first or self._draw_lot())
        self._follow_game()
        self.must_clear = any(self.believed) and not self._stands_ready

    def _follow_game(self, *, found: bool = False) -> None:
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
        self._course.clear(self.game if self.game.declared else self._clearing.record(self.game))
        self._begin(self.game.rules)

    def _declare(self, reason: Reason, winner: Player | None) -> None:
        self._end_mismatch()
        self._course.declare(reason, winner)
        self.paused = False
        self._look_again()

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
        """Go back to before the turn that began last; light leads the pieces there.

        A board that stood wrong is not restored by that, but wrong in another way, unless it stands so.
        """
        self._must_be_possible("take-back")
        self._clearing.intended()
        self._course.go_back(self.game.last_turn)
        self._rebase(undoing=self.believed)
        self._look_again()

    def decline(self) -> None:
        """Decline the removal that is due."""
        self._must_be_possible("decline")
        self._advance(declining(self.game.position))
        self._look_again()

    def resign(self, player: Player | None = None) -> None:
        """Let `player` (None: who is to move) give the game up."""
        self._must_be_possible("resign")
        loser = player or self.game.position.to_move
        self._declare(Reason.RESIGNED, loser.other)

    def agree_draw(self) -> None:
        """End the game drawn, as both players wish."""
        self._must_be_possible("draw")
        self._declare(Reason.AGREED, None)

    def choose(self, text: str | None) -> None:
        """Let only the turn `text` (an engine's, a far player's) be done now; None: any legal one."""
        self._must_be_possible("choose")
        chosen = None
        if text is not None:
            turns = {self.game.rules.turn_text(t.steps): t.steps for t in legal_turns(self.game.position)}
            if text not in turns:
                raise RequestError(
                    f"{text!r} is not a legal turn now", Message("refused.not-legal", {"turn": text})
                )
            chosen = turns[text]
        self._reconciler.choose(chosen)
        self._look_again()

    def confirm(self, text: str) -> None:
        """Let count what was done at points whose sensor is masked: a turn, or some of its steps.

        What was `overlooked` counts before the last turn.
        """
        self._must_be_possible("confirm")
        overlooked = self.overlooked.get(text)
        steps = overlooked or self.confirmable.get(text)
        if steps is None:
            raise RequestError(Message("refused.not-confirmable", {"turn": text}))
        self._end_mismatch()
        if overlooked:
            self._course.go_back(self.game.last_turn)
        self._advance(steps)
        self._look_again()

    def look_through(self, sight: Sight) -> None:
        """Go on with other sensors masked, as `masks` has it."""
        before, self.sight = self.sight, sight
        self.believed = sight.felt(self.frame)
        self._reconciler.look_through(sight)
        self._course.tell(*masks.changes(before, sight, self.game.rules.layout))
        self._look_again()

    def pause(self) -> None:
        """Let hands not count until `resume`, or until the game ends."""
        self._must_be_possible("pause")
        self.paused = True
        self._clearing.unseen()
        self._course.tell(ev.Paused())

    def resume(self) -> None:
        """Let hands count again; what they did meanwhile counts as done now."""
        self._must_be_possible("resume")
        self.paused = False
        self._course.tell(ev.Resumed())
        self._look_again()

    def objection(self, request: str) -> Message | None:
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
