"""From what is felt to what was played: which position a frame fits, and since when.

Positions are tried as bases in this order:
(a) the game's own;
(b) the one after steps that wait for their dwell, if their pieces still stand: a quick reply;
(c) those of the last turn, the latest first: a player may think again until the opponent's turn is
    committed, whatever the take-back setting;
(d) older ones, the latest first, which must stand exactly so: only if take-back is on, the frame has
    rested, and the board is not being cleared.
A frame that fits none is a mismatch, which is told after a while and ends as soon as a frame fits again. So
is one in which a turn and the reply to it are felt at once, since nothing says that both were meant.

Where (a) fits only because the piece just played could be a capture taken early, and (c) fits too, both stay
open; if both complete, the revision wins if that piece's point opened first. A removed piece that is back
within a second was put back; later it counts as a placement where that is legal. Where pieces may be moved
while others are placed, one that is lifted next to a piece just placed could have been moved there instead:
that counts once the board has rested. After the end of a game only (c) is tried, a lift alone takes nothing
back, since the board may be being cleared, and nothing is a mismatch.

Nothing here reads a clock or changes the game: `update` says what to do, `rebase` is told that it was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import Frame, Reading
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.ambiguity import confirmable, overlooked, suspects
from firmware_host.tracking.history import PointTimes
from firmware_host.tracking.hypotheses import Claim, Claims
from firmware_host.tracking.sensor_model import Sight
from firmware_host.tracking.verdict import Completed, Lifted, Mismatch, Revised, Settled, Verdict

_NOTHING_WRONG = Mismatch(frozenset(), frozenset(), frozenset())
_CLEARING = 3
"""So many pieces gone, and nothing else changed, look like a board that is being cleared."""


class Reconciler:
    """Follows the frames of one game from its beginning to the clearing of the board."""

    def __init__(
        self, game: Game, sight: Sight, timing: Timing, *, take_back: bool, found: bool = False
    ) -> None:
        """`take_back`: whether turns older than the last may be taken back by moving back.

        `found`: the board was not looked at since `game` was played. Until it stands so, or hands play on,
        what is missing there is missing, and no take-back.
        """
        self.take_back = take_back
        self.deadline: Microseconds | None = None
        """When the verdict may change although the frame does not; None: not before it does."""
        self._wait = _Waits(timing)
        self._times = PointTimes(len(game.rules.layout))
        self._claims = Claims(game, sight, self._times, found=found)
        self._found = found
        self._frame: Frame = ()
        self._waiting: Claim | None = None
        self._unfit_since: Microseconds | None = None
        self._mended: Microseconds = 0
        self._undoing: Frame | None = None
        self._shown: Settled | Lifted | Mismatch = Settled()
        self._confirmable: tuple[tuple[object, ...], tuple[tuple[Step, ...], ...]] | None = None

    def rebase(self, game: Game, undoing: Frame | None = None) -> None:
        """Go on from `game`, which shares its start with the one before.

        `undoing`: the frame in which a take-back was asked for. On the way from there to the game's position
        nothing counts as the same turn once more.
        """
        self._claims.rebase(game)
        self._waiting = None
        self._unfit_since = None
        self._found = False
        self._shown = Settled()
        self._undoing = undoing

    def look_through(self, sight: Sight) -> None:
        """Go on with other sensors masked; to be followed by an `update` with what is felt then."""
        self._claims.look_through(sight)
        self._waiting = None

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); thinking again keeps to it."""
        self._claims.choose(turn)

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """What is left to do of a chosen turn; None where any legal one may be done."""
        return self._claims.chosen

    @property
    def hides_last_turn(self) -> bool:
        """Whether something of the last turn was done where it is not felt."""
        return self._claims.hidden > self._game.last_turn

    def confirmable(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """What of the turn that is due may be done when `frame` is felt, and has to be confirmed."""
        key = frame, self._game, self._claims.sight, self.chosen
        if self._confirmable is None or self._confirmable[0] != key:
            self._confirmable = key, confirmable(self._claims, frame)
        return self._confirmable[1]

    def overlooked(self, frame: Frame) -> tuple[tuple[Step, ...], ...]:
        """What may have been placed unfelt before the last turn, each with that one as the answer to it."""
        return overlooked(self._claims, frame) if self.chosen is None else ()

    def suspects(self, frame: Frame, mismatch: Mismatch) -> frozenset[Point]:
        """The points whose sensor may be broken when `frame` is felt, which was found to differ so."""
        return suspects(self._claims, frame, mismatch)

    @property
    def _game(self) -> Game:
        return self._claims.game

    def update(self, frame: Frame, now: Microseconds) -> Verdict:
        """What `frame`, debounced and felt at `now`, means; to be called on each change and each deadline.

        Of points whose sensor is masked it says nothing (`Sight.felt`).
        """
        self._times.note(self._frame, frame, now)
        self._frame = frame
        self.deadline = None
        if frame == self._claims.own:
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

    def prepare(self) -> bool:
        """Work out a little of what the next frame may ask for; whether more may be left.

        Nothing depends on it but how soon `update` is done.
        """
        return self._claims.prepare(None if self._waiting is None else self._waiting.after)

    # ---- which base --------------------------------------------------------------------------------

    def _claim(self, frame: Frame) -> Claim | None:
        """Bases (a) to (c)."""
        own = self._claims.of_turn(frame)
        again = self._claims.of_last_turn(frame)
        if own is not None:
            return own if again is None else self._claims.decide(own, again, frame, self._wait.put_back)
        waiting = self._waiting
        after = None if waiting is None else waiting.after
        if waiting is not None and after is not None and self._is_quick_reply(waiting, after, frame):
            return waiting
        return again

    def _is_quick_reply(self, waiting: Claim, after: Position, frame: Frame) -> bool:
        steps = waiting.steps or ()
        base = self._claims.reply_base(after)
        landed = [step.target.index for step in steps if step.target]
        stands = all(frame[index] == base.frame[index] for index in landed)
        begun = frame != base.frame and bool(base.fits(frame))
        return stands and begun and not self._is_half_mended(_touched(steps))

    def _is_half_mended(self, points: Iterable[Point]) -> bool:
        """Whether what would count stood so already when a mismatch came to its end elsewhere.

        Hands that mend a board pass through frames that look like a turn which nobody played.
        """
        return max((self._times.changed[point.index] for point in points), default=0) < self._mended

    def _is_undoing(self, frame: Frame) -> bool:
        """Whether a take-back was asked for and each point is still as it was then, or as it shall be."""
        if self._undoing is None:
            return False
        return all(map(_is_either, frame, self._undoing, self._claims.own))

    # ---- what it means -----------------------------------------------------------------------------

    def _settle(self) -> Settled:
        if self._found:
            self._found = False
            self._claims.found_again()
        self._waiting = None
        self._unfit_since = None
        self._undoing = None
        self._shown = Settled()
        return self._shown

    def _judge(self, claim: Claim, frame: Frame, now: Microseconds) -> Verdict:
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
        self._shown = Lifted(frozenset(self._claims.gone(frame)), claim.fits)
        return self._shown

    def _due(self, claim: Claim, frame: Frame) -> Microseconds:
        """When the claim's steps have waited long enough."""
        changed = self._times.changed
        dues: dict[Point, Microseconds] = {}
        if claim.ply != self._game.ply:
            dues = {point: changed[point.index] + self._wait.sliding for point in self._claims.filled(frame)}
        for index, step in enumerate(claim.steps or ()):
            if step.target is not None:
                slides = self._claims.base(claim.ply).has_other_landing(claim.fits[0], index)
                wait = self._wait.sliding if slides else self._wait.landing
                dues[step.target] = changed[step.target.index] + wait
                if claim.ply != self._game.ply and step.origin and not self._times.opened_first(step):
                    dues[step.origin] = changed[step.origin.index] + self._wait.rest
            elif step.origin is not None:
                dues[step.origin] = changed[step.origin.index] + self._wait.removal
        if not dues:
            dues = {point: changed[point.index] + self._wait.removal for point in self._claims.gone(frame)}
        if self._is_half_mended({*dues, *_touched(claim.steps or ())}):
            return max(*dues.values(), self._mended + self._wait.rest)
        return max(dues.values())

    def _older(self, frame: Frame, now: Microseconds) -> Revised | None:
        """Base (d)."""
        if not self.take_back or self._found or self._game.outcome or self._is_clearing(frame):
            return None
        for ply in range(self._game.ply - 1, self._claims.hidden - 1, -1):
            if frame == self._claims.expected[ply]:
                rested = self._times.latest + self._wait.rest
                if now >= rested:
                    return Revised(ply, ())
                self.deadline = rested
                return None
        return None

    def _is_clearing(self, frame: Frame) -> bool:
        gone = list(self._claims.gone(frame))
        only_gone = not any(self._claims.filled(frame))
        return not any(frame) or (only_gone and len(gone) >= _CLEARING)

    def _unfit(self, frame: Frame, now: Microseconds) -> Settled | Lifted | Mismatch:
        if self._game.outcome is not None:
            return self._settle()
        if self._unfit_since is None:
            self._unfit_since = now
        mismatch = self._claims.mismatch(frame)
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

    def _without_brushes(self, mismatch: Mismatch, now: Microseconds) -> Settled | Mismatch:
        """Leave out points that are filled since a moment only, unless they are shown already.

        Where nothing is left of what was shown, that is over, and what is new has to last as ever.
        """
        shown = self._shown
        known = shown.extra | shown.wrong if isinstance(shown, Mismatch) else frozenset[Point]()
        dues = {
            point: self._times.changed[point.index] + self._wait.illegal
            for point in (mismatch.extra | mismatch.wrong) - known
        }
        young = {point for point, due in dues.items() if now < due}
        rest = Mismatch(mismatch.missing, mismatch.extra - young, mismatch.wrong - young)
        if not young:
            return mismatch
        if rest == _NOTHING_WRONG:
            if not isinstance(shown, Mismatch) or self._undoing is not None:
                return mismatch
            self._unfit_since = min(self._times.changed[point.index] for point in young)
            self._mended = now
        self._wake_at(min(dues[point] for point in young))
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
    """The points that hands touch when they do `steps`."""
    return (point for step in steps for point in (step.origin, step.target) if point is not None)


def _is_either(reading: Reading, one: Reading, other: Reading) -> bool:
    return reading in (one, other)
