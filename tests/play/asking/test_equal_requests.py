"""Every option at every level of the menus does what its request does: one board is touched, one is asked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.records import GameRecord, record_text
from firmware_host.games.rulesets import RULE_SETS, rule_set, standard_options
from tests.support.hands_that_ask import AskingHands
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
    "off",
    "sound",
)
GROUPS = ("rules", "opponent", "board", "clock", "starting", "white-clock", "black-clock")
"""The options that lead to another question."""
SITUATIONS = {
    "begun": (),
    "paused": ({"do": "pause"},),
    "over": ({"do": "resign", "player": "white"},),
    "taken back": ({"do": "take-back"},),
}
"""The requests that lead a game that has begun to other options, and back to the right pieces."""


def request_of(does: str, before: dict[str, Any]) -> dict[str, Any] | None:
    """Return the request that is called so on the board; None for those that only lead on."""
    kind, _, value = does.partition(":")
    seats = before.get("seats", {"white": "here", "black": "here"})
    match kind:
        case (
            "hint"
            | "take-back"
            | "redo"
            | "undo"
            | "pause"
            | "resume"
            | "draw"
            | "set-up"
            | "lesson"
            | "puzzle"
            | "off"
        ):
            return {"do": kind}
        case "sound":
            return {"do": "set", "sound": "all"}
        case "starts":
            return {"do": "set", "starts": value}
        case "odds":
            return {"do": "new-game", "rules": before["rules"], "set": {"odds": value.replace("-", ":-")}}
        case "white-clock" | "black-clock" if value:
            return {"do": "set", "clock": f"{value}/none" if kind == "white-clock" else f"none/{value}"}
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


def board(game: Game, situation: str) -> AskingHands:
    hands = AskingHands(game.rules.name, engine=False, buzzer=True)
    hands.do(**{"continue": record_text(GameRecord(game))})
    hands.wait(1)
    for request in SITUATIONS[situation]:
        hands.do(**request)
        state = hands.state
        for point in state["extra"]:
            hands.do(lift=point)
        for point in state["missing"]:
            hands.do(put=point)
        hands.do(box=True)
        hands.wait(4)
    return hands


def choices(game: Game, situation: str) -> Iterator[tuple[list[str], str]]:
    """Yield the points to touch for each option of each question, and what the last of them does."""
    hands = board(game, situation)
    paths: list[list[str]] = [[]]
    for path in paths:
        hands.ask("ask")
        for point in path:
            hands.ask("answer", point=point)
        for point, does in hands.state["asking"]["options"].items():
            yield [*path, point], does
            if does in GROUPS:
                paths.append([*path, point])
        hands.ask("ask")
    hands.close()


def after(hands: AskingHands) -> dict[str, Any]:
    """Return what is left of a choice once the ask is closed."""
    if hands.asking is not None:
        hands.ask("ask")
    hands.wait(2)
    state = hands.state
    controller = hands.board.life.play.controller
    values, rules = controller.preferences.effective, controller.session.game.rules.describe()
    return {"preferences": values, "rules": rules, **{key: state.get(key) for key in KEYS}}


def touched(game: Game, situation: str, points: list[str]) -> dict[str, Any]:
    """Return what is left of touching these points."""
    hands = board(game, situation)
    hands.ask("ask")
    for point in points:
        hands.touch(point)
        if hands.asking is not None and hands.state["asking"]["sure"]:
            hands.touch(point)
    left = after(hands)
    hands.close()
    return left


def asked(game: Game, situation: str, does: str) -> dict[str, Any]:
    """Return what is left of the request of that name, on a board that was asked and answered nothing."""
    hands = board(game, situation)
    request = request_of(does, hands.state)
    if request is not None:
        hands.do(**request)
    left = after(hands)
    hands.close()
    return left


@pytest.mark.ci("examples")
@pytest.mark.parametrize(
    "name", sampled(["mitsudomoe", *(name for name in RULE_SETS if name != "mitsudomoe")])
)
def test_every_option_does_what_its_request_does(name: str) -> None:
    game = game_of(name)
    found: set[str] = set()
    for situation in SITUATIONS:
        for points, does in choices(game, situation):
            if does not in found:
                assert touched(game, situation, points) == asked(game, situation, does), (
                    situation,
                    points,
                    does,
                )
                found.add(does)
    requests = {
        "take-back",
        "redo",
        "undo",
        "pause",
        "resume",
        "draw",
        "white-won",
        "black-won",
        "again",
        "off",
    }
    settings = {"people", "engine:1", "clock:5+3", "white-clock:30", "black-clock:move:30", "starts:loser"}
    assert found >= requests | settings | {"sound", "hints", "set-up", "brightness:60%"}
    assert ("odds:black-3" in found) is ("odds" in standard_options(name))
    assert found >= {
        f"rules:{other}" for other in RULE_SETS if (other == "mitsudomoe") == (name == "mitsudomoe")
    }
