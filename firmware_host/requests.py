"""What a button or a page can ask of a game, as the objects of the headless board: `{"do": "take-back"}`.

Rules kept here: a request is done whole or not at all; what is wrong with it is said in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.controller import Controller
from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from firmware_host.session import Session

Request = Mapping[str, Any]


def perform(controller: Controller, request: Request) -> None:
    """Do what `request` asks, and have the next frame's light answer it.

    Raises RequestError (or NotationError, of a rule set) where that cannot be.
    """
    name = request.get("do")
    known = _REQUESTS.get(name) if isinstance(name, str) else None
    if known is None:
        raise RequestError(f"cannot do {name!r}; known are {', '.join(sorted(_REQUESTS))}")
    keys, action = known
    for key in request:
        if key not in ("do", *keys):
            raise RequestError(f"{name!r} takes no {key!r}; it takes {', '.join(keys) or 'nothing else'}")
    action(controller.session, request)
    controller.refresh()


def _new_game(session: Session, request: Request) -> None:
    rules, switches = session.game.rules, request.get("set", {})
    if not isinstance(switches, Mapping):
        raise RequestError('"set" must be an object of switches, such as {"captures": "one"}')
    if "rules" in request or switches:
        name = request.get("rules", rules.name)
        if not isinstance(name, str):
            raise RequestError('"rules" must be the name of a rule set')
        rules = rule_set(name, [f"{switch}={_text(value)}" for switch, value in switches.items()])
    session.new_game(rules)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _resign(session: Session, request: Request) -> None:
    name = request.get("player")
    player = next((player for player in Player if str(player) == name), None)
    if name is not None and player is None:
        raise RequestError(f'"player" must be "white" or "black", not {name!r}')
    session.resign(player)


def _choose(session: Session, request: Request) -> None:
    turn = request.get("turn")
    if turn is not None and not isinstance(turn, str):
        raise RequestError('"turn" must be the text of a turn, such as "d6-d5xa1"')
    session.choose(turn)


_REQUESTS: dict[str, tuple[tuple[str, ...], Callable[[Session, Request], None]]] = {
    "new-game": (("rules", "set"), _new_game),
    "take-back": ((), lambda session, _: session.take_back()),
    "decline": ((), lambda session, _: session.decline()),
    "resign": (("player",), _resign),
    "draw": ((), lambda session, _: session.agree_draw()),
    "pause": ((), lambda session, _: session.pause()),
    "resume": ((), lambda session, _: session.resume()),
    "choose": (("turn",), _choose),
}
