"""The wiring that a set-up by the page has found, beside a configuration that the service may not write.

Invariants: the last word counts: what was found is used as long as the wiring in the configuration is the one
that it was found for. It says nothing about any other setting. A damaged file never stops a program.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from firmware_host.config.loader import Config, load, parse_config
from firmware_host.config.paths import SYSTEM_GAMES, SYSTEM_PATH, find_config, games_path
from firmware_host.settings import Store
from firmware_host.state_files import Report, read_state

FOUND_NAME = "found-wiring.toml"
SYSTEM_FOUND = SYSTEM_GAMES.with_name(FOUND_NAME)
"""The wiring that was found for the service's board."""


def found_path(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of what a set-up by the page finds; None outside a service, which writes its own."""
    return games_path(Store(), environ).with_name(FOUND_NAME) if environ.get("STATE_DIRECTORY") else None


def configured(
    given: str | Path | None = None,
    environ: Mapping[str, str] = os.environ,
    *,
    report: Report | None = None,
) -> Config:
    """Return the settings of a board: those of its configuration, with the wiring that was found for them.

    A file that is `given` counts alone. Raises ConfigError; `report` gets what was found if it is damaged.
    """
    path = find_config(given, environ)
    config = load(path)
    own = found_path(environ)
    if given is not None or (own is None and path not in (None, SYSTEM_PATH)):
        return config
    return with_found(config, own or SYSTEM_FOUND, report)


def with_found(config: Config, path: Path, report: Report | None = None) -> Config:
    """Return the settings with the wiring that the file at `path` has for them, if it is there."""
    fits = wiring_mark(config)

    def parse(data: bytes) -> Config | None:
        text = data.decode("utf-8")
        return parse_config(text, path) if fits in text.splitlines() else None

    found = None
    with suppress(OSError):  # only root and the service itself may read it
        found = read_state(path, parse, report)
    return config if found is None else _with_wiring_of(config, found)


def forget_found(path: Path) -> None:
    """Delete what the page's set-up found, since another one has written the configuration at `path`."""
    if path == SYSTEM_PATH.resolve():
        with suppress(FileNotFoundError, NotADirectoryError):
            SYSTEM_FOUND.unlink()


def wiring_mark(config: Config) -> str:
    """Return a line that differs for settings with another wiring, as a comment of a configuration."""
    sensors = {key: value for key, value in asdict(config.sensors).items() if key not in _TUNED}
    strip = config.strip
    lights = [strip.backend, strip.leds, strip.order, strip.points, strip.white_bar, strip.black_bar]
    wiring = [sensors, lights, config.controls.button, config.sound.buzzer]
    digest = hashlib.sha256(json.dumps(wiring, sort_keys=True).encode()).hexdigest()
    return f"# It counts while the wiring in the configuration is the one it was found for: {digest[:32]}"


def _with_wiring_of(config: Config, found: Config) -> Config:
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


_TUNED = ("settling_us", "pull_up")
"""The settings of sensors that say nothing about their wires."""

_FOUND = (
    "sensors.points",
    "sensors.levels",
    "strip.points",
    "strip.leds",
    "strip.order",
    "controls.button",
    "sound.buzzer",
)
