"""The engine's Mitsudomoe against the plain model of the same description, turn by turn.

Players at random bury their own start within a few turns, so most games are played by those who run for the
goal, who vault, or who go back and forth.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.rulesets import rule_set
from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.support.examples import few

RULES = rule_set("mitsudomoe")
LONGEST = 60
COMPARED = 0.2
"""The part of all positions whose turns are compared one by one, which takes most of the time."""

Style = Callable[[plain.StackMoment, dict[str, plain.Board], random.Random], str]


def anything(moment: plain.StackMoment, turns: dict[str, plain.Board], luck: random.Random) -> str:
    return luck.choice(sorted(turns))


def runner(moment: plain.StackMoment, turns: dict[str, plain.Board], luck: random.Random) -> str:
    """Bring the balls nearer to the goal."""
    side = moment.to_move
    goal = plain.START[plain.OTHER[side]]

    def far(board: plain.Board) -> int:
        away = [square for square in board if plain.top(board, square) == side.upper() and square not in goal]
        return sum(min(abs(ord(s[0]) - ord(g[0])) + abs(ord(s[1]) - ord(g[1])) for g in goal) for s in away)

    some = luck.sample(sorted(turns), min(40, len(turns)))
    return min(some, key=lambda turn: (far(turns[turn]), turn))


def vaulter(moment: plain.StackMoment, turns: dict[str, plain.Board], luck: random.Random) -> str:
    return luck.choice(sorted(turn for turn in turns if "/" in turn) or sorted(turns))


def shuffler(moment: plain.StackMoment, turns: dict[str, plain.Board], luck: random.Random) -> str:
    """Lay two rings, then go back to where it was before, if that is possible."""
    laying = sorted(turn for turn in turns if turn[0] == "+" and "^" not in turn)
    if "".join(moment.board.values()).count(moment.to_move) < 5 and laying:
        return luck.choice(laying)
    other = plain.OTHER[moment.to_move]
    known = {key for key in moment.seen if key[-1] == other}
    back = [turn for turn, board in turns.items() if (*board.values(), other) in known]
    moving = [turn for turn in turns if turn[0] != "+" and "^" not in turn]
    return luck.choice(sorted(back or moving or turns))


STYLES: list[Style] = [anything, runner, vaulter, shuffler]


def play_alike(seed: int, styles: list[Style], compared: float = COMPARED) -> str:
    """Play one game in both and compare all that can be seen; why it ended, or `unfinished`."""
    luck = random.Random(seed)
    first = luck.choice(list(Player))
    game = Game.begin(RULES, RULES.start(first))
    moment = plain.start("w" if first is Player.WHITE else "b")
    for _ in range(LONGEST):
        assert str(game.position) == plain.position_text(moment)
        ended = game.outcome and (game.outcome.winner and game.outcome.winner.value, str(game.outcome.reason))
        assert ended == moment.outcome
        if moment.outcome:
            return moment.outcome[1]
        turns = plain.turns(moment)
        if luck.random() < compared:
            assert sorted(RULES.turn_text(turn.steps) for turn in legal_turns(game.position)) == sorted(turns)
            boards = {tuple(board.values()) for board in turns.values()}
            assert game.position.leaves(1, turns=True) == len(game.position.turns()) == len(boards)
        turn = styles["wb".index(moment.to_move)](moment, turns, luck)
        for step in RULES.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
        moment = plain.play(moment, turn)
    return "unfinished"


@few(4)
@given(seed=st.integers(0, 2**32), styles=st.lists(st.sampled_from(STYLES), min_size=2, max_size=2))
def test_games_are_played_alike(seed: int, styles: list[Style]) -> None:
    play_alike(seed, styles)


@pytest.mark.ci("games")
def test_players_at_random_meet_both_ways_to_end_by_balls() -> None:
    ends = Counter(play_alike(seed, [style] * 2, compared=0) for style in STYLES for seed in range(3))
    assert set(ends) >= {"goal", "start-covered"}, ends


BLOCKED = (
    "+c1 b1-c1 | +d4 e5-d4 | +e3 a1-b1 | +c4 e4-e5 | e3>b2 b1-b2 | e4>d2 d4-c4 | b1>d2 a2-a1 | +b1 d5-d4 | "
    "a2>b3 b2-b3 | +d2 e5-d5 | +a4 a1-b2 | b1>a3 d4-e5 | a1>b4 b2^b4 | d2>d4 c4-d4 | a4>b5 c1-d2 | "
    "+a3 d5-c4 | b2>d5 b3^d5/c4-a3 | c4>a4 a3-a4 | +a3 b4-a3"
)
ONCE = "a2>a3 c2-b2 | e4>e3 c4-d4 | a3>a2 b2-c2 | e3>e4 d4-c4"
REPEATED = f"+b2 a2-b2 | +d4 e4-d4 | +c2 b2-c2 | +c4 d4-c4 | {ONCE} | {ONCE}"


@pytest.mark.parametrize(("turns", "reason"), [(BLOCKED, "blocked"), (REPEATED, "repetition")])
def test_the_rare_ways_to_end_are_played_alike(turns: str, reason: str) -> None:
    position, moment = RULES.start(Player.WHITE), plain.start("w")
    for turn in turns.split(" | "):
        assert (position.outcome, moment.outcome) == (None, None)
        for step in RULES.parse_turn(turn):
            position = position.play(step)
        moment = plain.play(moment, turn)
        assert str(position) == plain.position_text(moment)
    assert position.outcome is not None
    winner = position.outcome.winner and position.outcome.winner.value
    assert (winner, str(position.outcome.reason)) == moment.outcome
    assert moment.outcome[1] == reason


@pytest.mark.long
def test_hundreds_of_games_are_played_alike() -> None:
    for seed in range(600):
        play_alike(seed, random.Random(seed).choices(STYLES, k=2))
