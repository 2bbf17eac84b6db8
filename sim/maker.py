"""A maker who stands at a simulated board, does what is asked, and answers by what there is to be seen.

Rules kept here: they know the points by their names and see colours; of wires they know nothing. They take
their time, and say that they are done only where nothing goes on without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from firmware_host.ports import DARK, Colour
from hardware.doctor.prompts import DONE, NOT_THERE, Clear, Place, Question
from sim.electronics.board import SimulatedBoard
from sim.table.table import Piece

_TAKES = 20
"""So many times they are asked in vain before a piece stands where it should."""

_PATIENCE = 200
_BRIGHT = 20


class SimulatedMaker:
    """Hands and eyes; `slow` makes them let each piece rest for so many more looks."""

    def __init__(self, board: SimulatedBoard, *, slow: int = 0) -> None:
        self._board = board
        self._pieces = {kind: Piece(kind) for kind in ("white", "black")}
        self._slow = slow
        self._task: Clear | Place = Clear()
        self._asked = 0

    def do(self, task: Clear | Place) -> None:
        """Begin to do `task`."""
        self._task = task
        self._asked = 0
        if isinstance(task, Clear):
            self._lift()

    def reply(self) -> str:
        """What there is to be said, once the piece stands."""
        self._asked += 1
        task, since = self._task, self._asked - self._slow
        if isinstance(task, Clear):
            return DONE
        if since == 1:
            self._lift()
        elif since == _TAKES:
            self._put(task)
        elif since == _TAKES + 1 and task.lit and task.point not in self._shining():
            return NOT_THERE
        return DONE if since == _TAKES + _PATIENCE else ""

    def answer(self, question: Question, meanwhile: Callable[[], object]) -> str:
        """What they see, after a while."""
        for _ in range(_TAKES):
            meanwhile()
        seen = self._board.spi.leds
        if "red" in question.answers:
            return _red(seen)
        if "dark" in question.answers:
            glowing = [led for led, colour in enumerate(seen) if colour != DARK]
            return "some" if any(glowing) else "first" if glowing else "dark"
        return next(reversed(self._shining()), "nowhere")

    def stand(self, point: str) -> None:
        """Set a white piece down, unasked."""
        self._put(Place(point))

    def _lift(self) -> None:
        for piece in tuple(self._board.table.wood):
            self._board.table.take(piece, self._board.clock.now())

    def _put(self, task: Place) -> None:
        table = self._board.table
        piece = self._pieces[task.piece or "white"]
        piece.turned = task.turned
        table.put(piece, table.spots[self._board.layout[task.point].index], self._board.clock.now())

    def _shining(self) -> list[str]:
        """The points that shine, that of the first LED first."""
        points = zip(self._board.layout.points, self._board.leds(), strict=True)
        return [point.name for point, colour in points if max(colour) >= _BRIGHT]


def _red(seen: tuple[Colour, ...]) -> str:
    """What a strip looks like that should be red."""
    looks = Counter(_called(colour) for colour in seen[1:])
    if set(looks) == {"none"}:
        return "some" if _called(seen[0]) == "red" else "none"
    if set(looks) <= {"red", "none"}:
        return "some" if looks["none"] else "red"
    return "green" if set(looks) <= {"green", "none"} else "mixed"


def _called(colour: Colour) -> str:
    red, green, blue = (level >= _BRIGHT for level in colour)
    if red and not (green or blue):
        return "red"
    if green and not (red or blue):
        return "green"
    return "mixed" if red or green or blue else "none"
