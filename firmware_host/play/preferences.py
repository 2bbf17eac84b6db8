"""What players may set while the board runs: theme, brightness, hints, and whether turns can be taken back.

Rules kept here: the configuration says how the board comes, and what was set on it counts over that until it
is set otherwise; what is set is set whole or not at all; what was kept and cannot be used any more is as it
comes. The current, and how fast light may flash, are not among these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from firmware_host.errors import RequestError, did_you_mean
from firmware_host.lights.themes import THEMES
from firmware_host.settings import Lights, Play

KEPT_AS = "preferences"
"""The name under which what was set is kept."""

LEAST_BRIGHTNESS = 0.05
"""Whoever sets less has a dark board, and may not find out why; a configuration can say it all the same."""


@dataclass(frozen=True, slots=True)
class Choices:
    """One value for each thing that can be set."""

    theme: str
    brightness: float
    hints: bool
    take_back: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """How the board comes, and what was set over it."""

    comes: Choices
    over: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, lights: Lights, play: Play, kept: object = None) -> Preferences:
        """Those of a configuration, with what was `kept` of an earlier `over`, as far as it can be used."""
        comes = Choices(lights.theme, lights.brightness, lights.hints, play.take_back)
        found = kept if isinstance(kept, Mapping) else {}
        return cls(comes, {name: value for name, value in found.items() if _objection(name, value) is None})

    @property
    def now(self) -> Choices:
        """What counts."""
        return replace(self.comes, **self.over)

    def with_set(self, values: Mapping[str, Any]) -> Preferences:
        """These with `values` set over them, None for one that is to be as it comes; raises RequestError."""
        for name, value in values.items():
            objection = _objection(name, value)
            if objection is not None and not (value is None and name in _CHECKS):
                raise RequestError(objection)
        over = {**self.over, **values}
        return replace(self, over={name: value for name, value in over.items() if value is not None})

    def as_dict(self) -> dict[str, Any]:
        """The public form: what counts, the themes there are, and the names of what was set."""
        return {**asdict(self.now), "themes": list(THEMES), "set": sorted(self.over)}


def _check_theme(value: Any) -> str | None:
    if isinstance(value, str) and value in THEMES:
        return None
    return f'"theme" cannot be {value!r}; {did_you_mean(str(value), THEMES)}'


def _check_brightness(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and LEAST_BRIGHTNESS <= value <= 1:
        return None
    return f'"brightness" must be a number from {LEAST_BRIGHTNESS} to 1'


def _check_switch(name: str) -> Callable[[Any], str | None]:
    return lambda value: None if isinstance(value, bool) else f'"{name}" must be true or false'


_CHECKS: dict[str, Callable[[Any], str | None]] = {
    "theme": _check_theme,
    "brightness": _check_brightness,
    "hints": _check_switch("hints"),
    "take_back": _check_switch("take_back"),
}
NAMES = tuple(one.name for one in fields(Choices))
"""What can be set."""


def _objection(name: str, value: Any) -> str | None:
    check = _CHECKS.get(name)
    return f"there is no {name!r} to set" if check is None else check(value)
