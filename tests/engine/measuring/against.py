"""Games between a level and another program that speaks the line protocol, on Linux.

    python -m tests.engine.measuring.against --games 200 --milliseconds 100 --their-milliseconds 100 \\
        --option MoveTime=60 --option DrawOnHumanExperience=false --each SkillLevel=1 --each SkillLevel=8 \\
        --drawn --journal games.jsonl --external ./sanmill

Sanmill is built outside the repository by `make all ARCH=x86-64-bmi2 COMP=gcc optimize=yes debug=no` in `src`
of its source; without the last two it is slow. It deepens its search step by step only if it has a limit of
its own, here a minute.

Its present engine is a program in Rust, `tgf`; any other that speaks the protocol will do, such as an older
Millwright, to compare two versions:

    python -m tests.engine.measuring.against --turns 2 8 --games 200 --journal games.jsonl \\
        --external sh -c 'cd OLD && exec .venv/bin/python -m firmware_host.engine.worker'

Both sides are limited by processor time, so that other programs on the machine don't matter: the highest
level in each turn, the other program in each of its answers, which is a step or a turn; then it is sent
`stop`. Openings have two random turns, or with `--turns` a number of them drawn by lot, and each is played
twice, with colours exchanged. With `--drawn` they are those that tables know as draws: the book knows up to
eight turns, and tables of placing, in the folder that MILLWRIGHT_TABLES names, all. With `--safe` they are
those of two turns that the level is proved not to lose by its certificates; few serve both colours, so each
game has its own. Games are played in turns with each of the
options after `--each`. With `--journal` a run that was broken off goes on. One line is printed for each game,
and one for each option at the end. With `--explain` the line of a lost game has the first turn after which it
was proved to be lost, with `--tables` exactly, also while pieces were placed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from firmware_host.engine.choosing import choose
from firmware_host.engine.external.program import ExternalEngine
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import LEVELS
from tests.engine.measuring.explaining import explained, explained_by_search
from tests.engine.measuring.ladder import MAX_TURNS, TABLES, PairScore, within
from tests.engine.measuring.openings import TURNS, drawn_opening, game_of, random_opening, safe_opening
from tests.engine.measuring.solving import Solver
from tests.fuzz.journal import played

_PATIENCE_MS = 100_000
"""A third of the waiting time after which the other program counts as hanging."""
_PROCESSOR_CLOCK = 2
MAX_OPENING = 14
"""The most turns of a random opening; nobody can have lost after so few."""
RANDOM, SAFE, DRAWN = "random", "safe", "drawn"


class LimitedProgram(ExternalEngine):
    """Another program that is sent `stop` after some processor time in each answer."""

    began: float = 0

    def turn(self, game: Game, seconds: float) -> str:
        """Return the program's turn; raise ExternalEngineError."""

        def interrupt() -> bool:
            if self._used() - self.began > seconds:
                self._send("stop")
            return False

        return self.choose(game, _PATIENCE_MS, interrupt) or ""

    def _send(self, *lines: str) -> None:
        if lines[-1].startswith("go"):
            self.began = self._used()
        super()._send(*lines)

    def _used(self) -> float:
        assert self._child is not None
        return time.clock_gettime(~self._child.pid << 3 | _PROCESSOR_CLOCK)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game: an option of the other program, the seed, and the limits in milliseconds."""

    option: str
    seed: int
    level: int
    milliseconds: float
    their_milliseconds: float
    openings: str
    """The openings that it is played from: random, safe or drawn ones."""
    turns: tuple[int, int] = (TURNS, TURNS)
    """The least and the greatest number of turns of a random or drawn opening."""

    @property
    def own(self) -> Player:
        """The player that the level is."""
        return (Player.WHITE, Player.BLACK)[self.seed % 2]

    def opening(self) -> Game:
        """Return the game after the opening."""
        if self.openings == SAFE:
            return safe_opening(random.Random(self.seed), self.own, TABLES)
        rng = random.Random(self.seed // 2)
        least, most = self.turns
        turns = least if least == most else rng.randint(least, most)
        return drawn_opening(rng, turns, TABLES) if self.openings == DRAWN else random_opening(rng, turns)


def play(planned: PlannedGame, turn: Callable[[Game], str]) -> Game:
    """Return the game of the level against the player whose turns `turn` returns."""
    game, rng = planned.opening(), random.Random(planned.seed)
    while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
        if game.position.to_move is planned.own:
            stop = within(planned.milliseconds / 1000)
            text = choose(game, planned.level, rng=rng, tables=TABLES, stop=stop)
        else:
            text = turn(game)
        for step in game.rules.parse_turn(text):
            game = game.play(game.position.legal_step(step.text))
    return game


def result(planned: PlannedGame, command: Sequence[str], options: Sequence[str]) -> dict[str, Any]:
    """Return what the journal keeps of a game against the program."""
    other = LimitedProgram(command, [*options, *filter(None, [planned.option])])
    try:
        game = play(planned, lambda game: other.turn(game, planned.their_milliseconds / 1000))
    finally:
        other.close()
    winner = None if game.outcome is None else game.outcome.winner
    return {
        "score": 0 if winner is None else 1 if winner is planned.own else -1,
        "reason": f"{MAX_TURNS} turns" if game.outcome is None else str(game.outcome.reason),
        "turns": game.turn_texts(),
        "load": round(os.getloadavg()[0], 1),
    }


def report(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--level", type=int, choices=LEVELS, default=LEVELS[-1])
    parser.add_argument("--games", type=int, default=20, help="with each of the options after --each")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; even: the level is White")
    parser.add_argument("--milliseconds", type=float, default=100)
    parser.add_argument("--their-milliseconds", type=float, default=100)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--each", action="append", metavar="NAME=VALUE")
    choices = parser.add_mutually_exclusive_group()
    for name, text in ((SAFE, "that the level is proved not to lose"), (DRAWN, "that tables know as draws")):
        choices.add_argument(
            f"--{name}",
            dest="openings",
            action="store_const",
            const=name,
            default=RANDOM,
            help=f"openings {text}",
        )
    parser.add_argument(
        "--turns",
        type=int,
        nargs=2,
        default=[TURNS] * 2,
        metavar=("LEAST", "MOST"),
        help="turns of a random or drawn opening",
    )
    parser.add_argument("--explain", action="store_true", help="tell where games were lost")
    parser.add_argument(
        "--tables", type=Path, help="folder with the tables of all sectors, to explain exactly"
    )
    parser.add_argument("--journal", type=Path, help="file that keeps the games that were played")
    parser.add_argument("--external", nargs=argparse.REMAINDER, required=True, metavar="COMMAND")
    given = parser.parse_args(arguments)
    least, most = given.turns
    if not 0 <= least <= most <= MAX_OPENING:
        parser.error(f"--turns: expected two numbers from 0 to {MAX_OPENING}, the lesser first")
    return given


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print a line for each game and the scores."""
    given = options_of(arguments)
    limits = (given.level, given.milliseconds, given.their_milliseconds, given.openings, tuple(given.turns))
    seeds = range(given.seed, given.seed + given.games)
    games = [PlannedGame(option, seed, *limits) for seed in seeds for option in given.each or [""]]
    solver = Solver.of(given.tables) if given.tables else None
    scores: dict[str, list[int]] = {}
    match = partial(result, command=given.external, options=given.option)
    for planned, found in played(games, match, 1, given.journal):
        scores.setdefault(planned.option, []).append(found["score"])
        turns, own = found["turns"], planned.own
        line = f"{planned.option} {own} {found['score']:+d} {found['reason']}, {len(turns)} turns"
        if given.explain and found["score"] < 0:
            game = game_of(turns)
            line += f"; {explained(game, own, solver) if solver else explained_by_search(game, own)}"
        report(line)
    for option, results in scores.items():
        score = PairScore(results.count(1), results.count(0), results.count(-1))
        report(f"level {given.level} against {' '.join([given.external[0], *given.option, option])}: {score}")


if __name__ == "__main__":
    main()
