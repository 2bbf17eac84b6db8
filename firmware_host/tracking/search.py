"""The search for explanations: every run of legal steps that accounts for all changes of the board.

Each action of a run needs a change of its own at its point, in an order that hands can do. Whatever else
changed must have come back: a piece that was straightened or a point that was brushed.

Invariants: nothing here waits, and nothing is guessed. An action that changes no reading, at a masked sensor
or on a high stack, needs no change, and marks the explanation as `unobserved`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.games.game import Game, Piece, Position, Step
from firmware_host.ports import NOTHING, Reading, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.explanation import HALF_REVISED, OWNERS_LIFT, Actions, Explanation, Node, Start
from firmware_host.tracking.moves import Action, Moves, Permission, lands, leaves
from firmware_host.tracking.observation import LONG_AGO, ReadingChange
from firmware_host.tracking.weighing import BoardEvidence, Plausibility

_MAX_IN_HAND = 4
"""No turn lifts more pieces than that before it sets one down."""
_MAX_STEPS = 8
_MAX_NODES = 250
"""The positions that are checked for one frame: forty for sloppy hands, 200 for seven placements at once."""

Chosen = tuple[Step, ...]
"""The rest of the only turn that may be played; empty if none was chosen."""


class _TooManyError(Exception):
    """There are more explanations than can be checked."""


class Search:
    """The explanations of one observation."""

    def __init__(self, moves: Moves, evidence: BoardEvidence, *, guess: bool = False) -> None:
        """Explain what `evidence` shows by the rules' `moves`.

        A `guess` includes steps of the current turn of which no sensor shows anything.
        """
        moves.trim()
        self._moves = moves
        self._sensors = evidence.sensors
        self._own = evidence.own
        self._seen = evidence.seen
        self._put_back = evidence.dwell.put_back
        self._guess = guess
        self._plausibility = Plausibility(evidence)
        self._box: Iterable[Piece] = ()
        self._permission = Permission()
        self._reach: frozenset[int] = frozenset()
        """The points to which a piece that was just removed can have been moved by its owner instead."""
        self._reached: dict[tuple[object, ...], int] = {}
        self._nodes = 0
        self._in_order = False
        """True if only turns that landed in their order are tried."""
        self._unseen = self._sensors.masked
        if self._sensors.alphabet is SensorKind.PIECES:
            self._unseen |= {index for index, reading in enumerate(self._own) if not reading.is_complete}
        self._touched = self._unseen | self._seen.changes.keys()
        """The points at which there may have been an action."""
        pairs = enumerate(zip(self._own, self._seen.frame, strict=True))
        self._off = frozenset(index for index, (expected, reading) in pairs if expected != reading)
        """The points that read otherwise than in the game's position."""

    def explain(self, game: Game, earliest: int, permission: Permission) -> list[Explanation]:
        """Return all explanations from the game's position, and from earlier ones down to ply `earliest`.

        They have no turns but those that the `permission` allows. If too much happened for all of them, only
        those are tried whose turns landed in their order; if it is still too much, there are none. That holds
        until the board is settled, since changes only add up.
        """
        self._permission = permission
        self._lit = {step.target.index for step in permission.chosen_from(game.ply) if step.target}
        for in_order in (False, True)[self._seen.crowding :]:
            self._in_order = in_order
            try:
                return self._explain(game, earliest)
            except _TooManyError:
                self._seen.crowding += not self._guess
        return []

    def _explain(self, game: Game, earliest: int) -> list[Explanation]:
        self._nodes = 0
        self._box = game.rules.box
        self._reach = self._reach_of_removed(game)
        found: list[Explanation] = []
        counted = game.steps[game.last_turn :] if game.mid_turn else ()
        start: Start | None = Start(game.ply, game.position, {}, counted=counted)
        while start is not None:
            self._reached.clear()
            begun = Node(start, start.position, start.actions, cost=HALF_REVISED * bool(start.kept))
            undone = game.steps[start.ply] if start.ply < game.ply else None
            found += self._walk(begun, other_than=undone)
            start = self._undo(game, start) if start.ply > earliest else None
        return found

    def _undo(self, game: Game, start: Start) -> Start | None:
        """Return the start one step before; None if nothing of the turn can have been undone.

        Sensors see at least one of the step's actions, or there are none. A step whose piece stands where it
        did is kept, if others came before it in its turn.
        """
        ply = start.ply - 1
        step, position = game.steps[ply], game.positions[ply]
        stacks, after = self._moves.stacks(position), self._moves.stacks(start.position)
        actions, undone, returned = dict(start.actions), start.undone, start.returned
        back, is_hidden, is_lift_hidden = start.back, start.is_hidden, start.is_lift_hidden
        for point in (step.target, step.origin):
            if point is None:
                continue
            index = point.index
            reading = self._sensors.reading(stacks[index], index)
            if reading == self._sensors.reading(after[index], index):
                is_hidden |= point is step.origin
                is_lift_hidden |= point is step.target
                continue
            actions[index] = (*actions.get(index, ()), reading)
            if point is step.target:
                if index not in self._seen.changes:
                    kept = start.kept | {step.text}
                    is_first = ply <= game.last_turn
                    return None if is_first else start._replace(ply=ply, position=position, kept=kept)
                undone = (*undone, index)
            elif step.target is None:
                returned = (*returned, index)
            else:
                back = (*back, (index, step.target.index))
        counted = start.counted[:-1]
        return Start(
            ply, position, actions, undone, returned, back, is_hidden, is_lift_hidden, counted, start.kept
        )

    def _reach_of_removed(self, game: Game) -> frozenset[int]:
        """Return the points where a piece landed soon after one was removed that could have gone there."""
        seen, reach = self._seen, set[int]()
        for ply in range(game.last_turn, game.ply):
            removed = game.steps[ply].origin
            if game.steps[ply].target is None and removed is not None and removed.index in seen.removed:
                until = seen.removed[removed.index] + self._put_back
                landed = {index for index, time in seen.first_landings() if time < until}
                if landed:
                    reach |= landed & self._moves.targets_if_spared(game.positions[ply], removed.index)
        return frozenset(reach)

    # ---- the search ------------------------------------------------------------------------------

    def _walk(self, node: Node, *, other_than: Step | None = None) -> Iterator[Explanation]:
        """Yield the explanations that begin as `node`; the first step is `other_than` that one."""
        chosen = self._permission.chosen_from(node.start.ply, node.steps)
        explanation = self._leaf(node, chosen)
        if explanation is not None:
            yield explanation
        if len(node.steps) >= _MAX_STEPS or node.position.outcome is not None:
            return
        if self._permission.forbids(node.position, chosen):
            return
        for step in sorted(self._touched_steps(node, chosen), key=self._finished):
            if (chosen and step.text != chosen[0].text) or (other_than and step.text == other_than.text):
                continue
            after = self._after(node, step)
            if after is not None and not self._is_known(after):
                yield from self._walk(after)

    def _touched_steps(self, node: Node, chosen: Chosen) -> Iterator[Step]:
        """Yield the legal steps at whose points something changed that can be seen."""
        touched, actions = self._touched, node.actions
        awaited = self._moves.awaited(self._permission, node.start.ply, touched)
        landed = touched if chosen else touched - awaited
        is_chosen_piece = not self._lit.isdisjoint(node.start.returned)
        for step in self._moves.steps(node.position):
            origin, target = step.origin, step.target
            if target is None and is_chosen_piece:
                continue  # what lands where light awaits the chosen turn is no captured piece that is back
            if self._is_kept(node, step):
                yield step
                continue
            if origin is not None and origin.index not in touched and origin.index not in actions:
                continue
            if target is None or target.index in landed:
                yield step

    def _is_kept(self, node: Node, step: Step) -> bool:
        """Return whether a step of a turn that is thought over stands as it did."""
        return not node.turns and step.text in node.start.kept

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
        key = id(node.position), node.begun_before, node.pushed is None
        known = self._reached.get(key)
        self._reached[key] = node.cost if known is None else min(known, node.cost)
        return known is not None and known <= node.cost

    def _after(self, node: Node, step: Step) -> Node | None:
        """Return the node after one more step; None if hands did not do it."""
        deeds = () if self._is_kept(node, step) else self._moves.actions(node.position, step)
        actions, unobserved = node.actions, False
        landed, acted, cost, pushed = node.landed, node.acted, node.cost, node.pushed
        if deeds:
            known = self._with_actions(node, step, deeds)
            if known is None:
                return None
            actions, unobserved = known
        hidden = self._guess and bool(deeds) and deeds[-1].before == deeds[-1].after
        if step.target is not None and step.target.index in self._seen.changes and not hidden:
            landing = self._plausibility.land(node, step, deeds[-1], in_order=self._in_order)
            if landing is None:
                return None
            landed, cost, pushed = landing
            may_be_removed = not node.start.actions and step.target.index in self._reach
            cost += OWNERS_LIFT * (step.origin is None and may_be_removed)
        elif step.target is None and self._plausibility.lift(node, step) is None:
            return None
        elif deeds and step.target is None:
            acted = max(acted, min(self._seen.openings(deeds[-1].point), default=LONG_AGO))
        is_guess = unobserved and step.target is not None and step.target.index in self._unseen
        after = node._replace(
            position=self._moves.play(node.position, step),
            actions=actions,
            steps=(*node.steps, step),
            landed=landed,
            acted=max(acted, landed),
            cost=cost,
            unobserved=node.unobserved or unobserved,
            pushed=pushed,
            begun=self._begun_at(node.begun, step),
            sure=len(node.steps) if is_guess and node.sure is None else node.sure,
        )
        if after.position.to_move is node.position.to_move:
            return after
        return after.with_turn_over()

    def _begun_at(self, known: int | None, step: Step) -> int | None:
        """Return where a turn began that began at the point `known` without this step."""
        point = step.origin or step.target
        if point is None or point.index not in self._seen.changes:
            return known
        if step.origin is not None and not self._seen.openings(point.index):
            return known  # the piece was in hand before
        if known is None or self._seen.first(point.index) < self._seen.first(known):
            return point.index
        return known

    def _with_actions(self, node: Node, step: Step, deeds: tuple[Action, ...]) -> tuple[Actions, bool] | None:
        """Return the actions with the `deeds` of one more step, and whether some of them is unobserved.

        None if not all of them were observed that can be.
        """
        actions = dict(node.actions)
        unobserved = observed = False
        for index, is_lift, before, after in deeds:
            if before == after:
                unobserved = True
                continue
            observed = True
            known = actions.get(index, ())
            is_again = is_lift and self._is_lifted_again(node, step, index, known)
            actions[index] = known[:-1] if is_again else (*known, after)
            if not _is_part(actions[index], self._seen.changes.get(index, ())):
                return None
        if not observed and not (step.target is None and node.steps) and (node.turns or not self._guess):
            return None
        return actions, unobserved

    def _is_lifted_again(self, node: Node, step: Step, index: int, known: tuple[Reading, ...]) -> bool:
        """Return whether the piece there came back only by undoing a step, and so was never set down."""
        start = node.start
        has_come_back = index in start.returned or any(index == origin for origin, _ in start.back)
        if not has_come_back or not known or known != start.actions.get(index) or known[-1] == NOTHING:
            return False
        same_turn = node.turns == 0
        declined = bool(node.steps) and node.steps[-1].piece is None
        if step.target is None:
            return same_turn
        return index in node.start.returned or same_turn or declined

    # ---- what is left over -----------------------------------------------------------------------

    def _leaf(self, node: Node, chosen: Chosen) -> Explanation | None:
        """Return the explanation that ends here; None if it leaves something unexplained."""
        sorted_out = self._sort_out(node)
        if sorted_out is None:
            return None
        in_hand, early = sorted_out
        start, steps = node.start, node.steps
        if not start.kept <= {step.text for step in steps}:
            return None
        if not (in_hand or early) and (steps[-1].piece is None if steps else not start.actions):
            return None  # nothing was done, or something that no hand does
        cost = self._plausibility.end(node, in_hand, early)
        if cost is None:
            return None
        complete = not early and not self._plausibility.was_jolted(node)
        if in_hand and complete:
            complete = self._may_have_begun(node, in_hand, chosen)
        return Explanation(
            start.ply,
            steps,
            node.position,
            tuple(in_hand),
            complete,
            cost,
            start.undone,
            node.unobserved or (start.is_hidden and not steps),
            tuple(early),
            node.sure,
        )

    def _may_have_begun(self, node: Node, points: list[int], chosen: Chosen) -> bool:
        """Return whether the next turn, which may be chosen, can have lifted the pieces at the points.

        A removed piece that has not come back may be in its owner's hand, or off the board while the turn
        that took it is thought over. After the end of the game, the board is cleared.
        """
        position, plausibility = node.position, self._plausibility
        if position.outcome is not None:
            return plausibility.was_lifted_last(node, points)
        if position.removal_due or self._permission.forbids(position, chosen):
            return False
        if plausibility.was_lifted_first(node, points):
            return False
        if any(plausibility.was_lifted_together(node, index) for index in points):
            return False
        if chosen and not all(any(leaves(step, index) for step in chosen) for index in points):
            return False
        return self._moves.may_have_lifted(position, frozenset(points))

    def _sort_out(self, node: Node) -> tuple[list[int], list[int]] | None:
        """Return the points whose piece is in hand, and those where the next turn has landed early.

        None if a point reads otherwise than after the node's actions.
        """
        actions, frame, position = node.actions, self._seen.frame, node.position
        stacks = self._moves.stacks(position)
        in_hand: list[int] = []
        early: list[int] = []
        landed: list[int] = []
        for index in self._off | actions.keys():
            done = actions.get(index)
            wanted = done[-1] if done else self._own[index]
            reading = frame[index]
            if reading == wanted:
                continue
            if self._is_lifted(stacks[index], index, reading):
                in_hand.append(index)
            elif (
                position.removal_due
                and reading.added_top(wanted)
                and self._may_be_opponents(position, reading)
            ):
                early.append(index)
            else:
                landed.append(index)
            if len(early) + len(landed) > 1 or len(in_hand) > _MAX_IN_HAND:
                return None
        early += landed
        if landed and not self._is_reply(node.position, in_hand, landed[0]):
            return None
        return sorted(in_hand), early

    def _may_be_opponents(self, position: Position, reading: Reading) -> bool:
        """Return whether a point that is read so can hold a piece of the player who is not to move."""
        piece = self._sensors.visible(reading, self._box)
        return piece is None or piece.owner is not position.to_move

    def _is_reply(self, position: Position, in_hand: list[int], landed: int) -> bool:
        """Return whether the reply's piece has landed, and that of the turn before it is still in hand.

        Sensors that do not identify owners often show a turn there as well: that of a piece still in hand.
        If only one was lifted, that is what happened.
        """
        stacks = self._moves.stacks(position)
        mine = [index for index in in_hand if stacks[index][-1].owner is position.to_move]
        theirs = [index for index in in_hand if index not in mine]
        if len(mine) != 1 or len(theirs) > 1:
            return False
        time = self._seen.changed[landed]
        if any(time < min(self._seen.openings(index), default=LONG_AGO) for index in in_hand):
            return False
        reply = self._moves.reply(position, mine[0], theirs[0] if theirs else None, landed)
        if reply is None or not self._shows(reply, stacks[landed]):
            return False
        own = (step for step in self._moves.steps(position) if leaves(step, mine[0]) and lands(step, landed))
        return bool(theirs) or not any(self._shows(step, stacks[landed]) for step in own)

    def _shows(self, step: Step, stack: tuple[Piece, ...]) -> bool:
        """Return whether the point at which a step lands, on a `stack`, reads as after it."""
        if step.target is None or step.piece is None:
            return False
        index = step.target.index
        return self._seen.frame[index] == self._sensors.reading((*stack, step.piece), index)

    def _is_lifted(self, stack: tuple[Piece, ...], index: int, reading: Reading) -> bool:
        """Return whether a point reads as if the top piece of its stack had been lifted."""
        return bool(stack) and reading == self._sensors.reading(stack[:-1], index)


def _is_part(actions: tuple[Reading, ...], changes: list[ReadingChange] | tuple[ReadingChange, ...]) -> bool:
    """Return whether the readings of the actions appear in the changes, in their order."""
    at = 0
    for change in changes:
        if at < len(actions) and change.reading == actions[at]:
            at += 1
    return at == len(actions)
