"""The rules of the mill family, on bits: the legal steps and their results.

`MorrisPosition` plays with it and perft counts with it, so that perft proves the rules that are played. A
`MorrisState` is seen by the player to move; nothing here checks that a step is legal, but `landings` and
`removable` return the legal ones.

Decisions where the wording of the rules leaves room:
- A full board ends the game by its own option, although the player to move is also blocked: the option would
  mean nothing otherwise. Every other loss comes before a draw, and repetition before quiet.
- `x-` declines all removals that are still due, and is a step without a placement or removal.
- With `protection=unless-three`, if more than three stand and all in mills, nothing can be removed.
- A text can set up a position that no play leads to, in which both players have fewer than three: the player
  to move loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Reason
from firmware_host.games.morris.bitboard import BoardGraph, bits, board_graph
from firmware_host.games.options import MIN_PIECES, MorrisOptions


class MorrisState(NamedTuple):
    """One moment of a game; `mine` is of the player to move. Its first six values make a repetition."""

    mine: int
    theirs: int
    my_hand: int
    their_hand: int
    due: int
    """The removals that the player to move must or may make."""
    black: int
    """1 if Black is to move, else 0."""
    quiet: int = 0
    """Steps since the last placement or removal."""
    past: tuple[tuple[int, ...], ...] = ()
    """The earlier states that this one can repeat, if repetition counts."""
    closed: int = 0
    """Points of the mills that the last turn has closed so far."""
    number: int = 1
    """The number of the turn, which increases after each of Black's."""
    placed_last: bool = False
    """True if the removals due were earned by the last placement of the game."""


@frozen(slots=False)
class MorrisMechanics:
    """The rules with these options, ready to play."""

    options: MorrisOptions

    @cached_property
    def graph(self) -> BoardGraph:
        """The points and lines that these options leave."""
        return board_graph(self.options.diagonals, self.options.points == "outer")

    def start(self, black: bool) -> MorrisState:
        """Return the empty board."""
        mine, theirs = map(self.options.pieces_of, (black, not black))
        return MorrisState(0, 0, mine, theirs, 0, int(black))

    def landings(self, state: MorrisState) -> list[tuple[int, int]]:
        """Return the moves of the player to move as (origin, targets), with origin 0 for the hand.

        Targets may be empty. Removals due and the end of the game are not considered.
        """
        mine, theirs, my_hand, their_hand = state[:4]
        empty = self.graph.usable & ~(mine | theirs)
        found = []
        if my_hand:
            found.append((0, empty))
            if not self.options.move_while_placing:
                return found
        if self.flies(mine, theirs, my_hand, their_hand):
            return found + [(piece, empty) for piece in bits(mine)]
        neighbours = self.graph.neighbours
        return found + [(piece, neighbours[piece] & empty) for piece in bits(mine)]

    def flies(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> bool:
        """Return True if the player to move may move a piece anywhere."""
        flying = self.options.flying
        if my_hand or flying == "never":
            return False
        if mine.bit_count() == MIN_PIECES and (flying == "own" or not their_hand):
            return True
        return flying == "both" and not their_hand and theirs.bit_count() == MIN_PIECES

    def can_move(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> bool:
        """Return False if the player to move, with nothing in hand, is shut in."""
        empty = self.graph.usable & ~(mine | theirs)
        return bool(self.graph.reach(mine) & empty) or (
            bool(empty) and self.flies(mine, theirs, my_hand, their_hand)
        )

    def removable(self, theirs: int) -> int:
        """Return the opponent's pieces that a removal may take."""
        protection = self.options.protection
        if protection == "none":
            return theirs
        free = theirs & ~self.graph.mills(theirs)
        if protection == "always" or (protection == "unless-three" and theirs.bit_count() != MIN_PIECES):
            return free
        return free or theirs

    def closing(self, mine: int, target: int) -> tuple[int, int]:
        """Return the points of the mills that a piece put on `target` closed, and the removals they earn."""
        closed = mills = 0
        for pair in self.graph.partners[target]:
            if mine & pair == pair:
                closed |= pair | target
                mills += 1
        return closed, mills if self.options.captures == "per-mill" else min(mills, 1)

    def land(self, state: MorrisState, origin: int, target: int) -> MorrisState:
        """Return the state after a piece came from `origin` (0: the hand) to `target`."""
        mine, theirs, my_hand, their_hand, _, black, quiet, past, _, number, _ = state
        mine = mine ^ origin | target
        if origin:
            quiet += 1
            past = self._remembering(state)
        else:
            my_hand -= 1
            quiet = 0
            past = ()
        closed, due = self.closing(mine, target)
        if due and self.removable(theirs):
            last = not (origin or my_hand or their_hand)
            return MorrisState(
                mine, theirs, my_hand, their_hand, due, black, quiet, past, closed, number, last
            )
        return MorrisState(
            theirs, mine, their_hand, my_hand, 0, 1 - black, quiet, past, closed, number + black
        )

    def remove(self, state: MorrisState, target: int) -> MorrisState:
        """Return the state after the opponent's piece on `target` was removed; further removals may lapse."""
        theirs = state.theirs ^ target
        after = state._replace(theirs=theirs, due=state.due - 1, quiet=0, past=())
        over = theirs.bit_count() + state.their_hand < MIN_PIECES
        return after if after.due and not over and self.removable(theirs) else _passed(after)

    def decline(self, state: MorrisState) -> MorrisState:
        """Return the state after the removals due were declined."""
        return _passed(state._replace(quiet=state.quiet + 1, past=self._remembering(state)))

    def _remembering(self, state: MorrisState) -> tuple[tuple[int, ...], ...]:
        return (*state.past, state[:6]) if self.options.repetition else ()

    def after_steps(self, state: MorrisState) -> Iterator[MorrisState]:
        """Yield the state after each possible step, in the order of the steps; see `landings`."""
        if state.due:
            for target in bits(self.removable(state.theirs)):
                yield self.remove(state, target)
            if self.options.removal == "may":
                yield self.decline(state)
        else:
            for origin, targets in self.landings(state):
                for target in bits(targets):
                    yield self.land(state, origin, target)

    def after_turns(self, state: MorrisState) -> Iterator[MorrisState]:
        """Yield the state after each possible turn, or rest of one."""
        for after in self.after_steps(state):
            if after.black != state.black or self.ending(after) is not None:
                yield after
            else:
                yield from self.after_turns(after)

    def ending(self, state: MorrisState) -> Reason | None:
        """Return why the game is over, or None while it goes on."""
        mine, theirs, my_hand, their_hand, due = state[:5]
        if mine.bit_count() + my_hand < MIN_PIECES or theirs.bit_count() + their_hand < MIN_PIECES:
            return Reason.FEW_PIECES
        if due:
            return None
        if mine | theirs == self.graph.usable:
            return Reason.FULL_BOARD
        if not my_hand and not self.can_move(*state[:4]):
            return Reason.BLOCKED
        return self._draw(state)

    def _draw(self, state: MorrisState) -> Reason | None:
        repetition, quiet = self.options.repetition, self.options.quiet
        if repetition and state.past and state.past.count(state[:6]) >= repetition - 1:
            return Reason.REPETITION
        return Reason.QUIET if quiet and state.quiet >= quiet else None

    def count_steps(self, state: MorrisState) -> int:
        """Return the number of steps without playing them."""
        if state.due:
            return self.removable(state.theirs).bit_count() + (self.options.removal == "may")
        return sum(targets.bit_count() for _, targets in self.landings(state))

    def count_turns(self, state: MorrisState) -> int:
        """Return the number of whole turns, or rests of one, without playing them."""
        theirs, their_hand = state.theirs, state.their_hand
        if state.due:
            return self._endings(theirs, their_hand, state.due)
        found = 0
        for origin, targets in self.landings(state):
            rest = state.mine ^ origin
            found += targets.bit_count()
            for target in bits(targets & self.graph.completing(rest)):
                _, due = self.closing(rest | target, target)
                found += self._endings(theirs, their_hand, due) - 1
        return found

    def beginnings(
        self, state: MorrisState, vacated: int, filled: int
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the shortest beginnings of turns that leave and land on all of these points.

        Each is a landing as its origin and target, if one is due, and the removals after it.
        """
        theirs, their_hand = state.theirs, state.their_hand
        if state.due:
            for removals in () if filled else self._removals(theirs, their_hand, state.due, vacated):
                yield (), removals
            return
        for origin, targets in self.landings(state):
            left = vacated & ~origin
            if left & ~theirs:
                continue
            for target in bits(targets & filled if filled else targets):
                if filled & ~target:
                    continue
                _, due = self.closing(state.mine ^ origin | target, target) if left else (0, 0)
                for removals in self._removals(theirs, their_hand, due, left):
                    yield (origin, target), removals

    def _removals(self, theirs: int, their_hand: int, due: int, of: int) -> Iterator[tuple[int, ...]]:
        """Yield each shortest way to remove these points, and others, with `due` removals earned."""
        if not of:
            yield ()
            return
        over = theirs.bit_count() + their_hand < MIN_PIECES
        for taken in bits(self.removable(theirs)) if due and not over else ():
            for rest in self._removals(theirs ^ taken, their_hand, due - 1, of & ~taken):
                yield taken, *rest

    def _endings(self, theirs: int, their_hand: int, due: int) -> int:
        """Return the number of ways to end a turn with `due` removals earned: 1 if none can be made."""
        removable = self.removable(theirs)
        if not removable or not due or theirs.bit_count() + their_hand < MIN_PIECES:
            return 1
        declined = self.options.removal == "may"
        if due == 1:
            return removable.bit_count() + declined
        return declined + sum(self._endings(theirs ^ taken, their_hand, due - 1) for taken in bits(removable))


def _passed(state: MorrisState) -> MorrisState:
    mine, theirs, my_hand, their_hand, _, black, quiet, past, closed, number, _ = state
    return MorrisState(theirs, mine, their_hand, my_hand, 0, 1 - black, quiet, past, closed, number + black)
