"""Random games, step by step, with take-backs, for tests of the stores."""

from __future__ import annotations

from random import Random

from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.rulesets import RULE_SETS, rule_set


def begun(luck: Random, rules: str | None = None) -> Game:
    """Return a game by the named rules, or by any, at its start."""
    chosen = rule_set(rules or luck.choice(sorted(RULE_SETS)))
    return Game.begin(chosen, chosen.start(chosen.first or luck.choice(list(Player))))


def played(luck: Random, plies: int, rules: str | None = None) -> Game:
    """Return a game after `plies` random steps, or fewer if it ends before."""
    game = begun(luck, rules)
    for _ in range(plies):
        game = one_step(luck, game)
    return game


def one_step(luck: Random, game: Game) -> Game:
    """Return the game one step later, if there is one."""
    steps = game.position.legal_steps()
    return game.play(luck.choice(steps)) if steps and game.declared is None else game


def next_state(luck: Random, states: list[Game]) -> Game:
    """Return a possible successor of `states`, the history of a board: the next state of some game."""
    game = states[-1]
    chance = luck.random()
    if game.outcome is not None or chance < 0.03:
        return begun(luck)
    if chance < 0.06 and game.ply:
        return game.declare(Outcome(luck.choice([Reason.RESIGNED, Reason.ABANDONED]), None))
    if chance < 0.2:
        return game.back_to(luck.randint(0, game.ply))
    if chance < 0.25:  # a board that was cleared: what it seemed to take back is there again
        own = [state for state in states if state.positions[0] is game.positions[0]]
        restored = luck.choice(own)
        return restored if restored.ply >= game.ply and restored.declared is None else game
    return one_step(luck, game)
