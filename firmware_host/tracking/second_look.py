"""A second look at a board that nothing explains: the same search, put to other sets of changes.

1. *At rest*: only what differs now, in any order. A board that has rested in the only position that the next
   turns lead to, or the last one played in another way, was played so, whatever happened on the way.
2. *Thought over*: all changes since the board matched an earlier position. A turn that counted since then
   may have been none: the captured piece, put back late, seemed to be placed by the opponent. Or turns were
   moved back, and others have been played since the board stood as before them.
3. *The beginning*: all changes up to a pause. The turns played by then count in their time, and only the
   rest is wrong.

Invariants: nothing here is tried while an explanation of all changes is left. No jolt is explained, and what
stands as the game says keeps its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Step
from firmware_host.ports import NOTHING, Frame, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.decision import agreed, differing, is_between, likeliest
from firmware_host.tracking.display import Display
from firmware_host.tracking.dwell import Committer, Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import UNLIKELY, Explanation
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import PUSHED, Mark, Observation
from firmware_host.tracking.search import Search
from firmware_host.tracking.take_backs import TakeBacks
from firmware_host.tracking.verdict import Change, Completed, Revised, Unchanged
from firmware_host.tracking.weighing import BoardEvidence

_MAX_PAUSES = 3
"""The number of pauses, from the last one back, up to which what hands did is explained."""
_MAX_TURNS = 3
"""The number of turns that later evidence may show in another light."""


@frozen
class _Older:
    """The older position that hands went back to, by its ply, having touched that many points."""

    ply: int
    touched: int


_Question = Callable[[], Change | _Older | None]


class SecondLook:
    """The other sets of changes of one board, and what each of them counts as."""

    def __init__(
        self,
        expected: ExpectedGame,
        seen: Observation,
        dwell: Dwell,
        moves: Moves,
        display: Display,
        take_backs: TakeBacks,
    ) -> None:
        """Explain what was `seen` by the `moves` of the `expected` game."""
        self._expected = expected
        self._seen = seen
        self._dwell = dwell
        self._moves = moves
        self._display = display
        self._take_backs = take_backs
        self.forget()

    def forget(self) -> None:
        """Start again, because the board has changed."""
        self._has_begun = False
        self._returned: tuple[set[int], list[Explanation]] | None = None
        self._found: dict[_Question, Change | _Older | None] = {}
        """The answer to each question that was put to the board since it came to rest."""
        self._beginning: tuple[Observation, list[Explanation]] | None = None

    def explain(self, now: Microseconds, *, is_asked: bool) -> Change | Unchanged | None:
        """Return what counts, or is announced, although nothing explains all changes; None if nothing.

        `is_asked` says that the board has asked which of several explanations is right.
        """
        found: Change | Unchanged | None = self._take_backs.go_back([], now)
        if found is None and not (is_asked or self._display.is_half_corrected):
            found = self._of_the_beginning(now)
        return found or self._at_rest(now, is_asked=is_asked)

    # ---- a board at rest -----------------------------------------------------------------------------

    def at_rest(self, now: Microseconds, *, is_asked: bool) -> Change | Unchanged | None:
        """Return what a board that has rested counts as, whatever happened; None if it is not a turn."""
        return self._take_backs.go_back([], now) or self._at_rest(now, is_asked=is_asked)

    def _at_rest(self, now: Microseconds, *, is_asked: bool) -> Change | Unchanged | None:
        if is_asked or self._expected.game.outcome is not None or self._take_backs.is_clearing():
            return None
        return self._once_rested(now, self._as_it_stands, self._other_story)

    def thought_over(self, now: Microseconds) -> Change | Unchanged | None:
        """Return what counted in another light, if that is likelier than what hands seem to do now."""
        is_over = self._expected.game.outcome is not None
        return None if is_over else self._once_rested(now, self._other_story)

    def _once_rested(self, now: Microseconds, *questions: _Question) -> Change | Unchanged | None:
        """Return the first answer to the questions, after a second; until then it only keeps errors away."""
        earliest, due = (self._seen.latest + wait for wait in (self._dwell.landing, self._dwell.put_back))
        if now < earliest:
            self._dwell.wait_until(earliest)
            return None
        found: Change | _Older | None = None
        for question in questions:
            if question not in self._found:
                self._found[question] = question()
            found = self._found[question]
            if found is not None:
                break
        if found is not None and now < due:
            self._dwell.wait_until(due)
            return self._display.show_lifted()
        if isinstance(found, _Older):
            return self._take_backs.go_back_by(found.ply, found.touched, now)
        return found

    def _as_it_stands(self) -> Change | None:
        """Return the only continuation that stands like that, or otherwise the only change of the last turn.

        A part of the last turn goes before another one instead of it.
        """
        expected = self._expected
        game = expected.game
        part = self._seen.at_rest(expected.own)
        found = self._explain(game, expected.revisable_from, part, any_order=True)
        found = [e for e in found if self._keeps_owners(e)]
        forward = [e for e in found if e.ply == game.ply and e.steps]
        back = [e for e in found if e.ply < game.ply and not e.steps]
        other = [e for e in found if e.ply < game.ply and e.steps and _is_one_turn(e, game)]
        for those in (forward, back, other):
            if any(self._is_doubtful(e) for e in those):
                return None
            is_next = those is forward
            passing = self._by_passing() if those and is_next else []
            if len({str(e.position) for e in (*those, *passing)}) == 1:
                shortest = min(those, key=lambda e: len(e.steps))
                return Completed(shortest.steps) if is_next else Revised(shortest.ply, shortest.steps)
            if those:
                return None
        return None

    def _by_passing(self) -> list[Explanation]:
        """Return the next turns that may also have passed points which read as the game says again."""
        game = self._expected.game
        part = self._seen.at_rest(self._expected.own, also_passed=True)
        found = self._explain(game, game.ply, part, any_order=True)
        return [e for e in found if e.steps and self._keeps_owners(e)]

    def _is_doubtful(self, explanation: Explanation) -> bool:
        """Return whether hands may have done something else, or sensors seen too little."""
        is_unseen = explanation.unobserved or explanation.sure is not None
        is_other = _was_jolted(explanation, self._seen, self._expected.own) or _reverses(
            explanation, self._expected.game
        )
        return is_unseen or is_other or bool(self.exchanged([explanation]))

    # ---- an announced take-back ----------------------------------------------------------------------

    def played_on(self, now: Microseconds) -> Revised | Unchanged | None:
        """Return that an announced take-back counts, since hands plainly play on from there.

        While pieces only go back to where they stood before, it may be called off. Those that stand as after
        some of its turns leave these as they were.
        """
        mark, seen, expected = self._take_backs.announced, self._seen, self._expected
        if mark is None or mark is not seen.back or seen.frame in expected.frames[: len(mark.steps) + 1]:
            return None
        best = self._since_back(mark, whole=False)
        if not best or best[0].cost:
            return None
        is_called_off = is_between(seen.frame, mark.own, expected.own)
        is_landed = any(e.steps for e in best) and not is_called_off
        due = seen.latest + (self._dwell.sliding if is_landed else self._dwell.put_back)
        if now >= due:
            ply = self._take_backs.last_like_this(len(mark.steps))
            return Revised(len(mark.steps) if ply is None else ply, ())
        self._dwell.wait_until(due)
        return self._display.show_lifted()

    # ---- what counted, in another light --------------------------------------------------------------

    def _other_story(self) -> Revised | _Older | None:
        """Return the change of what counted that explains all that was seen since before it."""
        regretted = self._regretted()
        if regretted is not None:
            return regretted
        expected = self._expected
        game = expected.game
        earliest = expected.revisable_from
        if self._take_backs.allowed:
            earliest = _late_turns_from(game)
        for mark in self._seen.marks(game.steps):
            ply = len(mark.steps)
            if ply < earliest:
                break
            lines = list(_without_put_backs(game, ply))
            if lines and self._seen.frame == mark.own:
                return _Older(ply, len({index for index, _ in mark.log}))
            best = self._best_since(mark, lines) if lines else []
            if best:
                return _revised(best)
        best = self._since_back(self._seen.back, whole=True) if self._seen.back else []
        if best:
            return _revised(best)
        returned = likeliest(filter(self._keeps_owners, self._of_returned()[1]), self._seen)
        return Revised(returned[0].ply, returned[0].steps) if len(returned) == 1 else None

    def _regretted(self) -> Revised | None:
        """Return that another piece was captured before the replies: the first one is back.

        If it came back within a second after the other was lifted, that one may have gone to its point.
        """
        game, seen = self._expected.game, self._seen
        for ply, index in self._returned_captures():
            part = seen.at_rest(self._expected.frames[ply])
            found = self._explain(game.back_to(ply), ply, part, any_order=True, has_objected=True)
            later = [step.text for step in game.steps[ply + 1 :]]
            runs = [e.steps for e in found if [step.text for step in e.steps[1:]] == later]
            taken = runs[0][0].origin if len(runs) == 1 else None
            if taken is None:
                continue
            carried = seen.changed[index] - seen.opened[taken.index]
            if not 0 <= carried < self._dwell.put_back:
                return Revised(ply, runs[0])
        return None

    def has_returned_capture(self) -> bool:
        """Return whether nothing differs but a piece captured before the last turn, which is back."""
        off = differing((self._seen.frame, self._expected.own))
        return any(off == {index} for _, index in self._returned_captures())

    def _returned_captures(self) -> Iterator[tuple[int, int]]:
        """Yield the ply and point of each late capture that was replied to, and whose piece may be back."""
        expected, frame = self._expected, self._seen.frame
        game, own = expected.game, expected.own
        if not self._take_backs.allowed or game.mid_turn:
            return
        for ply in range(max(_late_turns_from(game), expected.watched_from), game.last_turn):
            step, before = game.steps[ply], expected.frames[ply]
            if step.target is None and step.origin is not None:
                index = step.origin.index
                if frame[index] == before[index] != own[index]:
                    yield ply, index

    def _best_since(self, mark: Mark, lines: Iterable[tuple[Step, Sequence[Step]]]) -> list[Explanation]:
        """Return the likeliest explanations of all changes since a mark that go along one of the `lines`.

        The removal that a line does without is not among their steps.
        """
        ply, part = len(mark.steps), self._seen.since(mark)
        found = self._explain(self._expected.game.back_to(ply), ply, part, has_objected=True)
        along = [
            e
            for e in found
            if any(
                _agree(e.steps, line) and removal.text not in {step.text for step in e.steps}
                for removal, line in lines
            )
        ]
        return likeliest(filter(self._keeps_owners, along), part)

    def _since_back(self, mark: Mark, *, whole: bool) -> list[Explanation]:
        """Return the likeliest explanations of what followed since the board stood as some turns ago.

        While pieces only go back to where they stood before that, it may be called off. Without colours,
        nothing shows then which of them is placed.
        """
        expected, ply, part = self._expected, len(mark.steps), self._seen.since(mark)
        found = self._explain(expected.game.back_to(ply), ply, part, whole=whole)
        is_coloured = expected.sensor_model.alphabet is not SensorKind.PRESENCE
        if not is_coloured and is_between(part.frame, mark.own, expected.own):
            found = [e for e in found if all(step.origin for step in e.steps)]
        return likeliest(found, part)

    def returned(self) -> list[Explanation]:
        """Return the explanations by which a new piece alone is the one that left its point before."""
        left, found = self._of_returned()
        return [
            e for e in found if len(e.steps) == 1 and e.steps[0].target and e.steps[0].target.index in left
        ]

    def exchanged(self, best: Iterable[Explanation]) -> list[Explanation]:
        """Return what is as likely as `best`, but gives a piece that may be back on its point another owner.

        Such a piece left its point before the last turn counted. Sensors that recognise colours know it, and
        people said whose is a piece on a masked point.
        """
        game, model = self._expected.game, self._expected.sensor_model
        if model.alphabet is not SensorKind.PRESENCE:
            return []
        left, found = self._of_returned()
        played = game.steps[game.last_turn :]
        if not found or any(step.target and step.target.index in model.masked for step in played):
            return []
        counted = {tuple(e.position.stacks[index] for index in sorted(left)) for e in best}
        same, other = list[Explanation](), list[Explanation]()
        for e in found:
            (same if tuple(e.position.stacks[i] for i in sorted(left)) in counted else other).append(e)
        most = min((e.cost for e in same), default=UNLIKELY)
        return [e for e in other if e.cost <= most]

    def _of_returned(self) -> tuple[set[int], list[Explanation]]:
        """Return the points that may have their piece back, and what explains all since before it left."""
        expected, seen = self._expected, self._seen
        if self._returned is not None:
            return self._returned
        begun, counted = seen.counted
        left = {
            index
            for index, changes in seen.changes.items()
            if seen.frame[index] != NOTHING
            and seen.was_left(index, max(begun, changes[-1].time - self._dwell.rest), counted)
        }
        is_over = expected.game.outcome is not None
        mark = None if is_over or not left else next(seen.marks(expected.game.steps), None)
        found: list[Explanation] = []
        if mark is not None and len(mark.steps) == expected.game.last_turn:
            ply, part = len(mark.steps), seen.since(mark)
            found = self._explain(expected.game.back_to(ply), ply, part, has_objected=True)
        self._returned = left, [e for e in found if e.cost < UNLIKELY and e.steps]
        return self._returned

    # ---- the beginning -------------------------------------------------------------------------------

    def _of_the_beginning(self, now: Microseconds) -> Completed | None:
        """Return what was played before hands did what nothing explains, once it has waited for its dwell."""
        if self._expected.game.outcome is not None:
            return None
        due = self._seen.latest + self._dwell.landing
        if now < due:
            self._dwell.wait_until(due)
            return None
        if not self._has_begun:
            self._has_begun, self._beginning = True, next(self._beginnings(), None)
        if self._beginning is None:
            return None
        part, best = self._beginning
        committer = Committer(self._expected, part, self._dwell, self._moves)
        change = committer.commit(best, agreed(best) or (), now, may_return=False, may_go_back=False)
        return change if isinstance(change, Completed) else None

    def _beginnings(self) -> Iterator[tuple[Observation, list[Explanation]]]:
        """Yield the turns before each pause whose pieces nobody has touched since, the latest pause first.

        A beginning that the board would have asked about does not count.
        """
        game, own = self._expected.game, self._expected.own
        for time in self._seen.pauses()[:_MAX_PAUSES]:
            part = self._seen.until(time, own)
            best = likeliest(self._explain(game, game.ply, part), part)
            steps = agreed(best) if best else None
            if not steps or best[0].cost >= UNLIKELY or self.exchanged(best):
                continue
            points = {p.index for step in steps for p in (step.origin, step.target) if p is not None}
            if all(self._seen.changed[index] == part.changed[index] for index in points):
                yield part, best

    # ---- the one question ----------------------------------------------------------------------------

    def _explain(
        self,
        game: Game,
        earliest: int,
        part: Observation,
        *,
        any_order: bool = False,
        has_objected: bool | None = None,
        whole: bool = True,
    ) -> list[Explanation]:
        """Return the explanations of a part of what was seen; if `whole`, they leave no piece in hand."""
        expected = self._expected
        objected = self._display.has_objected if has_objected is None else has_objected
        own = expected.frames[game.ply]
        evidence = BoardEvidence(expected.sensor_model, own, part, self._dwell, objected, any_order=any_order)
        found = Search(self._moves, evidence).explain(game, earliest, expected.permission)
        return [e for e in found if e.is_whole or not whole]

    def _keeps_owners(self, explanation: Explanation) -> bool:
        """Return whether the points that read as the game says hold the same pieces after it."""
        expected, frame = self._expected, self._seen.frame
        stacks, after = expected.game.position.stacks, explanation.position.stacks
        return all(
            stacks[index] == after[index] for index, own in enumerate(expected.own) if frame[index] == own
        )


def _was_jolted(explanation: Explanation, seen: Observation, own: Frame) -> bool:
    """Return whether a piece of its moves was pushed, and others had left their points as well.

    No pace is known of changes that nobody watched.
    """
    if sum(own[index] != NOTHING and bool(seen.openings(index)) for index in seen.changes) < 2:
        return False
    ends = [(s.origin.index, s.target.index) for s in explanation.steps if s.origin and s.target]
    return any(
        seen.changed[target] != seen.unwatched
        and any(0 <= seen.changed[target] - time < PUSHED for time in seen.openings(origin)[:1])
        for origin, target in ends
    )


def _revised(best: Sequence[Explanation]) -> Revised | None:
    """Return the only one of the `best` as a change of what counted; None if it isn't likely."""
    is_clear = len(best) == 1 and best[0].cost < UNLIKELY
    return Revised(best[0].ply, best[0].steps) if is_clear else None


def _is_one_turn(explanation: Explanation, game: Game) -> bool:
    """Return whether its steps set down no piece but the player's to move where it begins."""
    mover = game.positions[explanation.ply].to_move
    return all(step.piece.owner is mover for step in explanation.steps if step.target and step.piece)


def _reverses(explanation: Explanation, game: Game) -> bool:
    """Return whether several steps are late ones in reverse: hands may be on the way back."""
    late = game.steps[_late_turns_from(game) :]
    undone = {(step.target, step.origin) for step in late if step.origin and step.target}
    return sum((step.origin, step.target) in undone for step in explanation.steps) > 1


def _late_turns_from(game: Game) -> int:
    """Return the ply at which the oldest turn began that later evidence may show in another light."""
    return [0, *(start for start in game.turn_starts if start < game.ply)][-_MAX_TURNS:][0]


def _without_put_backs(game: Game, ply: int) -> Iterator[tuple[Step, Sequence[Step]]]:
    """Yield each removal since `ply`, and the other steps but the placement on its point that followed it.

    The placed piece may have been the removed one, put back late; not if it closed a mill and has captured.
    """
    counted = game.steps[ply:]
    for at, removal in enumerate(counted):
        if removal.target is not None or removal.origin is None:
            continue
        for later in range(at + 1, len(counted)):
            placed = counted[later]
            is_put_back = placed.origin is None and placed.target is removal.origin
            has_captured = later + 1 < len(counted) and game.positions[ply + later + 1].removal_due
            if is_put_back and not has_captured:
                yield removal, (*counted[:at], *counted[at + 1 : later], *counted[later + 1 :])


def _agree(steps: Sequence[Step], line: Sequence[Step]) -> bool:
    """Return whether the steps begin with the line, or the line with the steps."""
    return all(step.text == other.text for step, other in zip(steps, line, strict=False))
