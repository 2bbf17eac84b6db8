"""The wooden side of the truth where pieces are stacked: the pieces on each square, in the hands and the box.

A `StackTable` receives every command of hands that the board receives, and decides whether hands can do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board
from tests.fuzz.oracle.stack_words import name_of

_ALL = {"w": 8, "b": 8, "W": 3, "B": 3}
"""The number of each kind of piece."""
_NAMES = {name_of(piece): piece for piece in _ALL}


class StackTable:
    """Pieces as the plain rules write them; `do` follows a command."""

    def __init__(self) -> None:
        """A table with the pieces of the start on it."""
        self.truth: Board = dict(plain.start("w").board)
        self.held: list[str] = []

    @property
    def places(self) -> list[str]:
        """The places of pieces: each square once for each piece."""
        return [square for square in SQUARES for _ in self.truth[square]]

    def have(self, piece: str) -> bool:
        """Return whether such a piece is in the hands or in the box."""
        return piece in self.held or "".join([*self.truth.values(), *self.held]).count(piece) < _ALL[piece]

    def do(self, command: Mapping[str, Any]) -> bool:
        """Follow `command`; False, with nothing changed, where hands cannot do it."""
        if "lift" in command:
            return self._lift(command["lift"])
        if "put" in command:
            return self._put(command["put"], command.get("piece"))
        if "box" in command:
            self.held.clear()
            return True
        if "wait" in command:
            return bool(command["wait"] >= 0)
        return bool(command.keys() & {"show", "fault", "repair", "power"})

    def _lift(self, square: str) -> bool:
        if not self.truth.get(square):
            return False
        self.held.append(plain.top(self.truth, square))
        self.truth[square] = self.truth[square][:-1]
        return True

    def _put(self, square: str, name: str | None) -> bool:
        piece = _NAMES.get(name) if name is not None else next(reversed(self.held), None)
        if piece is None or square not in SQUARES or plain.top(self.truth, square).isupper():
            return False
        if not self.have(piece):
            return False
        if piece in self.held:
            self.held.reverse()
            self.held.remove(piece)
            self.held.reverse()
        self.truth[square] += piece
        return True
