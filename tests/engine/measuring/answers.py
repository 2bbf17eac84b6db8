"""The processor time of answers, level by level.

    python -m tests.engine.measuring.answers --positions 500

The positions are drawn from games between levels 2 and 4 from openings of two random turns. Tables and the
library in C are used if they are there. The time is that of the processor, so other programs do not matter
much; a machine with a tenth of the speed needs ten times as long.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from firmware_host.engine.choosing import choose
from firmware_host.engine.levels import LEVELS, levels
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import DEFAULT, RULE_SETS, rule_set
from tests.engine.measuring.ladder import MAX_TURNS, TABLES

_OPENING_TURNS = 2
_PLAYERS = {Player.WHITE: 2, Player.BLACK: 4}


def positions(name: str, seed: int) -> Iterator[Game]:
    """Yield all games, at each of their turns."""
    rules = rule_set(name)
    highest = levels(rules)[-1]
    while True:
        rng = random.Random(seed)
        game = Game.begin(rules, rules.start(rules.first or Player.WHITE))
        for _ in range(_OPENING_TURNS):
            game = game.play(*rng.choice(game.position.turns()).steps)
        while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
            yield game
            text = choose(game, min(_PLAYERS[game.position.to_move], highest), rng=rng, tables=TABLES)
            for step in rules.parse_turn(text):
                game = game.play(game.position.legal_step(step.text))
        seed += 1


def sampled(name: str, count: int, seed: int) -> list[Game]:
    """Return `count` positions, one of about every five of the games."""
    rng = random.Random(seed)
    found: list[Game] = []
    for game in positions(name, seed):
        if rng.random() < 0.2:
            found.append(game)
        if len(found) == count:
            return found
    return found


def seconds(game: Game, level: int) -> float:
    """Return the processor time of one answer."""
    began = time.process_time()
    choose(game, level, rng=random.Random(1), tables=TABLES)
    return time.process_time() - began


def main() -> None:
    """Measure, and print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--rules", default=DEFAULT, choices=sorted(RULE_SETS))
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS[:-1]))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = sampled(given.rules, given.positions, given.seed)
    for level in given.levels:
        times = sorted(seconds(game, level) for game in games)
        middle, high = times[len(times) // 2], times[99 * len(times) // 100]
        sys.stdout.write(
            f"level {level}, {len(times)} positions: median {1000 * middle:.1f} ms, "
            f"99th percentile {1000 * high:.1f} ms, most {1000 * times[-1]:.1f} ms\n"
        )


if __name__ == "__main__":
    main()
