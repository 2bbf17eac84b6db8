"""Games between a level and another program that speaks the line protocol.

    python -m tests.engine.measuring.against --level 8 --games 40 --option SkillLevel=8 --external ./sanmill

Each opening of two random turns is played twice, with colours exchanged. The highest level gets
`--milliseconds` of processor time a turn, the other program `--their-milliseconds` by its own clock. One line
is printed for each game, with the position when all pieces were placed, and the sum at the end.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from firmware_host.engine.choosing import choose
from firmware_host.engine.external import ExternalEngine
from firmware_host.engine.levels import LEVELS
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import DEFAULT, rule_set
from tests.engine.measuring.ladder import MAX_TURNS, TABLES, Score, within

_OPENING_TURNS = 2


def play(level: int, own: Player, other: ExternalEngine, seed: int, times: tuple[float, int]) -> Game:
    """Return a game of a level, as `own`, against the other program, with an opening by half of `seed`."""
    rules, opening, rng = rule_set(DEFAULT), random.Random(seed // 2), random.Random(seed)
    game = Game.begin(rules, rules.start(Player.WHITE))
    for _ in range(_OPENING_TURNS):
        game = game.play(*opening.choice(game.position.turns()).steps)
    while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
        if game.position.to_move is own:
            turn = choose(game, level, rng=rng, tables=TABLES, stop=within(times[0]))
        else:
            turn = other.choose(game, times[1]) or ""
        for step in rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    return game


def when_placed(game: Game) -> str:
    """Return the first position without pieces in hand, or the last one."""
    placed = (one for one in game.positions if not any(one.supply.values()) and not one.removal_due)
    return str(next(placed, game.position))


def report(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def match(level: int, other: ExternalEngine, games: int, seed: int, times: tuple[float, int]) -> Score:
    """Return the level's score, and report each game."""
    results = []
    for number in range(games):
        own = (Player.WHITE, Player.BLACK)[number % 2]
        game = play(level, own, other, seed + number, times)
        winner = None if game.outcome is None else game.outcome.winner
        results.append(0 if winner is None else 1 if winner is own else -1)
        reason = "160 turns" if game.outcome is None else game.outcome.reason
        report(
            f"{own} {results[-1]:+d} {reason} after {len(game.turn_starts) - 1} turns; {when_placed(game)}"
        )
    return Score(results.count(1), results.count(0), results.count(-1))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print a line for each game and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--level", type=int, choices=LEVELS, default=LEVELS[-1])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--milliseconds", type=float, default=100)
    parser.add_argument("--their-milliseconds", type=int, default=1000)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--external", nargs=argparse.REMAINDER, required=True, metavar="COMMAND")
    given = parser.parse_args(arguments)
    other = ExternalEngine(given.external, given.option)
    try:
        times = (given.milliseconds / 1000, given.their_milliseconds)
        score = match(given.level, other, given.games, given.seed, times)
    finally:
        other.close()
    report(f"level {given.level} against {' '.join([given.external[0], *given.option])}: {score}")


if __name__ == "__main__":
    main()
