"""A board that is set up by its page alone, in the program that plays on it: no terminal is needed.

Invariants: the game is on the disk before this begins, and goes on afterwards. The service manager hears
from it as from a board that plays. Whoever goes away leaves a board that plays again after half an hour, and
what was found until then.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_run import SetupPublisher, do_request, today
from firmware_host.maintenance.setup_session import SetupSession
from firmware_host.maintenance.terminal import Terminal
from firmware_host.play.board import LoopCounters
from firmware_host.runtime.journal import NOTICE
from firmware_host.runtime.loop import Loop, stopped_by_signals
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.watchdog import BoardCondition, ServiceReporter
from firmware_host.settings import Microseconds
from firmware_host.views.status import machine_status
from hardware.electronics import Electronics
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
    electronics: Electronics,
    files: SetupFiles,
) -> bool:
    """Set up the board of `electronics`. Return whether to play again; False if a signal ended the program.

    Raises ConfigError or SensorError if the sensors cannot be opened, and PageError if there can be no page.
    """
    with ExitStack() as parts:
        setting = SetupSession(electronics, config, files, today, ending=Message("setup.done.by-page"))
        parts.callback(setting.close)
        loop = Loop(setting, config.timing.frame_rate_hz)
        visit = SetupVisit()

        server = page.server(
            config,
            lambda request: loop.submit(lambda: do_request(setting, None, request)),
            lambda: loop.ask(lambda: visit.status(setting.prompt)) | machine_status(),
        )
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        server.start()
        _LOG.log(NOTICE, "The board is being set up at %ssetup.html", server.address)
        silent = Terminal(setting.layout, lambda _: None, ())
        publisher = SetupPublisher(setting, silent, server, None)

        def after(_events: object, now: Microseconds) -> None:
            is_over = publisher.tell()
            service.passed(lambda: visit.condition(setting.prompt), now)
            if visit.ends(setting.prompt, now, is_over=is_over):
                loop.stop()

        loop.run(after)
        if not visit.is_ended:
            service.stopping()
        return visit.is_ended


class SetupVisit:
    """Somebody at the page: when they have read the last sentence, or have gone away."""

    def __init__(self) -> None:
        self.is_ended = False
        """True if the board may play again."""
        self._shown: Prompt | None = None
        self._since: Microseconds = 0
        self._now: Microseconds = 0
        self._rounds = 0

    def ends(self, prompt: Prompt, now: Microseconds, *, is_over: bool) -> bool:
        """Return whether it ends with the pass at `now`, which showed `prompt`."""
        self._rounds += 1
        self._now = now
        asked = replace(prompt, notes=())  # sensors that fail and come back are no sign of anybody
        if asked != self._shown:
            self._shown, self._since = asked, now
        self.is_ended = now - self._since >= (READ_FOR if is_over else LEFT_AFTER)
        return self.is_ended

    def condition(self, prompt: Prompt) -> BoardCondition:
        """Return the condition of a board that is being set up, for the service manager."""
        progress = LoopCounters(self._rounds, self._rounds)
        return BoardCondition(progress, self._rounds, to_english(prompt.sentence))

    def status(self, prompt: Prompt) -> dict[str, Any]:
        """Return the board's status."""
        return {
            "version": __version__,
            "uptime_s": self._now // _SECOND,
            "status": "set-up",
            "sentence": to_english(prompt.sentence),
            "faults": {},
        }
