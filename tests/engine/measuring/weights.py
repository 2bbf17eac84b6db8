"""The weights of the evaluation, fitted to positions that tables solve.

    millwright tables build --sector 6-6
    python -m tests.engine.measuring.weights --positions 20000 --games 200

The positions are drawn from the sectors of at least ten stones of which there are tables. A `--share` of them
arises while pieces are placed instead, in games of `--pieces` for each player, and is solved down to the
tables, so all sectors of up to as many pieces must be there. The weights are those of an ordinal logistic
regression: the evaluation, and a threshold on either side, predict a win, a draw or a loss. They are scaled
so that evaluations spread as much as now. `--games` plays the fitted weights against the present ones, at a
fixed depth and without tables.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from firmware_host.engine.searching.candidates import mill_candidates
from firmware_host.engine.searching.evaluation import WEIGHTS, Evaluation, Weights
from firmware_host.engine.searching.mill_bits import Node, mill_bits
from firmware_host.engine.searching.scoring import mill_search, setting_of
from firmware_host.engine.searching.search import DECIDED, WIN
from firmware_host.engine.searching.search_native import NativeSearch, search_library
from firmware_host.engine.tables import index_of
from firmware_host.games.game import Player
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.options import MIN_PIECES
from firmware_host.games.rulesets import DEFAULT, rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.ladder import MAX_TURNS, TABLES, PairScore

FITTED = ("material", "mobility", "twos", "mills", "degree", "shut_in")
"""Not how much flying counts for: positions with three stones of a player are left to the tables."""
_RESULTS = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}
_MIN_STONES = 10
_MAX_IN_HAND = 4
_TEMPERATURE = 60
_OPENING_TURNS = 2
_INFINITY = WIN + 1


@dataclass(frozen=True, slots=True)
class SolvedSample:
    """The features of a position, and its result for the player to move: 1, 0 or -1."""

    features: tuple[int, ...]
    result: int


def worth(one: SolvedSample, weights: Sequence[float]) -> float:
    """Return the evaluation of a sample; weights beyond its features, such as a threshold, do not count."""
    return sum(weight * feature for weight, feature in zip(weights, one.features, strict=False))


def features(rules: MorrisRules, node: Node) -> tuple[int, ...]:
    """Return what each fitted weight is multiplied by."""
    return tuple(evaluate(*node) for evaluate in _single(rules))


def _single(rules: MorrisRules) -> list[Evaluation]:
    none = dict.fromkeys((field.name for field in fields(Weights)), 0)
    bits = mill_bits(rules.options)
    return [Evaluation(bits, Weights(**{**none, name: 1})) for name in FITTED]


def moving(rules: MorrisRules, count: int, rng: random.Random) -> Iterator[SolvedSample]:
    """Yield positions of the sectors with many stones, of each as many."""
    headers = [(one.header.mine, one.header.theirs) for one in TABLES.sectors(rules)]
    tables = [
        one
        for one, stones in zip(TABLES.sectors(rules), headers, strict=True)
        if sum(stones) >= _MIN_STONES and min(stones) > MIN_PIECES
    ]
    index = index_of(rules.mechanics)
    for number in range(count):
        table = tables[number % len(tables)]
        header = table.header
        at = rng.randrange(header.summary.positions)
        mine, theirs = index.position(at, header.mine, header.theirs, table.representatives)
        node = mine << index.shift, theirs << index.shift, 0, 0
        yield SolvedSample(features(rules, node), _RESULTS[table.value(at)[0]])


def placing(rules: MorrisRules, count: int, rng: random.Random) -> Iterator[SolvedSample]:
    """Yield positions with pieces in hand, of games in which turns are drawn by their evaluation."""
    evaluate = Evaluation(mill_bits(rules.options))
    found = 0
    while found < count:
        position = rules.start(Player.WHITE)
        assert isinstance(position, MorrisPosition)
        left = rng.randrange(1, _MAX_IN_HAND + 1)
        while position.outcome is None and sum(position.supply.values()) > left:
            after = [one.after for one in mill_candidates(position)]
            worths = [-evaluate(*one.state[:4]) for one in after]
            weights = [math.exp((worth - max(worths)) / _TEMPERATURE) for worth in worths]
            position = rng.choices(after, weights)[0]
        if position.outcome is None and sum(position.supply.values()) == left:
            node = position.state[:4]
            value = mill_search(position, TABLES).value(node, 0, 0, left + 1, (-_INFINITY, _INFINITY))
            yield SolvedSample(features(rules, node), (value > DECIDED) - (value < -DECIDED))
            found += 1


def fitted(samples: Sequence[SolvedSample], rounds: int = 12) -> list[float]:
    """Return the weights, and last the threshold, that make the results likeliest, by Newton's method."""
    size = len(samples[0].features) + 1
    found = [0.0] * (size - 1) + [1.0]
    for _ in range(rounds):
        slope, curve = [0.0] * size, [[0.0] * size for _ in range(size)]
        for one in samples:
            _add(one, found, slope, curve)
        for at in range(size):
            curve[at][at] += 1e-6 * len(samples)
        found = [old + step for old, step in zip(found, solved(curve, slope), strict=True)]
    return found


def _add(one: SolvedSample, found: Sequence[float], slope: list[float], curve: list[list[float]]) -> None:
    """Add the slope of a sample's likelihood, and its curvature.

    A result is two questions: better than a loss, and better than a draw.
    """
    middle = worth(one, found)
    for sign in (1, -1):
        row = (*one.features, sign)
        chance = 1 / (1 + math.exp(-max(-40.0, min(40.0, middle + sign * found[-1]))))
        error = (one.result >= (0 if sign > 0 else 1)) - chance
        spread = chance * (1 - chance)
        for i, left in enumerate(row):
            if left:
                slope[i] += error * left
                for j, right in enumerate(row):
                    curve[i][j] += spread * left * right


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations, by elimination with the greatest pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        column = [abs(row[at]) for row in rows[at:]]
        best = at + column.index(max(column))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(size):
            if row != at:
                factor = rows[row][at] / rows[at][at]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[at], strict=True)]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def scaled(found: Sequence[float], samples: Sequence[SolvedSample]) -> Weights:
    """Return whole weights with which evaluations spread as much as with the present ones."""
    present = [getattr(WEIGHTS, name) for name in FITTED]
    now, then = (statistics.pstdev(worth(one, weights) for one in samples) for weights in (present, found))
    whole = {name: round(weight * now / then) for name, weight in zip(FITTED, found, strict=False)}
    return Weights(**whole, flying=WEIGHTS.flying)


def game(rules: MorrisRules, players: Sequence[Weights], depth: int, seed: int) -> Player | None:
    """Return the winner of a game of White's and Black's weights, without tables, at a fixed depth."""
    library, rng = search_library(), random.Random(seed // 2)
    assert library is not None
    position = rules.start(Player.WHITE)
    for turn in range(MAX_TURNS):
        assert isinstance(position, MorrisPosition)
        found = mill_candidates(position)
        if not found:
            break
        if turn < _OPENING_TURNS:
            position = rng.choice(found).after
            continue
        evaluate = Evaluation(mill_bits(rules.options), players[turn % 2])
        search = NativeSearch(library, evaluate, setting_of(position))
        worths = []
        for one in found:
            state, outcome = one.after.state, one.after.outcome
            if outcome is not None:
                worths.append(0 if outcome.winner is None else WIN)
                continue
            best = max(worths, default=-_INFINITY)
            worths.append(-search.value(state[:4], 1, state.quiet, depth - 1, (-_INFINITY, -best)))
        position = found[worths.index(max(worths))].after
    return None if position.outcome is None else position.outcome.winner


def match(rules: MorrisRules, weights: Weights, games: int, depth: int) -> PairScore:
    """Return the score of some weights against the present ones."""
    results = []
    for seed in range(games):
        own = (Player.WHITE, Player.BLACK)[seed % 2]
        players = (weights, WEIGHTS) if own is Player.WHITE else (WEIGHTS, weights)
        winner = game(rules, players, depth, seed)
        results.append(0 if winner is None else 1 if winner is own else -1)
    return PairScore(results.count(1), results.count(0), results.count(-1))


def main() -> None:
    """Fit, print the weights, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--share", type=float, default=0.0, help="share of positions while placing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--games", type=int, default=0)
    given = parser.parse_args()
    standard, small = rule_set(DEFAULT), rule_set(DEFAULT, (f"pieces={given.pieces}",))
    assert isinstance(standard, MorrisRules)
    assert isinstance(small, MorrisRules)
    rng = random.Random(given.seed)
    placed = round(given.share * given.positions)
    samples = [*moving(standard, given.positions - placed, rng), *placing(small, placed, rng)]
    counts = {result: sum(one.result == result for one in samples) for result in (1, 0, -1)}
    found = fitted(samples)
    sys.stdout.write(f"results {counts}\nfitted {[round(one, 4) for one in found]}\n")
    weights = scaled(found, samples)
    sys.stdout.write(f"{weights}\n")
    sys.stdout.flush()
    if given.games:
        sys.stdout.write(f"{match(standard, weights, given.games, given.depth)}\n")


if __name__ == "__main__":
    main()
