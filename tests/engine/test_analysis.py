"""Values of turns against plain minimax on the positions that are played."""

from __future__ import annotations

import random

import pytest

from firmware_host.engine import analysis
from firmware_host.engine.analysis import position_value, quick_values, turn_values
from firmware_host.engine.searching import scoring
from firmware_host.engine.searching.scoring import MillSearch, mill_search
from firmware_host.engine.tables import Tables
from firmware_host.games.game import Game, Player, Position
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result, Value
from tests.support.matrix import CI, sampled

MATE = "OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9"


def plain_value(position: Position, depth: int) -> tuple[Result, int]:
    """Return the result that `depth` turns prove for the player to move, and its distance."""
    if position.outcome is not None:
        winner = position.outcome.winner
        if winner is None:
            return Result.DRAW, 0
        return (Result.WIN if winner is position.to_move else Result.LOSS), 0
    if not depth:
        return Result.UNKNOWN, 0
    found = []
    for turn in position.turns():
        after = turn.positions[-1]
        result, distance = plain_value(after, depth - 1)
        found.append((result.reversed if after.to_move is not position.to_move else result, distance + 1))
    wins = [distance for result, distance in found if result is Result.WIN]
    if wins:
        return Result.WIN, min(wins)
    losses = [distance for result, distance in found if result is Result.LOSS]
    return (Result.LOSS, max(losses)) if len(losses) == len(found) else (Result.UNKNOWN, 0)


def late_positions(name: str, settings: tuple[str, ...], seed: int, turns: int) -> list[Position]:
    """Return positions of random games, of which each has few pieces or little room."""
    rng, rules = random.Random(seed), rule_set(name, settings)
    found: list[Position] = []
    while len(found) < 30:
        position = rules.start(Player.WHITE)
        for _ in range(turns):
            if position.outcome is not None:
                break
            options = position.turns()
            taking = [turn for turn in options if len(turn.steps) > 1]
            position = rng.choice(taking or options).positions[-1]
        if position.outcome is None and len(position.turns()) < 16:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("name", "settings"),
    sampled(
        [
            ("standard", ("pieces=4", "flying=never")),
            ("six", ()),
            ("six", ("removal=may",)),
            ("twelve", ("full_board=first-loses",)),
            ("the-mill", ("flying=never", "pieces=5")),
        ],
        others=CI,
    ),
)
def test_turn_values_are_those_of_plain_minimax(name: str, settings: tuple[str, ...]) -> None:
    proofs = 0
    for position in late_positions(name, settings, 2, 40 if name == "twelve" else 22):
        for one in turn_values(position, depth=2):
            game = Game.begin(position.rules, position)
            for step in position.rules.parse_turn(one.turn):
                game = game.play(game.position.legal_step(step.text))
            result, distance = plain_value(game.position, 1)
            if game.position.to_move is not position.to_move:
                result = result.reversed
            if result is not Result.UNKNOWN:
                expected = Value(result, None if result is Result.DRAW else distance + 1, exact=True)
                assert one.value == expected
                proofs += 1
            elif one.value.exact:
                assert one.value.distance is not None
                assert one.value.distance > 2
    assert proofs > 5


def test_turn_values_put_the_best_first() -> None:
    found = turn_values(rule_set().position(MATE), depth=3)
    results = [one.value.result for one in found]
    assert results[0] is Result.WIN
    assert results[-1] is Result.LOSS
    assert results == sorted(results, key=[Result.WIN, Result.UNKNOWN, Result.LOSS].index)
    assert position_value(found) == Value(Result.WIN, 1, exact=True)


def test_turn_values_from_tables_count_the_turn_itself() -> None:
    class LostInSix(Tables):
        def probe(self, rules: MorrisRules, state: MorrisState) -> Value:
            return Value(Result.LOSS, 6, exact=True)

    position = rule_set().position("O*O****O/*O******/@@**@**@ w m s 4 0 4 0 0 0 0 0 0 0 0 0 9")
    found = turn_values(position, tables=LostInSix(), depth=1)
    assert {one.value.distance for one in found if "x" in one.turn} == {1}
    assert {one.value.distance for one in found if "x" not in one.turn} == {7}
    assert {one.value.result for one in found} == {Result.WIN}


def test_turn_values_that_are_stopped_keep_the_first_depth() -> None:
    found = turn_values(rule_set().position(MATE), depth=5, stop=lambda: True)
    assert found[0].value == Value(Result.WIN, 1, exact=True)
    assert len(found) == len(rule_set().position(MATE).turns())


def test_turn_values_of_mitsudomoe_find_a_goal() -> None:
    rules = rule_set("mitsudomoe")
    position = rules.position("-,-,-,wb,wW/b,-,-,wW,wW/-,-,-,-,wb/bB,bB,-,-,b/bB,-,-,-,- w ring 20")
    found = turn_values(position, depth=1)
    assert found[0].value.result is Result.WIN


@pytest.mark.parametrize("name", ["standard", "lasker", "twelve"])
def test_quick_values_search_few_nodes_without_the_library(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[MillSearch] = []

    def noted(position: MorrisPosition, tables: Tables | None) -> MillSearch:
        searches.append(mill_search(position, tables))
        return searches[-1]

    monkeypatch.setattr(scoring, "search_library", lambda: None)
    monkeypatch.setattr(analysis, "mill_search", noted)
    quick_values(rule_set(name).start(Player.WHITE), Tables())
    (search,) = searches
    assert search.nodes < 2_000
