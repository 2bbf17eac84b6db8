"""Positions from which a game continues, found by playing at random by the plain rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import BLACK, OTHER, RULE_SETS, WHITE, MillMoment

TRIES = 400


def somewhere(rules: str, luck: Random) -> MillMoment:
    """A position between turns in which play can go on, from the first one to the late endgame."""
    while True:
        moment = plain.start(RULE_SETS[rules], WHITE)
        for _ in range(luck.choice((0, 4, 8, 14, 20, 30, 45))):
            turns = plain.whole_turns(moment)
            if not turns:
                break
            taking = [turn for turn in turns if turn[-1][0] == "x" and turn[-1] != "x-"]
            moment = _after(moment, luck.choice(taking if taking and luck.random() < 0.5 else turns))
        if plain.outcome(moment) is None:
            return _without_past(moment)


def near_the_end(rules: str, luck: Random) -> MillMoment:
    """A position in which the player to move can win in this turn, by taking the third-last piece."""
    for _ in range(TRIES):
        points = luck.sample(plain.points(RULE_SETS[rules]), 8)
        mover = luck.choice((WHITE, BLACK))
        board = {**dict.fromkeys(points[:5], mover), **dict.fromkeys(points[5:], OTHER[mover])}
        moment = MillMoment(RULE_SETS[rules], board, {WHITE: 0, BLACK: 0}, mover, WHITE, placing=False)
        if plain.outcome(moment) is None and any(
            plain.outcome(_after(moment, turn)) for turn in plain.whole_turns(moment)
        ):
            return moment
    raise AssertionError(f"no position of {rules} was found that is won in one turn")


def _after(moment: MillMoment, turn: tuple[str, ...]) -> MillMoment:
    for step in turn:
        moment = plain.play(moment, step)
    return moment


def _without_past(moment: MillMoment) -> MillMoment:
    """The same position as the first one of a record."""
    return replace(moment, seen=())
