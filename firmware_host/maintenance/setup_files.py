"""The files of a set-up: what it has found so far, beside the configuration, and at last the configuration.

Rules kept here: a file is whole or as it was, whatever happens meanwhile; the configuration that was there is
kept under another name; what is written is read again, and takes its place only if it says what was meant.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from firmware_host.config.loader import Config, load
from firmware_host.config.paths import find, user_path
from firmware_host.config.writer import rewired, template
from firmware_host.errors import ConfigError
from firmware_host.i18n import Message
from firmware_host.settings import Sensors, Strip
from hardware.setup.progress import Found, Progress

_FREE = ("points", "levels", "settling_us")
"""What a wiring can change without another contact on any wire."""


@dataclass(frozen=True, slots=True)
class Files:
    """The configuration at `path`, and beside it what an interrupted set-up left."""

    path: Path

    @classmethod
    def of(cls, given: str | None) -> Files:
        """The file that was given or that counts without it, else the one that a user may write."""
        return cls((find(given) or user_path()).resolve())

    @property
    def progress(self) -> Path:
        """Where what was found so far is kept."""
        return self.path.with_name(f"{self.path.name}.setup")

    def config(self) -> Config:
        """What the configuration says; the defaults where there is none. Raises ConfigError."""
        return load(self.path) if self.path.exists() else Config.default()

    def earlier(self, config: Config) -> tuple[Found | None, Message | None]:
        """What an earlier set-up of the same wiring found, and why that is not used where it is not."""
        try:
            progress = Progress.parse(self.progress.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None, None
        except (OSError, ValueError) as error:
            return None, Message("setup.earlier.unreadable", {"text": str(error)})
        now = wiring_of(config)
        other = sorted(key for key in {*now, *progress.wiring} if now.get(key) != progress.wiring.get(key))
        if other:
            return None, Message("setup.earlier.other", {"text": ", ".join(other)})
        return progress.found, None

    def keep(self, config: Config, found: Found) -> None:
        """Keep what was found so far; raises ConfigError."""
        text = Progress(wiring_of(config), found).as_text()
        _written(self.progress, lambda new: new.write_text(text, encoding="utf-8"))

    def forget(self) -> None:
        """Forget what was found so far, since the configuration has it."""
        with suppress(OSError):  # what is left is offered again, and can be declined
            self.progress.unlink(missing_ok=True)

    def save(self, config: Config, sensors: Sensors, strip: Strip, day: str) -> Path | None:
        """Write the configuration with these wires and LEDs in it, and say where the one of before is kept.

        `day` is put into its name. Raises ConfigError; nothing has changed then.
        """
        before = _read(self.path) if self.path.exists() else None
        text = rewired(template() if before is None else before, config, sensors, strip)

        def write(new: Path) -> None:
            with new.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
            meant = replace(config, sensors=sensors, strip=strip, origins={})
            if replace(load(new), origins={}) != meant:
                raise ConfigError(Message("setup.file.unmeant", {"path": str(self.path)}))
            if before is not None:
                shutil.copymode(self.path, new)

        kept = None
        if before is not None:
            kept = _free_name(self.path.with_name(f"{self.path.name}.before-setup-{day}"))
            _written(kept, lambda new: shutil.copy2(self.path, new))
        _written(self.path, write)
        return kept


def wiring_of(config: Config) -> dict[str, Any]:
    """What must be the same for wires and LEDs to have the same numbers."""
    sensors = {f"sensors.{k}": value for k, value in asdict(config.sensors).items() if k not in _FREE}
    if config.sensors.kind == "direct":
        sensors["sensors.points"] = config.sensors.points
    play = {"play.rules": config.play.rules, "strip.leds": config.strip.leds}
    wiring: dict[str, Any] = json.loads(json.dumps({**sensors, **play}))
    return wiring


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except OSError as error:
        slots = {"path": str(path), "why": str(error.strerror)}
        raise ConfigError(Message("setup.file.unread", slots)) from error


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _written(path: Path, write: Callable[[Path], object]) -> None:
    """Have `path` written whole, by writing another file that takes its place."""
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(new)
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        slots = {"path": str(path), "why": error.strerror or str(error)}
        raise ConfigError(Message("setup.file.unwritten", slots)) from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
