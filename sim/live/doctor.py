"""The doctor's walk on the simulated board, by the page of `millwright sim`.

Invariants: the doctor has the board's electronics while its program has let go of them, with the faults and
the pieces as they are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_session import DoctorSession
from firmware_host.maintenance.doctor_target import DoctorTarget
from firmware_host.maintenance.report import findings_report
from firmware_host.maintenance.setup_run import SetupPublisher, do_request
from firmware_host.maintenance.workshop import WorkshopVisit
from firmware_host.settings import Microseconds
from firmware_host.views.page_state import Publish
from hardware.doctor.examination import FRAME
from hardware.doctor.findings import skipped
from sim.assembly import Blueprint, SimulatedPlay
from sim.live.setup import SetupTable
from sim.world import SimulatedWorld

_SYSTEM = (skipped("system", Message("doctor.simulated")),)


class DoctorVisit:
    """The examination of the board of `life`, whose program is off."""

    def __init__(self, life: SimulatedWorld, blueprint: Blueprint) -> None:
        play, clock = life.play, life.clock
        board = play.electronics
        file = None if blueprint.given is None else Path(blueprint.given)
        target = DoctorTarget(_settings(play, blueprint), board, lambda: _SYSTEM, board.supply.throttled)
        self._session = DoctorSession(target, partial(findings_report, target, file, simulated=True))
        box = play.controller.session.game.rules.box
        self._table = SetupTable(board, clock, box, play.hands)
        self._visit = WorkshopVisit()
        self._publisher: SetupPublisher | None = None
        self._clock = clock
        self._due: Microseconds = life.now

    def tick(self, now: Microseconds) -> None:
        """Do the passes that are due until `now`."""
        while self._due < now:
            self._due += FRAME
            self._clock.reach(self._due)
            self._session.tick(self._due)

    def do(self, request: dict[str, Any]) -> Any:
        """Carry out a request of the page, by hands or by a button. Raise MillwrightError."""
        return do_request(self._session, self._table, request)

    def publish_changes(self, publish: Publish, now: Microseconds) -> bool:
        """Publish what has changed. Return whether the board may play again."""
        if self._publisher is None:
            self._publisher = SetupPublisher(self._session, None, publish, self._table)
        is_over = self._publisher.tell()
        return self._visit.ends(self._session.prompt, now, is_over=is_over)

    def close(self) -> None:
        """Release the electronics."""
        self._session.close()


def _settings(play: SimulatedPlay, blueprint: Blueprint) -> Config:
    """Return the settings that match the wiring of the simulated board."""
    board, rules = play.electronics, play.controller.session.game.rules
    chosen = replace(blueprint.config.play, rules=rules.name, switches=tuple(rules.describe().split()[1:]))
    return replace(
        blueprint.config,
        play=chosen,
        sensors=board.sensors,
        strip=board.strip,
        controls=board.controls,
        sound=board.sound,
    )
