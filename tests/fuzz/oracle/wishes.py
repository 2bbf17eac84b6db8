"""The settings that people have chosen on a board: theme, brightness, hints and take-backs.

A board comes with the first of THEMES, with hints, and turns may be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

THEMES = ("harbour", "candle", "contrast")
_VALUES: dict[str, tuple[Any, ...]] = {
    "theme": (*THEMES, None),
    "brightness": (0.05, 0.2, 0.6, 1, None),
    "hints": (True, False, None),
    "take_back": (True, True, False, None),
}


@dataclass
class Wishes:
    """The latest settings; `follow` receives the requests that a board accepted."""

    hints: bool = True
    take_back: bool = True

    def another(self, luck: Random) -> dict[str, Any]:
        """Something to be set, that can be; None is as the board comes."""
        names = luck.sample(sorted(_VALUES), luck.choice((1, 1, 2)))
        return {name: luck.choice(_VALUES[name]) for name in names}

    def can_follow(self, request: Mapping[str, Any]) -> bool:
        """Return whether all requested settings are possible, and there is one."""
        values = {name: value for name, value in request.items() if name != "do"}
        return bool(values) and all(value in _VALUES[name] for name, value in values.items())

    def follow(self, request: Mapping[str, Any]) -> None:
        """Take in what was set."""
        if "hints" in request:
            self.hints = request["hints"] is not False
        if "take_back" in request:
            self.take_back = request["take_back"] is not False
