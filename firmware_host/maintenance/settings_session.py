"""Settings of the configuration, changed by the page of the workshop, one at a time.

Invariants: no setting is changed but those that the table allows (`workshop` in settings.py). Each value is
checked and written at once, and counts when the board plays again, which reads the files.
"""

from __future__ import annotations

from typing import Any

from firmware_host.config.chosen import CHOOSABLE, value_of
from firmware_host.errors import ConfigError, RequestError, reason_of
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.maintenance.settings_files import SettingsFiles
from firmware_host.maintenance.setup_session import parse_answer, prompt_message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds, unit_of
from firmware_host.web import messages
from hardware.setup.prompts import Answer, Prompt

_CHOOSE = Prompt("settings", Message("setup.settings"), answers=(Answer("", Message("setup.doctor.play")),))
_OVER = Prompt("done", Message("setup.settings.over"))


class SettingsSession:
    """A choice of settings, which are written into `files`. Raises ConfigError if those can't be read."""

    status = "settings"

    def __init__(self, files: SettingsFiles) -> None:
        play = files.config().play
        self.layout: Layout = rule_set(play.rules, play.switches).layout
        self.over = False
        """True if there are no more questions."""
        self.prompt = _CHOOSE
        """The prompt to show now."""
        self.revision = 0
        """The number of changes."""
        self._files = files
        self._settings = self._read()

    def tick(self, _now: Microseconds) -> tuple[Event, ...]:
        """Do one pass, in which nothing happens by itself."""
        return ()

    def do(self, request: dict[str, Any]) -> None:
        """Change a setting, or end. Raise RequestError if that is not possible."""
        if self.over:
            raise RequestError(Message("setup.over"))
        if "setting" in request:
            self._choose(**request)
        elif parse_answer(request, self.prompt) == "":
            self.over, self.prompt = True, _OVER
        else:
            raise RequestError('the only answer here is ""')

    def close(self) -> None:
        """Nothing was opened."""

    @property
    def texts(self) -> messages.PageMessage:
        """The prompt for pages, with what goes with it."""
        return prompt_message(self.prompt, self.over, settings=self._settings)

    def _choose(self, *, setting: Any = None, value: Any = None, **more: Any) -> None:
        if more or not isinstance(setting, str) or not isinstance(value, bool | int | float | str | None):
            raise RequestError(
                'this takes a "setting" and its "value": a text, a number, true, false or null'
            )
        if setting not in CHOOSABLE:
            raise RequestError(Message("setup.settings.fixed", {"text": setting}))
        try:
            self._files.choose(setting, value)
            self._settings = self._read()
        except ConfigError as error:
            raise RequestError(Message("setup.not-saved", {"text": reason_of(error)})) from error
        self.revision += 1

    def _read(self) -> list[messages.PageMessage]:
        """Return all settings as pages show them."""
        config, usual, chosen = self._files.config(), self._files.usual(), self._files.chosen()
        return [
            {
                "setting": key,
                "value": value_of(config, key),
                "usual": value_of(usual, key),
                "chosen": key in chosen,
                "least": setting.metadata.get("least"),
                "most": setting.metadata.get("most"),
                "among": list(setting.metadata.get("among", ())),
                "unit": unit_of(setting),
                "about": setting.metadata["about"],
            }
            for key, setting in CHOOSABLE.items()
        ]
