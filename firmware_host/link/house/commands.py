"""The commands that a house gives, as requests to the board's page.

Invariants: whatever comes is one of a few requests or a FarError with the reason. A house can't end a game:
another one begins only when none stands, and one between two boards is left to its players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.decoding import is_number
from firmware_host.errors import FarError
from firmware_host.far.sealing import parsed
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.settings import FAR, MIN_BRIGHTNESS, SOUND_LEVELS, THEME_NAMES

Request = dict[str, Any]
"""A request of a page."""

_DIMMEST = MIN_BRIGHTNESS + 0.01
_SETTINGS: Mapping[str, Callable[[Any], bool]] = {
    "brightness": lambda value: value is None or (is_number(value) and 0 <= value <= 100),
    "theme": lambda value: value in THEME_NAMES,
    "sound": lambda value: value in SOUND_LEVELS,
}


def house_request(payload: bytes, state: Mapping[str, Any]) -> Request:
    """Return the request of a command to a board in this state; raise FarError if there is none."""
    command = parsed(payload)
    what = command.get("do")
    if what in ("pause", "resume", "off"):
        return {"do": what}
    if what == "set":
        return {"do": what, **_settings({key: value for key, value in command.items() if key != "do"})}
    if what == "new-game":
        return {"do": what, **_new_game(command.get("rules"), state)}
    raise FarError(f"a house can't do {what!r}")


def _settings(wanted: Mapping[str, Any]) -> Request:
    for name, value in wanted.items():
        check = _SETTINGS.get(name)
        if check is None or not check(value):
            raise FarError(f"a house can't set {name!r} to {value!r}")
    percent = wanted.get("brightness")
    share = {} if percent is None else {"brightness": _share(percent)}
    return {**wanted, **share}


def _share(percent: float) -> float:
    """Return a brightness of the board: the lowest one reads as off, so a light that is on has more."""
    return max(percent / 100, _DIMMEST) if percent else MIN_BRIGHTNESS


def _new_game(rules: object, state: Mapping[str, Any]) -> Request:
    if rules is not None and not (isinstance(rules, str) and rules in RULE_SETS):
        raise FarError(f"there are no rules {rules!r}")
    if FAR in state["seats"].values():
        raise FarError("the board is playing against another board")
    if state["turns"] and state["outcome"] is None:
        raise FarError("a game is going on")
    return {} if rules is None else {"rules": rules}
