"""Count what each of the five programs loads of this project: `python -m tests.integration.loads`.

A program is imported in a fresh interpreter; every module of `firmware_host`, `hardware` and `sim` that is
there afterwards counts, with its lines, and the memory of the process. Modules that are loaded later, when
they are first wanted, do not count.
"""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

PROGRAMS = {
    "board": ("firmware_host.runtime.run",),
    "engine": ("firmware_host.engine.worker",),
    "page's server": ("firmware_host.web.server",),
    "link": ("firmware_host.link.program", "paho.mqtt.client"),
    "wall": ("firmware_host.club.wall", "paho.mqtt.client"),
    "wall with its server": (
        "firmware_host.club.wall",
        "firmware_host.club.wall",
        "firmware_host.club.following",
        "paho.mqtt.client",
    ),
    "workshop": ("firmware_host.maintenance.setup_run", "firmware_host.maintenance.doctor_target"),
}
"""The modules with which each program begins."""

_COUNT = """
import importlib, pathlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
own = [
    module.__file__
    for name, module in list(sys.modules.items())
    if name.split(".")[0] in ("firmware_host", "hardware", "sim") and getattr(module, "__file__", None)
]
lines = sum(len(pathlib.Path(file).read_bytes().splitlines()) for file in own)
with open("/proc/self/status") as status:
    (memory,) = [line.split()[1] for line in status if line.startswith("VmRSS")]
print(len(own), lines, memory)
"""


class Load(NamedTuple):
    """The files and lines that a program loads, and its memory in kB once it has."""

    files: int
    lines: int
    memory_kb: int


def load_of(program: str) -> Load:
    """Return what this program loads."""
    command = [sys.executable, "-c", _COUNT, *PROGRAMS[program]]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    return Load(*map(int, done.stdout.split()))


def main() -> None:
    """Print what each program loads."""
    for program in PROGRAMS:
        load = load_of(program)
        print(f"{load.files:4} files {load.lines:6} lines {load.memory_kb / 1000:5.1f} MB  {program}")  # noqa: T201


if __name__ == "__main__":
    main()
