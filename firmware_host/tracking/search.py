"""The search for explanations: every run of legal steps that accounts for all changes of the board.

Each action of a run needs a change of its own at its point, in an order that hands can do. Whatever else
changed must have come back: a piece that was straightened or a point that was brushed.

Invariants: nothing here waits, and nothing is guessed. An action that changes no reading, at a masked sensor
or on a high stack, needs no change, and marks the explanation as `unobserved`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from firmware_host.games.game import Game, Piece, Position, Step
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.explanation import (
    HALF_REVISED,
    HASTE,
    LATE_THOUGHT,
    OUT_OF_ORDER,
    OWNERS_LIFT,
    UNLIKELY,
    UNSEEN,
    Explanation,
    Limits,
)
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import LONG_AGO, PUSHED, Change, Observation
from firmware_host.tracking.plausibility import Actions, Node, Plausibility
from firmware_host.tracking.sensor_model import SensorModel

_MOST_DISORDER = 4
"""The most that one run costs by actions out of their order."""
_MAX_IN_HAND = 4
"""No turn lifts more pieces than that before it sets one down."""
_MAX_STEPS = 8
_MAX_NODES = 250
"""The number of positions that are checked for one frame; hands that overlap lead to a dozen."""


class _TooManyError(Exception):
    """There are more explanations than can be checked."""


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
        self._plausibility = Plausibility(sensors, own, seen, removed, limits)
        self._undone: tuple[int, ...] = ()
        self._returned: tuple[int, ...] = ()
        self._is_hidden = False
        """True if no sensor shows that a piece which was undone is back on its point."""
        self._start: Actions = {}
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
        found = list(self._walk(Node(game.position, {}), game.ply, chosen_from(game.ply)))
        for ply in range(game.ply - 1, earliest - 1, -1):
            if not self._undo(game, ply):
                break
            self._reached.clear()
            begun = Node(game.positions[ply], self._start)
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
        self, node: Node, ply: int, chosen: tuple[Step, ...] | None, other_than: Step | None = None
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

    def _touched_steps(self, node: Node) -> Iterator[Step]:
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

    def _is_known(self, node: Node) -> bool:
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

    def _may_have_left(self, index: int, node: Node) -> bool:
        """Return whether a piece may have been lifted there."""
        return index in self._seen.changes or index in node.actions or not self._is_seen(index)

    def _is_seen(self, index: int) -> bool:
        """Return whether an action at the point changes its reading."""
        return index not in self._unseen

    def _after(self, node: Node, step: Step) -> Node | None:
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
                cost += OWNERS_LIFT
            times = self._plausibility.landing(step, node, self._stack(node, step), self._undone)
            if times is None:
                return None
            first, last, unlikely = times
            is_early = last < node.landed_before
            cost += (
                self._plausibility.early_landing(step, is_early=is_early)
                + self._plausibility.early_lift(node, step, self._undone)
                + unlikely
            )
            too_early = is_early and (self._in_order or self._plausibility.was_done_before(node, last))
            if too_early or cost >= 2 * UNLIKELY or cost % UNLIKELY > _MOST_DISORDER:
                return None
            landed = max(landed, first)
            if step.origin is not None and len(self._seen.changes) > 2:
                carried = self._seen.carried(step.origin.index, last)
                if carried < PUSHED:
                    if pushed is not None and self._sensors.alphabet is not SensorKind.PIECES:
                        return None
                    pushed, cost = last, cost + HASTE
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
    def _ended(node: Node) -> Node:
        """Return the node at the beginning of the next turn."""
        return replace(
            node, turns=node.turns + 1, landed_before=node.landed, lifted_before=node.lifted, lifted=None
        )

    def _stack(self, node: Node, step: Step) -> tuple[Piece, ...]:
        """Return the pieces on which the step's piece lands."""
        return () if step.target is None else self._moves.stacks(node.position)[step.target.index]

    def _lifted_from(self, step: Step) -> int | None:
        """Return the point from which the step's piece was lifted; None if it came from beside the board."""
        if step.origin is None or step.target is None or step.origin.index not in self._seen.changes:
            return None
        return step.origin.index

    def _with_actions(self, node: Node, step: Step) -> tuple[Actions, bool] | None:
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

    def _is_lifted_again(self, node: Node, step: Step, index: int, known: tuple[Reading, ...]) -> bool:
        """Return whether the piece there came back only by undoing a step, and so was never set down."""
        if not known or known != self._start.get(index) or known[-1] == NOTHING:
            return False
        same_turn = node.turns == 0
        declined = bool(node.steps) and node.steps[-1].piece is None
        if step.target is None:
            return same_turn
        return index in self._returned or same_turn or declined

    def _continues_owners_lift(self, node: Node, step: Step) -> bool:
        """Return whether what counted as a removal was its owner's lift."""
        if step.origin is None or step.origin.index not in self._returned:
            return False
        index = step.origin.index
        return node.actions.get(index) == self._start.get(index)

    # ---- what is left over -----------------------------------------------------------------------

    def _leaf(self, node: Node, ply: int, chosen: tuple[Step, ...] | None) -> Explanation | None:
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
        cost += UNLIKELY * (
            not self._undone and self._plausibility.is_late_put_back(node.actions, self._returned)
        )
        cost += OUT_OF_ORDER * len(early)
        complete = not early and not self._plausibility.was_jolted(node)
        if in_hand and complete:
            complete = self._may_have_begun(node.position, frozenset(in_hand), chosen)
        if in_hand and self._start:
            cost += HALF_REVISED
        if node.unobserved and (in_hand or node.turns > 1):
            cost += UNSEEN
        before, early_cost = node.lifted_before, OUT_OF_ORDER
        if before is None and self._undone:
            before, early_cost = self._undone[-1], LATE_THOUGHT
        if before is not None:
            first = min(self._seen.openings(before), default=LONG_AGO)
            cost += early_cost * any(self._seen.opened[index] < first for index in in_hand)
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

    def _sort_out(self, node: Node) -> tuple[list[int], list[int]] | None:
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

    def _cost_of_leftovers(self, node: Node, unfinished: set[int]) -> int | None:
        """Return the cost of the node and of all changes that are no actions; None if some cannot be."""
        cost = node.cost
        for index, changes in self._seen.changes.items():
            done = node.actions.get(index, ())
            if index in unfinished:
                done = (*done, self._seen.frame[index])
            key = index, done
            if key not in self._leftovers:
                self._leftovers[key] = self._plausibility.left_over(index, changes, done)
            extra = self._leftovers[key]
            if extra is None:
                return None
            cost += extra
        return cost

    def _is_lifted(self, position: Position, index: int, reading: Reading) -> bool:
        """Return whether the point reads as if its top piece had been lifted."""
        stack = self._moves.stacks(position)[index]
        return bool(stack) and reading == self._sensors.reading(stack[:-1], index)


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
