"""Positions, boards and pieces as pages and walls draw them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.errors import RequestError
from firmware_host.games.drawn import kinds_of, position_after
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from tests.support.games.random_games import played
from tests.support.scripted_board import after

FOUR = ("standard", "pieces=4", "flying=never")
MILL = "d6 f4 d7 a1 a7 g1 g4 c4 g4-g7xa1 c4-c5"


def game(turns: str, *rules: str) -> Game:
    return after(turns, *rules).session.game


STARTS = {"white": ("a1", "b1", "a2"), "black": ("e5", "d5", "e4")}


def test_a_position_of_stacks_says_what_lies_beneath() -> None:
    rules = rule_set("mitsudomoe")
    start = position_after(Game.begin(rules, rules.start(Player.WHITE)), 0)
    assert start["standing"]["a1"] == "white-ball"
    white, black = ({name: [f"{player}-ring"] for name in names} for player, names in STARTS.items())
    assert start["beneath"] == white | black
    assert start["in_hand"] == {"white-ring": 5, "black-ring": 5}


def test_an_unfinished_turn_counts_as_the_last() -> None:
    position = position_after(game(MILL.rsplit(" ", 2)[0], *FOUR), 8)
    assert position["of"] == 8
    begun = game(MILL, *FOUR).back_to(9)
    assert begun.mid_turn
    assert position_after(begun, 9)["turn"] == "g4-g7"


def _stack(position: dict[str, Any], point: str) -> list[str]:
    return [*position["beneath"].get(point, []), position["standing"].get(point, "")]


@example(5108)
@given(st.integers(0, 10**6))
def test_each_turn_leads_to_the_next_position(seed: int) -> None:
    luck = Random(seed)
    some = played(luck, luck.randint(0, 60))
    texts = some.turn_texts()
    for turns, text in enumerate(texts, start=1):
        before, now = position_after(some, turns - 1), position_after(some, turns)
        assert now["turn"] == text
        # A ring that lands on another of its kind changes only what lies beneath.
        changed = {point for point in now["landed"] if _stack(before, point) != _stack(now, point)}
        assert changed == set(now["landed"])
    with pytest.raises(RequestError, match="fewer than"):
        position_after(some, len(texts) + 1)


def test_what_pieces_are_like_is_told_by_their_kinds() -> None:
    assert kinds_of(rule_set("mitsudomoe").box) == {
        "white-ring": {"player": "white", "form": "ring", "flat": True},
        "black-ring": {"player": "black", "form": "ring", "flat": True},
        "white-ball": {"player": "white", "form": "ball", "flat": False},
        "black-ball": {"player": "black", "form": "ball", "flat": False},
    }
    assert kinds_of(rule_set("lasker").box) == {
        player: {"player": player, "form": "disc", "flat": False} for player in ("white", "black")
    }
