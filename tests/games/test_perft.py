"""Leaf counts: the known figures, and that counting without playing counts what is played."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.games.game import Player, legal_turns
from firmware_host.games.perft import count, divide
from firmware_host.games.rulesets import parse_rules, rule_set
from tests.support.examples import few
from tests.support.games.morris import after, at, positions
from tests.support.paths import DATA

FIGURES = DATA / "perft.txt"


def figures():
    for line in FIGURES.read_text().splitlines():
        if line and not line.startswith("#"):
            rules, unit, depth, leaves, position, long, *_ = [*map(str.strip, line.split("|")), "", ""]
            costly = [pytest.mark.ci("examples")] if int(leaves) > 100_000 else []
            marks = [pytest.mark.long] if long else costly
            name = f"{rules} {unit} {depth} {position}".strip()
            yield pytest.param(rules, unit == "turn", int(depth), int(leaves), position, marks=marks, id=name)


@pytest.mark.parametrize(("described", "turns", "depth", "leaves", "position"), list(figures()))
def test_the_known_figures(described, turns, depth, leaves, position):
    rules = parse_rules(described)
    start = rules.position(position) if position else rules.start(rules.first or Player.WHITE)
    assert count(start, depth, turns) == leaves


def played_out(position, depth, turns):
    """The same count, by playing every step of every way."""
    if depth == 0:
        return 1
    if turns:
        nexts = [turn.positions[-1] for turn in legal_turns(position)]
    else:
        nexts = [position.play(step) for step in position.legal_steps()]
    return sum(played_out(after, depth - 1, turns) for after in nexts)


TWO_MILLS = "d5 a1 d6 a4 g7 b4 a7 b2"
PER_MILL_MAY = ("simple", "captures=per-mill")
LAST_BUT_ONE = at("d5 d6 g7 a7", "a4 b4 f2", *PER_MILL_MAY, hands=(1, 0))


@few(20)
@given(positions(), st.booleans())
@example(position=after(TWO_MILLS, *PER_MILL_MAY), turns=True)
@example(position=after(TWO_MILLS + " d7", *PER_MILL_MAY), turns=True)
@example(position=LAST_BUT_ONE, turns=True)
def test_counting_without_playing_counts_what_is_played(position, turns):
    assert count(position, 1, turns) == played_out(position, 1, turns)


@few(4)
@given(positions(), st.booleans())
@example(position=at("d6 a1 a4", "g7 g1 b2"), turns=True)
@example(position=at("d6 a1 a4 f2", "g7 g1 b2 b6", quiet=98), turns=False)
def test_deeper_counts_are_what_is_played(position, turns):
    assert count(position, 2, turns) == played_out(position, 2, turns)


def test_a_finished_position_counts_nothing():
    finished = at("d5 d6 a7 g1", "b2 b4 f2", hands=(1, 0), moves="d7 xb2")
    assert [count(finished, depth, turns=True) for depth in range(3)] == [0, 0, 0]


def test_draws_end_what_is_counted():
    position = at("d6 a1 a4 f2", "g7 g1 b2 b6", quiet=99)
    assert count(position, 1, turns=False) == len(position.legal_steps())
    assert count(position, 2, turns=False) == 0


def test_repetition_ends_what_is_counted():
    moves = "d6-d5 g7-d7 d5-d6 d7-g7 d6-d5 g7-d7 d5-d6"
    parts = dict(divide(at("d6 a1 a4 f2", "g7 g1 b2 b6", moves=moves), 2, turns=False))
    assert [text for text, leaves in parts.items() if not leaves] == ["d7-g7"]


def test_nothing_played_is_one_way_to_play():
    assert count(rule_set().start(Player.WHITE), 0, turns=False) == 1


@few(7)
@given(positions(), st.booleans())
def test_the_parts_make_the_whole(position, turns):
    parts = list(divide(position, 2, turns))
    assert sum(leaves for _, leaves in parts) == count(position, 2, turns)
    if turns:
        firsts = [position.rules.turn_text(turn.steps) for turn in legal_turns(position)]
    else:
        firsts = [step.text for step in position.legal_steps()]
    assert [text for text, _ in parts] == firsts
