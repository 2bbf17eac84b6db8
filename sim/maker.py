"""A simulated operator, who carries out the doctor's tasks and answers from the visible state of the board.

Invariants: the operator knows the points by their names and sees colours, and knows nothing of wires. They
take their time, and report that they are done only if the doctor does not notice by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.ports import DARK, Colour
from firmware_host.settings import Microseconds
from hardware.colour_order import NAMES, NOTHING, OTHER, RED, WHITE
from hardware.doctor.controls.bars import HALF, NONE, OTHER_HALF, OTHER_SIDE, POINTS, SOME, WHITE_BAR
from hardware.doctor.controls.buzzer import ALWAYS, BEEPS, QUESTION, SILENT
from hardware.doctor.light_checks import IN_PART
from hardware.doctor.prompts import DONE, NOT_THERE, ClearBoard, PlacePiece, PressButton, Question, Task
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece

_PLACING_REPLIES = 20
"""Replies before a piece is in its place."""

_MAX_REPLIES = 200
_BRIGHT = 20
_PRESS: Microseconds = 300_000


class SimulatedOperator:
    """An operator; `slow` delays each removal of a piece by a number of replies."""

    def __init__(self, board: SimulatedBoard, *, slow: int = 0) -> None:
        self._board = board
        self._pieces = {kind: TablePiece(kind) for kind in ("white", "black")}
        self._slow = slow
        self._task: Task = ClearBoard()
        self._asked = 0

    def do(self, task: Task) -> None:
        """Start doing `task`."""
        self._task = task
        self._asked = 0
        if isinstance(task, ClearBoard):
            self._lift()
        elif isinstance(task, PressButton):
            self._board.press(_PRESS)

    def reply(self) -> str:
        """Return the next reply; the piece is set down after some of them."""
        self._asked += 1
        task, since = self._task, self._asked - self._slow
        if isinstance(task, ClearBoard):
            return DONE
        if isinstance(task, PressButton):
            return DONE if since == _MAX_REPLIES else ""
        if since == 1:
            self._lift()
        elif since == _PLACING_REPLIES:
            self._put(task)
        elif since == _PLACING_REPLIES + 1 and task.lit and task.point not in self._shining():
            return NOT_THERE
        return DONE if since == _PLACING_REPLIES + _MAX_REPLIES else ""

    def answer(self, question: Question, while_waiting: Callable[[], object]) -> str:
        """Return an answer, after a while."""
        if question is QUESTION:
            return self._listen(while_waiting)
        for _ in range(_PLACING_REPLIES):
            while_waiting()
        leds = self._board.spi.leds
        if RED in question.answers:
            return _look(leds, list(question.answers))
        if HALF in question.answers:
            return self._bar_look(is_white=question.text == WHITE_BAR)
        if "dark" in question.answers:
            glowing = [led for led, colour in enumerate(leds) if colour != DARK]
            return "some" if any(glowing) else "first" if glowing else "dark"
        return next(reversed(self._shining()), "nowhere")

    def _listen(self, while_waiting: Callable[[], object]) -> str:
        """Return what the buzzer did for some time."""
        levels = set()
        for _ in range(_MAX_REPLIES):
            while_waiting()
            levels.add(self._board.buzzer.is_on)
        return BEEPS if len(levels) > 1 else ALWAYS if True in levels else SILENT

    def _lift(self) -> None:
        for piece in tuple(self._board.table.wood):
            self._board.table.take(piece, self._board.clock.now())

    def _put(self, task: PlacePiece) -> None:
        table = self._board.table
        piece = self._pieces[task.piece or "white"]
        piece.turned = task.turned
        table.put(piece, table.spots[self._board.layout[task.point].index], self._board.clock.now())

    def _bar_look(self, *, is_white: bool) -> str:
        """Return the look of a side bar of which half should be lit."""
        bars = self._board.bars()
        size = len(bars) // 2
        lit = [index for index, colour in enumerate(bars) if max(colour) >= _BRIGHT]
        own = [index % size for index in lit if (index < size) is is_white]
        half = list(range(max(1, size // 2)))
        if own:
            return HALF if own == half else SOME if set(own) < set(half) else OTHER_HALF
        return OTHER_SIDE if lit else POINTS if self._shining() else NONE

    def _shining(self) -> list[str]:
        """Return the points that shine, that of the first LED first."""
        points = zip(self._board.layout.points, self._board.leds(), strict=True)
        return [point.name for point, colour in points if max(colour) >= _BRIGHT]


def _look(leds: tuple[Colour, ...], answers: Sequence[str]) -> str:
    """Return the look of a strip of one colour; the first LED may differ."""
    looks = [_colour_name(colour) for colour in leds]
    lit = {*looks[1:]} - {NOTHING} or {looks[0]}
    seen = next(iter(lit)) if len(lit) == 1 else OTHER
    return IN_PART if seen == answers[0] and IN_PART in answers and NOTHING in looks[1:] else seen


def _colour_name(colour: Colour) -> str:
    lit = "".join(part for part, level in zip("RGB", colour, strict=True) if level >= _BRIGHT)
    return {"": NOTHING, "RGB": WHITE}.get(lit) or NAMES.get(lit, OTHER)
