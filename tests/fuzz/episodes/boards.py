"""A board as a habit needs it: of stacks or of mills, alone against the board, with a disk, near the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.actors.deeds import HabitualHand
from tests.fuzz.actors.seat import STACKS
from tests.fuzz.actors.sloppy import SloppyBoard
from tests.fuzz.actors.stacks.sloppy import SloppyStacks
from tests.fuzz.episodes.catalogue import HABITS, NEAR_THE_END, POWER_CUTS, SOLO, STACK_HABITS
from tests.fuzz.episodes.positions import near_the_end
from tests.fuzz.oracle.plain_rules import MillMoment

AnyBoard = SloppyBoard | SloppyStacks


@contextmanager
def new_board(
    habit: str, rules: str, sensors: str, luck: Random, start: MillMoment | None = None
) -> Iterator[AnyBoard]:
    """Have a board for a habit, which is left at the end; a game begins, or goes on from `start`."""
    seed = luck.randrange(2**31)
    if start is None and habit in NEAR_THE_END:
        start = near_the_end(rules, luck)
    with TemporaryDirectory() as folder:
        store = Path(folder) / "games.db" if habit in POWER_CUTS else None
        board: AnyBoard
        if rules == STACKS:
            board = SloppyStacks(seed, store)
        else:
            board = SloppyBoard(rules, sensors, seed, start, solo=habit in SOLO, store=store)
        try:
            yield board
        finally:
            board.close()


def planned(board: AnyBoard, habit: str, luck: Random) -> HabitualHand | None:
    """Return the hand of a habit as the board stands; None if the habit does not apply."""
    if isinstance(board, SloppyStacks):
        return board.plan(STACK_HABITS[habit], luck)
    return board.plan(HABITS[habit], luck)


def filler_of(habit: str) -> str:
    """Return the habit of the turns in between."""
    return "solo" if habit in SOLO else "plain"
