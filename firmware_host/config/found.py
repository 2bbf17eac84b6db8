"""The wiring that a set-up by the page has found, beside a configuration that the service may not write.

Invariants: the last word counts: what was found is used until the configuration says something else about the
wiring, or another set-up has written it, and never again after that. It says nothing about any other setting.
A damaged file never stops a program, and neither does one that fits other rules.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path

from firmware_host.config.loader import Config, combined_faults, load, parse_config
from firmware_host.config.paths import SYSTEM_FOUND, SYSTEM_PATH, find_config, found_beside
from firmware_host.settings import Sensors
from firmware_host.state_files import Report, read_state, set_aside


def configured(
    given: str | Path | None = None,
    environ: Mapping[str, str] = os.environ,
    *,
    report: Report | None = None,
) -> Config:
    """Return the settings of a board: those of its configuration, with the wiring that was found for them.

    A file that is `given` counts alone. Raises ConfigError; `report` gets what was found if it is damaged.
    """
    config, found = load(find_config(given, environ)), found_beside(given, environ)
    return config if found is None else with_found(config, found, report)


def with_found(config: Config, path: Path, report: Report | None = None) -> Config:
    """Return the settings with the wiring that the file at `path` has for them, if it is there.

    A file that doesn't fit them, or no longer, is set aside.
    """
    fits = wiring_mark(config)

    def parse(data: bytes) -> tuple[Config, ...]:
        text = data.decode("utf-8")
        found = [with_wiring_of(config, parse_config(text, path))] if fits in text.splitlines() else []
        return tuple(one for one in found if not combined_faults(one))

    with suppress(OSError):  # only root and the service itself may read it
        wired = read_state(path, parse, report)
        if wired:
            return wired[0]
        if wired is not None:
            set_aside(path, None, kind="outdated")
    return config


def forget_found(path: Path) -> None:
    """Set aside what the page's set-up found, since another one has written the configuration at `path`."""
    if path == SYSTEM_PATH.resolve() and SYSTEM_FOUND.exists():
        set_aside(SYSTEM_FOUND, None, kind="outdated")


def wiring_mark(config: Config) -> str:
    """Return a comment that differs for configurations in which something else is written about the wiring.

    A value that is written counts, even if it is the default.
    """
    written = {tuple(key.split(".")[:2]) for key in config.origins if key.startswith(_WIRING)}
    wiring = {".".join(key): getattr(getattr(config, key[0]), key[1]) for key in sorted(written)}
    digest = hashlib.sha256(json.dumps(wiring, sort_keys=True).encode()).hexdigest()
    return f"# It counts until the configuration says something else about the wiring than {digest[:32]}."


def with_wiring_of(config: Config, found: Config) -> Config:
    """Return the settings with what a set-up finds taken from `found`."""
    sensors, strip = found.sensors, found.strip
    return replace(
        config,
        sensors=replace(config.sensors, points=sensors.points, levels=sensors.levels),
        strip=replace(config.strip, points=strip.points, leds=strip.leds, order=strip.order),
        controls=replace(config.controls, button=found.controls.button),
        sound=replace(config.sound, buzzer=found.sound.buzzer),
        origins={**config.origins, **{key: value for key, value in found.origins.items() if key in _FOUND}},
    )


_WIRING = (
    *(f"sensors.{one.name}" for one in fields(Sensors) if one.name not in ("settling_us", "pull_up")),
    *(f"strip.{name}" for name in ("backend", "leds", "order", "points", "white_bar", "black_bar")),
    "controls.button",
    "sound.buzzer",
)
"""The settings that say how a board is wired."""

_FOUND = (
    "sensors.points",
    "sensors.levels",
    "strip.points",
    "strip.leds",
    "strip.order",
    "controls.button",
    "sound.buzzer",
)
"""Those of them that a set-up finds."""
