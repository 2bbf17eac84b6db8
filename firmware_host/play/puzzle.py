"""The puzzles on the board: set up by light, solved by hand.

A puzzle is a game that begins in its position. The right turn counts as in any game, and play may go on from
there. Any other turn is taken back by the board, whose light leads the pieces home, and after three of
those it leads to the right one.

Invariants: a puzzle ends with its game, and with a power cut. The next one is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.games.values import Result
from firmware_host.i18n import Message
from firmware_host.play.controls import GameControls
from firmware_host.play.part import PlayPart
from firmware_host.play.session import Session, lead_pieces
from firmware_host.play.stored_settings import PUZZLE_KEY
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import Mismatch, Settled

# ---- the puzzles ----------------------------------------------------------------------------------------
# The puzzles: positions in which one turn alone is right, proved by tables and graded.
#
# They stand in `puzzles.txt`, one in a line, the easiest first; `tests/engine/measuring/puzzles.py` finds
# them. White moves in each, and either one turn wins and no other does, or one holds the draw and all others
# lose.


GRADES = range(1, 5)
MOTIFS = ("mill", "quiet", "swing", "fork", "shut-in", "stop", "open", "plain")
"""The effects that a right turn can have on the board; `quiet` leaves a mill open that could be closed."""
FILE = Path(__file__).with_name("puzzles.txt")


@frozen
class Puzzle:
    """A position, and its one right turn."""

    position: str
    """The text of the position, without the turns before it."""
    turn: str
    result: Result
    """A win, or the draw that the turn holds."""
    motif: str
    """The effect of the turn, one of MOTIFS."""
    grade: int
    """The difficulty, from 1 to 4."""

    @classmethod
    def parse(cls, line: str) -> Puzzle:
        """Return the puzzle of a line, as `str` writes it."""
        grade, result, motif, turn, position = line.split(maxsplit=4)
        return cls(position, turn, Result(result), motif, int(grade))

    def __str__(self) -> str:
        return f"{self.grade} {self.result} {self.motif} {self.turn} {self.position}"


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, the easiest first."""
    return tuple(Puzzle.parse(line) for line in FILE.read_text(encoding="utf-8").splitlines())


# ---- on the board ---------------------------------------------------------------------------------------


TRIES = 3
"""The wrong turns after which the light shows the right one."""


class PuzzleSeries(PlayPart):
    """The puzzles of one board, one after the other: the one that is on, and the next."""

    def __init__(self, session: Session, controls: GameControls) -> None:
        self._session = session
        self._controls = controls
        self._next = 0
        self._on: tuple[int, Puzzle] | None = None
        self._start: object = None
        self._wrong: list[str] = []

    def to_store(self) -> Mapping[str, Any]:
        """Return the index of the next puzzle; None for the first."""
        return {PUZZLE_KEY: self._next or None}

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Go on with the next puzzle."""
        kept = stored.get(PUZZLE_KEY)
        self._next = kept if isinstance(kept, int) and kept >= 0 else 0

    @property
    def is_solved(self) -> bool:
        """True from the right turn on, as long as its game lasts."""
        return self._on is not None and self._session.game.turn_texts()[:1] == (self._on[1].turn,)

    def begin_next(self) -> None:
        """Leave the game for the next puzzle; one that isn't solved is passed over.

        Raises RequestError if the board can't play it.
        """
        session = self._session
        skips = self._on is not None and not self.is_solved
        number = (self._next + skips) % len(puzzles())
        puzzle, rules = puzzles()[number], rule_set(PUZZLE)
        self._controls.new_game(rules, at=rules.position(puzzle.position))
        self._next, self._on, self._wrong = number, (number, puzzle), []
        self._start = session.game.positions[0]

    def on_frame(self, _now: Microseconds) -> None:
        """Take back a wrong turn, go on to the next puzzle after the right one, and end with the game."""
        if self._on is None:
            return
        session, (number, puzzle) = self._session, self._on
        game = session.game
        if game.positions[0] is not self._start:
            self._on = None
        elif self.is_solved:
            self._next = number + 1
        elif game.ply and not game.mid_turn:
            self._wrong.append(game.turn_texts()[0])
            session.timeline.go_back(0, forgets=True)
            lead_pieces(session)
        elif len(self._wrong) >= TRIES and session.verdict == Settled() and session.chosen is None:
            self._controls.choose(puzzle.turn)

    def sentence(self) -> Message | None:
        """Return the task, or how it went; None where the board's own sentence is enough."""
        session = self._session
        is_over = session.game.outcome is not None and not self.is_solved
        if self._on is None or is_over or session.must_clear or session.paused:
            return None
        number, puzzle = self._on
        if self._wrong and not session.game.ply and isinstance(session.verdict, Mismatch):
            return Message(f"puzzle.wrong.{puzzle.result}", {"turn": self._wrong[-1]})
        stands = session.stable == session.expected_frame()
        if session.verdict != Settled() or session.game.mid_turn or not stands:
            return None
        if session.game.ply:
            is_last = self.is_solved and len(session.game.turn_texts()) == 1
            return Message(f"puzzle.right.{puzzle.motif}") if is_last else None
        if len(self._wrong) >= TRIES:
            return Message("puzzle.shown", {"turn": puzzle.turn})
        return Message(f"puzzle.{puzzle.result}", {"count": number + 1, "of": len(puzzles())})
