"""The puzzles of the board: positions of games in which one turn alone is right.

    python -m tests.engine.measuring.puzzles > firmware_host/play/puzzles.txt

Levels 2 to 5 play each other, and each position that the shipped tables know whole is checked: where one
turn wins and no other does, or one holds the draw and all others lose, it is a puzzle. White moves in all of
them, and none is another one turned or mirrored. Of each grade, motif and result the first `--each` are kept,
the easiest first.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

from firmware_host.engine.analysis import TurnValue, turn_values
from firmware_host.engine.choosing import choose
from firmware_host.engine.remarks import (
    fork,
    mill_points,
    moves_left,
    opened_mill,
    other_side,
    swing_mills,
)
from firmware_host.engine.searching.mill_bits import Node, mill_bits
from firmware_host.engine.solving.folder import open_tables
from firmware_host.engine.tables import index_of
from firmware_host.games.game import Game, Piece, Player
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.games.values import Result
from firmware_host.play.puzzle import Puzzle

TABLES = open_tables()
RULES = rule_set(PUZZLE)
_LEVELS = (2, 3, 4, 5)
_FEWEST_TURNS = 5
"""A choice among fewer is no puzzle."""
_MAX_TURNS = 120
_SHUT_IN = 3
"""The greatest number of moves of pieces that are shut in."""


def positions(seed: int) -> Iterator[MorrisPosition]:
    """Yield the positions of one game of two levels, as soon as all pieces are placed."""
    rng = random.Random(seed)
    levels = dict(zip(Player, rng.choices(_LEVELS, k=2), strict=True))
    game = Game.begin(RULES, RULES.start(Player.WHITE))
    for _ in range(_MAX_TURNS):
        position = game.position
        assert isinstance(position, MorrisPosition)
        if game.outcome is not None:
            return
        if not any(position.in_hand(player) for player in Player):
            yield position
        game = game.play(*RULES.parse_turn(choose(game, levels[position.to_move], rng=rng, tables=TABLES)))


def as_whites(position: MorrisPosition) -> MorrisPosition:
    """Return the same position with White to move, and no turn before it."""
    swaps = position.to_move is Player.BLACK
    stacks = [
        tuple(Piece(piece.owner.other if swaps else piece.owner) for piece in stack)
        for stack in position.stacks
    ]
    found = RULES.position(RULES.set_up_text(stacks, Player.WHITE, placing=False))
    assert isinstance(found, MorrisPosition)
    return found


def puzzle_in(position: MorrisPosition) -> Puzzle | None:
    """Return the puzzle that a position is; None if it is none, or the tables don't know all of its turns."""
    found = turn_values(position, tables=TABLES, depth=1)
    if len(found) < _FEWEST_TURNS or any(one.value.result is Result.UNKNOWN for one in found):
        return None
    best, second = found[:2]
    if best.value.result is second.value.result or best.value.result is Result.LOSS:
        return None
    motif = motif_of(position, best.turn)
    return Puzzle(str(position), best.turn, best.value.result, motif, grade_of(best, motif, len(found)))


def grade_of(best: TurnValue, motif: str, turns: int) -> int:
    """Return how hard it is to find the best turn, from 1 to 4."""
    if best.value.result is Result.WIN:
        distance = best.value.distance or 99
        return 1 if distance == 1 else 2 if distance <= 3 else 3 if distance <= 7 else 4
    return 2 if motif in ("stop", "mill") else 3 if turns <= 12 else 4


def motif_of(position: MorrisPosition, turn: str) -> str:
    """Return the name of what a turn does that a person can see on the board."""
    rules, before, after = mill_bits(position.rules.options), _node(position), _after(position, turn)
    if "x" in turn:
        return "mill"
    theirs = other_side(after)
    if mill_points(rules, before):
        return "quiet"
    if swing_mills(rules, after) - swing_mills(rules, before):
        return "swing"
    if fork(rules, after):
        return "fork"
    left, had = moves_left(rules, theirs), moves_left(rules, other_side(before))
    if left is not None and left <= _SHUT_IN and (had is None or left < had):
        return "shut-in"
    if mill_points(rules, other_side(before)) and not mill_points(rules, theirs):
        return "stop"
    return "open" if opened_mill(rules, before, after[0]) else "plain"


def _node(position: MorrisPosition) -> Node:
    mine, theirs, my_hand, their_hand = position.state[:4]
    return mine, theirs, my_hand, their_hand


def _after(position: MorrisPosition, turn: str) -> Node:
    """Return the node after a turn, seen by the player who made it."""
    for step in RULES.parse_turn(turn):
        position = position.play(position.legal_step(step.text))
    node = _node(position)
    return other_side(node) if position.to_move is Player.BLACK else node


def mined(games: int, seed: int, each: int) -> Iterator[Puzzle]:
    """Yield the puzzles of some games, each kind as often as wanted."""
    kept, seen = Counter[tuple[int, str, Result]](), set[tuple[int, int]]()
    for number in range(games):
        for position in positions(seed + number):
            state = position.state
            if state.mine.bit_count() + state.theirs.bit_count() > 10:
                continue
            whites = as_whites(position)
            puzzle = puzzle_in(whites)
            if puzzle is None:
                continue
            kind = puzzle.grade, puzzle.motif, puzzle.result
            index = index_of(whites.rules.mechanics)
            key = min(zip(index.images(whites.state.mine), index.images(whites.state.theirs), strict=True))
            if key not in seen and kept[kind] < each:
                seen.add(key)
                kept[kind] += 1
                yield puzzle
        if number % 50 == 49:
            sys.stderr.write(f"{number + 1} games: {len(seen)} puzzles\n")
    for kind, count in sorted(kept.items()):
        sys.stderr.write(f"{kind}: {count}\n")


def main() -> None:
    """Print the puzzles, the easiest first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=32, help="puzzles of one grade, motif and result")
    given = parser.parse_args()
    found = list(mined(given.games, given.seed, given.each))
    random.Random(given.seed).shuffle(found)
    for puzzle in sorted(found, key=lambda one: one.grade):
        sys.stdout.write(f"{puzzle}\n")


if __name__ == "__main__":
    main()
