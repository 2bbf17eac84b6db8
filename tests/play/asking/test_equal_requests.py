"""Every option does in every game what its request does: one board is touched, and another is asked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.records import GameRecord, record_text
from firmware_host.games.rulesets import RULE_SETS, rule_set
from tests.support.hands_that_ask import Hands
from tests.support.matrix import sampled

STEPS = 9
KEYS = (
    "rules",
    "position",
    "to_move",
    "status",
    "moves",
    "missing",
    "extra",
    "wrong",
    "outcome",
    "redo",
    "seats",
)


def request_of(does: str, before: dict[str, Any]) -> dict[str, Any] | None:
    """Return the request that is called so on the board; None for those that only lead on."""
    kind, _, value = does.partition(":")
    seats = before.get("seats", {"white": "here", "black": "here"})
    match kind:
        case "hint" | "take-back" | "redo" | "undo" | "pause" | "resume" | "draw" | "set-up" | "lesson":
            return {"do": kind}
        case "white-won" | "black-won":
            return {"do": "resign", "player": "black" if kind == "white-won" else "white"}
        case "again":
            return {"do": "new-game"}
        case "rules" if value:
            return {"do": "new-game", "rules": value}
        case "people":
            return {"do": "seats", "white": "here", "black": "here"}
        case "board-white" | "board-black" | "board-both":
            own = {side: "engine:3" if kind.endswith((side, "both")) else "here" for side in seats}
            return {"do": "seats", **own}
        case "engine":
            return {"do": "seats", "white": "here", "black": does}
        case "theme":
            return {"do": "set", "theme": value}
        case "hints":
            return {"do": "set", "hints": False}
        case "brightness":
            return {"do": "set", "brightness": int(value.rstrip("%")) / 100 if value else 1.0}
        case "clock" if value:
            return {"do": "set", "clock": value}
        case "clock-strict":
            return {"do": "set", "clock_flag": "strict"}
        case _:
            return None


def game_of(name: str) -> Game:
    """Return a game that has gone on for some steps, whose last turn is over."""
    rules = rule_set(name)
    for seed in range(100):
        luck, game = Random(seed), Game.begin(rules, rules.start(rules.first or Player.WHITE))
        while game.outcome is None and (game.ply < STEPS or game.mid_turn):
            game = game.play(luck.choice(game.position.legal_steps()))
        if game.outcome is None:
            return game
    raise AssertionError(f"every game of {name} ends at once")


def board(game: Game) -> Hands:
    hands = Hands(game.rules.name, engine=False)
    hands.do(**{"continue": record_text(GameRecord(game))})
    hands.wait(1)
    return hands


def choices(game: Game) -> Iterator[list[str]]:
    """Yield the points to touch for each option of each question."""
    hands = board(game)
    hands.ask("ask")
    first = hands.state["asking"]["options"]
    for point, does in first.items():
        yield [point]
        if does in ("rules", "opponent", "board", "clock"):
            hands.ask("answer", point=point)
            yield from ([point, deeper] for deeper in hands.state["asking"]["options"])
            hands.ask("ask")
            hands.ask("ask")
    hands.close()


def after(hands: Hands) -> dict[str, Any]:
    """Return what is left of a choice once the ask is closed."""
    if hands.asking is not None:
        hands.ask("ask")
    hands.wait(2)
    state = hands.state
    preferences = hands.board.life.play.controller.preferences.effective
    return {"preferences": preferences, **{key: state.get(key) for key in KEYS}}


def touched(game: Game, points: list[str]) -> tuple[str, dict[str, Any]]:
    """Return what the last of these points does, and what is left of touching them."""
    hands = board(game)
    hands.ask("ask")
    does = ""
    for point in points:
        asking = hands.state["asking"]
        does = asking["options"][point]
        hands.touch(point)
        if hands.asking is not None and hands.state["asking"]["sure"]:
            hands.touch(point)
    left = after(hands)
    hands.close()
    return does, left


def asked(game: Game, does: str) -> dict[str, Any]:
    """Return what is left of the request of that name, on a board that was asked and answered nothing."""
    hands = board(game)
    request = request_of(does, hands.state)
    if request is not None:
        hands.do(**request)
    left = after(hands)
    hands.close()
    return left


@pytest.mark.ci
@pytest.mark.parametrize(
    "name", sampled(["mitsudomoe", *(name for name in RULE_SETS if name != "mitsudomoe")])
)
def test_every_option_does_what_its_request_does(name: str) -> None:
    game = game_of(name)
    found = set()
    for points in choices(game):
        does, left = touched(game, points)
        assert left == asked(game, does), (points, does)
        found.add(does)
    assert {
        "take-back",
        "pause",
        "draw",
        "white-won",
        "black-won",
        "again",
        "people",
        "engine:1",
        "clock:5+3",
    } <= found
    assert found >= {
        f"rules:{other}" for other in RULE_SETS if (other == "mitsudomoe") == (name == "mitsudomoe")
    }
