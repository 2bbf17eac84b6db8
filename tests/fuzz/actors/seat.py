"""A seat at any board: the hands that belong to its game, what they do there, and how often.

The mill games have `FuzzedHands` and their referee, on presence or polarity; Mitsudomoe has `StackHands`, on
sensors that identify pieces. Their common actions are in `people`. Each board has a store, since hands cut
the power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.actors.board import BoardInProcess, replay
from tests.fuzz.actors.hands import FuzzedHands
from tests.fuzz.actors.mending import mend
from tests.fuzz.actors.people import PlayingPeople
from tests.fuzz.actors.stacks.hands import StackHands
from tests.fuzz.oracle.plain_rules import RULE_SETS

STACKS = "mitsudomoe"
GAMES = (*sorted(RULE_SETS), STACKS)
MILL_SENSORS = ("presence", "polarity")

Act = Callable[[Random], None]
"""Something that hands do, all choices drawn from the luck."""


class MillHands(FuzzedHands):
    """The hands of the mill games, with their corrections."""

    def mend(self, luck: Random) -> None:
        """Do what the lights ask for until the board is ready, then play a turn, which must be accepted."""
        mend(self, luck)


OFTEN: Mapping[str, float] = {
    "turn": 60,
    "mend": 6,
    "mischief": 6,
    "linger": 4,
    "fault": 3,
    "move_back": 3,
    "move_forward": 3,
    "request": 3,
    "cut_power": 2,
    "impossible": 1,
    "clear": 0.7,
    "new_game": 0.3,
}
"""The actions of people, and how often they choose each."""


@dataclass(frozen=True)
class FuzzedSeat:
    """Hands at a board of `game`, and how often they do what; `name` tells which board it is."""

    game: str
    name: str
    hands: PlayingPeople
    often: Mapping[Act, float]
    again: Callable[[], str]
    """All that another such board answers to the same script."""


@contextmanager
def seated(game: str, sensors: str, seed: int) -> Iterator[FuzzedSeat]:
    """Hands at a new board of `game` (one of GAMES), until they leave it; stacks have their own sensors."""
    sensors = "pieces" if game == STACKS else sensors
    with TemporaryDirectory() as folder:
        board = BoardInProcess(game, sensors, seed, Path(folder) / "games.db")
        try:
            hands = _hands_at(board, game, sensors)
            yield FuzzedSeat(
                game,
                f"seed {seed} ({game}, {sensors})",
                hands,
                {getattr(hands, name): weight for name, weight in OFTEN.items()},
                lambda: replay(hands.script, game, sensors, seed, Path(folder) / "again.db"),
            )
        finally:
            board.close()


def _hands_at(board: BoardInProcess, game: str, sensors: str) -> PlayingPeople:
    if game == STACKS:
        return StackHands(board.feed, board.greeting)
    return MillHands(board.feed, board.greeting, RULE_SETS[game], sensors)
