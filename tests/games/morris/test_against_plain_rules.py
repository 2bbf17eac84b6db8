"""The engine's rules against the plain model of the same description, step by step through random games.

The same style of play would never see most endings, so each game is played in one of several: hunters close
mills, the peaceful avoid them, shufflers move back and forth, and some do anything.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.game import Player, Position, legal_turns
from firmware_host.games.rulesets import MILL_SETS, rule_set
from tests.fuzz.oracle import plain_rules as plain
from tests.support.examples import few

pytestmark = pytest.mark.ci("games")

TURNS_COMPARED = 0.03
LONGEST = 200

Style = Callable[[plain.MillMoment, list[str], random.Random], str]


def anything(moment: plain.MillMoment, texts: list[str], luck: random.Random) -> str:
    return luck.choice(texts)


def some(texts: list[str], luck: random.Random) -> list[str]:
    """So few that a style does not cost more than what it is for."""
    return luck.sample(texts, min(6, len(texts)))


def hunter(moment: plain.MillMoment, texts: list[str], luck: random.Random) -> str:
    closing = [text for text in some(texts, luck) if plain.play(moment, text).due]
    return luck.choice(closing or texts)


def peaceful(moment: plain.MillMoment, texts: list[str], luck: random.Random) -> str:
    quiet = [text for text in some(texts, luck) if text == "x-" or not plain.play(moment, text).due]
    return luck.choice(quiet or texts)


def shuffler(moment: plain.MillMoment, texts: list[str], luck: random.Random) -> str:
    """Play the first half of a game at random, then move where one piece can go back and forth."""
    moving = sorted(text for text in texts if "-" in text and text != "x-")
    if moment.hand[moment.to_move] or not moving or luck.random() < 0.1:
        return peaceful(moment, texts, luck)
    known = {board for board, *_ in moment.seen}
    back = [text for text in some(moving, luck) if frozenset(plain.play(moment, text).board.items()) in known]
    return luck.choice(back or moving)


STYLES: list[Style] = [anything, hunter, peaceful, shuffler]


def assert_alike(position: Position, moment: plain.MillMoment) -> None:
    assert str(position) == plain.position_text(moment)
    assert {step.text for step in position.legal_steps()} == plain.legal_steps(moment)
    assert position.to_move.value == moment.to_move
    assert position.removal_due == bool(moment.due and plain.outcome(moment) is None)
    assert {p.value: position.in_hand(p) for p in Player} == moment.hand
    ended = position.outcome
    theirs = None if ended is None else (ended.winner and ended.winner.value, ended.reason.value)
    assert theirs == plain.outcome(moment)


def play_alike(name: str, over: dict[str, object], seed: int) -> str:
    """Play one game in both and compare all that can be seen; the reason it ended for, or `unfinished`."""
    luck = random.Random(seed)
    first, style = luck.choice(list(Player)), luck.choice(STYLES)
    rules = rule_set(name, [f"{switch}={value}" for switch, value in over.items()])
    position: Position = rules.start(first)
    moment = plain.start(plain.RULE_SETS[name].with_set(over), first.value)
    for _ in range(LONGEST):
        assert_alike(position, moment)
        if ended := plain.outcome(moment):
            return ended[1]
        if luck.random() < TURNS_COMPARED:
            turns = [tuple(step.text for step in turn.steps) for turn in legal_turns(position)]
            assert sorted(turns) == sorted(plain.whole_turns(moment))
        text = style(moment, sorted(plain.legal_steps(moment)), luck)
        position, moment = position.play(rules.parse_step(text)), plain.play(moment, text)
    return "unfinished"


@pytest.mark.parametrize("name", sorted(plain.RULE_SETS))
def test_every_rule_set_is_played_alike(name: str) -> None:
    for seed in range(2):
        play_alike(name, {}, seed)


def test_the_same_rule_sets_are_described() -> None:
    assert set(MILL_SETS) == set(plain.RULE_SETS)


@few(5)
@given(
    name=st.sampled_from(sorted(plain.RULE_SETS)),
    over=st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in plain.VALUES.items()}),
    seed=st.integers(0, 2**32),
)
def test_any_switches_over_any_rule_set_are_played_alike(
    name: str, over: dict[str, object], seed: int
) -> None:
    switches = plain.RULE_SETS[name].with_set(over)
    if 2 * switches.pieces > len(plain.points(switches)):
        with pytest.raises(NotationError):
            rule_set(name, [f"{switch}={value}" for switch, value in over.items()])
    else:
        play_alike(name, over, seed)


def test_each_way_to_end_is_met() -> None:
    ends = Counter(play_alike("standard", {}, seed) for seed in range(20))
    ends += Counter(play_alike("twelve", {"protection": "always"}, seed) for seed in range(20))
    assert set(ends) >= {"few-pieces", "blocked", "repetition", "quiet", "full-board"}, ends


@pytest.mark.long
def test_thousands_of_games_are_played_alike() -> None:
    luck = random.Random(0)
    for seed in range(5000):
        name = luck.choice(sorted(plain.RULE_SETS))
        over = {switch: luck.choice(plain.VALUES[switch]) for switch in plain.VALUES if luck.random() < 0.25}
        switches = plain.RULE_SETS[name].with_set(over)
        if 2 * switches.pieces <= len(plain.points(switches)):
            play_alike(name, over, seed)
