"""Openings: any, those that tables know as draws, and those of two turns that a player is proved not to lose.

A certificate proves more than the positions it was made for: whoever reaches one of them in another way, or
can reach one whatever the opponent places, does not lose either. The shipped first turns of both certificates
prove few openings. `tests.engine.measuring.solving` proved the result of each of two turns, in `SOLVED`.

**Invariants:** the rules are `standard`; no opening ends the game.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from firmware_host.engine.certificate import canonical
from firmware_host.engine.tables import Tables, index_of
from firmware_host.errors import TableError
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.morris.bitboard import point
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.rulesets import DEFAULT, rule_set
from firmware_host.games.values import Result

TURNS = 2
SOLVED = Path(__file__).parents[2] / "data" / "openings.txt"
"""The result for White of each opening that was solved, by best play of both."""
Opening = tuple[str, str]
"""The points that White and Black take."""


def classes(rules: MorrisRules) -> dict[Opening, list[Opening]]:
    """Return one of all openings that the board's symmetries make of each other, with these.

    Those with most neighbours come first: they are the likeliest to be drawn.
    """
    index, neighbours = index_of(rules.mechanics), rules.mechanics.graph.neighbours
    nodes = sorted(range(index.nodes), key=lambda node: -neighbours[1 << node + index.shift].bit_count())
    found: dict[int, list[Opening]] = {}
    for one in nodes:
        for other in nodes:
            if one != other:
                names = tuple(str(point(1 << node + index.shift)) for node in (one, other))
                found.setdefault(canonical(index, 1 << one, 1 << other)[0], []).append((names[0], names[1]))
    return {members[0]: members for members in found.values()}


def solved(path: Path) -> dict[Opening, Result]:
    """Return the result for White of all openings in a file of solved ones."""
    lines = (line for line in path.read_text("ascii").splitlines() if not line.startswith("#"))
    fields = [line.replace("|", " ").split() for line in lines]
    known = {(white, black): Result(result) for white, black, _count, result, _checked in fields}
    rules = rule_set(DEFAULT)
    assert isinstance(rules, MorrisRules)
    return {each: known[one] for one, members in classes(rules).items() if one in known for each in members}


def game_of(turns: Sequence[str], rules: Rules | None = None) -> Game:
    """Return the game with these turns."""
    rules = rules or rule_set(DEFAULT)
    game = Game.begin(rules, rules.start(Player.WHITE))
    for turn in turns:
        for step in rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    return game


def random_opening(rng: random.Random, turns: int = TURNS) -> Game:
    """Return a game of some turns drawn by lot."""
    rules = rule_set(DEFAULT)
    game = Game.begin(rules, rules.start(Player.WHITE))
    for _ in range(turns):
        game = game.play(*rng.choice(game.position.turns()).steps)
    return game


def drawn_opening(rng: random.Random, turns: int, tables: Tables) -> Game:
    """Return a game of some turns drawn by lot from those after which `tables` know a draw."""
    while True:
        game = random_opening(rng, turns)
        position = game.position
        assert isinstance(position, MorrisPosition)
        known = tables.probe(position.rules, position.state)
        if known is None:
            raise TableError(f"no table knows {position}; name a folder that has it in MILLWRIGHT_TABLES")
        if known.result is Result.DRAW:
            return game


def safe_opening(rng: random.Random, own: Player, tables: Tables) -> Game:
    """Return a game of two turns drawn by lot from those after which `own` is proved not to lose."""
    while not is_safe(game := random_opening(rng), own, tables):
        pass
    return game


def is_safe(game: Game, own: Player, tables: Tables, turns: int = 2 * TURNS) -> bool:
    """Return whether `own` can reach a position of its certificate in one of the game's first `turns`."""
    position = game.position
    assert isinstance(position, MorrisPosition)
    ahead = len(game.turn_starts) - 1 < turns
    if position.to_move is own:
        if tables.reply(position.rules, position.state) is not None:
            return True
        return ahead and any(is_safe(game.play(*turn.steps), own, tables, turns) for turn in position.turns())
    return ahead and all(is_safe(game.play(*turn.steps), own, tables, turns) for turn in position.turns())
