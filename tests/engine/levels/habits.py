"""The share of chances that each level takes to do what people nearly always do: close, stop and win.

    python -m tests.engine.levels.habits --positions 2000

The positions come from games between levels 2 and 4, as in `answers`, from openings of two random turns. Each
level chooses a turn in each of them. Counted are

- closes: the turns that close a mill, where one can be closed,
- stops: the turns after which the opponent can't close a mill, where the opponent could if it were their
  turn, a turn stops it, and no mill can be closed instead,
- wins: the turns that end the game, where one does.

Chance is the share of all turns that do it. The levels are limited by depth, so the figures are the same on
every machine; only the highest is limited by `--milliseconds` of processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.candidates import Candidate, mill_candidates
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.search import never
from firmware_host.games.game import Game
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import DEFAULT, LEVELS, MILL_SETS
from tests.engine.measuring.answers import sampled
from tests.engine.measuring.ladder import TABLES, within

CLOSES, STOPS, WINS = "closes", "stops", "wins"
HABITS = (CLOSES, STOPS, WINS)


@dataclass(frozen=True, slots=True)
class Chances:
    """A position, and the turns in it that do what a habit asks for, by habit."""

    game: Game
    turns: int
    right: dict[str, frozenset[str]]


@dataclass(slots=True)
class Shares:
    """The counts of one level: the positions that offer a habit, and those in which it was followed."""

    offered: dict[str, float] = field(default_factory=lambda: dict.fromkeys(HABITS, 0.0))
    followed: dict[str, float] = field(default_factory=lambda: dict.fromkeys(HABITS, 0.0))

    def share(self, habit: str) -> float:
        """Return the percentage of a habit; 100 if no position offered it."""
        return 100 * self.followed[habit] / self.offered[habit] if self.offered[habit] else 100.0

    def __str__(self) -> str:
        return ", ".join(
            f"{habit} {self.share(habit):.1f} % of {self.offered[habit]:.0f}" for habit in HABITS
        )


def chances(game: Game) -> Chances:
    """Return what the position offers."""
    position = game.position
    assert isinstance(position, MorrisPosition)
    found = mill_candidates(position)
    right = {
        CLOSES: frozenset(one.text for one in found if one.closes_mill),
        STOPS: _stopping(position, found),
        WINS: frozenset(one.text for one in found if _wins(position, one)),
    }
    return Chances(game, len(found), {habit: turns for habit, turns in right.items() if turns})


def _wins(position: MorrisPosition, one: Candidate[MorrisPosition]) -> bool:
    outcome = one.after.outcome
    return outcome is not None and outcome.winner is position.to_move


def _stopping(position: MorrisPosition, found: Sequence[Candidate[MorrisPosition]]) -> frozenset[str]:
    """Return the turns that stop a mill; none if none threatens, none helps, or one can be closed."""
    rules = mill_bits(position.rules.options)
    mine, theirs, my_hand, their_hand = position.state[:4]
    if any(one.closes_mill for one in found) or not rules.closing_turns(theirs, mine, their_hand, my_hand):
        return frozenset()
    return frozenset(one.text for one in found if not rules.closing_turns(*one.after.state[:4]))


def measured(positions: Iterable[Chances], level: int, seed: int, seconds: float = 0.1) -> Shares:
    """Return the shares of a level."""
    shares, rng = Shares(), random.Random(seed)
    for one in positions:
        stop = within(seconds) if level == LEVELS[-1] else never
        text = choose(one.game, level, rng=rng, tables=TABLES, stop=stop)
        for habit, right in one.right.items():
            shares.offered[habit] += 1
            shares.followed[habit] += text in right
    return shares


def by_chance(positions: Iterable[Chances]) -> Shares:
    """Return the shares of a player who draws turns by lot."""
    shares = Shares()
    for one in positions:
        for habit, right in one.right.items():
            shares.offered[habit] += 1
            shares.followed[habit] += len(right) / one.turns
    return shares


def main() -> None:
    """Measure, and print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--rules", default=DEFAULT, choices=sorted(MILL_SETS))
    parser.add_argument("--levels", type=int, nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--milliseconds", type=float, default=20, help="a turn of the highest level")
    given = parser.parse_args()
    positions = [chances(game) for game in sampled(given.rules, given.positions, given.seed)]
    positions = [one for one in positions if one.right]
    sys.stdout.write(f"chance: {by_chance(positions)}\n")
    for level in given.levels:
        found = measured(positions, level, given.seed, given.milliseconds / 1000)
        sys.stdout.write(f"level {level}: {found}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
