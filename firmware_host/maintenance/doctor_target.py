"""The board that the doctor examines, with its surroundings: this Pi's, or a simulated one.

Invariant: nothing is opened before it is examined.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from firmware_host.config.gpio import strip_backend
from firmware_host.config.loader import Config
from firmware_host.config.wiring_map import led_positions
from firmware_host.frozen import frozen
from firmware_host.games.rulesets import rule_set
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination, ExaminedBoard
from hardware.doctor.findings import Finding
from hardware.doctor.prompts import Operator
from hardware.doctor.system_checks import check_system, lines_of
from hardware.doctor.system_facts import gather_facts, throttled
from hardware.electronics import Electronics, PiElectronics


@frozen(slots=False)
class DoctorTarget:
    """A board to be examined.

    `system` returns the faults of the Pi, `throttled` the state of its supply. `sleep` waits a number of
    seconds; `maker` is an operator who stands at the board already.
    """

    config: Config
    electronics: Electronics
    system: Callable[[], tuple[Finding, ...]]
    throttled: Callable[[], int | None]
    sleep: Callable[[float], None] = time.sleep
    maker: Operator | None = None

    def findings(self, maker: Operator | None, *, empty: bool) -> Iterator[Finding]:
        """Return all findings, including those that need the hands and eyes of `maker`."""
        look = Examination(wiring_of_config(self.config), self.electronics, maker, self.sleep)
        yield from Doctor(look, self.throttled, empty=empty).findings(self.system())


def wiring_of_config(config: Config) -> ExaminedBoard:
    """Return the wiring of a configuration."""
    layout = rule_set(config.play.rules, config.play.switches).layout
    leds = {p.name: own for p, own in zip(layout.points, led_positions(config.strip, layout), strict=True)}
    strip = replace(config.strip, backend=strip_backend(config.sensors, config.strip))
    return ExaminedBoard(layout, config.sensors, strip, config.lights, leds, config.controls, config.sound)


def pi_board(config: Config) -> DoctorTarget:
    """Return the board of this Pi."""

    def system() -> tuple[Finding, ...]:
        seen = gather_facts(lines_of(config.sensors, config.controls, config.sound))
        return check_system(seen, config.sensors, config.strip, config.controls, config.sound)

    return DoctorTarget(config, PiElectronics(), system, throttled)
