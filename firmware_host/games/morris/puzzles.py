"""The puzzles: positions in which one turn alone is right, proved by tables and graded.

They stand in `puzzles.txt`, one in a line, the easiest first; `tests/engine/measuring/puzzles.py` finds them.
White moves in each, and either one turn wins and no other does, or one holds the draw and all others lose.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from firmware_host.frozen import frozen
from firmware_host.games.values import Result

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
