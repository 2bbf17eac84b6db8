"""The likelihood of explanations: of steps at the times of their changes, and of all that is left over.

Invariants: times are those of one observation. What hands cannot have done has no cost but is None;
everything else is only more or less likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Step
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.explanation import (
    DOUBTFUL,
    HALF_REVISED,
    HASTE,
    IDLE,
    LATE_THOUGHT,
    OUT_OF_ORDER,
    OWNERS_LIFT,
    UNLIKELY,
    UNSEEN,
    Node,
)
from firmware_host.tracking.moves import Action
from firmware_host.tracking.observation import LONG_AGO, PACE, PUSHED, Observation, ReadingChange
from firmware_host.tracking.sensor_model import SensorModel

# ---- evidence -------------------------------------------------------------------------------------------
# The evidence on a board that hands have touched.


@frozen
class BoardEvidence:
    """All that is known of a board that hands have touched.

    `own` is the frame of the game's position. `has_objected` says that the board has shown an error, or asked
    a question, since it last matched the game. In `any_order` the times of the changes mean nothing.
    """

    sensors: SensorModel
    own: Frame
    seen: Observation
    dwell: Dwell
    has_objected: bool
    any_order: bool = False


# ---- leftovers ------------------------------------------------------------------------------------------
# The cost of what is left over of an observation: changes that are no actions of an explanation.
#
# A piece that was straightened, a point that was brushed and a sensor that chatters change readings, and
# change them back. The longer that takes, the less likely it is that nothing was meant by it.


class Leftovers:
    """The changes of one observation, beside the actions of each explanation."""

    def __init__(self, evidence: BoardEvidence) -> None:
        """Judge by `evidence`."""
        self._evidence = evidence
        self._seen = evidence.seen
        self._dwell = evidence.dwell
        self._known: dict[tuple[int, tuple[Reading, ...]], int | None] = {}

    def cost(self, node: Node, unfinished: set[int]) -> int | None:
        """Return the cost of all changes that are no actions of `node`; None if some cannot be.

        At the points of `unfinished`, the last reading is an action as well.
        """
        cost = 0
        for index, changes in self._seen.changes.items():
            done = node.actions.get(index, ())
            if index in unfinished:
                done = (*done, self._seen.frame[index])
            key = index, done
            if key not in self._known:
                self._known[key] = self._left_over(index, changes, done)
            extra = self._known[key]
            if extra is None:
                return None
            cost += extra
        return cost

    def _left_over(self, index: int, changes: list[ReadingChange], done: tuple[Reading, ...]) -> int | None:
        """Return the least cost of the changes at a point that are not actions; None if some action is none.

        Each change is the next action, or begins an excursion that ends with the reading before it, or is a
        reading that a piece gave on its way.
        """
        readings = (self._evidence.own[index], *done)
        stacked = self._evidence.sensors.alphabet is SensorKind.PIECES
        known: dict[tuple[int, int, int], int | None] = {}

        def least(at: int, acts: int, before: int) -> int | None:
            if at == len(changes):
                return 0 if acts == len(done) else None
            key = at, acts, before
            if key not in known:
                known[key] = min(costs(at, acts, before), default=None)
            return known[key]

        def costs(at: int, acts: int, before: int) -> Iterator[int]:
            change, held = changes[at], readings[acts]
            if acts < len(done) and change.reading == readings[acts + 1]:
                rest = least(at + 1, acts + 1, at)
                if rest is not None:
                    returns = acts > 0 and readings[acts + 1] == readings[acts - 1]
                    quick = returns and not self._is_idle(index, changes[before], change, readings[acts + 1])
                    yield rest + UNLIKELY * (quick and not stacked)
            back = next((k for k in range(at + 1, len(changes)) if changes[k].reading == held), None)
            if back is not None and not self._was_set_down(change, changes[back], held):
                rest = least(back + 1, acts, before)
                if rest is not None:
                    was_answered = held == NOTHING and self._was_answered(index, changes)
                    is_idle = stacked or self._is_idle(index, change, changes[back], held)
                    yield rest + (DOUBTFUL if was_answered else IDLE * is_idle)
            rest = least(at + 1, acts, before)
            if rest is not None:
                yield rest + IDLE

        return least(0, 0, 0)

    def _was_set_down(self, begun: ReadingChange, ended: ReadingChange, held: Reading) -> bool:
        """Return whether a piece stood there for too long, without an objection, to mean nothing."""
        is_piece = begun.reading != NOTHING and not begun.reading.lost_top(held)
        lasted = ended.time - begun.time
        return is_piece and lasted >= self._dwell.put_back and not self._evidence.has_objected

    def _was_answered(self, index: int, changes: list[ReadingChange]) -> bool:
        """Return whether a piece stood only for a moment, in which another was set down, and is now away."""
        if len(changes) != 2:
            return False
        begun, ended = (change.time for change in changes)
        return ended - begun < self._dwell.sliding and self._seen.landed_between(index, begun, ended)

    def _is_idle(self, index: int, begun: ReadingChange, ended: ReadingChange, held: Reading) -> bool:
        """Return whether a piece that came back was lifted, or one that went was set down, deliberately."""
        lasted = ended.time - begun.time
        if begun.reading == NOTHING or begun.reading.lost_top(held):
            return lasted >= self._dwell.put_back
        return lasted >= self._dwell.sliding or self._seen.landed_between(index, begun.time, ended.time)


# ---- pieces that go back --------------------------------------------------------------------------------
# The way back of pieces that a turn had moved or captured: evidence of whether it was thought over.


class PutBacks:
    """The pieces that came back in one observation."""

    def __init__(self, evidence: BoardEvidence) -> None:
        """Judge by `evidence`."""
        self._seen = evidence.seen
        self._dwell = evidence.dwell

    def cost(self, node: Node, in_hand: Sequence[int]) -> int | None:
        """Return the cost of going back to the start of `node`, with pieces `in_hand`; None if nobody did."""
        start, cost = node.start, 0
        if self._was_carried_too_long(node, in_hand):
            return None
        if not start.undone and any(node.actions.get(index) for index in self._late_put_backs(node)):
            cost += UNLIKELY
        carried_back = {origin for origin, _ in start.back}
        if in_hand and start.actions and not (carried_back.issuperset(in_hand) and self._returned_last(node)):
            cost += HALF_REVISED
        was_back_early = any(self._was_back_early(node, *points) for points in start.back)
        return cost + OUT_OF_ORDER * (was_back_early or self._returned_first(node))

    def _was_carried_too_long(self, node: Node, in_hand: Sequence[int]) -> bool:
        """Return whether another piece was removed long after one that its owner seems to have in hand."""
        lifted = [self._seen.opened[s.origin.index] for s in node.steps if s.origin and s.target is None]
        carried = set(in_hand).intersection(node.start.returned) & self._seen.removed.keys()
        return any(
            time - self._seen.removed[index] > self._dwell.carried for index in carried for time in lifted
        )

    def _was_back_early(self, node: Node, origin: int, target: int) -> bool:
        """Return whether a piece that moved was back on its origin before it was lifted from its target."""
        actions = node.actions.get(origin, ())
        if not actions or actions != node.start.actions.get(origin) or target not in node.start.undone:
            return False  # it has moved on, or nothing shows that it moved
        landed = self._seen.landings(origin, actions[-1])
        return bool(landed) and landed[-1] < min(self._seen.openings(target), default=landed[-1])

    def _returned_first(self, node: Node) -> bool:
        """Return whether a removed piece came back long after it left, and what its turn set down left later.

        Then it is rather a new piece.
        """
        left = min((t for index in node.start.undone for t in self._seen.openings(index)), default=LONG_AGO)
        return any(self._seen.first(index) < left for index in self._late_put_backs(node))

    def _returned_last(self, node: Node) -> bool:
        """Return whether a removed piece came back after what its turn set down was lifted.

        That is how a capture is taken back, also before the piece in hand is down.
        """
        returned = [self._seen.first(index) for index in node.start.returned if index in self._seen.changes]
        lifted = [time for index in node.start.undone for time in self._seen.openings(index)[:1]]
        return bool(returned and lifted) and min(returned) > max(lifted)

    def _late_put_backs(self, node: Node) -> Iterator[int]:
        """Yield the points to which a removed piece came back long after it left, if only for a moment."""
        seen = self._seen
        for index in node.start.returned:
            if index in seen.changes:
                removed = seen.removed.get(index, LONG_AGO)
                if seen.first(index) - removed >= self._dwell.put_back:
                    yield index


# ---- steps ----------------------------------------------------------------------------------------------


_MOST_DISORDER = 4
"""The most that one run costs by actions out of their order."""
_MAX_LANDINGS = 2
"""The largest number of pieces that hands set down in one frame."""


class Landing(NamedTuple):
    """A run after one more landing: the time of the latest one, its cost, and the time of the last push."""

    landed: Microseconds
    cost: int
    pushed: Microseconds | None


class Plausibility:
    """The times of one observation, as evidence for steps and against them."""

    def __init__(self, evidence: BoardEvidence) -> None:
        """Judge by `evidence`."""
        self._kind = evidence.sensors.alphabet
        self._evidence = evidence
        self._seen = evidence.seen
        self._dwell = evidence.dwell
        self._leftovers = Leftovers(evidence)
        self._put_backs = PutBacks(evidence)

    # ---- a step ----------------------------------------------------------------------------------

    def land(self, node: Node, step: Step, action: Action, *, in_order: bool) -> Landing | None:
        """Return the run of `node` after `step` has landed, its last `action`; None if it cannot have.

        `in_order` excludes turns that land before the turn before them.
        """
        if _is_put_back((*node.start.counted, *node.steps), step):
            return None
        if self._evidence.any_order:
            return Landing(node.landed, node.cost, None)
        times = self._landing_times(node, step, action)
        if times is None:
            return None
        first, last = times
        if last < node.acted_earlier:
            return None  # before the same player's last turn was over
        is_early = last < node.landed_before
        if is_early and (in_order or self._was_done_before(node, last)):
            return None
        lifted_early = self.lift(node, step)
        if lifted_early is None:
            return None
        cost = (
            node.cost
            + lifted_early
            + OWNERS_LIFT * self._continues_owners_lift(node, step)
            + self._early_landing(step, is_early=is_early)
            + IDLE * (not is_early and self._came_back(node, step, first))
            + UNLIKELY * self._is_quick(node, step, first)
            + IDLE * self._was_touched(node, step)
            + HASTE * self._was_hasty(step, last)
        )
        if cost >= 2 * UNLIKELY or cost % UNLIKELY > _MOST_DISORDER:
            return None
        if not self._was_pushed(step, last):
            return Landing(max(node.landed, first), cost, node.pushed)
        if node.pushed is not None and self._kind is not SensorKind.PIECES:
            return None
        return Landing(max(node.landed, first), cost, last)

    def lift(self, node: Node, step: Step) -> int | None:
        """Return the cost of lifting the piece of `step` when it was; None if it cannot have been."""
        index = None if step.origin is None else step.origin.index
        opened = [] if index is None else self._seen.openings(index)
        if index is None or not opened or self._evidence.any_order:
            return 0
        is_at_once = step.target is None and self._only_touched(node, index)
        if is_at_once or self.was_lifted_together(node, index):
            return None
        return self._cost_of_lifts(node, {index: opened[-1]})

    def _only_touched(self, node: Node, index: int) -> bool:
        """Return whether a piece that a turn set down stood there for less time than a landing needs.

        No pace is known of changes that nobody watched.
        """
        is_new = any(step.target is not None and step.target.index == index for step in node.steps)
        if not is_new or self._seen.first(index) == self._seen.unwatched:
            return False
        return self._seen.longest_stand(index) < self._dwell.sliding

    def was_lifted_together(self, node: Node, index: int) -> bool:
        """Return whether a piece left its point as the turn before lifted its first: it was no reply's.

        No pace is known of changes that nobody watched.
        """
        before, _ = _turn_before(node)
        if not node.turns or before is None or node.position.stacks[index][-1].owner is node.position.to_move:
            return False
        lifted = self._seen.openings(before)
        if not lifted or lifted[0] != self._seen.first(before):
            return False  # the turn before began with a placement, or what it moved has counted
        if lifted[0] == self._seen.unwatched:
            return False
        removed = {step.origin.index for step in node.steps if step.origin and step.target is None}
        return self._seen.opened[index] - lifted[0] < (1 if before in removed else PACE)

    def _cost_of_lifts(self, node: Node, lifted: Mapping[int, Microseconds]) -> int | None:
        """Return the cost of having lifted pieces before the turn before had begun; None for a capture.

        While the last turn is thought over, what it captured may be away.
        """
        before, cost = _turn_before(node)
        if before is None:
            return 0
        began = self._seen.first(before) if before in self._seen.changes else LONG_AGO
        early = [index for index, time in lifted.items() if time < began]
        if not early:
            return 0
        stacks, mover = node.position.stacks, node.position.to_move
        owners = {stacks[index][-1].owner for index in early}
        if node.turns and owners - {mover}:
            return None
        return cost * (mover in owners)

    def _landing_times(
        self, node: Node, step: Step, action: Action
    ) -> tuple[Microseconds, Microseconds] | None:
        """Return the first and last time the step may have landed; None if it cannot have."""
        seen = self._seen
        times = seen.landings(action.point, action.after)
        if not times or not self._was_freed(node, times[-1]):
            return None
        if self._came_from_chip(action.point, times[-1]):
            return None
        if self._continues_owners_lift(node, step) and not self._was_carried(step, times[-1]):
            return None
        opened = seen.openings(step.origin.index) if step.origin is not None else []
        return None if opened and opened[0] > times[-1] else (times[0], times[-1])

    def _came_from_chip(self, index: int, landed: Microseconds) -> bool:
        """Return whether a piece appears because a chip works again, and not because a hand set it down.

        No hands set down three pieces in one frame. Of those that appear so, and stay, the ones that stood
        there before have not moved. With stacks, no reading shows which ones these are.
        """
        if self._kind is SensorKind.PIECES:
            return False
        own, together = self._evidence.own, self._seen.landed_together(landed)
        new = [other for other in together if own[other] == NOTHING]
        return len(together) > _MAX_LANDINGS and (index not in new or len(new) > _MAX_LANDINGS)

    def _was_freed(self, node: Node, landed: Microseconds) -> bool:
        """Return whether as many pieces as a revision sets down had been taken away by then."""
        undone = node.start.undone
        if not undone or node.turns:
            return True
        freed = [min(self._seen.openings(index), default=LONG_AGO) <= landed for index in undone]
        before = sum(step.target is not None for step in node.steps)
        return sum(freed) > min(before, len(freed) - 1)

    def _was_done_before(self, node: Node, landed: Microseconds) -> bool:
        """Return whether a landing was over before the piece of the turn before was even lifted.

        A turn of which steps have counted had begun long before.
        """
        if node.start.counted and node.turns == 1:
            return False
        before = node.begun_before
        return before is not None and landed < min(self._seen.openings(before), default=landed)

    def _continues_owners_lift(self, node: Node, step: Step) -> bool:
        """Return whether what counted as a removal was its owner's lift, and the piece never came back."""
        if step.origin is None or step.origin.index not in node.start.returned:
            return False
        index = step.origin.index
        undone = node.start.actions.get(index)
        return node.actions.get(index) == undone and not (undone and self._seen.landings(index, undone[-1]))

    def _was_carried(self, step: Step, landed: Microseconds) -> bool:
        """Return whether a piece that seemed removed may have been in its owner's hand until it landed."""
        removed = LONG_AGO if step.origin is None else self._seen.removed.get(step.origin.index, LONG_AGO)
        return landed - removed <= self._dwell.carried

    def _early_landing(self, step: Step, *, is_early: bool) -> int:
        """Return the cost of a landing before that of the turn before.

        Of two pieces in hand, sensors that tell no owners do not show which one landed first.
        """
        shows_owner = step.origin is None or self._kind is not SensorKind.PRESENCE
        return OUT_OF_ORDER * (is_early and shows_owner)

    def _came_back(self, node: Node, step: Step, first: Microseconds) -> bool:
        """Return whether a piece stood on an empty point before the turn before had landed.

        Then the one that stands there after that is rather the same one, which was straightened.
        """
        if step.target is None or self._evidence.own[step.target.index] != NOTHING:
            return False
        return first < node.landed_before or _is_return(
            self._evidence, node, step, first, within=self._dwell.rest
        )

    def _is_quick(self, node: Node, step: Step, landed: Microseconds) -> bool:
        """Return whether a landing where a piece has just left looks like that piece, put back.

        If the piece that moves was lifted after a removal counted, it is as likely as another removal.
        """
        if step.target is None or node.actions.get(step.target.index):
            return False  # hands put the piece back before
        index = step.target.index
        removed = self._seen.removed.get(index, self._seen.removed_before.get(index))
        if removed is None or landed - removed >= self._dwell.put_back:
            return _is_return(self._evidence, node, step, landed, within=self._dwell.put_back)
        lifted = [] if step.origin is None else self._seen.openings(step.origin.index)
        return not lifted or lifted[-1] - removed < self._dwell.removal

    def _was_touched(self, node: Node, step: Step) -> bool:
        """Return whether another piece left the target just before a revision lifted the one that landed."""
        if step.target is None or not node.start.undone or node.turns:
            return False
        times = (time for index in node.start.undone for time in self._seen.openings(index))
        lifted = min(times, default=LONG_AGO)
        return self._seen.was_left(step.target.index, lifted - self._dwell.put_back, lifted)

    def _was_hasty(self, step: Step, landed: Microseconds) -> bool:
        """Return whether a piece landed faster than a hand sets it down.

        No pace is known of changes that nobody watched.
        """
        if step.origin is None or landed == self._seen.unwatched:
            return False
        return any(0 <= landed - time < PUSHED for time in self._seen.openings(step.origin.index))

    def _was_pushed(self, step: Step, landed: Microseconds) -> bool:
        """Return whether a piece landed faster than a hand sets it down, among other changes."""
        if step.origin is None or not self._was_hasty(step, landed):
            return False
        origin = step.origin.index
        stands_again = self._seen.frame[origin] == self._evidence.own[origin]
        return len(self._seen.changes) > 2 or stands_again

    # ---- the end of a run ------------------------------------------------------------------------

    def was_jolted(self, node: Node) -> bool:
        """Return whether a piece was pushed from its point as others left theirs, which are no steps."""
        if node.pushed is None:
            return False
        moved = {step.origin.index for step in node.steps if step.origin is not None}
        return any(
            abs(time - node.pushed) < PACE
            for index in self._seen.changes.keys() - moved
            for time in self._seen.openings(index)
        )

    def was_lifted_last(self, node: Node, in_hand: Iterable[int]) -> bool:
        """Return whether the pieces `in_hand` were lifted after the last action of the run."""
        ends = [step.target or step.origin for step in node.steps[-1:]]
        ended = max((self._seen.changed[end.index] for end in ends if end is not None), default=LONG_AGO)
        return all(self._seen.opened[index] > ended for index in in_hand)

    def end(self, node: Node, in_hand: Sequence[int], early: Sequence[int]) -> int | None:
        """Return the cost of a run that ends with pieces `in_hand`, and next ones set down too `early`.

        None if a change that is left over cannot be.
        """
        if self._evidence.any_order:
            return node.cost
        left_over = self._leftovers.cost(node, {*in_hand, *early})
        put_back = self._put_backs.cost(node, in_hand)
        # A player's next turn comes after a reply, which is longer than a landing takes to count.
        is_at_once = node.turns > 1 and any(self._only_touched(node, index) for index in in_hand)
        if left_over is None or put_back is None or is_at_once:
            return None
        cost = node.cost + left_over + put_back + (self._cost_of_lifts_of(node, in_hand) or 0)
        cost += OUT_OF_ORDER * self._has_early_reply(node, in_hand, early)
        cost += UNLIKELY * self._was_declined_with_touch(node, in_hand)
        cost += IDLE * any(step.target is not None and step.target.index in in_hand for step in node.steps)
        cost += UNSEEN * (node.unobserved and (bool(in_hand) or node.turns + (node.begun is not None) > 1))
        cost += UNSEEN * (node.start.is_lift_hidden and bool(node.steps))
        return cost

    def was_lifted_first(self, node: Node, in_hand: Sequence[int]) -> bool:
        """Return whether a piece in hand was lifted before the turn that its capture would reply to.

        Then its owner holds it, and will put it back.
        """
        return self._cost_of_lifts_of(node, in_hand) is None

    def _cost_of_lifts_of(self, node: Node, in_hand: Sequence[int]) -> int | None:
        """Return the cost of having lifted the pieces `in_hand` so early; None for an impossible capture.

        Each was lifted from its point, or from where it had moved.
        """
        moved = dict(node.start.back)
        return self._cost_of_lifts(node, {i: self._seen.opened[moved.get(i, i)] for i in in_hand})

    def _has_early_reply(self, node: Node, in_hand: Sequence[int], early: Sequence[int]) -> bool:
        """Return whether the reply came before a removal, or was even lifted before the turn's own piece.

        Of two pieces in hand, sensors that tell no owners do not show which one landed first.
        """
        position, opened = node.position, self._seen.opened
        if not early:
            return False
        stacks, mover = position.stacks, position.to_move
        if position.removal_due:
            landed = min(node.landed, *(self._seen.changed[index] for index in early))
            carried = any(stacks[i][-1].owner is not mover and opened[i] < landed for i in in_hand)
            return not carried or self._kind is not SensorKind.PRESENCE
        mine = [opened[index] for index in in_hand if stacks[index][-1].owner is mover]
        theirs = [opened[index] for index in in_hand if stacks[index][-1].owner is not mover]
        return max(theirs, default=min(mine)) < min(mine)

    def _was_declined_with_touch(self, node: Node, in_hand: Sequence[int]) -> bool:
        """Return whether a reply declined a removal although a piece was lifted for one."""
        after = node.position
        is_declined = any(step.piece is None for step in node.steps)
        return is_declined and any(after.stacks[i][-1].owner is not after.to_move for i in in_hand)


def _is_put_back(earlier: Sequence[Step], step: Step) -> bool:
    """Return whether a piece lands where it stood before one of the `earlier` steps: it was never played."""
    at = step.origin
    for before in reversed(earlier):
        if at is not None and before.target is at:
            at = before.origin
            if at is step.target:
                return True
    return False


def _is_return(
    evidence: BoardEvidence, node: Node, step: Step, landed: Microseconds, *, within: Microseconds
) -> bool:
    """Return whether a reply is placed where a piece had stood before the turn that it answers.

    Whoever straightens a piece beside his turn sets down one of his own colour. Sensors that recognise every
    piece tell which one is down, and what left before the last turn has counted.
    """
    if (
        step.origin
        or not step.target
        or not node.turns
        or evidence.sensors.alphabet is SensorKind.PIECES
        or step.target.index in evidence.seen.removed
    ):
        return False
    since = max(landed - within, evidence.seen.counted[0])
    return evidence.seen.was_left(step.target.index, since, node.landed_before)


def _turn_before(node: Node) -> tuple[int | None, int]:
    """Return the point at which the turn before began, and the cost of having lifted before that.

    A turn is rarely thought over after the opponent has begun to reply.
    """
    if node.start.undone and node.turns < 2:
        return node.start.undone[-1], LATE_THOUGHT
    return node.begun_before, OUT_OF_ORDER
