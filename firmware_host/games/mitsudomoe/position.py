"""Positions and rules of Mitsudomoe for two, as the rest of the program sees them.

`MitsudomoeMechanics` holds all rules; this module adds names, pieces and texts to its bits. A position is
made by `MitsudomoeRules.start`, `MitsudomoeRules.position` or another position's `play`, never directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
)
from firmware_host.games.layout import SQUARES, Layout, Point
from firmware_host.games.mitsudomoe import fen, notation
from firmware_host.games.mitsudomoe.fen import parse_position, position_text
from firmware_host.games.mitsudomoe.notation import (
    BALLS,
    RINGS,
    TurnSequence,
    beginnings,
    kind,
    turn_sequences,
)
from firmware_host.games.mitsudomoe.rules import BALLS as BALLS_EACH
from firmware_host.games.mitsudomoe.rules import (
    RAYS,
    STARTS,
    Due,
    MitsudomoeMechanics,
    MitsudomoeState,
    ball_steps,
    exposed,
    relocations,
    ring_steps,
)
from firmware_host.games.mitsudomoe.rules import RINGS as RINGS_EACH
from firmware_host.games.morris.bitboard import as_bits, bit, bits
from firmware_host.games.options import MitsudomoeOptions

# ---- illegal steps --------------------------------------------------------------------------------------
# The reasons why a step of Mitsudomoe is illegal, as sentences for `IllegalStepError`.


_NAMES = ("White", "Black")
_DUE = {
    Due.RING: "a ring has to be laid or moved first",
    Due.BALL: "a ball has to be moved now",
    Due.RELOCATION: "the balls that were vaulted have to be moved now",
}


def explain_illegal(state: MitsudomoeState, outcome: Outcome | None, step: Step) -> str:
    """Return why `step`, which must not be legal in `state`, is illegal."""
    if outcome is not None:
        return f"{step}: the game is over ({outcome.reason})"
    found = kind(step)
    if found is not state.due:
        return f"{step}: {_DUE[state.due]}"
    if step.target is None:
        return f"{step}: nothing leaves the board"
    of = state.black if found is not Due.RELOCATION else 1 - state.black
    if step.piece not in (None, (RINGS if found is Due.RING else BALLS)[of]):
        return f"{step}: it is a {'ring' if found is Due.RING else 'ball'} of {_NAMES[of]} that is moved"
    return f"{step}: {_TO[found](state, step.origin, step.target)}"


def _to_ring(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    mover = state.black
    if origin is None and not state.supply[mover]:
        return f"{_NAMES[mover]} has no rings in supply"
    if origin is not None and not bit(origin) & exposed(state, mover):
        return f"no ring of {_NAMES[mover]} lies open on {origin}"
    if origin is target:
        return "a ring does not return to the square that it left"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    return "no ball could be moved after it"


def _to_ball(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    mover, goal = state.black, STARTS[1 - state.black]
    if origin is None or not bit(origin) & state.balls[mover]:
        return f"no ball of {_NAMES[mover]} stands on {origin}"
    if bit(origin) & goal:
        return f"the ball on {origin} stands in its goal and stays there"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    between = _between(origin, target)
    if between is None:
        return f"{target} does not lie in a straight line from {origin}"
    for square in between:
        if not square & state.standing:
            return f"nothing to vault stands on {_name(square)}"
        if square & state.balls[1 - mover] & STARTS[mover]:
            return f"the ball on {_name(square)} stands in its goal and is not vaulted"
    if not bit(target) & state.tops[mover]:
        return f"no ring of {_NAMES[mover]} lies on top of {target}"
    return f"the balls that it vaults could go nowhere: no ring of {_NAMES[1 - mover]} lies open"


def _between(origin: Point, target: Point) -> tuple[int, ...] | None:
    """Return the squares between two, or None if no straight line joins them."""
    for ray in RAYS[bit(origin)]:
        if bit(target) in ray:
            return ray[: ray.index(bit(target))]
    return None


def _to_relocation(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    other = 1 - state.black
    if not bit(origin) & state.vaulted:
        return f"no ball on {origin} was vaulted and has to be moved"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    return f"no ring of {_NAMES[other]} lies on top of {target}"


def _name(square: int) -> str:
    return SQUARES.points[square.bit_length() - 1].name


_TO: dict[Due, Callable[[MitsudomoeState, Point | None, Point], str]] = {
    Due.RING: _to_ring,
    Due.BALL: _to_ball,
    Due.RELOCATION: _to_relocation,
}


# ---- positions and rules --------------------------------------------------------------------------------


_PLAYERS = (Player.WHITE, Player.BLACK)


def _point(one: int) -> Point:
    return SQUARES.points[one.bit_length() - 1]


_GOALS = tuple(frozenset(map(_point, bits(STARTS[1 - player]))) for player in (0, 1))
"""Each player's goal."""


@cache
def _ring_step(black: int, origin: int, target: int) -> Step:
    return notation.ring_step(RINGS[black], _point(origin) if origin else None, _point(target))


@cache
def _ball_step(black: int, origin: int, target: int) -> Step:
    return notation.ball_step(BALLS[black], _point(origin), _point(target))


@cache
def _relocation(black: int, origin: int, target: int) -> Step:
    return notation.relocation(BALLS[black], _point(origin), _point(target))


def _steps(player: int, run: TurnSequence) -> tuple[Step, ...]:
    return (
        *(_ring_step(player, *ring) for ring in run.ring),
        *(_ball_step(player, way.origin, way.target) for way in run.ball),
        *(_relocation(1 - player, *points) for points in run.relocations),
    )


@frozen
class MitsudomoePosition:
    """One moment of a game; positions that are equal have the same continuations."""

    rules: MitsudomoeRules
    state: MitsudomoeState
    outcome: Outcome | None
    """The result; abandoned if a text said that the game is over and the rules do not."""

    @property
    def to_move(self) -> Player:
        """The player whose step is next; after the end, whose it would be."""
        return _PLAYERS[self.state.black]

    @property
    def stacks(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces on each square, the lowest first, in the layout's order."""
        return tuple(
            _rings(rings) + tuple(BALLS[player] for player in (0, 1) if self.state.balls[player] >> index & 1)
            for index, rings in enumerate(self.state.rings)
        )

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.state.number

    @property
    def standing(self) -> tuple[Piece | None, ...]:
        """The top piece of each square, in the layout's order."""
        return tuple(stack[-1] if stack else None for stack in self.stacks)

    @property
    def removal_due(self) -> bool:
        """Always false: nothing leaves the board in this game."""
        return False

    @property
    def closed(self) -> frozenset[Point]:
        """The empty set: there are no mills in this game."""
        return frozenset()

    @property
    def goals(self) -> frozenset[Point]:
        """The squares that the balls of the player to move have to reach: the opponent's start."""
        return _GOALS[self.state.black]

    @property
    def supply(self) -> Mapping[Piece, int]:
        """The number of rings left to lay, by their owner."""
        return dict(zip(RINGS, self.state.supply, strict=True))

    def in_hand(self, player: Player) -> int:
        """Return the number of rings that `player` has in supply."""
        return self.state.supply[_PLAYERS.index(player)]

    def legal_steps(self) -> tuple[Step, ...]:
        """Return every legal step, after which the turn can always be completed."""
        state = self.state
        if self.outcome is not None:
            return ()
        if state.due is Due.RING:
            return tuple(
                _ring_step(state.black, origin, target)
                for origin, targets in ring_steps(state)
                for target in bits(targets)
            )
        if state.due is Due.BALL:
            return tuple(_ball_step(state.black, way.origin, way.target) for way in ball_steps(state))
        return tuple(_relocation(1 - state.black, *points) for points in relocations(state))

    def legal_step(self, text: str) -> Step:
        """Return the legal step of that text, with its piece; raise NotationError or IllegalStepError."""
        step = self.rules.parse_step(text)
        for own in self.legal_steps():
            if own.text == step.text:
                return own
        raise self._illegal(step)

    def play(self, step: Step) -> MitsudomoePosition:
        """Return the position after `step`, which is identified by its text and, if it has one, its piece.

        Raises IllegalStepError with the reason if it is not legal.
        """
        after = self._after(step) if self.outcome is None else None
        if after is None:
            raise self._illegal(step)
        return self.rules.reached(after)

    def legal_runs(self) -> Iterator[tuple[Step, ...]]:
        """Yield the steps of every whole turn, or rest of one; there may be thousands, and none is played."""
        state = self.state
        if self.outcome is not None:
            return
        for run in turn_sequences(state):
            yield _steps(state.black, run)

    def beginnings(self, vacated: Iterable[int], filled: Iterable[int]) -> Iterator[tuple[Step, ...]]:
        """Yield the shortest beginnings of turns that leave and land on all of these points."""
        if self.outcome is None:
            for run in beginnings(self.state, as_bits(vacated), as_bits(filled)):
                yield _steps(self.state.black, run)

    def turns(self) -> tuple[Turn, ...]:
        """Return one whole turn, or rest of one, for each position that can result, whatever its order."""
        found: dict[object, Turn] = {}
        for turn in legal_turns(self):
            found.setdefault(_result(turn.steps), turn)
        return tuple(found.values())

    def leaves(self, depth: int, turns: bool) -> int:
        """Return the number of ways to play `depth` (at least 1) steps, or whole turns, from here."""
        from firmware_host.games.perft import leaves

        return leaves(self.rules.mechanics, self.state, depth, turns)

    def _illegal(self, step: Step) -> IllegalStepError:
        return IllegalStepError(explain_illegal(self.state, self.outcome, step))

    def _after(self, step: Step) -> MitsudomoeState | None:
        state, mechanics = self.state, self.rules.mechanics
        origin, target = bit(step.origin), bit(step.target)
        if notation.kind(step) is not state.due or step.piece not in (None, self._movable()):
            return None
        if state.due is Due.RING:
            legal = target & dict(ring_steps(state)).get(origin, 0)
            return mechanics.lay(state, origin, target) if legal else None
        if state.due is Due.RELOCATION:
            legal = (origin, target) in relocations(state)
            return mechanics.relocate(state, origin, target) if legal else None
        return next(
            (mechanics.move_ball(state, w) for w in ball_steps(state) if w[:2] == (origin, target)), None
        )

    def _movable(self) -> Piece:
        """Return the piece that the step that is due moves."""
        if self.state.due is Due.RELOCATION:
            return BALLS[1 - self.state.black]
        return (RINGS if self.state.due is Due.RING else BALLS)[self.state.black]

    def __str__(self) -> str:
        return position_text(
            self.state if self.outcome is None else self.state._replace(ended=self.outcome.reason)
        )


def _result(steps: tuple[Step, ...]) -> object:
    """Return a key that is the same for turns with the same result: vaulted balls are alike."""
    own = tuple(step for step in steps if notation.kind(step) is not Due.RELOCATION)
    moved = [step for step in steps if notation.kind(step) is Due.RELOCATION]
    left, filled = {step.origin for step in moved}, {step.target for step in moved}
    return own, frozenset(left - filled), frozenset(filled)


@cache
def _rings(rings: int) -> tuple[Piece, ...]:
    return tuple(RINGS[int(owner)] for owner in f"{rings:b}"[1:])


@frozen(slots=False)
class MitsudomoeRules:
    """The named rule set, with its options."""

    name: str
    options: MitsudomoeOptions
    settings: tuple[str, ...] = ()
    """Each option that differs from the named rule set, as `option=value`."""

    @property
    def layout(self) -> Layout:
        """Five by five squares."""
        return SQUARES

    @cached_property
    def box(self) -> Mapping[Piece, int]:
        """All pieces, including those of the start."""
        return dict.fromkeys(RINGS, RINGS_EACH) | dict.fromkeys(BALLS, BALLS_EACH)

    @property
    def first(self) -> Player | None:
        """The starting player, or None if it is drawn by lot."""
        return None if self.options.first == "lot" else Player(self.options.first)

    @property
    def has_removals(self) -> bool:
        """Always false: nothing leaves the board in this game."""
        return False

    @cached_property
    def mechanics(self) -> MitsudomoeMechanics:
        """The mechanics of these rules."""
        return MitsudomoeMechanics(self.options)

    @property
    def numberings(self) -> Mapping[str, Numbering]:
        """None: no program numbers these points."""
        return {}

    def start(self, first: Player) -> MitsudomoePosition:
        """Return the position before the first step."""
        return self.reached(self.mechanics.start(first is Player.BLACK))

    def position(self, text: str) -> MitsudomoePosition:
        """Return the position that a text describes; raise NotationError, which names the wrong field."""
        state, over = parse_position(text, self.mechanics)
        reached = self.reached(state)
        if over and reached.outcome is None:
            return MitsudomoePosition(self, state, Outcome(Reason.ABANDONED, None))
        return reached

    def reached(self, state: MitsudomoeState) -> MitsudomoePosition:
        """Return the position that has `state`."""
        return MitsudomoePosition(self, state, state.ended and Outcome(state.ended, _winner(state)))

    def set_up_text(
        self,
        stacks: Sequence[tuple[Piece, ...]],
        to_move: Player,
        *,
        placing: bool,  # noqa: ARG002 - of the protocol
    ) -> str:
        """Return the text of a position with these pieces, for `position`, which may not accept it.

        Rings are laid and moved throughout, so `placing` makes no difference.
        """
        return fen.text_of(stacks, to_move)

    def set_up_fault(self, stacks: Sequence[tuple[Piece, ...]]) -> SetUpFault | None:
        """Return why these pieces cannot stand so, whoever is to move; None if they can."""
        return fen.fault_of(stacks)

    def parse_step(self, text: str) -> Step:
        """Return the step that `text` names, without its piece; raise NotationError."""
        return notation.parse_step(text)

    def parse_turn(self, text: str) -> tuple[Step, ...]:
        """Return the steps of a turn or of a part of one, without their pieces; raise NotationError."""
        return notation.parse_turn(text)

    def turn_text(self, steps: tuple[Step, ...]) -> str:
        """Return a whole turn, or the rest of one, as one text."""
        return notation.turn_text(steps)

    def describe(self) -> str:
        """Return the rule set's name and every option that differs from it: `mitsudomoe first=lot`."""
        return " ".join((self.name, *self.settings))


def _winner(state: MitsudomoeState) -> Player | None:
    """Return the winner if the rules ended the game: after a turn of the player who is not to move."""
    if state.ended in (Reason.GOAL, Reason.BLOCKED):
        return _PLAYERS[1 - state.black]
    return _PLAYERS[state.black] if state.ended is Reason.START_COVERED else None
