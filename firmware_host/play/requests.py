"""Requests of a button or a page to a game, as the objects of the headless board: `{"do": "take-back"}`.

Invariants: a request is done completely or not at all; an error says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Must, decode, is_object, is_text
from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from firmware_host.play.controller import Controller
from firmware_host.play.preferences import NAMES

Request = Mapping[str, Any]

_PLAYERS = {str(player): player for player in Player}

_RuleSet: TypeAlias = Annotated[str | None, Must("the name of a rule set", is_text)]
_Switches: TypeAlias = Annotated[
    Mapping[str, Any] | None, Must('an object of switches, such as {"captures": "one"}', is_object)
]
_Player: TypeAlias = Annotated[
    Player | None,
    Must('"white" or "black"', lambda name: name in (None, *_PLAYERS), _PLAYERS.get, quotes=True),
]
_Choice: TypeAlias = Annotated[
    str | None, Must('the text of a turn, such as "d6-d5xa1"', lambda turn: turn is None or is_text(turn))
]
_Turn: TypeAlias = Annotated[str, Must('the text of a turn, such as "d6-d5"', is_text)]
_Point: TypeAlias = Annotated[str, Must('the name of a point, such as "d6"', is_text)]


def perform(controller: Controller, request: Request) -> None:
    """Do what `request` asks for, so that the next frame's light answers it.

    Raises RequestError (or NotationError, of a rule set) if it is not possible.
    """
    name = request.get("do")
    action = _REQUESTS.get(name) if isinstance(name, str) else None
    if action is None:
        raise RequestError(f"cannot do {name!r}; known are {', '.join(sorted(_REQUESTS))}")
    members = {key: value for key, value in request.items() if key != "do"}
    action(controller, **decode(action, members, str(name), RequestError))
    controller.refresh()


def _new_game(controller: Controller, *, rules: _RuleSet = None, set_: _Switches = None) -> None:
    current = controller.session.game.rules
    if rules is None and not set_:
        controller.controls.new_game(current)
        return
    switches = [f"{switch}={_switch_text(value)}" for switch, value in (set_ or {}).items()]
    controller.controls.new_game(rule_set(current.name if rules is None else rules, switches))


def _switch_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _resign(controller: Controller, *, player: _Player = None) -> None:
    controller.controls.resign(player)


def _choose(controller: Controller, *, turn: _Choice = None) -> None:
    controller.controls.choose(turn)


def _confirm(controller: Controller, *, turn: _Turn) -> None:
    controller.controls.confirm(turn)


def _mask(controller: Controller, *, point: _Point) -> None:
    controller.controls.mask(point)


def _unmask(controller: Controller, *, point: _Point) -> None:
    controller.controls.unmask(point)


_ABSENT = object()
"""The value of a setting that a request does not have; None resets a setting."""


def _set(
    controller: Controller,
    *,
    theme: object = _ABSENT,
    brightness: object = _ABSENT,
    hints: object = _ABSENT,
    take_back: object = _ABSENT,
) -> None:
    members = {"theme": theme, "brightness": brightness, "hints": hints, "take_back": take_back}
    values = {name: value for name, value in members.items() if value is not _ABSENT}
    if not values:
        raise RequestError(f'"set" needs something to set, of {", ".join(NAMES)}')
    controller.prefer(controller.preferences.with_set(values))


_REQUESTS: Mapping[str, Callable[..., None]] = {
    "new-game": _new_game,
    "take-back": lambda controller: controller.controls.take_back(),
    "redo": lambda controller: controller.controls.redo(),
    "decline": lambda controller: controller.controls.decline(),
    "resign": _resign,
    "draw": lambda controller: controller.controls.agree_draw(),
    "pause": lambda controller: controller.controls.pause(),
    "resume": lambda controller: controller.controls.resume(),
    "choose": _choose,
    "mask": _mask,
    "unmask": _unmask,
    "confirm": _confirm,
    "set": _set,
}
