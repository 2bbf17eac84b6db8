"""The rules that a table of solved positions holds for.

**Invariants:** an option that can change a value in a sector is part of the text, and so of the id; tables
are used under rules with the same id only. Rule sets that differ in other options, such as the number of
pieces, share their tables.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NamedTuple

from firmware_host.games.options import MorrisOptions, texts_of

ID_SIZE = 16
MIN_STONES = 3
"""The stones of a player in the smallest sector; with fewer a player has lost."""
Sector = tuple[int, int]
"""The stones of the player to move, and of the other, with none in hand."""


class PlacingSector(NamedTuple):
    """The stones of the player to move and of the other, and the pieces that both have in hand."""

    mine: int
    theirs: int
    my_hand: int
    their_hand: int

    @property
    def quiet(self) -> PlacingSector:
        """The sector after a placement without a capture; nothing is in hand in it after the last one."""
        return PlacingSector(self.theirs, self.mine + 1, self.their_hand, self.my_hand - 1)

    @property
    def captured(self) -> PlacingSector:
        """The sector after a placement with a capture."""
        return self.quiet._replace(mine=self.theirs - 1)

    @property
    def capture_wins(self) -> bool:
        """True if a capture leaves the other with too few pieces."""
        return self.theirs - 1 + self.their_hand < MIN_STONES


AnySector = Sector | PlacingSector
_DECISIVE = ("diagonals", "points", "flying", "captures", "protection", "removal", "quiet")


def rules_text(options: MorrisOptions) -> str:
    """Return the options that decide the values of positions without stones in hand."""
    texts = texts_of(options)
    return " ".join(f"{name}={texts[name]}" for name in _DECISIVE)


@cache
def rules_id(options: MorrisOptions) -> bytes:
    """Return the id of the rules as far as tables depend on them."""
    return sha256(rules_text(options).encode("ascii")).digest()[:ID_SIZE]


def are_solvable(options: MorrisOptions) -> bool:
    """Return whether tables can be exact under these options.

    Not if a removal that is declined counts as a quiet step: a turn would count once or twice.
    """
    return not (options.removal == "may" and options.quiet)


def are_wins_cut(options: MorrisOptions, depth: int) -> bool:
    """Return whether the draw by quiet steps may cut wins short in a sector of this greatest distance."""
    return options.quiet > 0 and depth >= options.quiet - 1


def sectors(stones: int, pieces: int, points: int) -> list[Sector]:
    """Return the sectors of up to `stones` stones in the order of their building, the larger side first.

    Each is solved with its mirror image. `pieces` is the most a player has; a board that is full is left out.
    """
    most = min(stones, 2 * pieces, points - 1)
    return [
        (total - fewer, fewer)
        for total in range(2 * MIN_STONES, most + 1)
        for fewer in range(MIN_STONES, total // 2 + 1)
        if total - fewer <= pieces
    ]
