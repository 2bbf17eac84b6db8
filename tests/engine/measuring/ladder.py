"""The ladder of levels: games between two of them, and the difference of strength that they show.

    python -m tests.engine.measuring.ladder --pair 3 4 --games 400

Each opening of two random turns is played twice, with colours exchanged. A game of more than 160 turns is a
draw. The highest level gets `--milliseconds` of processor time a turn; the others are limited by depth. The
interval is that of 95 percent, from the variance of the games' scores.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.search import never
from firmware_host.engine.solving.folder import open_tables
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import DEFAULT, LEVELS, RULE_SETS, levels, rule_set

TABLES = open_tables()
MAX_TURNS = 160
_OPENING_TURNS = 2
_SURE = 1.96


@dataclass(frozen=True, slots=True)
class PairScore:
    """The results of some games for the second of the pair."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    def elo(self) -> tuple[float, float, float]:
        """Return the difference in Elo with the ends of its interval."""
        mean = (self.wins + self.draws / 2) / self.games
        squares = (self.wins + self.draws / 4) / self.games - mean * mean
        error = _SURE * math.sqrt(squares / self.games)
        return _elo(mean), _elo(mean - error), _elo(mean + error)

    def __str__(self) -> str:
        middle, low, high = self.elo()
        return f"+{self.wins} ={self.draws} -{self.losses}, {middle:+.0f} Elo [{low:.0f}, {high:.0f}]"


def _elo(share: float) -> float:
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else -400 * math.log10(1 / share - 1)


def play(name: str, white: int, black: int, seed: int, seconds: float) -> Player | None:
    """Return the winner of one game between two levels; the opening depends on half of `seed`."""
    rules, opening, rng = rule_set(name), random.Random(seed // 2), random.Random(seed)
    game = Game.begin(rules, rules.start(rules.first or Player.WHITE))
    for _ in range(_OPENING_TURNS):
        game = game.play(*opening.choice(game.position.turns()).steps)
    turns = 0
    while game.outcome is None and turns < MAX_TURNS:
        level = white if game.position.to_move is Player.WHITE else black
        stop = within(seconds) if level == LEVELS[-1] else never
        text = choose(game, level, rng=rng, tables=TABLES, stop=stop)
        for step in rules.parse_turn(text):
            game = game.play(game.position.legal_step(step.text))
        turns += 1
    return None if game.outcome is None else game.outcome.winner


def within(seconds: float) -> Callable[[], bool]:
    """Return a `stop` that ends a search after this much processor time."""
    end = time.process_time() + seconds
    return lambda: time.process_time() >= end


def match(name: str, pair: Sequence[int], games: int, seed: int, seconds: float) -> PairScore:
    """Return the score of the second level of `pair` against the first."""
    found = {1: 0, 0: 0, -1: 0}
    lower, higher = pair
    for number in range(games):
        if number % 2:
            winner, own = play(name, lower, higher, seed + number, seconds), Player.BLACK
        else:
            winner, own = play(name, higher, lower, seed + number, seconds), Player.WHITE
        found[0 if winner is None else 1 if winner is own else -1] += 1
    return PairScore(found[1], found[0], found[-1])


def main() -> None:
    """Play and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pair", type=int, nargs=2, required=True, metavar=("LOWER", "HIGHER"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rules", default=DEFAULT, choices=sorted(RULE_SETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--milliseconds", type=float, default=100, help="a turn of the highest level")
    given = parser.parse_args()
    known = levels(rule_set(given.rules))
    if not set(given.pair) <= set(known):
        parser.error(f"--pair: {given.rules} has the levels {known[0]} to {known[-1]}")
    score = match(given.rules, given.pair, given.games, given.seed, given.milliseconds / 1000)
    versus = f"level {given.pair[1]} against {given.pair[0]}"
    sys.stdout.write(f"{given.rules}: {versus}, {score.games} games: {score}\n")


if __name__ == "__main__":
    main()
