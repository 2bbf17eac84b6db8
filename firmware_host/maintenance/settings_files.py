"""The file in which the page's workshop writes the settings that somebody chose.

It is the configuration itself, or where a service may not write that, a file beside it (`config.chosen`).

Invariants: a value is written only if the reader of configurations accepts it, alone and with all others.
Comments and other settings stay as they are. A file is complete or unchanged, whatever happens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware_host.config.chosen import CHOOSABLE, chosen_text, value_of, with_chosen_of
from firmware_host.config.found import configured
from firmware_host.config.loader import Config, combined_faults, load, parse_config
from firmware_host.config.paths import CHOSEN_NAME, find_config, found_path, user_path
from firmware_host.config.writer import template, with_settings
from firmware_host.errors import ConfigError, RequestError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.state_files import replace_file

_NEW_MODE = 0o644


@frozen
class SettingsFiles:
    """The file at `path` for the configuration `given` or the default one; `environ` names a service's."""

    path: Path
    given: str | None
    environ: Mapping[str, str]
    is_beside: bool
    """True if the configuration is another file, which stays as it is."""

    @classmethod
    def of_board(cls, given: str | None, environ: Mapping[str, str] = os.environ) -> SettingsFiles:
        """Return the files of a board; a service may not write its configuration."""
        found = found_path(environ)
        if given is None and found is not None:
            return cls(found.with_name(CHOSEN_NAME), given, environ, is_beside=True)
        path = find_config(given, environ) or user_path(environ)
        return cls(path.resolve(), given, environ, is_beside=False)

    def config(self) -> Config:
        """Return the settings of the board. Raise ConfigError."""
        return configured(self.given, self.environ)

    def usual(self) -> Config:
        """Return the settings without those that were chosen. Raise ConfigError."""
        return load(find_config(self.given, self.environ)) if self.is_beside else Config.default()

    def chosen(self) -> frozenset[str]:
        """Return the settings that are written in the file. Raise ConfigError."""
        origins, file = self.config().origins, f"{self.path}:" if self.is_beside else ""
        return frozenset(key for key in CHOOSABLE if key in origins and origins[key].startswith(file))

    def choose(self, key: str, value: Any) -> None:
        """Write a value; None stands for the usual one.

        Raises RequestError if it is none for this setting, and ConfigError if the file cannot be written;
        nothing has changed then.
        """
        now = self.config()
        text = self._with(now, key, value)
        try:
            written = parse_config(text, self.path)
        except ConfigError as error:
            raise _refusal(
                re.sub(rf"^{re.escape(str(self.path))}:\d+ ", "", str(error), flags=re.M)
            ) from error
        if faults := combined_faults(with_chosen_of(now, written)):
            raise _refusal(faults[0])
        try:
            mode = self.path.stat().st_mode & 0o777 if self.path.exists() else _NEW_MODE
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, lambda file: file.write(text.encode()), mode=mode)
        except OSError as error:
            slots = {"path": str(self.path), "why": error.strerror or str(error)}
            raise ConfigError(Message("setup.file.unwritten", slots)) from error

    def _with(self, now: Config, key: str, value: Any) -> str:
        """Return the text of the file with this value."""
        if self.is_beside:
            values = {own: value_of(now, own) for own in CHOOSABLE if own in self.chosen()} | {key: value}
            return chosen_text(self.usual(), {own: one for own, one in values.items() if one is not None})
        text = template()
        with suppress(FileNotFoundError), self.path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read()
        return with_settings(text, {key: value})


def _refusal(text: str) -> RequestError:
    return RequestError(Message("setup.settings.refused", {"text": text}))
