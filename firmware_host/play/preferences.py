"""Preferences: light, take-backs, hints, clocks, sound and speech as players set them while the board runs.

Which settings these are, and their values, is in the table of `settings.py`. The limits of current and of
flashing light are not among them, because they protect people and hardware.

Invariants: a preference that was set overrides the configuration until it is reset; a request sets all of its
values or none; a stored value that is no longer valid falls back to the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field, fields, replace
from typing import Any, NamedTuple

from firmware_host.errors import NotationError, RequestError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.time_control import TimeControls
from firmware_host.settings import PREFERENCES, THEME_NAMES, Lights, Play, Sound

PREFERENCES_KEY = "preferences"
"""The name of the stored setting."""


class PreferenceValues(NamedTuple):
    """The sections of the settings that have preferences, with the values that apply."""

    lights: Lights
    play: Play
    sound: Sound

    def with_set(self, overrides: Mapping[str, Any]) -> PreferenceValues:
        """Return these with preferences set over them, by their names."""
        return PreferenceValues(*(_with_set(section, overrides) for section in self))

    def as_dict(self) -> dict[str, Any]:
        """Return the value of each preference, by its name."""
        return {
            setting.metadata["name"]: getattr(section, setting.name)
            for section in self
            for setting in fields(section)
            if "name" in setting.metadata
        }


@frozen
class Preferences:
    """The values of the configuration, and those that were set over them."""

    configured: PreferenceValues
    effective: PreferenceValues
    """The values that apply."""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, lights: Lights, play: Play, kept: object = None, *, sound: Sound | None = None
    ) -> Preferences:
        """Return those of a configuration, with the valid ones of the stored values `kept` set over them."""
        play = replace(play, clock=str(TimeControls.parse(play.clock)))
        configured, overrides = PreferenceValues(lights, play, sound or Sound()), valid_preferences(kept)
        return cls(configured, configured.with_set(overrides), overrides)

    def with_set(self, values: Mapping[str, Any]) -> Preferences:
        """Return these with `values` set over them, where None resets one.

        Raises RequestError if one of the values is invalid.
        """
        for name, value in values.items():
            fault = _fault_of(name, value)
            if fault is not None and not (value is None and name in PREFERENCES):
                raise RequestError(fault)
        merged = {**self.overrides, **values}
        overrides = {name: value for name, value in merged.items() if value is not None}
        if "clock" in overrides:
            overrides["clock"] = str(TimeControls.parse(overrides["clock"]))
        return replace(self, effective=self.configured.with_set(overrides), overrides=overrides)

    def as_dict(self) -> dict[str, Any]:
        """Return the public form: the values, what there is to choose from, and the names that were set."""
        return {
            **self.effective.as_dict(),
            "themes": list(THEME_NAMES),
            "set": sorted(self.overrides),
            "external": self.configured.play.program,
        }


def _with_set(section: Any, overrides: Mapping[str, Any]) -> Any:
    named = {setting.metadata.get("name"): setting.name for setting in fields(section)}
    changes = {named[name]: value for name, value in overrides.items() if name in named}
    return replace(section, **changes) if changes else section


def valid_preferences(kept: object) -> dict[str, Any]:
    """Return those of the stored values that are valid."""
    found = kept if isinstance(kept, Mapping) else {}
    return {name: value for name, value in found.items() if _fault_of(name, value) is None}


def _fault_of(name: str, value: Any) -> str | None:
    """Return what is wrong with a value; None if the preference can have it."""
    setting = PREFERENCES.get(name)
    if setting is None:
        return f"there is no {name!r} to set"
    if name == "clock":
        return _fault_of_clock(value)
    if isinstance(setting.default, bool):
        return None if isinstance(value, bool) else f'"{name}" must be true or false'
    if "least" in setting.metadata:
        return _fault_of_number(name, value, setting)
    among = setting.metadata["among"]
    if isinstance(value, str) and value in among:
        return None
    return f'"{name}" cannot be {value!r}; {did_you_mean(str(value), among)}'


def _fault_of_number(name: str, value: Any, setting: Field[Any]) -> str | None:
    limits = setting.metadata
    least, most = limits.get("least_for_players", limits["least"]), limits["most"]
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return None
    return f'"{name}" must be a number from {least:g} to {most:g}'


def _fault_of_clock(value: Any) -> str | None:
    try:
        TimeControls.parse(value if isinstance(value, str) else str(value))
    except NotationError as error:
        return f'"clock": {error}'
    return None if isinstance(value, str) else f'"clock" must be a text, such as "{value}"'
