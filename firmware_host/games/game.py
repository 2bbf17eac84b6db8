"""The interface of every game: players, pieces, steps, positions, rules, and the game so far.

All are values. A `Position` knows the legal steps and nothing of how they are played on the board; a `Game`
is a start and the steps played from it, and every change makes a new one. There is no clock here and no input
or output.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Protocol

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message


class Player(enum.Enum):
    """One of the two players."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.BLACK if self is Player.WHITE else Player.WHITE

    def __str__(self) -> str:
        return self.value


@frozen
class Piece:
    """A piece by its owner and, in games with several kinds, its kind."""

    owner: Player
    kind: str = ""
    magnet: int = 0
    """The rank of its magnet's strength in its game, from 0 (weakest); linear sensors tell kinds by it."""
    flat: bool = False
    """True if another piece may stand on it."""

    def __str__(self) -> str:
        return f"{self.owner}-{self.kind}" if self.kind else str(self.owner)


class Reason(enum.Enum):
    """The reasons for which a game ends."""

    FEW_PIECES = "few-pieces"
    BLOCKED = "blocked"
    REPETITION = "repetition"
    QUIET = "quiet"
    FULL_BOARD = "full-board"
    GOAL = "goal"
    START_COVERED = "start-covered"
    RESIGNED = "resigned"
    AGREED = "agreed"
    ABANDONED = "abandoned"
    TIME = "time"

    def __str__(self) -> str:
        return self.value


@frozen
class Outcome:
    """The reason why a game ended, and the winner (None: nobody)."""

    reason: Reason
    winner: Player | None

    def as_dict(self) -> dict[str, str | None]:
        """Return the public form: names, and None for the winner of a draw."""
        return {"winner": None if self.winner is None else str(self.winner), "reason": str(self.reason)}


DECLARABLE = frozenset((Reason.RESIGNED, Reason.AGREED, Reason.ABANDONED, Reason.TIME))
"""The reasons for which players end a game; for all others the rules do."""
_PUBLIC_ENDS = {
    (str(reason), None if winner is None else str(winner)): Outcome(reason, winner)
    for reason in DECLARABLE
    for winner in (None, *Player)
}


def declared_end(value: object) -> Outcome | None:
    """Return the end of this public form; None if it isn't one that players declare."""
    if not isinstance(value, dict) or value.keys() != {"reason", "winner"}:
        return None
    reason, winner = value["reason"], value["winner"]
    is_named = isinstance(reason, str) and (winner is None or isinstance(winner, str))
    return _PUBLIC_ENDS.get((reason, winner)) if is_named else None


@frozen
class Step:
    """The smallest action on the board that the rules know.

    `piece` goes from `origin` (None: from beside the board) to `target` (None: off the board). A step without
    either point, such as declining a removal, needs no action; its `piece` is None.
    """

    text: str
    piece: Piece | None
    origin: Point | None
    target: Point | None

    def __str__(self) -> str:
        return self.text


Numbering = Mapping[str, str]
"""The name of each point by its number."""


class Position(Protocol):
    """One moment of a game, frozen: the pieces, the player to move, and the legal steps."""

    @property
    def to_move(self) -> Player:
        """The player whose step is next; after the end, whose it would be."""

    @property
    def number(self) -> int:
        """The number of the turn, which increases after each of Black's."""

    @property
    def standing(self) -> tuple[Piece | None, ...]:
        """The visible piece of each point, in the layout's order."""

    @property
    def stacks(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces on each point, the lowest first, in the layout's order."""

    @property
    def outcome(self) -> Outcome | None:
        """The result if the rules ended the game here; None otherwise."""

    @property
    def removal_due(self) -> bool:
        """True if the player to move must or may make a removal before the turn is over."""

    @property
    def closed(self) -> frozenset[Point]:
        """The points of the mills that the last turn has closed so far (empty if none)."""

    @property
    def goals(self) -> frozenset[Point]:
        """The points that the player to move has to bring pieces to (empty if the game has none)."""

    @property
    def supply(self) -> Mapping[Piece, int]:
        """The number of pieces of each kind that are yet to be placed."""

    def in_hand(self, player: Player) -> int:
        """Return the number of pieces that `player` has yet to place."""

    def legal_steps(self) -> tuple[Step, ...]:
        """Return every legal step in a fixed order; empty when the game is over."""

    def legal_step(self, text: str) -> Step:
        """Return the legal step of that text, with its piece; raise NotationError or IllegalStepError."""

    def play(self, step: Step) -> Position:
        """Return the position after `step`; raise IllegalStepError with the reason if it is not legal."""

    @property
    def rules(self) -> Rules:
        """The rules of its game."""

    def legal_runs(self) -> Iterable[tuple[Step, ...]]:
        """Return the steps of every whole turn, or rest of one, in a fixed order, for `legal_turns`."""

    def beginnings(self, vacated: Iterable[int], filled: Iterable[int]) -> Iterator[tuple[Step, ...]]:
        """Yield the shortest beginnings of turns that leave and land on all of these points.

        The points, at least one, are given by their indexes. Each beginning ends with the step that touches
        the last of them.
        """

    def turns(self) -> tuple[Turn, ...]:
        """Return the whole turns, or rests of one, that this game counts as different."""

    def leaves(self, depth: int, turns: bool) -> int:
        """Return the number of ways to play `depth` (at least 1) steps, or whole turns, from here."""

    def __str__(self) -> str:
        """Return the position text."""


@frozen
class SetUpFault:
    """The reason why no game can begin with pieces as they were set up."""

    points: frozenset[Point]
    """The points that break the rules; none if only pieces are missing."""
    reason: Message


class Rules(Protocol):
    """One named way to play: the start of a game and the notation of its texts."""

    @property
    def name(self) -> str:
        """The name of the rule set, as the command line takes it."""

    @property
    def layout(self) -> Layout:
        """The points it is played on."""

    @property
    def box(self) -> Mapping[Piece, int]:
        """The number of pieces of each kind beside the board before the game."""

    @property
    def first(self) -> Player | None:
        """The starting player, or None if it is drawn by lot."""

    @property
    def has_removals(self) -> bool:
        """True if steps take pieces off the board."""

    @property
    def numberings(self) -> Mapping[str, Numbering]:
        """The ways in which other programs number the points, by their names; the usual one comes first."""

    def start(self, first: Player) -> Position:
        """Return the position before the first step."""

    def position(self, text: str) -> Position:
        """Return the position that a text describes; raise NotationError, which names the wrong field."""

    def set_up_text(self, stacks: Sequence[tuple[Piece, ...]], to_move: Player, *, placing: bool) -> str:
        """Return the text of a position with these pieces, for `position`, which may not accept it.

        With `placing`, the pieces that are not on the board are still to be placed. Only where they would
        otherwise be out of the game does that make a difference.
        """

    def set_up_fault(self, stacks: Sequence[tuple[Piece, ...]]) -> SetUpFault | None:
        """Return why these pieces cannot stand so, whoever is to move; None if they can."""

    def parse_step(self, text: str) -> Step:
        """Return the step that `text` names; raise NotationError with the place and the reason."""

    def parse_turn(self, text: str) -> tuple[Step, ...]:
        """Return the steps of a turn or of a part of one; raise NotationError, which names the wrong step."""

    def turn_text(self, steps: tuple[Step, ...]) -> str:
        """Return a whole turn (or the rest of one) as one text."""

    def describe(self) -> str:
        """Return the rule set's name and every option that differs from it: `the-mill captures=one`."""


@frozen(slots=False)
class Game:
    """A start and the steps played from it: `positions[ply]` stands after the first `ply` steps.

    `declared` is an ending by the players, not the rules: resigned, agreed or abandoned.
    """

    rules: Rules
    positions: tuple[Position, ...]
    steps: tuple[Step, ...] = ()
    declared: Outcome | None = None
    turn_starts: tuple[int, ...] = field(default=(0,), repr=False)

    @classmethod
    def begin(cls, rules: Rules, position: Position) -> Game:
        """Return a game by `rules` with no step played yet."""
        return cls(rules, (position,))

    @property
    def ply(self) -> int:
        """The number of steps played."""
        return len(self.steps)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        return self.declared or self.position.outcome

    @cached_property
    def is_set_up(self) -> bool:
        """True if it began in a position that was set up, and not in that of its rules."""
        start = self.positions[0]
        return str(start) != str(self.rules.start(start.to_move))

    @property
    def mid_turn(self) -> bool:
        """True if the turn that began last is not over yet."""
        return self.turn_starts[-1] < self.ply

    @property
    def last_turn(self) -> int:
        """The ply at which the turn of the last step began (0 before the first step)."""
        return self.turn_starts[-1] if self.mid_turn or len(self.turn_starts) == 1 else self.turn_starts[-2]

    def play(self, *steps: Step) -> Game:
        """Return the game after `steps`; raise IllegalStepError if one of them is not legal."""
        game = self
        for step in steps:
            position = game.position.play(step)
            starts = game.turn_starts
            if position.to_move is not game.position.to_move or position.outcome is not None:
                starts = (*starts, game.ply + 1)
            game = replace(
                game,
                positions=(*game.positions, position),
                steps=(*game.steps, step),
                turn_starts=starts,
            )
        return game

    def back_to(self, ply: int) -> Game:
        """Return the game as it was after its first `ply` steps, without a declared ending."""
        return replace(
            self,
            positions=self.positions[: ply + 1],
            steps=self.steps[:ply],
            declared=None,
            turn_starts=tuple(start for start in self.turn_starts if start <= ply),
        )

    def declare(self, outcome: Outcome) -> Game:
        """Return the game with an ending declared by its players."""
        return replace(self, declared=outcome)

    def turn_texts(self) -> tuple[str, ...]:
        """Return each turn so far as one text; the last may be unfinished."""
        ends = (*self.turn_starts[1:], *((self.ply,) if self.mid_turn else ()))
        return tuple(
            self.rules.turn_text(self.steps[start:end])
            for start, end in zip(self.turn_starts, ends, strict=False)
        )


@frozen(slots=False)
class Turn:
    """A run of legal steps from a position until the opponent is to move or the game is over."""

    steps: tuple[Step, ...]
    begun_at: Position
    """The position from which it is played."""

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions after each step: `positions[k]` stands after the first `k + 1`; played lazily."""
        found: list[Position] = []
        for step in self.steps:
            found.append((found[-1] if found else self.begun_at).play(step))
        return tuple(found)


def legal_turns(position: Position) -> tuple[Turn, ...]:
    """Return every whole turn (or rest of one) that the player to move can make from `position`."""
    return tuple(Turn(steps, position) for steps in position.legal_runs())


def played_runs(position: Position) -> Iterator[tuple[Step, ...]]:
    """Yield the steps of every whole turn, or rest of one, each found by playing it."""
    unplayed: list[tuple[tuple[Step, ...], Position]] = [((), position)]
    while unplayed:
        steps, before = unplayed.pop()
        now = before.play(steps[-1]) if steps else before
        if steps and (now.outcome is not None or now.to_move is not position.to_move):
            yield steps
        else:
            unplayed.extend(((*steps, step), now) for step in reversed(now.legal_steps()))
