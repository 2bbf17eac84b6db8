"""The workshop of a board by its page alone, in the program that plays on it: no terminal is needed.

Invariants: the game is on the disk before this begins (`play` in runtime/real_board.py closes the store),
and goes on afterwards (runtime/run.py). The service manager hears from it as from a board that plays.
Whoever goes away leaves a board that plays again after half an hour, and what was found until then.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.doctor_session import DOCTOR_HZ, DoctorSession
from firmware_host.maintenance.doctor_target import DoctorTarget
from firmware_host.maintenance.report import findings_report
from firmware_host.maintenance.settings_files import SettingsFiles
from firmware_host.maintenance.settings_session import SettingsSession
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_run import (
    SetupPublisher,
    WorkshopSession,
    do_request,
    form_session,
)
from firmware_host.play.board import LoopCounters
from firmware_host.runtime.journal import NOTICE
from firmware_host.runtime.loop import Loop, stopped_by_signals
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.watchdog import BoardCondition, ServiceReporter
from firmware_host.settings import Microseconds
from firmware_host.views.status import machine_status
from hardware.electronics import UnknownElectronics
from hardware.setup.prompts import Prompt

_LOG = logging.getLogger(__name__)
_SECOND: Microseconds = 1_000_000
READ_FOR: Microseconds = 4 * _SECOND
"""The time for which the last sentence stays."""
LEFT_AFTER: Microseconds = 30 * 60 * _SECOND
"""The time without an answer or a piece after which nobody is there."""


def set_up_by_page(
    config: Config,
    page: PageAddress,
    service: ServiceReporter,
    electronics: UnknownElectronics,
    files: SetupFiles,
) -> bool:
    """Set up the board of `electronics`. Return whether to play again; False if a signal ended the program.

    Raises ConfigError or SensorError if nothing can be chosen and the sensors cannot be opened, and PageError
    if there can be no page.
    """
    setting = form_session(electronics, config, files, ending=Message("setup.done.by-page"))
    return _visit(setting, config.timing.frame_rate_hz, config, page, service)


def examine_by_page(
    target: DoctorTarget, page: PageAddress, service: ServiceReporter, file: Path | None
) -> bool:
    """Examine the board of `target`, whose configuration is in `file`. Return as `set_up_by_page` does.

    Raises PageError if there can be no page.
    """
    config = target.config
    session = DoctorSession(target, partial(findings_report, target, file))
    return _visit(session, DOCTOR_HZ, config, page, service)


def choose_by_page(config: Config, page: PageAddress, service: ServiceReporter, files: SettingsFiles) -> bool:
    """Have settings changed in `files`, while the board rests. Return as `set_up_by_page` does.

    Raises ConfigError if they cannot be read, and PageError if there can be no page.
    """
    return _visit(SettingsSession(files), DOCTOR_HZ, config, page, service)


def _visit(
    setting: WorkshopSession, rate_hz: int, config: Config, page: PageAddress, service: ServiceReporter
) -> bool:
    with ExitStack() as parts:
        parts.callback(setting.close)
        loop = Loop(setting, rate_hz)
        visit = WorkshopVisit()

        server = page.server(
            config,
            lambda request: loop.submit(lambda: do_request(setting, None, request)),
            lambda: loop.ask(lambda: visit.status(setting)) | machine_status(),
        )
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        server.start()
        _LOG.log(NOTICE, "The page of the %s is at %ssetup.html", setting.status, server.address)
        publisher = SetupPublisher(setting, None, server.publish, None)

        def after(_events: object, now: Microseconds) -> None:
            is_over = publisher.tell()
            service.passed(lambda: visit.condition(setting.prompt), now)
            if visit.ends(setting.prompt, now, is_over=is_over, revision=setting.revision):
                loop.stop()

        loop.run(after)
        if not visit.is_ended:
            service.stopping()
        return visit.is_ended


class WorkshopVisit:
    """Somebody at the page: when they have read the last sentence, or have gone away."""

    def __init__(self) -> None:
        self.is_ended = False
        """True if the board may play again."""
        self._shown: object = None
        self._since: Microseconds = 0
        self._now: Microseconds = 0
        self._rounds = 0

    def ends(self, prompt: Prompt, now: Microseconds, *, is_over: bool, revision: int = 0) -> bool:
        """Return whether it ends with the pass at `now`, which showed `prompt` after `revision` changes."""
        self._rounds += 1
        self._now = now
        asked = replace(prompt, notes=())  # sensors that fail and come back are no sign of anybody
        if (shown := (asked, revision)) != self._shown:
            self._shown, self._since = shown, now
        self.is_ended = now - self._since >= (READ_FOR if is_over else LEFT_AFTER)
        return self.is_ended

    def condition(self, prompt: Prompt) -> BoardCondition:
        """Return the condition of a board in the workshop, for the service manager."""
        progress = LoopCounters(self._rounds, self._rounds)
        return BoardCondition(progress, self._rounds, to_english(prompt.sentence))

    def status(self, setting: WorkshopSession) -> dict[str, Any]:
        """Return the board's status."""
        return {
            "version": __version__,
            "uptime_s": self._now // _SECOND,
            "status": setting.status,
            "sentence": to_english(setting.prompt.sentence),
            "faults": {},
        }
