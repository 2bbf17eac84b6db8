"""Preferences: light, take-backs, hints, clocks, sound and speech as players set them while the board runs.

The limits of current and of flashing light are not among them, because they protect people and hardware.

Invariants: a preference that was set overrides the configuration until it is reset; a request sets all of its
values or none; a stored value that is no longer valid falls back to the configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, field, fields, replace
from typing import Any

from firmware_host.errors import NotationError, RequestError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import LANGUAGES
from firmware_host.lights.themes import THEMES
from firmware_host.settings import (
    FLAG_NAMES,
    HINT_NAMES,
    MIN_BRIGHTNESS,
    SOUND_LEVELS,
    SPEECH_LEVELS,
    STARTS,
    Lights,
    Play,
    Sound,
)

PREFERENCES_KEY = "preferences"
"""The name of the stored setting."""


@frozen
class PreferenceValues:
    """A value for each preference."""

    theme: str
    brightness: float
    hints: bool
    take_back: bool
    hint_white: str
    hint_black: str
    clock: str
    clock_flag: str
    starts: str
    sound: str
    speech: str
    language: str


@frozen
class Preferences:
    """The values of the configuration, and those that were set over them."""

    configured: PreferenceValues
    overrides: Mapping[str, Any] = field(default_factory=dict)
    program: str | None = None
    """The name of the other program that the configuration has, if it has one."""

    @classmethod
    def of(
        cls, lights: Lights, play: Play, kept: object = None, *, sound: Sound | None = None
    ) -> Preferences:
        """Return those of a configuration, with the valid ones of the stored values `kept` set over them."""
        own_sound = sound or Sound()
        configured = PreferenceValues(
            lights.theme,
            lights.brightness,
            lights.hints,
            play.take_back,
            play.hint_white,
            play.hint_black,
            str(TimeControls.parse(play.clock)),
            play.clock_flag,
            play.starts,
            own_sound.level,
            own_sound.speech,
            own_sound.language,
        )
        return cls(configured, valid_preferences(kept), play.program)

    @property
    def effective(self) -> PreferenceValues:
        """The values that apply."""
        return replace(self.configured, **self.overrides)

    def with_set(self, values: Mapping[str, Any]) -> Preferences:
        """Return these with `values` set over them, where None resets one.

        Raises RequestError if one of the values is invalid.
        """
        for name, value in values.items():
            fault = _fault_of(name, value)
            if fault is not None and not (value is None and name in _CHECKS):
                raise RequestError(fault)
        overrides = {**self.overrides, **values}
        if overrides.get("clock") is not None:
            overrides["clock"] = str(TimeControls.parse(overrides["clock"]))
        return replace(
            self, overrides={name: value for name, value in overrides.items() if value is not None}
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the public form: the values, what there is to choose from, and the names that were set."""
        return {
            **asdict(self.effective),
            "themes": list(THEMES),
            "set": sorted(self.overrides),
            "external": self.program,
        }


def _check_brightness(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and MIN_BRIGHTNESS <= value <= 1:
        return None
    return f'"brightness" must be a number from {MIN_BRIGHTNESS} to 1'


def _check_switch(name: str) -> Callable[[Any], str | None]:
    return lambda value: None if isinstance(value, bool) else f'"{name}" must be true or false'


def _check_name(name: str, among: Collection[str]) -> Callable[[Any], str | None]:
    def check(value: Any) -> str | None:
        if isinstance(value, str) and value in among:
            return None
        return f'"{name}" cannot be {value!r}; {did_you_mean(str(value), among)}'

    return check


def _check_clock(value: Any) -> str | None:
    try:
        TimeControls.parse(value if isinstance(value, str) else str(value))
    except NotationError as error:
        return f'"clock": {error}'
    return None if isinstance(value, str) else f'"clock" must be a text, such as "{value}"'


_CHECKS: dict[str, Callable[[Any], str | None]] = {
    "theme": _check_name("theme", THEMES),
    "brightness": _check_brightness,
    "hints": _check_switch("hints"),
    "take_back": _check_switch("take_back"),
    "hint_white": _check_name("hint_white", HINT_NAMES),
    "hint_black": _check_name("hint_black", HINT_NAMES),
    "clock": _check_clock,
    "clock_flag": _check_name("clock_flag", FLAG_NAMES),
    "starts": _check_name("starts", STARTS),
    "sound": _check_name("sound", SOUND_LEVELS),
    "speech": _check_name("speech", SPEECH_LEVELS),
    "language": _check_name("language", LANGUAGES),
}
NAMES = tuple(one.name for one in fields(PreferenceValues))
"""The names of the preferences."""


def valid_preferences(kept: object) -> dict[str, Any]:
    """Return those of the stored values that are valid."""
    found = kept if isinstance(kept, Mapping) else {}
    return {name: value for name, value in found.items() if _fault_of(name, value) is None}


def _fault_of(name: str, value: Any) -> str | None:
    check = _CHECKS.get(name)
    return f"there is no {name!r} to set" if check is None else check(value)
