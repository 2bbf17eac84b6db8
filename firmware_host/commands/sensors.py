"""The command `millwright sensors watch`: the current state of all sensors, in the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import TextIO

import click

from firmware_host.commands import CommandGroup, Seconds
from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.games.textboard import render
from firmware_host.maintenance.doctor_target import wiring_of_config
from hardware.doctor.live_view import CLOSED, OPEN, WAVERING, WireWatch, change_text, marks, rows
from hardware.doctor.part_names import PartNames, part_names
from hardware.electronics import Electronics, PiElectronics
from hardware.scanner import Scanner

_REDRAW_INTERVAL_S = 0.1
_HOME, _REST_OF_LINE, _BELOW, _CLEAR = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[2J"
_MAX_ROWS = 16


@click.group(cls=CommandGroup)
def sensors() -> None:
    """Test the sensors."""


@sensors.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option(
    "--seconds", type=Seconds(), metavar="S", help="End after this many seconds. [default: at Ctrl-C]"
)
def watch(given: str | None, seconds: float | None) -> None:
    """Show the state of every sensor until Ctrl-C.

    A terminal shows the board, and below it each wire that is closed or changed lately: its chip and channel,
    its changes in the last second, and the level of linear sensors. Elsewhere each change is a line. (Stop a
    running board first: two programs cannot read the same wires.)
    """
    config = configured(given)
    try:
        look(config, PiElectronics(), sys.stdout, seconds=seconds)
    except KeyboardInterrupt:
        click.echo()


def look(
    config: Config,
    electronics: Electronics,
    out: TextIO,
    *,
    seconds: float | None = None,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Show the sensors of a board; `now` and `sleep` are in seconds.

    Raises SensorError or ConfigError.
    """
    plan = wiring_of_config(config)
    names = part_names(plan.layout, plan.sensors, plan.places)
    with closing(electronics.open_scanner(plan.sensors)) as scanner:
        watching = WireWatch(scanner.wires, config.timing.debounce_ms * 1000, linear=plan.sensors.is_linear)
        _Showing(scanner, watching, names, out).run(1 / config.timing.frame_rate_hz, seconds, now, sleep)


class _Showing:
    def __init__(self, scanner: Scanner, watching: WireWatch, names: PartNames, out: TextIO) -> None:
        self._scanner = scanner
        self._watching = watching
        self._names = names
        self._out = out
        self._live = out.isatty()

    def run(
        self,
        frame_s: float,
        seconds: float | None,
        now: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        began = due = now()
        shown = began - _REDRAW_INTERVAL_S
        if self._live:
            self._out.write(_CLEAR)
        while seconds is None or now() - began < seconds:
            at = round((now() - began) * 1_000_000)
            for turn in self._watching.step(self._scanner.scan(), at):
                if not self._live:
                    self._out.write(f"{change_text(turn, self._names, at)}\n")
                    self._out.flush()
            if self._live and now() - shown >= _REDRAW_INTERVAL_S:
                shown = now()
                self._draw(at)
            due += frame_s
            sleep(max(0.0, due - now()))

    def _draw(self, now: int) -> None:
        table = rows(self._watching, self._names, now)
        more = [f"and {len(table) - _MAX_ROWS} more"] if len(table) > _MAX_ROWS else []
        legend = f"{OPEN} open   {CLOSED} closed   {WAVERING} changing   (Ctrl-C ends it)"
        lines = [
            *render(self._names.layout, marks(self._watching, self._names)).splitlines(),
            "",
            legend,
            "",
            *table[:_MAX_ROWS],
            *more,
        ]
        self._out.write(_HOME + "".join(f"{line}{_REST_OF_LINE}\n" for line in lines) + _BELOW)
        self._out.flush()
