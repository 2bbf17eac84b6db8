"""The firmware as it is, in a simulated Arduino Nano, with the driver on its serial line.

Invariants: the Nano's clock is the only one, and advances only when a test says so; firmware and simulator
are built once for each test run, if this machine has the tools.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_host.errors import SensorError
from hardware.scanner import Wire
from hardware.serial.board import SerialBoard
from hardware.serial.port import open_port
from hardware.serial.protocol import LineMessage, Receiver

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "hardware" / "firmware"
PASS_US = 5000
_NEEDED = ("avr-gcc", "avr-size", "avr-objcopy", "make", "gcc")


@dataclass(frozen=True)
class FirmwareBuild:
    """The properties that a firmware is built for."""

    chips: int = 3
    select_lines: int = 3
    leds: int = 24
    colours: int = 3

    @property
    def channels(self) -> int:
        return 1 << self.select_lines


def lacking() -> str:
    """Return the name of a missing tool; empty if this machine can run the firmware."""
    names = [name for name in _NEEDED if shutil.which(name) is None]
    names += [] if Path("/usr/include/simavr/sim_avr.h").exists() else ["simavr's library"]
    packages = "apt install gcc-avr avr-libc libsimavr-dev gcc make"
    return f"no firmware in simavr without {', '.join(names)} ({packages})" if names else ""


def need_simavr() -> None:
    """Skip the test where this machine cannot run the firmware, or fail it where it must."""
    if reason := lacking():
        if os.environ.get("MILLWRIGHT_AVR_REQUIRED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


class SimulatedNano:
    """A Nano with mux chips, contacts and a strip; `path` is its serial port, also after it was replugged."""

    def __init__(self, build: FirmwareBuild) -> None:
        need_simavr()
        self.build = build
        self.state: dict[str, str] = {}
        folder = Path(tempfile.mkdtemp(dir=_scratch()))
        self.path = folder / "nano"
        command = [_simulator(), _firmware(build), build.chips, build.channels, build.leds, build.colours]
        self._process = subprocess.Popen(  # noqa: S603
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._end = weakref.finalize(self, _end, self._process, os.getpid())
        self.run(0)

    @property
    def now_us(self) -> int:
        return int(self.state["now_us"])

    @property
    def frames(self) -> int:
        """The number of frames that the strip has taken."""
        return int(self.state["frames"])

    @property
    def leds(self) -> list[bytes]:
        """The bytes that each LED was last sent."""
        data, width = bytes.fromhex(self.state["leds"]), self.build.colours
        return [data[at : at + width] for at in range(0, len(data), width)]

    def span(self, name: str) -> tuple[int, int]:
        """The least and the greatest of a time that was measured, in nanoseconds."""
        least, most = self.state[name].split(":")
        return int(least), int(most)

    def run(self, us: int) -> None:
        """Let so much time pass."""
        self.do(f"run {us}")

    def contact(self, wire: Wire, closed: bool) -> None:
        self.do(f"contact {wire[0]} {wire[1]} {int(closed)}")

    def do(self, command: str) -> None:
        """Anything that nano.c obeys."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        before = self.state.get("port")
        words = self._process.stdout.readline().split()
        assert words, f"the simulator died of {command!r}"
        self.state = dict(word.split("=") for word in words)
        if command == "unplug":
            self.path.unlink()
        elif command == "plug" or before is None:
            self.path.symlink_to(self.state["port"])


class NanoLine:
    """A simulated Nano, and its serial line without the driver."""

    def __init__(self, build: FirmwareBuild = FirmwareBuild()) -> None:
        self.nano = SimulatedNano(build)
        self._port = open_port(str(self.nano.path))
        self._receiver = Receiver()

    def heard(self, us: int) -> list[LineMessage]:
        """Return the board's messages within `us` microseconds."""
        heard = []
        for _ in range(-(-us // PASS_US)):
            self.nano.run(PASS_US)
            heard += self._receiver.feed(self._port.read(4096))
        return heard

    def say(self, data: bytes) -> None:
        """Have these bytes reach the board, one right behind the other."""
        self.nano.do(f"say {data.hex()}")


class NanoBoard:
    """A simulated Nano and the driver that scans it in passes of 5 ms."""

    def __init__(self, build: FirmwareBuild = FirmwareBuild(), wires: Iterable[Wire] | None = None) -> None:
        self.nano = SimulatedNano(build)
        self.board = SerialBoard(
            str(self.nano.path), clock=lambda: self.nano.now_us / 1_000_000, open_port=open_port
        )
        every = [(chip, channel) for chip in range(build.chips) for channel in range(build.channels)]
        self.wires = tuple(every if wires is None else wires)
        self.levels: tuple[int, ...] = ()
        self.scanner = self.board.scanner(self.wires)

    def passes(self, count: int) -> set[str]:
        """Scan `count` times; return the errors."""
        faults = set()
        for _ in range(count):
            self.nano.run(PASS_US)
            try:
                self.levels = self.scanner.scan()
            except SensorError as error:
                faults.add(str(error))
        return faults

    def seconds(self, count: float) -> set[str]:
        return self.passes(round(count * 200))

    def until(self, done: Callable[[], bool], seconds: float = 10.0) -> float:
        """Scan until that is so; how long it took."""
        began = self.nano.now_us
        while not done():
            assert self.nano.now_us < began + seconds * 1_000_000, "this never happened"
            self.passes(1)
        return (self.nano.now_us - began) / 1_000_000

    def ready(self) -> NanoBoard:
        """Have the board answer."""
        self.until(lambda: not self.board.trouble)
        return self

    def replug(self) -> None:
        self.nano.do("plug")
        self.passes(1)
        self.ready()


def _end(process: subprocess.Popen[str], begun_by: int) -> None:
    """End the simulator, which a fork of the process that began it must not do."""
    if os.getpid() == begun_by:
        process.kill()  # its stdin may never be at an end: such a fork has it as well
        process.communicate()


@functools.cache
def _scratch() -> str:
    folder = tempfile.mkdtemp(prefix="millwright-firmware-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def _simulator() -> Path:
    made = Path(_scratch()) / "simulator"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
    sources = [str(source) for source in sorted(HERE.glob("*.c"))]
    _run(["gcc", *flags, "-o", str(made), *sources, "-lsimavr"])
    return made


@functools.cache
def _firmware(build: FirmwareBuild) -> Path:
    folder = Path(_scratch()) / f"{build.chips}-{build.select_lines}-{build.leds}-{build.colours}"
    settings = [
        f"CHIPS={build.chips}",
        f"SELECT_LINES={build.select_lines}",
        f"LEDS={build.leds}",
        f"COLOURS={build.colours}",
    ]
    _run(["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", *settings])
    return folder / "millwright.elf"


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
