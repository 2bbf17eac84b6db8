"""Positions of Mitsudomoe drawn as a board, and random games, for tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.mitsudomoe.position import MitsudomoePosition, MitsudomoeRules
from firmware_host.games.rulesets import rule_set


def rules(*settings: str) -> MitsudomoeRules:
    """The rules, with settings over them."""
    chosen = rule_set("mitsudomoe", settings)
    assert isinstance(chosen, MitsudomoeRules)
    return chosen


def at(squares: str, side: str = "w", due: str = "ring", *settings: str) -> MitsudomoePosition:
    """The position with these stacks, as `a1:wW c3:bw`; balls that are not named wait out of the way.

    White's other balls stand on the first and Black's on the last free of d1, e1, a4, a5, b5, e2.
    """
    stacks = dict(part.split(":") for part in squares.split())
    free = [name for name in ("d1", "e1", "a4", "a5", "b5", "e2") if name not in stacks]
    for mark in "WB":
        while "".join(stacks.values()).count(mark) < 3:
            stacks[free.pop(0 if mark == "W" else -1)] = mark.lower() + mark
    ranks = "/".join(
        ",".join(stacks.get(f"{file}{rank}", "-") for file in "abcde") for rank in range(5, 0, -1)
    )
    return rules(*settings).position(f"{ranks} {side} {due} 7")


def following(position: MitsudomoePosition, moves: str) -> MitsudomoePosition:
    """The position after these turns or steps."""
    for step in position.rules.parse_turn(moves):
        position = position.play(step)
    return position


def texts(position: MitsudomoePosition) -> set[str]:
    """The texts of the legal steps."""
    return {step.text for step in position.legal_steps()}


def whole(position: MitsudomoePosition) -> set[str]:
    """The texts of the legal turns."""
    return {position.rules.turn_text(turn.steps) for turn in legal_turns(position)}


def played(first: Player, luck: Random, length: int) -> Game:
    """A game of at most `length` steps at random."""
    chosen = rules("first=lot")
    game = Game.begin(chosen, chosen.start(first))
    while game.outcome is None and game.ply < length:
        game = game.play(luck.choice(game.position.legal_steps()))
    return game


def games() -> st.SearchStrategy[Game]:
    """A game from the start, at any moment of it."""
    luck = st.integers(0, 2**32 - 1).map(Random)
    return st.builds(played, st.sampled_from(Player), luck, st.integers(0, 60))
