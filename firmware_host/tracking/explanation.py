"""Explanations of everything that hands did since the board last matched the game.

An explanation is a run of legal steps, possibly of several turns, from the game's position or from one of
the last turn (then it is a revision), and the pieces that are still in hand. Each action of the run needs a
change of its own at its point, in an order that hands can do. Whatever else changed must have come back: a
piece that was straightened or a point that was brushed.

Nearly everything can be explained in several ways, so each has a cost: small for what people do now and then,
`UNLIKELY` for what looks like something else. The costs order explanations and exclude hardly any.

Invariants: nothing here waits, and nothing is guessed. An action that changes no reading, at a masked sensor
or on a high stack, needs no change, and marks the explanation as `unobserved`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from firmware_host.games.game import Game, Piece, Position, Step
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.observation import LONG_AGO, PACE, PUSHED, Change, Observation
from firmware_host.tracking.sensor_model import SensorModel

UNLIKELY = 10
"""The cost of an action within the put-back time that looks like a put-back."""
DOUBTFUL = 2
"""From this cost on, an explanation has to rest before it counts."""
_OWNERS_LIFT = 2
"""The cost of reading a removal as its owner's lift, for a move that goes on."""
_OUT_OF_ORDER = 1
"""The cost of a turn that lands, or is lifted, before the one before it."""
_PUSHED = 1
"""The cost of a piece that lands faster than a hand carries it."""
_LATE_THOUGHT = 2
"""The cost of a turn that is thought over after the reply to it has begun."""
_IDLE = 1
"""The cost of a piece that was lifted or set down for long, and came back."""
_HALF_REVISED = 1
"""The cost of a revision that leaves a piece in hand."""
_MOST_DISORDER = 4
"""The most that one run costs by actions out of their order."""
_MAX_IN_HAND = 4
"""No turn lifts more pieces than that before it sets one down."""
_MAX_STEPS = 8
_MAX_NODES = 250
"""The number of positions that are checked for one frame; hands that overlap lead to a dozen."""
_CACHE_SIZE = 2000

_Stacks = tuple[tuple[Piece, ...], ...]
_Actions = Mapping[int, tuple[Reading, ...]]
"""By the index of a point: the readings after each action that hands did there."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """From the position at `ply`, hands played `steps` to reach `position`, and hold the pieces of `in_hand`.

    It is `complete` if one legal turn can have lifted the pieces in hand. `undone` are the points whose piece
    a revision took away.
    """

    ply: int
    steps: tuple[Step, ...]
    position: Position
    in_hand: tuple[int, ...] = ()
    complete: bool = True
    cost: int = 0
    undone: tuple[int, ...] = ()
    unobserved: bool = False
    early: tuple[int, ...] = ()
    """Points at which the next player's piece landed before the removal that is due; not complete yet."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""

    @property
    def is_whole(self) -> bool:
        """True if no piece is in hand."""
        return self.complete and not self.in_hand


@dataclass(frozen=True, slots=True)
class Limits:
    """Times that tell actions apart, in us: a quick return, and the touch of a brush."""

    put_back: Microseconds
    brush: Microseconds


class _TooManyError(Exception):
    """There are more explanations than can be checked."""


class Moves:
    """The legal steps of positions and the positions after them, cached."""

    def __init__(self) -> None:
        """Begin with nothing cached."""
        self._steps: dict[int, tuple[Position, tuple[Step, ...]]] = {}
        self._after: dict[tuple[int, str], tuple[Position, Position]] = {}
        self._stacks: dict[int, tuple[Position, _Stacks]] = {}
        self._lifted: dict[tuple[int, frozenset[int]], tuple[Position, bool]] = {}

    def steps(self, position: Position) -> tuple[Step, ...]:
        """Return the legal steps from `position`."""
        known = self._steps.get(id(position))
        if known is None or known[0] is not position:
            if len(self._steps) > _CACHE_SIZE:
                self._steps.clear()
                self._after.clear()
                self._stacks.clear()
                self._lifted.clear()
            known = self._steps[id(position)] = position, position.legal_steps()
        return known[1]

    def stacks(self, position: Position) -> _Stacks:
        """Return the pieces on each point of `position`."""
        known = self._stacks.get(id(position))
        if known is None or known[0] is not position:
            known = self._stacks[id(position)] = position, position.stacks
        return known[1]

    def play(self, position: Position, step: Step) -> Position:
        """Return the position after `step`."""
        key = id(position), step.text
        known = self._after.get(key)
        if known is None or known[0] is not position:
            known = self._after[key] = position, position.play(step)
        return known[1]

    def may_have_lifted(self, position: Position, points: frozenset[int]) -> bool:
        """Return whether one legal turn can have lifted a piece from each point, and done nothing else."""
        key = id(position), points
        known = self._lifted.get(key)
        if known is None or known[0] is not position:
            known = self._lifted[key] = position, any(self._ways_to_lift(position, points))
        return known[1]

    def _ways_to_lift(self, position: Position, points: frozenset[int]) -> Iterator[bool]:
        """Yield whether a legal step can be the first of such a turn; a removal may be taken early."""
        stacks = self.stacks(position)
        if position.outcome is not None or not all(stacks[index] for index in points):
            return
        only_removals = all(stacks[index][-1].owner is not position.to_move for index in points)
        for step in self.steps(position):
            rest = points if step.origin is None else points - {step.origin.index}
            if not rest:
                yield True
            elif len(rest) < len(points) or (only_removals and step.target is not None):
                after = self.play(position, step)
                same_turn = after.to_move is position.to_move
                if same_turn and (len(rest) < len(points) or after.removal_due):
                    yield self.may_have_lifted(after, rest)


@dataclass(frozen=True, slots=True)
class _Node:
    """A place in the search: `steps` lead to `position`, and their `actions` are explained."""

    position: Position
    actions: _Actions
    steps: tuple[Step, ...] = ()
    landed: Microseconds = LONG_AGO
    """The time of the latest landing of this turn or an earlier one."""
    landed_before: Microseconds = LONG_AGO
    """The time of the latest landing of earlier turns."""
    cost: int = 0
    unobserved: bool = False
    turns: int = 0
    """The number of turns that the steps have ended."""
    pushed: Microseconds | None = None
    """The time at which a piece landed faster than a hand sets it down."""
    lifted: int | None = None
    """The point from which the first piece of this turn was lifted."""
    lifted_before: int | None = None
    """The same of the turn before."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""


class Search:
    """The explanations of one observation."""

    def __init__(
        self,
        moves: Moves,
        sensors: SensorModel,
        own: Frame,
        seen: Observation,
        removed: Mapping[int, Microseconds],
        limits: Limits,
    ) -> None:
        """Explain `seen`; `removed` has the times at which the last turn's removals vacated their points."""
        self._moves = moves
        self._sensors = sensors
        self._own = own
        self._seen = seen
        self._removed = removed
        self._limits = limits
        self._undone: tuple[int, ...] = ()
        self._returned: tuple[int, ...] = ()
        self._is_hidden = False
        """True if no sensor shows that a piece which was undone is back on its point."""
        self._start: _Actions = {}
        self._reached: dict[tuple[object, ...], int] = {}
        self._nodes = 0
        self._leftovers: dict[tuple[int, tuple[Reading, ...]], int | None] = {}
        self._in_order = False
        """True if only turns that landed in their order are tried."""
        self._unseen = sensors.masked
        if sensors.alphabet is SensorKind.PIECES:
            self._unseen |= {index for index, reading in enumerate(own) if not reading.is_complete}

    def explain(
        self, game: Game, earliest: int, chosen_from: Callable[[int], tuple[Step, ...] | None]
    ) -> list[Explanation]:
        """Return all explanations from the game's position, and from earlier ones down to ply `earliest`.

        `chosen_from` returns the only turn that may be played from a ply, if one was chosen. If too much
        happened for all of them, only those are tried whose turns landed in their order; if it is still too
        much, there are none.
        """
        for self._in_order in (False, True):
            try:
                return self._explain(game, earliest, chosen_from)
            except _TooManyError:
                continue
        return []

    def _explain(
        self, game: Game, earliest: int, chosen_from: Callable[[int], tuple[Step, ...] | None]
    ) -> list[Explanation]:
        self._undone, self._returned, self._is_hidden, self._start = (), (), False, {}
        self._reached.clear()
        self._nodes = 0
        found = list(self._walk(_Node(game.position, {}), game.ply, chosen_from(game.ply)))
        for ply in range(game.ply - 1, earliest - 1, -1):
            if not self._undo(game, ply):
                break
            self._reached.clear()
            begun = _Node(game.positions[ply], self._start)
            found += self._walk(begun, ply, chosen_from(ply), game.steps[ply])
        return found

    def _undo(self, game: Game, ply: int) -> bool:
        """Go back before the step at `ply`, and return whether hands may have done so."""
        step = game.steps[ply]
        stacks, after = self._moves.stacks(game.positions[ply]), self._moves.stacks(game.positions[ply + 1])
        actions = dict(self._start)
        observed = False
        for point in (step.target, step.origin):
            if point is None:
                continue
            index = point.index
            reading = self._sensors.reading(stacks[index], index)
            if reading == self._sensors.reading(after[index], index):
                self._is_hidden |= point is step.origin
                continue
            observed = True
            actions[index] = (*actions.get(index, ()), reading)
            if point is step.target:
                if index not in self._seen.changes:
                    return False
                self._undone = (*self._undone, index)
            elif step.target is None:
                self._returned = (*self._returned, index)
        self._start = actions
        return observed or (step.origin is None and step.target is None)

    # ---- the search ------------------------------------------------------------------------------

    def _walk(
        self, node: _Node, ply: int, chosen: tuple[Step, ...] | None, other_than: Step | None = None
    ) -> Iterator[Explanation]:
        """Yield the explanations that begin as `node`; the first step is `other_than` that one."""
        explanation = self._leaf(node, ply, chosen)
        if explanation is not None:
            yield explanation
        if len(node.steps) >= _MAX_STEPS or node.position.outcome is not None:
            return
        for step in sorted(self._touched_steps(node), key=self._finished):
            if chosen and step.text != chosen[0].text:
                continue
            if other_than is not None and step.text == other_than.text:
                continue
            after = self._after(node, step)
            if after is not None and not self._is_known(after):
                yield from self._walk(after, ply, chosen[1:] if chosen else None)

    def _touched_steps(self, node: _Node) -> Iterator[Step]:
        """Yield the legal steps at whose points something changed that can be seen."""
        changes = self._seen.changes
        for step in self._moves.steps(node.position):
            origin, target = step.origin, step.target
            if origin is not None and not self._may_have_left(origin.index, node):
                continue
            if target is not None and target.index not in changes and self._is_seen(target.index):
                continue
            yield step

    def _finished(self, step: Step) -> Microseconds:
        """Return the time of a step's last action, by which the order that was observed is tried first."""
        point = step.target or step.origin
        return LONG_AGO if point is None else self._seen.changed[point.index]

    def _is_known(self, node: _Node) -> bool:
        """Return whether the same position was reached as cheaply before, and note that it was reached.

        Raise _TooManyError if there are too many of them: no hands do that much at once.
        """
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise _TooManyError
        if len(node.steps) < 2:
            return False
        key = node.position, node.lifted_before, node.pushed is None
        known = self._reached.get(key)
        self._reached[key] = node.cost if known is None else min(known, node.cost)
        return known is not None and known <= node.cost

    def _may_have_left(self, index: int, node: _Node) -> bool:
        """Return whether a piece may have been lifted there."""
        return index in self._seen.changes or index in node.actions or not self._is_seen(index)

    def _is_seen(self, index: int) -> bool:
        """Return whether an action at the point changes its reading."""
        return index not in self._unseen

    def _after(self, node: _Node, step: Step) -> _Node | None:
        """Return the node after one more step; None if hands did not do it."""
        if step.origin is None and step.target is None:
            after = self._moves.play(node.position, step)
            declined = replace(node, position=after, steps=(*node.steps, step))
            return self._ended(declined) if after.to_move is not node.position.to_move else declined
        known = self._with_actions(node, step)
        if known is None:
            return None
        actions, unobserved = known
        landed, cost, pushed = node.landed, node.cost, node.pushed
        if step.target is not None and step.target.index in self._seen.changes:
            if self._continues_owners_lift(node, step):
                cost += _OWNERS_LIFT
            times = self._landing(step, node)
            if times is None:
                return None
            first, last, unlikely = times
            is_early = last < node.landed_before
            cost += self._early_landing(step, is_early=is_early) + self._early_lift(node, step) + unlikely
            too_early = is_early and (self._in_order or self._was_done_before(node, last))
            if too_early or cost >= 2 * UNLIKELY or cost % UNLIKELY > _MOST_DISORDER:
                return None
            landed = max(landed, first)
            if step.origin is not None and len(self._seen.changes) > 2:
                carried = self._seen.carried(step.origin.index, last)
                if carried < PUSHED:
                    if pushed is not None and self._sensors.alphabet is not SensorKind.PIECES:
                        return None
                    pushed, cost = last, cost + _PUSHED
        after = self._moves.play(node.position, step)
        is_guess = unobserved and step.target is not None and not self._is_seen(step.target.index)
        next_node = replace(
            node,
            position=after,
            actions=actions,
            steps=(*node.steps, step),
            landed=landed,
            cost=cost,
            unobserved=node.unobserved or unobserved,
            pushed=pushed,
            lifted=_first(node.lifted, self._lifted_from(step)),
            sure=len(node.steps) if is_guess and node.sure is None else node.sure,
        )
        return self._ended(next_node) if after.to_move is not node.position.to_move else next_node

    @staticmethod
    def _ended(node: _Node) -> _Node:
        """Return the node at the beginning of the next turn."""
        return replace(
            node, turns=node.turns + 1, landed_before=node.landed, lifted_before=node.lifted, lifted=None
        )

    def _lifted_from(self, step: Step) -> int | None:
        """Return the point from which the step's piece was lifted; None if it came from beside the board."""
        if step.origin is None or step.target is None or step.origin.index not in self._seen.changes:
            return None
        return step.origin.index

    def _with_actions(self, node: _Node, step: Step) -> tuple[_Actions, bool] | None:
        """Return the actions with those of one more step, and whether some of them is unobserved.

        None if not all of them were observed that can be.
        """
        actions = dict(node.actions)
        stacks, sensors = self._moves.stacks(node.position), self._sensors
        unobserved = observed = False
        for point in (step.origin, step.target):
            if point is None:
                continue
            index = point.index
            stack = stacks[index]
            left = (
                stack[:-1]
                if point is step.origin
                else (*stack, *(() if step.piece is None else (step.piece,)))
            )
            reading = sensors.reading(left, index)
            if reading == sensors.reading(stack, index):
                unobserved = True
                continue
            observed = True
            known = actions.get(index, ())
            if point is step.origin and self._is_lifted_again(node, step, index, known):
                actions[index] = known[:-1]
            else:
                actions[index] = (*known, reading)
            if not _is_part(actions[index], self._seen.changes.get(index, ())):
                return None
        if not observed and not (step.target is None and node.steps):
            return None
        return actions, unobserved

    def _is_lifted_again(self, node: _Node, step: Step, index: int, known: tuple[Reading, ...]) -> bool:
        """Return whether the piece there came back only by undoing a step, and so was never set down."""
        if not known or known != self._start.get(index) or known[-1] == NOTHING:
            return False
        same_turn = node.turns == 0
        declined = bool(node.steps) and node.steps[-1].piece is None
        if step.target is None:
            return same_turn
        return index in self._returned or same_turn or declined

    def _continues_owners_lift(self, node: _Node, step: Step) -> bool:
        """Return whether what counted as a removal was its owner's lift."""
        if step.origin is None or step.origin.index not in self._returned:
            return False
        index = step.origin.index
        return node.actions.get(index) == self._start.get(index)

    def _was_done_before(self, node: _Node, landed: Microseconds) -> bool:
        """Return whether a landing was over before the piece of the turn before was even lifted."""
        before = node.lifted_before
        return before is not None and landed < min(self._seen.openings(before), default=landed)

    def _early_landing(self, step: Step, *, is_early: bool) -> int:
        """Return the cost of a landing before that of the turn before.

        Of two pieces in hand, sensors that tell no owners do not show which one landed first.
        """
        shows_owner = step.origin is None or self._sensors.alphabet is not SensorKind.PRESENCE
        return _OUT_OF_ORDER * (is_early and shows_owner)

    def _early_lift(self, node: _Node, step: Step) -> int:
        """Return the cost of a piece that was lifted before that of the turn before, which had begun by then.

        A turn is rarely thought over after the opponent has begun to reply.
        """
        before, cost = node.lifted_before, _OUT_OF_ORDER
        if before is None:
            before, cost = next(reversed(self._undone), None), _LATE_THOUGHT
        if step.origin is None or before is None or before == step.origin.index:
            return 0
        mine, other = self._seen.openings(step.origin.index), self._seen.openings(before)
        return cost if mine and other and mine[-1] < other[0] else 0

    def _landing(self, step: Step, node: _Node) -> tuple[Microseconds, Microseconds, int] | None:
        """Return the first and last time the step may have landed, and a cost.

        None if it cannot have landed.
        """
        if step.target is None or step.piece is None:
            return None
        index, seen = step.target.index, self._seen
        reading = self._sensors.reading((*self._moves.stacks(node.position)[index], step.piece), index)
        times = seen.landings(index, reading)
        if not times:
            return None
        if step.origin is not None:
            opened = seen.openings(step.origin.index)
            if opened and opened[0] > times[-1]:
                return None
        if not self._was_freed(node, times[-1]):
            return None
        quick = (
            index in self._removed
            and index not in node.actions
            and times[0] - self._removed[index] < self._limits.put_back
        )
        return times[0], times[-1], UNLIKELY * quick

    def _was_freed(self, node: _Node, landed: Microseconds) -> bool:
        """Return whether as many pieces as a revision sets down had been taken away by then."""
        if not self._undone or node.turns:
            return True
        freed = [min(self._seen.openings(index), default=LONG_AGO) <= landed for index in self._undone]
        before = sum(step.target is not None for step in node.steps)
        return sum(freed) > min(before, len(freed) - 1)

    # ---- what is left over -----------------------------------------------------------------------

    def _leaf(self, node: _Node, ply: int, chosen: tuple[Step, ...] | None) -> Explanation | None:
        """Return the explanation that ends here; None if it leaves something unexplained."""
        sorted_out = self._sort_out(node)
        if sorted_out is None:
            return None
        in_hand, early = sorted_out
        if not in_hand and (node.steps[-1].piece is None if node.steps else not self._start):
            return None  # nothing was done, or something that no hand does
        cost = self._cost_of_leftovers(node, {*in_hand, *early})
        if cost is None:
            return None
        cost += UNLIKELY * self._is_late_put_back(node.actions)
        cost += _OUT_OF_ORDER * len(early)
        complete = not early and not self._was_jolted(node)
        if in_hand and complete:
            complete = self._may_have_begun(node.position, frozenset(in_hand), chosen)
        if in_hand and self._start:
            cost += _HALF_REVISED
        if node.lifted_before is not None:
            first = min(self._seen.openings(node.lifted_before), default=LONG_AGO)
            cost += _OUT_OF_ORDER * any(self._seen.opened[index] < first for index in in_hand)
        return Explanation(
            ply,
            node.steps,
            node.position,
            tuple(in_hand),
            complete,
            cost,
            self._undone,
            node.unobserved or (self._is_hidden and not node.steps),
            tuple(early),
            node.sure,
        )

    def _may_have_begun(
        self, position: Position, points: frozenset[int], chosen: tuple[Step, ...] | None
    ) -> bool:
        """Return whether the next turn, which may be chosen, can have lifted the pieces at the points."""
        if position.removal_due or (
            chosen and not all(any(_leaves(step, index) for step in chosen) for index in points)
        ):
            return False
        return self._moves.may_have_lifted(position, points)

    def _sort_out(self, node: _Node) -> tuple[list[int], list[int]] | None:
        """Return the points whose piece is in hand, and those where the next turn has landed early.

        None if a point reads otherwise than after the node's actions.
        """
        actions, frame = node.actions, self._seen.frame
        in_hand: list[int] = []
        early: list[int] = []
        for index in self._seen.changes.keys() | actions.keys():
            done = actions.get(index, ())
            wanted = done[-1] if done else self._own[index]
            reading = frame[index]
            if reading == wanted:
                continue
            if self._is_lifted(node.position, index, reading):
                in_hand.append(index)
            elif node.steps and node.position.removal_due and reading.added_top(wanted):
                early.append(index)
            else:
                return None
        return (sorted(in_hand), early) if len(early) < 2 and len(in_hand) <= _MAX_IN_HAND else None

    def _cost_of_leftovers(self, node: _Node, unfinished: set[int]) -> int | None:
        """Return the cost of the node and of all changes that are no actions; None if some cannot be."""
        cost = node.cost
        for index, changes in self._seen.changes.items():
            done = node.actions.get(index, ())
            if index in unfinished:
                done = (*done, self._seen.frame[index])
            key = index, done
            if key not in self._leftovers:
                self._leftovers[key] = self._left_over(index, changes, done)
            extra = self._leftovers[key]
            if extra is None:
                return None
            cost += extra
        return cost

    def _is_lifted(self, position: Position, index: int, reading: Reading) -> bool:
        """Return whether the point reads as if its top piece had been lifted."""
        stack = self._moves.stacks(position)[index]
        return bool(stack) and reading == self._sensors.reading(stack[:-1], index)

    def _was_jolted(self, node: _Node) -> bool:
        """Return whether a piece was pushed from its point as others left theirs, which are no steps."""
        if node.pushed is None:
            return False
        moved = {step.origin.index for step in node.steps if step.origin is not None}
        return any(
            abs(time - node.pushed) < PACE
            for index in self._seen.changes.keys() - moved
            for time in self._seen.openings(index)
        )

    def _is_late_put_back(self, actions: _Actions) -> bool:
        """Return whether a removed piece came back long after it left, without the rest of its turn."""
        return not self._undone and any(
            self._seen.changes[index][0].time - self._removed.get(index, LONG_AGO) >= self._limits.put_back
            for index in self._returned
            if actions.get(index) and index in self._seen.changes
        )

    def _left_over(self, index: int, changes: list[Change], done: tuple[Reading, ...]) -> int | None:
        """Return the least cost of the changes at a point that are not actions; None if some action is none.

        Each change is the next action, or begins an excursion that ends with the reading before it, or is a
        reading that a piece gave on its way.
        """
        readings = (self._own[index], *done)
        stacked = self._sensors.alphabet is SensorKind.PIECES
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
            if back is not None:
                rest = least(back + 1, acts, before)
                if rest is not None:
                    yield rest + _IDLE * (stacked or self._is_idle(index, change, changes[back], held))
            rest = least(at + 1, acts, before)
            if rest is not None:
                yield rest + _IDLE

        return least(0, 0, 0)

    def _is_idle(self, index: int, begun: Change, ended: Change, held: Reading) -> bool:
        """Return whether a piece that came back was lifted, or one that went was set down, deliberately."""
        lasted = ended.time - begun.time
        if begun.reading == NOTHING or begun.reading.lost_top(held):
            return lasted >= self._limits.put_back
        return lasted >= self._limits.brush or self._seen.landed_between(index, begun.time, ended.time)


def _first(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


def _leaves(step: Step, index: int) -> bool:
    return step.origin is not None and step.origin.index == index


def _is_part(actions: tuple[Reading, ...], changes: list[Change] | tuple[Change, ...]) -> bool:
    """Return whether the readings of the actions appear in the changes, in their order."""
    at = 0
    for change in changes:
        if at < len(actions) and change.reading == actions[at]:
            at += 1
    return at == len(actions)
