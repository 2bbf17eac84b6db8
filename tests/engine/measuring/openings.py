"""Openings of two turns that a player is proved not to lose, by the shipped first turns of both certificates.

A certificate proves more than the positions it was made for: whoever reaches one of them in another way, or
can reach one whatever the opponent places, does not lose either.

**Invariants:** the rules are `standard`; nobody can close a mill within the turns that are tried here.
"""

from __future__ import annotations

import random

from firmware_host.engine.tables import Tables
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import DEFAULT, rule_set

TURNS = 2


def random_opening(rng: random.Random) -> Game:
    """Return a game of two turns drawn by lot."""
    rules = rule_set(DEFAULT)
    game = Game.begin(rules, rules.start(Player.WHITE))
    for _ in range(TURNS):
        game = game.play(*rng.choice(game.position.turns()).steps)
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
