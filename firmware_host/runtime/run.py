"""One run of the program on a real board: it plays, or explains in safe mode why it does not.

Invariants: the end of a run is recorded for the next one. Whatever stops the board's loop is in the log with
its trace and ends the program, after the LEDs went dark, so that the service manager restarts it. A
configuration that cannot be used is read again until it can.
"""

from __future__ import annotations

import logging
import os
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.errors import ConfigError, MillwrightError
from firmware_host.i18n import Message
from firmware_host.runtime import safe_mode
from firmware_host.runtime.clock import machine_clock, since_boot_s
from firmware_host.runtime.crash_counter import Crash, CrashCounter
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.real_board import play
from firmware_host.runtime.safe_mode import SafeModeReason
from firmware_host.runtime.watchdog import Notifier, ServiceReporter, watchdog_us

_LOG = logging.getLogger(__name__)

Workshop = Callable[[str, Config, PageAddress, ServiceReporter], bool]
"""Opens the workshop of a kind; returns whether to play again, False if a signal ended the program."""


class BoardProcess:
    """One run of the program, with the configuration file `given` or the default one.

    `environ` describes the service manager, if one started the program. `workshop` is called when somebody at
    the board has asked for it.
    """

    def __init__(
        self, given: str | None, page: PageAddress, environ: Mapping[str, str], workshop: Workshop
    ) -> None:
        self._given, self._page, self._workshop = given, page, workshop
        self._trouble: Message | None = None
        self._environ = environ
        self._notifier = Notifier.of(environ)
        self._crashes = CrashCounter.of(environ)
        self._reporter: ServiceReporter | None = None

    def go(self) -> int:
        """Play until a signal and return the exit status. Raise MillwrightError if that is impossible."""
        crash = self._crashes.begin(since_boot_s(), _time_of_day())
        while True:
            config, trouble = self._settings()
            if trouble:
                again = self._say(_config_reason(trouble), config, lambda _: not self._settings()[1])
            elif crash is not None:
                pause_s = self._crashes.pause_s
                again = self._say(_crash_reason(crash, pause_s), config, pause_s.__le__)
                self._crashes.try_again()
                crash = None
            else:
                outcome = self._play(config)
                if isinstance(outcome, int):
                    return outcome
                again = self._visit(outcome, config)
            if not again:
                self._crashes.ended()
                return 0

    def _settings(self) -> tuple[Config, list[str]]:
        """Return the configuration and its errors; the defaults if there are any errors."""
        try:
            return configured(self._given, self._environ, report=self._crashes.damaged.append), []
        except ConfigError as error:
            return Config.default(), str(error).split("\n")

    def _say(self, why: SafeModeReason, config: Config, is_over: Callable[[float], bool]) -> bool:
        """Run in safe mode. Return True to try again, False if a signal ended it."""
        for part, text in why.faults:
            _LOG.error("%s: %s", part, text)
        return safe_mode.run(
            why,
            config,
            is_over,
            page=self._page,
            service=self._service(),
        )

    def _play(self, config: Config) -> int | str:
        """Play until a signal and return the exit status, or until the workshop begins: its kind."""
        service = self._service(self._crashes.stayed_well)
        trouble, self._trouble = self._trouble, None
        try:
            if kind := play(config, self._page, service, self._crashes.damaged, trouble):
                return kind
        except MillwrightError as error:
            self._crashed(str(error))
            raise
        except Exception as error:  # noqa: BLE001 - logged, and the next run starts again
            _LOG.exception("the program ends because of an error nobody foresaw")
            self._crashed(_error_line(error))
            return 1
        self._crashes.ended()
        return 0

    def _visit(self, kind: str, config: Config) -> bool:
        """Open the workshop. Return False if a signal ended the program; what went wrong is shown in play."""
        try:
            return self._workshop(kind, config, self._page, self._service())
        except MillwrightError as error:
            _LOG.error("workshop: %s", error)
            self._trouble = error.message or Message("fault.set-up", {"text": str(error)})
        except Exception as error:  # noqa: BLE001 - logged, and the board plays as before
            _LOG.exception("the workshop ends because of an error nobody foresaw")
            self._trouble = Message("fault.set-up", {"text": _error_line(error)})
        return True

    def _service(self, stayed_well: Callable[[], object] = lambda: None) -> ServiceReporter:
        """Return a reporter for what comes now; it goes on where the one before it was."""
        self._reporter = ServiceReporter(
            self._notifier,
            watchdog_us(self._environ, os.getpid()),
            is_ready=self._reporter is not None and self._reporter.is_ready,
            stayed_well=stayed_well,
        )
        return self._reporter

    def _crashed(self, text: str) -> None:
        self._crashes.crashed(text, since_boot_s(), _time_of_day())


def _config_reason(trouble: list[str]) -> SafeModeReason:
    return SafeModeReason(
        Message("safe.settings", {"text": trouble[0]}), tuple(("settings", text) for text in trouble)
    )


def _crash_reason(crash: Crash, pause_s: float) -> SafeModeReason:
    again = _time_of_day(pause_s)
    if crash.when and again:
        message = Message("safe.crashed", {"when": crash.when, "text": crash.text, "again": again})
    else:
        message = Message("safe.crashed.undated", {"text": crash.text, "minutes": round(pause_s / 60)})
    return SafeModeReason(message, (("program", crash.text),))


def _time_of_day(in_s: float = 0.0) -> str:
    """Return the local time of day in `in_s` seconds, such as `14:05`; nothing if nobody knows it."""
    local = machine_clock().local(in_s)
    return "" if local is None else time.strftime("%H:%M", local)


def _error_line(error: Exception) -> str:
    """Return an error in one line, with the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
