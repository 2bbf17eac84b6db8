"""The files of a set-up: its progress, kept beside the configuration, and finally the configuration.

Invariants: a file is complete or unchanged, whatever happens. The previous configuration is kept under
another name, and so are damaged progress and that of another wiring, with which set-up goes on if that wiring
is chosen again. The new configuration is read back, and replaces the old one only if it has the intended
values.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import Any

from firmware_host.config.found import forget_found, wiring_mark, with_found, with_wiring_of
from firmware_host.config.loader import Config, combined_faults, load, parse_config
from firmware_host.config.paths import find_config, found_beside, found_path, user_path
from firmware_host.config.writer import template, with_settings, with_wiring
from firmware_host.errors import ConfigError, UnreadableStateError, faulty_line
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.state_files import MAX_BYTES, DamagedFile, bytes_of, read_state, sync_folder, write_state
from hardware.setup.progress import SetupFindings, SetupProgress

_MARK_DIGITS = 8
_CHANGEABLE = ("points", "levels", "settling_us")
"""The values that a set-up may change without changing the contact of any wire."""


@frozen
class SetupFiles:
    """The configuration at `path`, and beside it the progress of an interrupted set-up.

    With an `original`, that stays as it is, and `path` gets a copy with the wiring for as long as it counts
    (`config.found`); None stands for the defaults. The wiring that was `found` so far is where it begins.
    `before` are the settings for which a hardware form was chosen, which its progress remembers.
    """

    path: Path
    original: Path | None = None
    is_copy: bool = False
    found: Path | None = None
    before: Config | None = None

    @classmethod
    def of(cls, given: str | None, environ: Mapping[str, str] = os.environ) -> SetupFiles:
        """Return the files of the configuration `given`, of the default one, or of the user's own."""
        path = find_config(given, environ) or user_path(environ)
        return cls(path.resolve(), found=found_beside(given, environ))

    @classmethod
    def of_board(cls, given: str | None, environ: Mapping[str, str]) -> SetupFiles:
        """Return the files of a board that its page sets up; a service may not write its configuration."""
        found = found_path(environ)
        if given is not None or found is None:
            return cls.of(given, environ)
        return cls(found, find_config(None, environ), is_copy=True, found=found)

    @property
    def progress(self) -> Path:
        """The path of the saved progress."""
        return self.path.with_name(f"{self.path.name}.setup")

    @property
    def _source(self) -> Path | None:
        """The configuration as it is written now; None if there is none."""
        return self.original if self.is_copy else self.path if self.path.exists() else None

    def config(self) -> Config:
        """Return the configuration, or the defaults, with the wiring that was found. Raise ConfigError."""
        config = load(self._source)
        return config if self.found is None else with_found(config, self.found)

    def earlier(
        self, config: Config, check: Callable[[SetupFindings], object] = lambda found: found
    ) -> tuple[SetupFindings | None, Message | None]:
        """Return the progress of an earlier set-up of the same wiring, or the reason why it is not used.

        Progress of which `check` raises anything is damaged. That of another wiring is kept until it
        is chosen again.
        """
        now = wiring_of(config)
        found, why = self._progress_at(self.progress, now, check)
        if found is None:
            found, why_kept = self._progress_at(self._kept_at(now), now, check)
            why = why_kept if found is None and why_kept else why
        return found, why

    def _progress_at(
        self, path: Path, now: Mapping[str, Any], check: Callable[[SetupFindings], object]
    ) -> tuple[SetupFindings | None, Message | None]:
        """Return the progress at `path` as `earlier` does, whose wiring is `now`."""
        damaged: list[DamagedFile] = []

        def parse(data: bytes) -> SetupProgress:
            progress = SetupProgress.parse(data)
            if progress.wiring == now:
                check(progress.found)
            return progress

        try:
            progress = read_state(path, parse, damaged.append)
        except OSError as error:
            return None, Message("setup.earlier.unreadable", {"text": str(error)})
        if progress is None:
            whys = [Message("setup.earlier.unreadable", {"text": one.message}) for one in damaged]
            return None, next(iter(whys), None)
        other = sorted(key for key in {*now, *progress.wiring} if now.get(key) != progress.wiring.get(key))
        if other:
            with suppress(OSError):  # then it is replaced by the next one
                path.replace(self._kept_at(progress.wiring))
            return None, Message("setup.earlier.other", {"text": ", ".join(other)})
        return progress.found, None

    def _kept_at(self, wiring: Mapping[str, Any]) -> Path:
        """Return the path at which the progress of a wiring is kept during the set-up of another one."""
        mark = sha256(json.dumps(wiring, sort_keys=True).encode()).hexdigest()[:_MARK_DIGITS]
        return self.progress.with_name(f"{self.progress.name}-{mark}")

    def form_begun(self, config: Config) -> Config | None:
        """Return the settings with the hardware form that an earlier set-up of `config` chose, if any."""
        try:
            progress = SetupProgress.parse(bytes_of(self.progress, MAX_BYTES, is_private=False))
            if progress.base != wiring_mark(config):
                return None
            values = {key: own for key, own in progress.wiring.items() if key.startswith("sensors.")}
            sensors = parse_config(with_settings("", values), self.progress).sensors
        except Exception:  # noqa: BLE001 - whatever it raises, `earlier` says so
            return None
        chosen = replace(config, sensors=replace(sensors, settling_us=config.sensors.settling_us))
        return None if combined_faults(chosen) else chosen

    def keep(self, config: Config, found: SetupFindings) -> None:
        """Save the progress. Raise ConfigError."""
        base = "" if self.before is None else wiring_mark(self.before)
        data = SetupProgress(wiring_of(config), found, base).as_bytes()
        with _reporting(self.progress):
            self.progress.parent.mkdir(parents=True, exist_ok=True)
            write_state(self.progress, data, SetupProgress.parse)

    def forget(self) -> None:
        """Delete the saved progress of every wiring, since the configuration has the right one now."""
        kept = self.progress.parent.glob(f"{escape(self.progress.name)}-{'[0-9a-f]' * _MARK_DIGITS}")
        for path in (self.progress, *kept):
            with suppress(OSError):  # what is left is offered again, and can be declined
                path.unlink(missing_ok=True)

    def save(self, wired: Config, day: str) -> Path | None:
        """Write the configuration with the wiring of `wired`; return the path of the previous one.

        The name of that contains `day`. All other settings stay as they are written now. Raises ConfigError;
        nothing has changed then.
        """
        source = self._source
        text = template() if source is None else _read(source)
        contained = load(source)
        meant = with_wiring_of(contained, wired)
        text = with_wiring(text, contained, meant)
        if self.is_copy:
            text = f"# What set-up found.\n{wiring_mark(contained)}\n{text}"
        before = self.path.exists()

        def write(new: Path) -> None:
            with new.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
            if replace(load(new), origins={}) != replace(meant, origins={}):
                raise ConfigError(Message("setup.file.unmeant", {"path": str(self.path)}))
            if before:
                shutil.copymode(self.path, new)

        kept = None
        if before:
            kept = _free_name(self.path.with_name(f"{self.path.name}.before-setup-{day}"))
            _replace_file(kept, lambda new: shutil.copy2(self.path, new))
        _replace_file(self.path, write)
        if not self.is_copy:
            with _reporting(self.path):
                forget_found(self.path)
        return kept


def wiring_of(config: Config) -> dict[str, Any]:
    """Return everything that must be equal for wires and LEDs to have the same numbers."""
    sensors = {f"sensors.{k}": value for k, value in asdict(config.sensors).items() if k not in _CHANGEABLE}
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
    except UnicodeDecodeError as error:
        slots = {"path": str(path), "why": f"line {faulty_line(error)} is not UTF-8 text"}
        raise ConfigError(Message("setup.file.unread", slots)) from error


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Replace `path` in one step, by renaming a complete new file."""
    new = path.with_name(f".{path.name}.new")
    try:
        with _reporting(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write(new)
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.replace(path)
            sync_folder(path.parent)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    """Raise ConfigError for a file that can't be written."""
    try:
        yield
    except (OSError, UnreadableStateError) as error:
        slots = {"path": str(path), "why": getattr(error, "strerror", None) or str(error)}
        raise ConfigError(Message("setup.file.unwritten", slots)) from error
