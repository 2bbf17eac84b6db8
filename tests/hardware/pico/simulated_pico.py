"""The front end as it is on a simulated Pico, with the host's driver on a pseudo-terminal.

Invariants: the Pico's clock is the only one, and goes on only when a test lets it. The front end runs in this
process, under CPython, or under MicroPython, compiled to WebAssembly, in a process of node. That process ends
with its test: if the garbage collector ended it, a busy machine would make some other test wait for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import SensorError
from hardware.scanner import Levels
from hardware.serial.board import SerialBoard
from tests.hardware.pico.bench import PicoBench
from tests.support.hardware.serial_pty import SerialPty
from tests.support.paths import PROJECT

FRONT_END = PROJECT / "hardware" / "pico" / "main.py"
HERE = Path(__file__).parent
PACKAGE = PROJECT / "tests" / "web" / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
PASS_US = 5000

DIRECT = {"signal": [*range(22), 26, 27]}
MUX = {"select": [2, 3, 4], "signal": [6, 7, 8]}
MATRIX = {"rows": [2, 3, 4, 5], "columns": [6, 7, 8, 9, 10, 11]}
LINEAR = {"select": [2, 3, 4], "inputs": [26, 27, 28]}
"""The recommended wirings."""


TO_BE_ENDED = ExitStack()
"""The processes of a test's boards, which `conftest.py` ends after it."""


def need_micropython() -> None:
    """Skip the test where this machine has no MicroPython to run, or fail it where it must have one."""
    lacking = [] if shutil.which("node") else ["node"]
    lacking += [] if PACKAGE.exists() else ["its npm package (make npm)"]
    if lacking:
        reason = f"no front end in MicroPython without {' and '.join(lacking)}"
        if os.environ.get("MILLWRIGHT_MICROPYTHON_REQUIRED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@dataclass(frozen=True)
class PicoBuild:
    """A board: its wiring, the settings on the Pico if there are any, and the Python that runs them."""

    wiring: dict[str, Any] = field(default_factory=lambda: DIRECT)
    settings: str = ""
    micropython: bool = False

    @classmethod
    def of(cls, kind: str, micropython: bool = False, **other: Any) -> PicoBuild:
        """Return a board wired as recommended for this kind, except for `other`."""
        wiring = {"direct": DIRECT, "mux": MUX, "matrix": MATRIX, "linear": LINEAR}[kind] | other
        settings = "" if kind == "direct" and not other else json.dumps({"kind": kind, **other})
        return cls(wiring, settings, micropython)


class SimulatedPico:
    """A Pico with contacts and a strip; its serial port has the same name after it was replugged."""

    def __init__(self, folder: Path, build: PicoBuild) -> None:
        self.port = SerialPty(folder / "pico")
        self.plugged = True
        if build.settings:
            (folder / "board.json").write_text(build.settings, "utf-8")
        self._obey = _in_node(folder, build) if build.micropython else _in_process(folder, build)
        self.state: dict[str, Any] = {}
        self.run(0)

    @property
    def now_us(self) -> int:
        return int(self.state["now_us"])

    @property
    def leds(self) -> list[bytes]:
        """The bytes that each LED was last sent."""
        data = bytes.fromhex(self.state["leds"])
        return [data[at : at + 3] for at in range(0, len(data), 3)]

    def run(self, us: int) -> None:
        """Let time pass, with the bytes that are on the line."""
        if self.plugged and (heard := self.port.heard()):
            self.hear(heard)
        self.do(f"run {us}")

    def hear(self, data: bytes) -> None:
        """Have these bytes arrive at the Pico."""
        self.do(f"hear {data.hex()}")

    def contact(self, number: int, closed: bool) -> None:
        self.do(f"contact {number} {int(closed)}")

    def unplug(self) -> None:
        self.port.unplug()
        self.plugged = False

    def plug(self) -> None:
        """Plug it in again, which also powers it up."""
        self.port.plug()
        self.plugged = True
        self.do("power")

    def do(self, command: str) -> None:
        """Anything that the bench obeys."""
        self.state = json.loads(self._obey(command))
        if self.plugged and (sent := bytes.fromhex(self.state["sent"])):
            self.port.say(sent)


class PicoBoard:
    """A simulated Pico and the driver that scans it in passes of 5 ms."""

    def __init__(self, folder: Path, build: PicoBuild = PicoBuild()) -> None:
        self.pico = SimulatedPico(folder, build)
        self.board = SerialBoard(str(self.pico.port.path), clock=lambda: self.pico.now_us / 1_000_000)
        self.scanner = self.board.scanner([divmod(n, 8) for n in range(24)])
        self.levels: Levels = ()

    def passes(self, count: int) -> set[str]:
        """Scan that many times; return the errors that this gave."""
        faults = set()
        for _ in range(count):
            self.pico.run(PASS_US)
            try:
                self.levels = self.scanner.scan()
            except SensorError as error:
                faults.add(str(error))
        return faults

    def seconds(self, count: float) -> set[str]:
        return self.passes(round(count * 200))

    def until(self, done: Callable[[], bool], seconds: float = 10.0) -> float:
        """Scan until that is the case; return how long it took."""
        began = self.pico.now_us
        while not done():
            assert self.pico.now_us < began + seconds * 1_000_000, "this never happened"
            self.passes(1)
        return (self.pico.now_us - began) / 1_000_000

    def ready(self) -> PicoBoard:
        """Have the board answer."""
        self.until(lambda: not self.board.trouble)
        return self


def _in_process(folder: Path, build: PicoBuild) -> Callable[[str], str]:
    source = compile(FRONT_END.read_text("utf-8"), str(FRONT_END), "exec", dont_inherit=True)
    return PicoBench(source, f"{folder}/", build.wiring).obey


def _in_node(folder: Path, build: PicoBuild) -> Callable[[str], str]:
    need_micropython()
    files = [HERE / "in_node.mjs", PACKAGE / "micropython.mjs", HERE / "bench.py", FRONT_END]
    words = ["node", *map(str, files), json.dumps(build.wiring)]
    words += [str(folder / "board.json")] if build.settings else []
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603

    def obey(command: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(command + "\n")
        process.stdin.flush()
        state = process.stdout.readline()
        assert state, f"MicroPython died of {command!r}"
        return state

    TO_BE_ENDED.callback(_end, process)
    return obey


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=600)  # closes its stdin, which ends it; the host may be busy
