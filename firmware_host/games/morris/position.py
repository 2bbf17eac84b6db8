"""Positions and rules of the mill family, as the rest of the program sees them.

`MorrisMechanics` holds all rules; this module adds names, pieces and texts to its bits. A position is made by
`MorrisRules.start`, `MorrisRules.position` or another position's `play`, never directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from firmware_host.errors import IllegalStepError
from firmware_host.frozen import frozen
from firmware_host.games.game import (
    Numbering,
    Outcome,
    Piece,
    Player,
    Reason,
    SetUpFault,
    Step,
    Turn,
    legal_turns,
    played_runs,
)
from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, Layout, Point
from firmware_host.games.morris import fen, notation
from firmware_host.games.morris.bitboard import as_bits, bit, bits, point, points_of
from firmware_host.games.morris.fen import parse_position, position_text
from firmware_host.games.morris.notation import DECLINE, PIECES, PLAYERS
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.options import MIN_PIECES, MorrisOptions

# ---- illegal steps --------------------------------------------------------------------------------------
# The reasons why a step is illegal, as sentences for `IllegalStepError`.


def explain_illegal(
    mechanics: MorrisMechanics, state: MorrisState, outcome: Outcome | None, step: Step
) -> str:
    """Return why `step`, which must not be legal in `state`, is illegal."""
    player = PLAYERS[state.black]
    if outcome is not None:
        return f"{step}: the game is over ({outcome.reason})"
    if step.origin is None and step.target is None:
        return f"{step}: {'the removal must be made' if state.due else 'no removal is due'}"
    if step.target is None and step.origin is not None:
        return f"{step}: {_to_removal(mechanics, state, step.origin)}"
    if state.due:
        return f"{step}: a removal is due"
    if step.piece is not None and step.piece.owner is not player:
        return f"{step}: it is {_name(state.black)}'s turn"
    return f"{step}: {_to_landing(mechanics, state, step)}"


def _name(black: int) -> str:
    return PLAYERS[black].value.capitalize()


def _to_removal(mechanics: MorrisMechanics, state: MorrisState, point: Point) -> str:
    if not state.due:
        return "no removal is due"
    if not bit(point) & state.theirs:
        return f"none of {_name(1 - state.black)}'s pieces stands on {point}"
    removable = mechanics.removable(state.theirs)
    if removable & bit(point):
        return f"it is {_name(1 - state.black)}'s piece that is removed"
    if removable and mechanics.options.protection == "unless-all":
        return f"{point} stands in a mill, and {next(points_of(removable))} does not"
    if mechanics.options.protection == "unless-three":
        return (
            f"{point} stands in a mill, and {_name(1 - state.black)} has not just {MIN_PIECES} on the board"
        )
    return f"{point} stands in a mill"


def _to_landing(mechanics: MorrisMechanics, state: MorrisState, step: Step) -> str:
    origin, target = bit(step.origin), bit(step.target)
    mover, hand = _name(state.black), state.my_hand
    if not target & mechanics.graph.usable:
        return f"{step.target} is not used with points={mechanics.options.points}"
    if not origin and not hand:
        return f"{mover} has no pieces in hand"
    if origin and origin & state.theirs:
        return f"the piece on {step.origin} is {_name(1 - state.black)}'s"
    if origin and not origin & state.mine:
        return f"nothing stands on {step.origin}"
    if origin and hand and not mechanics.options.move_while_placing:
        return f"{mover} has {hand} in hand to place first"
    if target & (state.mine | state.theirs):
        return f"{step.target} is occupied"
    return f"{step.origin} and {step.target} are not neighbours"


# ---- positions and rules --------------------------------------------------------------------------------


@cache
def _landing(black: int, origin: int, target: int) -> Step:
    return notation.landing(PIECES[black], point(origin) if origin else None, point(target))


@cache
def _removal(black: int, taken: int) -> Step:
    return notation.removal(PIECES[black], point(taken))


@frozen
class MorrisPosition:
    """One moment of a mill game; positions that are equal have the same continuations."""

    rules: MorrisRules
    state: MorrisState
    first: Player
    """The starting player, who matters at the end with `full_board=first-loses`."""
    outcome: Outcome | None
    """The result; abandoned if a text said that the game is over and the rules do not."""

    @property
    def to_move(self) -> Player:
        """The player whose step is next; after the end, whose it would be."""
        return PLAYERS[self.state.black]

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.state.number

    @property
    def standing(self) -> tuple[Piece | None, ...]:
        """The piece of each point, in the layout's order."""
        return tuple(stack[0] if stack else None for stack in self.stacks)

    @property
    def stacks(self) -> tuple[tuple[Piece, ...], ...]:
        """One piece or none on each point, in the layout's order."""
        state = self.state
        stacks: list[tuple[Piece, ...]] = [()] * len(MORRIS)
        for points, black in ((state.mine, state.black), (state.theirs, 1 - state.black)):
            for one in bits(points):
                stacks[one.bit_length() - 1] = (PIECES[black],)
        return tuple(stacks)

    @property
    def removal_due(self) -> bool:
        """True if the player to move must or may make a removal."""
        return self.state.due > 0

    @property
    def closed(self) -> frozenset[Point]:
        """The points of the mills that the last turn has closed so far."""
        return frozenset(points_of(self.state.closed))

    @property
    def goals(self) -> frozenset[Point]:
        """The empty set: a mill may be closed anywhere."""
        return frozenset()

    @property
    def supply(self) -> Mapping[Piece, int]:
        """The number of pieces that each player has yet to place, by their kind."""
        return {piece: self.in_hand(piece.owner) for piece in PIECES}

    def in_hand(self, player: Player) -> int:
        """Return the number of pieces that `player` has yet to place."""
        return self.state.my_hand if player is self.to_move else self.state.their_hand

    def legal_steps(self) -> tuple[Step, ...]:
        """Return every legal step: placements, then moves, or removals, then declining them."""
        state, mechanics = self.state, self.rules.mechanics
        if self.outcome is not None:
            return ()
        if state.due:
            steps = tuple(
                _removal(1 - state.black, taken) for taken in bits(mechanics.removable(state.theirs))
            )
            return (*steps, DECLINE) if mechanics.options.removal == "may" else steps
        return tuple(
            _landing(state.black, origin, target)
            for origin, targets in mechanics.landings(state)
            for target in bits(targets)
        )

    def legal_step(self, text: str) -> Step:
        """Return the legal step of that text, with its piece; raise NotationError or IllegalStepError."""
        step = self.rules.parse_step(text)
        for own in self.legal_steps():
            if own.text == step.text:
                return own
        raise self._illegal(step)

    def play(self, step: Step) -> MorrisPosition:
        """Return the position after `step`, which is identified by its points and, if it has one, its piece.

        Raises IllegalStepError with the reason if it is not legal.
        """
        after = self._after(step) if self.outcome is None else None
        if after is None:
            raise self._illegal(step)
        return self.rules.reached(after, self.first)

    def legal_runs(self) -> Iterable[tuple[Step, ...]]:
        """Return the steps of every whole turn, or rest of one."""
        return played_runs(self)

    def beginnings(self, vacated: Iterable[int], filled: Iterable[int]) -> Iterator[tuple[Step, ...]]:
        """Yield the shortest beginnings of turns that leave and land on all of these points."""
        if self.outcome is not None:
            return
        mechanics, black = self.rules.mechanics, self.state.black
        for landing, removals in mechanics.beginnings(self.state, as_bits(vacated), as_bits(filled)):
            landed = (_landing(black, *landing),) if landing else ()
            yield (*landed, *(_removal(1 - black, taken) for taken in removals))

    def turns(self) -> tuple[Turn, ...]:
        """Return every whole turn, or rest of one: removals in another order are another turn."""
        return legal_turns(self)

    def leaves(self, depth: int, turns: bool) -> int:
        """Return the number of ways to play `depth` (at least 1) steps, or whole turns, from here."""
        from firmware_host.games.perft import leaves

        return leaves(self.rules.mechanics, self.state, depth, turns)

    def _illegal(self, step: Step) -> IllegalStepError:
        return IllegalStepError(explain_illegal(self.rules.mechanics, self.state, self.outcome, step))

    def _after(self, step: Step) -> MorrisState | None:
        state, mechanics = self.state, self.rules.mechanics
        origin, target = bit(step.origin), bit(step.target)
        if step.piece not in (PIECES[state.black ^ (not target)], None):
            return None
        if target:
            if state.due or not target & dict(mechanics.landings(state)).get(origin, 0):
                return None
            return mechanics.land(state, origin, target)
        if not state.due:
            return None
        if origin:
            return mechanics.remove(state, origin) if origin & mechanics.removable(state.theirs) else None
        return mechanics.decline(state) if mechanics.options.removal == "may" else None

    def __str__(self) -> str:
        return position_text(self.state, self.outcome is not None)


@frozen(slots=False)
class MorrisRules:
    """A named rule set of the mill family, with its options."""

    name: str
    options: MorrisOptions
    settings: tuple[str, ...] = ()
    """Each option that differs from the named rule set, as `option=value`."""

    @property
    def layout(self) -> Layout:
        """All points of a mill board, even if only the outer rings are used."""
        return DIAGONAL_MORRIS if self.options.diagonals else MORRIS

    @cached_property
    def box(self) -> Mapping[Piece, int]:
        """The pieces beside the board before the game."""
        return {piece: self.options.pieces_of(black) for black, piece in enumerate(PIECES)}

    @property
    def first(self) -> Player | None:
        """The starting player, or None if it is drawn by lot."""
        return None if self.options.first == "lot" else Player(self.options.first)

    @property
    def has_removals(self) -> bool:
        """Always true: a mill takes a piece."""
        return True

    @cached_property
    def mechanics(self) -> MorrisMechanics:
        """The mechanics of these rules."""
        return MorrisMechanics(self.options)

    @property
    def numberings(self) -> Mapping[str, Numbering]:
        """The numbers of points by rows and by rings."""
        return notation.NUMBERINGS

    def start(self, first: Player) -> MorrisPosition:
        """Return the position before the first step."""
        return self.reached(self.mechanics.start(first is Player.BLACK), first)

    def position(self, text: str) -> MorrisPosition:
        """Return the position that a text describes; raise NotationError, which names the wrong field.

        If the starting player is drawn by lot, the players are assumed to have placed alternately.
        """
        state, over = parse_position(text, self.mechanics)
        mine = self.options.pieces_of(state.black) - state.my_hand
        theirs = self.options.pieces_of(1 - state.black) - state.their_hand
        ahead = theirs > mine or (state.due and theirs == mine)
        started = self.first or PLAYERS[state.black ^ bool(ahead)]
        reached = self.reached(state, started)
        if over and reached.outcome is None:
            return MorrisPosition(self, state, started, Outcome(Reason.ABANDONED, None))
        return reached

    def reached(self, state: MorrisState, first: Player) -> MorrisPosition:
        """Return the position that has `state` in a game that `first` started."""
        reason = self.mechanics.ending(state)
        return MorrisPosition(
            self, state, first, reason and Outcome(reason, self._winner(reason, state, first))
        )

    def _winner(self, reason: Reason, state: MorrisState, first: Player) -> Player | None:
        mover = PLAYERS[state.black]
        if reason is Reason.FEW_PIECES:
            return mover.other if state.mine.bit_count() + state.my_hand < MIN_PIECES else mover
        if reason is Reason.BLOCKED:
            return mover.other
        if reason is Reason.FULL_BOARD and self.options.full_board == "first-loses":
            return first.other
        return None

    def set_up_text(self, stacks: Sequence[tuple[Piece, ...]], to_move: Player, *, placing: bool) -> str:
        """Return the text of a position with these pieces, for `position`, which may not accept it."""
        return fen.text_of(self.options, stacks, to_move, placing=placing)

    def set_up_fault(self, stacks: Sequence[tuple[Piece, ...]]) -> SetUpFault | None:
        """Return why these pieces cannot stand so, whoever is to move; None if they can."""
        return fen.fault_of(self.mechanics, stacks)

    def parse_step(self, text: str) -> Step:
        """Return the step that `text` names, without its piece; raise NotationError."""
        return notation.parse_step(text)

    def parse_turn(self, text: str) -> tuple[Step, ...]:
        """Return the steps of a turn or of the rest of one, without their pieces; raise NotationError."""
        return notation.parse_turn(text)

    def turn_text(self, steps: tuple[Step, ...]) -> str:
        """Return a whole turn, or the rest of one, as one text."""
        return notation.turn_text(steps)

    def describe(self) -> str:
        """Return the rule set's name and every option that differs from it: `the-mill captures=one`."""
        return " ".join((self.name, *self.settings))
