"""What a button or a page can ask of a game, as the objects of the headless board: `{"do": "take-back"}`.

Rules kept here: a request is done whole or not at all; what is wrong with it is said in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.play import masking as masks
from firmware_host.play.controller import Controller
from firmware_host.play.preferences import NAMES
from firmware_host.tracking.sensor_model import Sight

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
    action(controller, request)
    controller.refresh()


def _new_game(controller: Controller, request: Request) -> None:
    session = controller.session
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


def _resign(controller: Controller, request: Request) -> None:
    name = request.get("player")
    player = next((player for player in Player if str(player) == name), None)
    if name is not None and player is None:
        raise RequestError(f'"player" must be "white" or "black", not {name!r}')
    controller.session.resign(player)


def _choose(controller: Controller, request: Request) -> None:
    turn = request.get("turn")
    if turn is not None and not isinstance(turn, str):
        raise RequestError('"turn" must be the text of a turn, such as "d6-d5xa1"')
    controller.session.choose(turn)


def _confirm(controller: Controller, request: Request) -> None:
    turn = request.get("turn")
    if not isinstance(turn, str):
        raise RequestError('"turn" must be the text of what was done, such as "d6-d5"')
    controller.session.confirm(turn)


def _mask(change: Callable[[Sight, Layout, str], Sight]) -> Callable[[Controller, Request], None]:
    def do(controller: Controller, request: Request) -> None:
        point = request.get("point")
        if not isinstance(point, str):
            raise RequestError('"point" must be the name of a point, such as "d6"')
        session = controller.session
        session.look_through(change(session.sight, session.game.rules.layout, point))

    return do


def _set(controller: Controller, request: Request) -> None:
    values = {name: value for name, value in request.items() if name != "do"}
    if not values:
        raise RequestError(f'"set" needs something to set, of {", ".join(NAMES)}')
    controller.prefer(controller.preferences.with_set(values))


_REQUESTS: dict[str, tuple[tuple[str, ...], Callable[[Controller, Request], None]]] = {
    "new-game": (("rules", "set"), _new_game),
    "take-back": ((), lambda controller, _: controller.session.take_back()),
    "decline": ((), lambda controller, _: controller.session.decline()),
    "resign": (("player",), _resign),
    "draw": ((), lambda controller, _: controller.session.agree_draw()),
    "pause": ((), lambda controller, _: controller.session.pause()),
    "resume": ((), lambda controller, _: controller.session.resume()),
    "choose": (("turn",), _choose),
    "mask": (("point",), _mask(masks.mask)),
    "unmask": (("point",), _mask(masks.unmask)),
    "confirm": (("turn",), _confirm),
    "set": (NAMES, _set),
}
