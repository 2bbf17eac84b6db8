"""Count what a board at rest costs: `python -m tests.integration.resting`, which needs valgrind.

Processor time depends on the machine and on whatever else it does; the number of instructions hardly does.
Each board rests in virtual time, lit and untouched, so waits cost nothing; nor does the kernel, whose work
valgrind does not see. Two processes rest for different times, and what the longer one does on top counts.
"""

from __future__ import annotations

import re
import subprocess
import sys
from tempfile import NamedTemporaryFile
from types import FrameType
from typing import NamedTuple

from firmware_host.config.loader import Config
from firmware_host.play.events import Event
from firmware_host.play.rest import STILL_AFTER_S
from firmware_host.ports import SensorKind
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.real_board import RealBoard
from firmware_host.settings import Microseconds
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.live.board import LiveBoard

PROGRAMS = "run", "sim"
"""The programs that rest: `millwright run` on simulated electronics, and `millwright sim`."""
_RATE_HZ = 200
_SECOND: Microseconds = 1_000_000
_BEGIN: Microseconds = (STILL_AFTER_S + 2) * _SECOND
_SHORT_S, _LONG_S = 5, 25


class RestCosts(NamedTuple):
    """The passes of a loop, its calls of Python functions, transmissions to the strip, messages to pages."""

    passes: int
    calls: int
    transmissions: int
    messages: int


class _Program:
    """A board of one of the PROGRAMS."""

    def __init__(self, program: str, clock: VirtualClock) -> None:
        self.messages = 0
        self._live = LiveBoard(Blueprint()) if program == "sim" else None
        self.electronics = self._live.life.play.electronics if self._live else _electronics(clock)
        self.board = self._live or _real(self.electronics)

    def min_period(self) -> Microseconds:
        """Return the least time between two passes."""
        return self.board.min_period if isinstance(self.board, LiveBoard) else self.board.board.min_period

    def publish(self, events: tuple[Event, ...], now: Microseconds) -> None:
        """Publish what has changed, as its program does after each pass."""
        if isinstance(self.board, LiveBoard):
            self.board.publish_changes(self._count)
        else:
            self.board.publish_changes(self._count, events, now)

    def _count(self, _message: object) -> None:
        self.messages += 1


def _electronics(clock: VirtualClock) -> SimulatedBoard:
    return SimulatedBoard(Blueprint().rules.layout, SensorKind.PRESENCE, clock)


def _real(electronics: SimulatedBoard) -> RealBoard:
    sensors, strip = electronics.open_sensors(), electronics.open_strip()
    return RealBoard(Config.default(), sensors=sensors, strip=strip)


def rest(program: str, seconds: float, *, counts_calls: bool = False) -> RestCosts:
    """Let the board of `program` rest for `seconds` once it is still, and return what that cost."""
    clock = VirtualClock()
    one = _Program(program, clock)
    loop = Loop(
        one.board,
        _RATE_HZ,
        clock_ns=lambda: clock.now() * 1000,
        sleep=clock.sleep,
        min_period=one.min_period,
    )
    passes = calls = transmissions = messages = 0

    def on_call(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    def after(events: tuple[Event, ...], now: Microseconds) -> None:
        nonlocal passes, transmissions, messages
        one.publish(events, now)
        if now < _BEGIN:
            transmissions, messages = one.electronics.spi.writes, one.messages
            return
        passes += 1
        if counts_calls and passes == 1:
            sys.setprofile(on_call)
        if now >= _BEGIN + seconds * _SECOND:
            loop.stop()

    try:
        loop.run(after)
    finally:
        sys.setprofile(None)
    costs = RestCosts(passes, calls, one.electronics.spi.writes - transmissions, one.messages - messages)
    one.board.close()
    return costs


def instructions_a_second(program: str) -> float:
    """Return how many instructions the program executes in a second of rest."""
    short, long = (_instructions(program, seconds) for seconds in (_SHORT_S, _LONG_S))
    return (long - short) / (_LONG_S - _SHORT_S)


def _instructions(program: str, seconds: int) -> int:
    """Return how many instructions a process executes that rests for `seconds`."""
    with NamedTemporaryFile() as profile:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}", sys.executable]
        command += ["-m", "tests.integration.resting", program, str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(f"valgrind reports no instructions: {done.stderr}")
    return int(found[1])


def main() -> None:
    """Print the costs of each program; given a program and seconds, let that one rest."""
    if len(sys.argv) > 1:
        rest(sys.argv[1], float(sys.argv[2]))
        return
    for program in PROGRAMS:
        costs, millions = rest(program, 10, counts_calls=True), instructions_a_second(program) / 1e6
        print(f"{program}: {millions:.2f} million instructions a second; in ten seconds {costs}")  # noqa: T201


if __name__ == "__main__":
    main()
