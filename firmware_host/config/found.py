"""The results of the page's workshop, beside a configuration that the service may not write.

Invariants: the last word counts: the wiring that was found is used until the configuration says something
else about it, or another set-up has written it, and never again after that. It says nothing about any other
setting; those that were chosen are in a file of their own (`chosen`). A damaged file never stops a program,
and neither does one that fits other rules.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from firmware_host.config.chosen import chosen_mark, with_chosen_of
from firmware_host.config.loader import Config, combined_faults, load, parse_config
from firmware_host.config.paths import CHOSEN_NAME, SYSTEM_FOUND, SYSTEM_PATH, find_config, found_beside
from firmware_host.settings import Sensors
from firmware_host.state_files import Report, read_state, set_aside


def configured(
    given: str | Path | None = None,
    environ: Mapping[str, str] = os.environ,
    *,
    report: Report | None = None,
) -> Config:
    """Return the settings of a board: its configuration, with what its page's workshop found and chose.

    A file that is `given` counts alone. Raises ConfigError; `report` gets a file of the workshop's that is
    damaged.
    """
    config, found = load(find_config(given, environ)), found_beside(given, environ)
    if found is None:
        return config
    return with_found(with_chosen(config, found.with_name(CHOSEN_NAME), report), found, report)


def with_found(config: Config, path: Path, report: Report | None = None) -> Config:
    """Return the settings with the wiring that the file at `path` has for them, if it is there.

    A file that doesn't fit them, or no longer, is set aside.
    """
    return _with_file(config, path, lambda _: wiring_mark(config), with_wiring_of, report)


def with_chosen(config: Config, path: Path, report: Report | None = None) -> Config:
    """Return the settings with those that were chosen, as `with_found` does."""
    return _with_file(config, path, lambda text: chosen_mark(config, text), with_chosen_of, report)


def _with_file(
    config: Config,
    path: Path,
    mark: Callable[[str], str],
    merge: Callable[[Config, Config], Config],
    report: Report | None,
) -> Config:
    def parse(data: bytes) -> tuple[Config, ...]:
        text = data.decode("utf-8")
        merged = [merge(config, parse_config(text, path))] if mark(text) in text.splitlines() else []
        return tuple(one for one in merged if not combined_faults(one))

    with suppress(OSError):  # only root and the service itself may read it
        fitting = read_state(path, parse, report)
        if fitting:
            return fitting[0]
        if fitting is not None:
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
    for key in _FOUND:
        section, _, name = key.partition(".")
        part: Any = replace(getattr(config, section), **{name: getattr(getattr(found, section), name)})
        config = replace(config, **{section: part})
    return replace(
        config,
        origins={**config.origins, **{key: value for key, value in found.origins.items() if key in _FOUND}},
    )


_WIRING = (
    *(f"sensors.{one.name}" for one in fields(Sensors) if one.name not in ("settling_us", "pull_up")),
    *(f"strip.{name}" for name in ("backend", "leds", "order", "points", "white_bar", "black_bar")),
    "controls.button",
    "sound.buzzer",
)
"""The settings that say how a board is wired."""

_FOUND = tuple(key for key in _WIRING if key not in ("strip.backend", "strip.white_bar", "strip.black_bar"))
"""Those of them that a set-up asks for or finds."""
