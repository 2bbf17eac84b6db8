"""What every game offers to the board: players, pieces, steps, positions, rules, and the game so far.

All are values. A `Position` knows what may happen next and nothing of what hands do; a `Game` is a
start and the steps played from it, and every change makes a new one. There is no clock here and no
input or output.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from firmware_host.games.layout import Layout, Point


class Player(enum.Enum):
    """One of the two who play."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.BLACK if self is Player.WHITE else Player.WHITE

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece by its owner and, in games with several kinds, its kind."""

    owner: Player
    kind: str = ""
    magnet: int = 0
    """How strong its magnet is among those of its game, 0 the weakest: linear sensors tell kinds by that."""
    flat: bool = False
    """Whether another piece may stand on it."""

    def __str__(self) -> str:
        return f"{self.owner}-{self.kind}" if self.kind else str(self.owner)


class Reason(enum.Enum):
    """Why a game ended."""

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

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, and who won (None: nobody)."""

    reason: Reason
    winner: Player | None

    def as_dict(self) -> dict[str, str | None]:
        """The public form: names, and no winner where nobody won."""
        return {"winner": None if self.winner is None else str(self.winner), "reason": str(self.reason)}


@dataclass(frozen=True, slots=True)
class Step:
    """The smallest thing hands do that the rules know.

    `piece` goes from `origin` (None: from beside the board) to `target` (None: off the board). A
    step without either point, such as declining a removal, is done by no hand; its `piece` is None.
    """

    text: str
    piece: Piece | None
    origin: Point | None
    target: Point | None

    def __str__(self) -> str:
        return self.text


class Position(Protocol):
    """One moment of a game, frozen: what stands, who is to move, and what may be done."""

    @property
    def to_move(self) -> Player:
        """Whose step is next; after the end, whose it would be."""

    @property
    def standing(self) -> tuple[Piece | None, ...]:
        """The visible piece of each point, in the layout's order."""

    @property
    def stacks(self) -> tuple[tuple[Piece, ...], ...]:
        """What lies on each point, the lowest piece first, in the layout's order."""

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game here, or None while it goes on."""

    @property
    def removal_due(self) -> bool:
        """Whether the player to move owes or may make a removal before the turn is over."""

    @property
    def closed(self) -> frozenset[Point]:
        """The points of the mills that the last turn has closed so far (empty where it closed none)."""

    @property
    def goals(self) -> frozenset[Point]:
        """The points that the player to move has to bring pieces to (empty where there are no such)."""

    @property
    def supply(self) -> Mapping[Piece, int]:
        """How many pieces of each kind that is placed are yet to be placed."""

    def in_hand(self, player: Player) -> int:
        """How many pieces `player` has yet to place."""

    def legal_steps(self) -> tuple[Step, ...]:
        """Every step that may be played now, in a fixed order; empty when the game is over."""

    def legal_step(self, text: str) -> Step:
        """The legal step that `text` names, with its piece; raises NotationError or IllegalStepError."""

    def play(self, step: Step) -> Position:
        """The position after `step`; raises IllegalStepError, which says why, if it is not legal."""

    @property
    def rules(self) -> Rules:
        """What it is played by."""

    def legal_runs(self) -> Iterable[tuple[Step, ...]]:
        """The steps of every whole turn, or rest of one, in a fixed order: what `legal_turns` is made of."""

    def turns(self) -> tuple[Turn, ...]:
        """The whole turns, or rests of one, that this game takes for different ones."""

    def leaves(self, depth: int, turns: bool) -> int:
        """In how many ways `depth` steps, or whole turns, can be played from here; `depth` is at least 1."""

    def __str__(self) -> str:
        """The position text."""


class Rules(Protocol):
    """One named way to play: where a game starts and how its texts are written."""

    @property
    def name(self) -> str:
        """The rule set's name, as the command line takes it."""

    @property
    def layout(self) -> Layout:
        """The points it is played on."""

    @property
    def box(self) -> Mapping[Piece, int]:
        """The pieces that lie beside the board before the game: how many of each."""

    @property
    def first(self) -> Player | None:
        """Who starts, or None where it is drawn by lot."""

    def start(self, first: Player) -> Position:
        """The position before the first step."""

    def position(self, text: str) -> Position:
        """The position that a text describes; raises NotationError, which names the wrong field."""

    def parse_step(self, text: str) -> Step:
        """The step that `text` names; raises NotationError, which says what is wrong and where."""

    def parse_turn(self, text: str) -> tuple[Step, ...]:
        """The steps of a turn, or of a part of one; raises NotationError, which names the wrong step."""

    def turn_text(self, steps: tuple[Step, ...]) -> str:
        """A whole turn (or what is left of one) as one text."""

    def describe(self) -> str:
        """The rule set's name and every switch set over it: `the-mill captures=one`."""


@dataclass(frozen=True)
class Game:
    """A start and the steps played from it: `positions[ply]` stands after the first `ply` steps.

    `declared` is an ending that the players gave it and the rules did not: resigned, agreed, abandoned.
    """

    rules: Rules
    positions: tuple[Position, ...]
    steps: tuple[Step, ...] = ()
    declared: Outcome | None = None
    turn_starts: tuple[int, ...] = field(default=(0,), repr=False)

    @classmethod
    def begin(cls, rules: Rules, position: Position) -> Game:
        """A game by `rules` with nothing played yet."""
        return cls(rules, (position,))

    @property
    def ply(self) -> int:
        """How many steps were played."""
        return len(self.steps)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        return self.declared or self.position.outcome

    @property
    def mid_turn(self) -> bool:
        """Whether the turn that began last is not over yet."""
        return self.turn_starts[-1] < self.ply

    @property
    def last_turn(self) -> int:
        """The ply at which the turn began that the last step belongs to (0 before the first step)."""
        return self.turn_starts[-1] if self.mid_turn or len(self.turn_starts) == 1 else self.turn_starts[-2]

    def play(self, *steps: Step) -> Game:
        """The game after `steps`; raises IllegalStepError if one of them is not legal."""
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
        """The game as it was after its first `ply` steps, with nothing declared."""
        return replace(
            self,
            positions=self.positions[: ply + 1],
            steps=self.steps[:ply],
            declared=None,
            turn_starts=tuple(start for start in self.turn_starts if start <= ply),
        )

    def declare(self, outcome: Outcome) -> Game:
        """The game, ended by its players."""
        return replace(self, declared=outcome)

    def turn_texts(self) -> tuple[str, ...]:
        """Each turn so far as one text; the last may be unfinished."""
        ends = (*self.turn_starts[1:], *((self.ply,) if self.mid_turn else ()))
        return tuple(
            self.rules.turn_text(self.steps[start:end])
            for start, end in zip(self.turn_starts, ends, strict=False)
        )


@dataclass(frozen=True)
class Turn:
    """A run of legal steps from a position until the other player is to move or the game is over."""

    steps: tuple[Step, ...]
    begun_at: Position
    """The position that it is played from."""

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """`positions[k]` stands after the first `k + 1` steps; played when it is first asked for."""
        found: list[Position] = []
        for step in self.steps:
            found.append((found[-1] if found else self.begun_at).play(step))
        return tuple(found)


def legal_turns(position: Position) -> tuple[Turn, ...]:
    """Every whole turn (or rest of one) that the player to move can make from `position`."""
    return tuple(Turn(steps, position) for steps in position.legal_runs())


def played_runs(position: Position) -> Iterator[tuple[Step, ...]]:
    """The steps of every whole turn, or rest of one, each found by playing it when it is asked for."""
    unplayed: list[tuple[tuple[Step, ...], Position]] = [((), position)]
    while unplayed:
        steps, before = unplayed.pop()
        now = before.play(steps[-1]) if steps else before
        if steps and (now.outcome is not None or now.to_move is not position.to_move):
            yield steps
        else:
            unplayed.extend(((*steps, step), now) for step in reversed(now.legal_steps()))
