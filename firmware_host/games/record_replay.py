"""Playing the tokens of a record, one by one.

Invariants:
- The number of a turn must be that of the turn that is due. Two turns share a number: it has one dot before
  the first of them and more before the second, or no dots before the first, or the first of all.
- A list from a position counts from 1 or from the position's number, and the first turn of a pair is White's;
  or, as older versions of Sanmill have it, that of the player who is to move.
- A list with numbers for points needs the number of each pair, with its dot, which tells it from a point's.
- Comments, annotations and variations belong to the turn before them, as one text in their order; those
  before the first turn have the index -1. Line breaks and repeated spaces become single spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Numbering, Player, Position, Reason
from firmware_host.games.record_tokens import TextPlace, Token, TokenKind
from firmware_host.games.records import Note, by_names

_DRAWS = (Reason.REPETITION, Reason.QUIET)
_COMMAND = re.compile(r"\[%[^]]*\]")


@contextmanager
def at_place(place: TextPlace) -> Iterator[None]:
    """Add the place to an error."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{place}: {error}") from error
    except IllegalStepError as error:
        raise IllegalStepError(f"{place}: {error}") from error


@frozen
class _Counting:
    """A way to number turns, given by their index: from `first`, where the first pair may lack a turn."""

    first: int
    lacking: int

    def is_second(self, turn: int) -> bool:
        """Return whether a turn is the second of its pair."""
        return (turn + self.lacking) % 2 == 1

    def written(self, turn: int) -> str:
        """Return the number of a turn, with its dots."""
        return f"{self.first + (turn + self.lacking) // 2}{'...' if self.is_second(turn) else '.'}"

    def fits(self, token: Token, turn: int) -> bool:
        """Return whether a number may stand before a turn."""
        written = self.written(turn)
        if not token.value:
            return token.text == written.rstrip(".") and (turn == 0 or not self.is_second(turn))
        return written == token.text + ("..." if len(token.value) > 1 else ".")


class Replay:
    """Plays the turns of a record, token by token, and collects the remarks between them."""

    def __init__(self, start: Position, numbering: Numbering | None = None) -> None:
        """Begin at `start`; with a `numbering`, the turns are numbers of points."""
        self.game = Game.begin(start.rules, start)
        self._remarks: dict[int, list[str]] = {}
        self.notes: list[Note] = []
        self.variation: list[Token] = []
        """The tokens of a variation that is not closed yet."""
        self._depth = 0
        self._numbering = numbering
        self._is_announced = False
        """True after the number of the turn that is due."""
        is_blacks = start.to_move is Player.BLACK
        self._countings = [_Counting(1, is_blacks), _Counting(start.number, is_blacks), _Counting(1, 0)]
        """Those that the numbers so far allow."""

    @property
    def comments(self) -> dict[int, str]:
        """The remarks so far, by the index of their turn."""
        return {turn: " ".join(words) for turn, words in self._remarks.items()}

    def take(self, token: Token) -> None:
        """Play, check or keep a token. Raise NotationError or IllegalStepError, with its place."""
        with at_place(token.place):
            if self._depth or token.kind in (TokenKind.OPEN, TokenKind.CLOSE):
                self._add_to_variation(token)
            elif token.kind is TokenKind.NUMBER and (token.value or self._numbering is None):
                self._check_number(token)
            elif token.kind in (TokenKind.NUMBER, TokenKind.TURN):
                self._play(token.text.lower())
            else:
                self._remark(token, token.text)

    # ---- numbers and turns ---------------------------------------------------------------------------------

    @property
    def _turn(self) -> int:
        """The index of the turn that is due, or not over."""
        return len(self.game.turn_starts) - 1

    @property
    def _due(self) -> str:
        """The number of the turn that is due, as it is written."""
        return " or ".join(dict.fromkeys(counting.written(self._turn) for counting in self._countings))

    def _check_number(self, token: Token) -> None:
        game, written = self.game, token.text + token.value
        if self._is_announced:
            raise NotationError(
                f"{written} follows the number of the turn that is due, {self._due}; write a turn"
            )
        countings = [counting for counting in self._countings if counting.fits(token, self._turn)]
        if not countings and game.mid_turn:
            rest = ": a piece must be taken, as xa1" if game.position.removal_due else ""
            raise NotationError(f"{written} begins another turn, but {self._due} is not over{rest}")
        if not countings:
            raise NotationError(f"{written} is not the number of the turn that is due, {self._due}")
        self._countings, self._is_announced = countings, True

    def _play(self, text: str) -> None:
        game = self.game
        if self._numbering is not None:
            is_second = self._turn > 0 and all(one.is_second(self._turn) for one in self._countings)
            if not (self._is_announced or is_second or (game.mid_turn and game.ply)):
                raise NotationError(
                    f"the number of the turn is missing before {text}: write {self._due} before it, with the "
                    "dot, since points are numbers as well"
                )
            text = by_names(text, self._numbering)
        self._is_announced = False
        for step in game.rules.parse_turn(text):
            self._check_goes_on(step.text)
            self.game = self.game.play(self.game.position.legal_step(step.text))

    def _check_goes_on(self, step: str) -> None:
        """Raise IllegalStepError if the game is over by a rule that not everybody plays by."""
        outcome, rules = self.game.outcome, self.game.rules
        if outcome is not None and outcome.reason in _DRAWS:
            raise IllegalStepError(
                f"{step}: by its rules the game is over ({outcome.reason}); if it was played without that "
                f'rule, write the tag [Rules "{rules.describe()} {outcome.reason}=0"]'
            )

    # ---- remarks -------------------------------------------------------------------------------------------

    def _remark(self, token: Token, text: str) -> None:
        """Keep a comment of the turn that began last; note once what became of anything else."""
        turn = self._turn - (not self.game.mid_turn)
        if words := text.split():
            self._remarks.setdefault(turn, []).extend(words)
        if token.kind is not TokenKind.COMMENT and not self.notes:
            self.notes.append(Note(token.place, "annotations and variations are kept as comments"))

    def _add_to_variation(self, token: Token) -> None:
        self._depth += (token.kind is TokenKind.OPEN) - (token.kind is TokenKind.CLOSE)
        if self._depth < 0:
            raise NotationError("this ) closes no variation: remove it")
        self.variation.append(token)
        if self._depth == 0:
            self._remark(self.variation[0], _variation_text(self.variation))
            self.variation = []


def _variation_text(variation: list[Token]) -> str:
    """Return a variation as a comment, without commands such as times of clocks, which aren't the game's."""
    words = (
        f"({_COMMAND.sub('', token.text).strip()})"
        if token.kind is TokenKind.COMMENT
        else token.text + token.value
        for token in variation
    )
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(words))
