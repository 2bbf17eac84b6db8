"""Levels: legal turns in every rule set, the same for one seed, and no mill left open."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import pytest

from firmware_host.engine import choosing
from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.progress import DepthReport
from firmware_host.engine.searching.scoring import Effort
from firmware_host.engine.solving.folder import open_tables
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import RULE_SETS, levels, rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.openings import game_of


def begun(name: str = "standard") -> Game:
    rules = rule_set(name)
    return Game.begin(rules, rules.start(rules.first or Player.WHITE))


def at(text: str, name: str = "standard") -> Game:
    rules = rule_set(name)
    return Game.begin(rules, rules.position(text))


def after_turn(game: Game, text: str) -> Game:
    for step in game.rules.parse_turn(text):
        game = game.play(game.position.legal_step(step.text))
    return game


def after(questions: int) -> Callable[[], bool]:
    """Return a `stop` that says so from its `questions`-th call on."""
    calls = count(1)
    return lambda: next(calls) >= questions


def replies(game: Game, level: int, seed: int, turns: int) -> Iterator[tuple[Game, str]]:
    rng = random.Random(seed)
    for _ in range(turns):
        if game.outcome is not None:
            return
        text = choose(game, level, rng=rng)
        yield game, text
        game = after_turn(game, text)


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("level", [1, 3])
def test_choose_in_each_rule_set_plays_legal_turns(name: str, level: int) -> None:
    if level > 1 and name == "mitsudomoe":
        level = 2
    turns = [text for _, text in replies(begun(name), level, 5, 6 if name == "mitsudomoe" else 70)]
    assert len(turns) >= 6


@pytest.mark.parametrize("level", [2, 4])
def test_choose_with_one_seed_plays_the_same_game(level: int) -> None:
    first, second = ([text for _, text in replies(begun(), level, 7, 12)] for _ in range(2))
    assert first == second
    assert first != [text for _, text in replies(begun(), level, 8, 12)]


def test_choose_from_level_three_closes_each_mill() -> None:
    closed = 0
    for level in (3, 4):
        for game, text in replies(begun(), level, level, 90):
            possible = any("x" in game.rules.turn_text(turn.steps) for turn in game.position.turns())
            won = after_turn(game, text).outcome is not None
            assert won or ("x" in text) == possible
            closed += possible
    assert closed > 6


@pytest.mark.parametrize("level", range(1, 8))
def test_choose_that_can_win_at_once_wins(level: int) -> None:
    game = at("OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9")
    assert after_turn(game, choose(game, level, rng=random.Random(1))).outcome is not None


@pytest.mark.parametrize("level", range(1, 8))
def test_choose_that_can_shut_in_does_not_close_a_mill(level: int) -> None:
    game = at("@@O@@@O@/O@*@O***/*OO*O*** w m s 7 0 8 0 0 0 0 0 0 0 0 0 1")
    mills = [turn for turn in game.position.turns() if "x" in game.rules.turn_text(turn.steps)]
    assert mills
    for seed in range(5):
        assert choose(game, level, rng=random.Random(seed)) == "g4-f4"


@pytest.mark.parametrize("level", [6, 7])
def test_choose_keeps_a_win_that_tables_know(level: int) -> None:
    game, tables = at("*OOO*O@@/****OO@*/****@*** w m s 6 0 4 0 0 0 0 0 0 0 0 0 1"), open_tables()
    for seed in range(5):
        after = after_turn(game, choose(game, level, rng=random.Random(seed), tables=tables)).position
        assert isinstance(after, MorrisPosition)
        value = tables.probe(after.rules, after.state)
        assert value is not None
        assert value.result is Result.LOSS


@pytest.mark.parametrize(
    ("game", "hardest"),
    [
        (game_of(["g1", "d6", "d2", "a7"]), {"d1", "d3"}),  # all but one reply leave the mill open
        (
            at("O@**O***/******O*/O**O@**@ w m s 5 0 3 0 0 0 0 0 0 0 0 0 1"),
            {"b4-b6"},
        ),  # Black has to fly to d6
    ],
    ids=["placing", "flying"],
)
def test_choose_among_draws_plays_one_that_most_replies_lose(
    game: Game, hardest: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = open_tables()
    monkeypatch.setattr(tables, "know_rest", lambda *_: True)
    for seed in range(5):
        assert choose(game, 8, rng=random.Random(seed), tables=tables, stop=after(40)) in hardest


def test_choose_lets_no_win_go_for_a_certified_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    game, tables = game_of(["d6", "f4", "d7"]), open_tables()
    drawn = after_turn(game, "d3").position
    assert isinstance(drawn, MorrisPosition)
    monkeypatch.setattr(tables, "reply", lambda *_, **__: (drawn.state.theirs, drawn.state.mine))
    assert choose(game, 8, rng=random.Random(1), tables=tables) == "d5"


def test_choose_to_a_depth_looks_ahead_that_far() -> None:
    found: list[DepthReport] = []
    choose(after_turn(begun(), "d6"), 8, rng=random.Random(1), depth=4, report=found.append)
    assert [finding.depth for finding in found] == [1, 2, 3, 4]
    assert all(len(finding.turns) <= finding.depth for finding in found)
    assert len(found[-1].turns) > 1


@pytest.mark.parametrize("name", ["standard", "lasker", "the-mill", "six", "twelve"])
def test_choose_reports_turns_that_can_be_played(name: str) -> None:
    for game, _ in replies(begun(name), 2, 3, 40):
        found: list[DepthReport] = []
        choose(game, 5, rng=random.Random(1), report=found.append)
        for text in found[-1].turns if found else ():
            game = after_turn(game, text)


def test_search_in_python_has_no_more_nodes_than_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    game = at("O@O@O@O@/*@O@O*O@/O@*O*@** w m s 9 0 9 0 0 0 0 0 0 0 0 0 1")
    found: list[DepthReport] = []
    small = replace(choosing._MILL[7], python_nodes=2_000)
    monkeypatch.setitem(choosing._MILL, 7, small)
    choose(game, 7, rng=random.Random(1), native=False, report=found.append)
    assert 1 <= len(found) < small.depth
    assert found[-1].nodes < 4_000


def test_choose_with_a_removal_due_ends_the_turn() -> None:
    game = after_turn(at("OO******/@@******/******** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3"), "c5")
    text = choose(game, 4, rng=random.Random(1))
    assert text in ("xd6", "xf6")
    assert after_turn(game, text).position.to_move is Player.BLACK


def test_choose_that_is_stopped_at_once_still_chooses() -> None:
    text = choose(begun(), 8, rng=random.Random(1), stop=lambda: True)
    assert after_turn(begun(), text).ply == 1


def test_choose_after_the_end_raises() -> None:
    game = at("O*O*****/********/@@*****O w o s 3 0 2 0 0 0 0 0 0 0 0 0 9")
    with pytest.raises(RequestError, match="over"):
        choose(game, 1, rng=random.Random(1))


@pytest.mark.parametrize(("name", "level"), [("standard", 9), ("standard", 0), ("mitsudomoe", 4)])
def test_choose_at_an_unknown_level_raises(name: str, level: int) -> None:
    game = begun(name)
    assert level not in levels(game.rules)
    with pytest.raises(RequestError, match=f"no level {level}"):
        choose(game, level, rng=random.Random(1))


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        ("O***O***/O**@*@**/@*@*@*@@ w m s 3 0 7 0 0 0 0 0 0 0 0 0 9", 4),
        ("O@O@O@O@/*@O@O*O@/O@*O*@** w m s 9 0 9 0 0 0 0 0 0 0 0 0 1", 6),
    ],
    ids=["flying", "sliding"],
)
def test_level_seven_looks_less_far_where_turns_are_many(
    fen: str, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts: list[Effort] = []

    def scores(_position: object, found: list[object], effort: Effort, *_: object) -> list[int]:
        efforts.append(effort)
        return [0] * len(found)

    monkeypatch.setattr(choosing, "mill_scores", scores)
    choose(at(fen), 7, rng=random.Random(1))
    assert [effort.depth for effort in efforts] == [depth]
