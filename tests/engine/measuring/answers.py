"""The processor time of answers, level by level, and of hints.

    python -m tests.engine.measuring.answers --positions 500
    MILLWRIGHT_TABLES=FOLDER python -m tests.engine.measuring.answers --levels 8 --hints --moving

The positions are drawn from games between levels 2 and 4 from openings of two random turns. Tables and the
library in C are used if they are there. The highest level gets 80 ms, a hint's search for proofs 50. The time
is that of the processor, so other programs do not matter much; a machine with a tenth of the speed needs ten
times as long.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator

from firmware_host.engine.analysis import turn_values
from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.search import never
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import DEFAULT, LEVELS, RULE_SETS, levels, rule_set
from tests.engine.measuring.ladder import MAX_TURNS, TABLES, within

_OPENING_TURNS = 2
_PLAYERS = {Player.WHITE: 2, Player.BLACK: 4}


_ANSWER_S, _HINT_S = 0.08, 0.05
"""A tenth of the time that the board gives its engine, for a machine with a tenth of the speed."""


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


def sampled(name: str, count: int, seed: int, moving: bool = False) -> list[Game]:
    """Return `count` positions, one of about every five of the games, or of those after placing."""
    rng = random.Random(seed)
    found: list[Game] = []
    for game in positions(name, seed):
        if rng.random() < 0.2 and not (moving and any(game.position.supply.values())):
            found.append(game)
        if len(found) == count:
            return found
    return found


def seconds(game: Game, level: int) -> float:
    """Return the processor time of one answer."""
    began = time.process_time()
    stop = within(_ANSWER_S) if level == LEVELS[-1] else never
    choose(game, level, rng=random.Random(1), tables=TABLES, stop=stop)
    return time.process_time() - began


def hint_seconds(game: Game) -> float:
    """Return the processor time of one hint."""
    began = time.process_time()
    turn_values(game.position, tables=TABLES, stop=within(_HINT_S))
    return time.process_time() - began


def report(name: str, times: Iterable[float]) -> None:
    """Print a line of figures."""
    found = sorted(times)
    middle, high = found[len(found) // 2], found[99 * len(found) // 100]
    sys.stdout.write(
        f"{name}, {len(found)} positions: median {1000 * middle:.1f} ms, "
        f"99th percentile {1000 * high:.1f} ms, most {1000 * found[-1]:.1f} ms\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Measure, and print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--rules", default=DEFAULT, choices=sorted(RULE_SETS))
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS[:-1]))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moving", action="store_true", help="only positions after placing")
    parser.add_argument("--hints", action="store_true", help="hints as well")
    given = parser.parse_args()
    games = sampled(given.rules, given.positions, given.seed, given.moving)
    for level in given.levels:
        report(f"level {level}", (seconds(game, level) for game in games))
    if given.hints:
        report("hints", map(hint_seconds, games))


if __name__ == "__main__":
    main()
