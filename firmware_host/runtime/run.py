"""From start to end of the program on a real board: it plays, or where it had better not, says why.

Rules kept here: how a run ends is noted, so that the next one knows; whatever stops the board's loop is in
the journal with its trace, and ends the program, after the LEDs went dark, for who started it to start it
anew; settings that cannot be used are read again until they can.
"""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware_host.config.loader import Config, load
from firmware_host.config.paths import find
from firmware_host.errors import ConfigError, MillwrightError
from firmware_host.i18n import Message
from firmware_host.runtime import safe_mode
from firmware_host.runtime.crash_counter import Crash, Crashes
from firmware_host.runtime.loop import since_boot_s, time_of_day
from firmware_host.runtime.page import Page
from firmware_host.runtime.real_board import play
from firmware_host.runtime.safe_mode import Why
from firmware_host.runtime.sd_notify import Notifier, watchdog_us
from firmware_host.runtime.watchdog import Service

_LOG = logging.getLogger(__name__)


class Run:
    """One run of the program, by the file `given` or the one that counts without it.

    `environ` tells of the service manager, where one started it.
    """

    def __init__(self, given: str | None, page: Page, environ: Mapping[str, str]) -> None:
        self._given, self._page = given, page
        self._environ = environ
        self._crashes = Crashes.of(environ)
        self._is_ready = False

    def go(self) -> int:
        """Play until a signal ends it; the exit status. Raises MillwrightError where that cannot be."""
        crash = self._crashes.begin(since_boot_s(), time_of_day())
        while True:
            config, trouble = self._settings()
            if trouble:
                again = self._say(_of_settings(trouble), config, lambda _: not self._settings()[1])
            elif crash is not None:
                pause_s = self._crashes.pause_s
                again = self._say(_of_crash(crash, pause_s), config, pause_s.__le__)
                self._crashes.try_again()
                crash = None
            else:
                return self._play(config)
            if not again:
                self._crashes.ended()
                return 0

    def _settings(self) -> tuple[Config, list[str]]:
        """What holds, and what is wrong with it; where something is, all is as it comes."""
        try:
            return load(find(self._given)), []
        except ConfigError as error:
            return Config.default(), str(error).split("\n")

    def _say(self, why: Why, config: Config, is_over: Callable[[float], bool]) -> bool:
        """Say why it does not play; whether it shall, then."""
        for part, text in why.faults:
            _LOG.error("%s: %s", part, text)
        return safe_mode.run(
            why,
            config,
            is_over,
            page=self._page,
            service=self._service(),
        )

    def _play(self, config: Config) -> int:
        try:
            play(config, self._page, self._service(self._crashes.stayed_well))
        except MillwrightError as error:
            self._crashed(str(error))
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told, and the next run begins anew
            _LOG.exception("the program ends because of an error nobody foresaw")
            self._crashed(_in_a_line(error))
            return 1
        self._crashes.ended()
        return 0

    def _service(self, stayed_well: Callable[[], object] = lambda: None) -> Service:
        service = Service(
            Notifier.of(self._environ),
            watchdog_us(self._environ, os.getpid()),
            is_ready=self._is_ready,
            stayed_well=stayed_well,
        )
        self._is_ready = True
        return service

    def _crashed(self, text: str) -> None:
        self._crashes.crashed(text, since_boot_s(), time_of_day())


def _of_settings(trouble: list[str]) -> Why:
    return Why(Message("safe.settings", {"text": trouble[0]}), tuple(("settings", text) for text in trouble))


def _of_crash(crash: Crash, pause_s: float) -> Why:
    slots = {"when": crash.when, "text": crash.text, "again": time_of_day(pause_s)}
    return Why(Message("safe.crashed", slots), (("program", crash.text),))


def _in_a_line(error: Exception) -> str:
    """What an error was, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
