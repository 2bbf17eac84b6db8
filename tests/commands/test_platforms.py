"""Other systems than Linux: Windows is refused in a sentence, and the simulation needs nothing of Linux."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.web.page_client import PageClient, get

pytestmark = pytest.mark.ci("programs")

LINUX_ONLY = ("grp", "gpiod", "pwd", "smbus2", "spidev")
UNIX_ONLY = (*LINUX_ONLY, "fcntl", "termios")
"""Modules that are kept from the command; of these macOS has fcntl and termios, and Windows has none."""

START = """
import socket, sys, time
# Both would ask for modules that only a real Windows has.
import click, shutil

platform, blocked = sys.argv.pop(1), set(sys.argv.pop(1).split(","))

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in blocked & sys.modules.keys():
    del sys.modules[name]
sys.meta_path.insert(0, Blocked())
for module, name in ((time, "CLOCK_BOOTTIME"), (socket, "SOCK_NONBLOCK"), (socket, "SOCK_CLOEXEC")):
    delattr(module, name)
sys.platform = platform
from firmware_host.cli import main
main(prog_name="millwright")
"""


def started(platform: str, home: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command as it runs on `platform`, without the modules that some systems lack."""
    blocked = UNIX_ONLY if platform == "win32" else LINUX_ONLY
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", START, platform, ",".join(blocked), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home)},
    )


@pytest.mark.parametrize("arguments", [["run"], ["sim"], ["doctor", "--json"], ["--help"], []])
def test_command_on_windows_names_wsl(arguments: list[str], tmp_path: Path) -> None:
    process = started("win32", tmp_path, *arguments)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert errors == (
        "Error: Millwright does not run on Windows itself; "
        "install it in WSL, the Windows Subsystem for Linux.\n"
    )


def test_headless_simulation_on_macos_plays(tmp_path: Path) -> None:
    process = started("darwin", tmp_path, "sim", "--headless")
    out, errors = process.communicate('{"put": "d6", "piece": "white"}\n{"wait": 2}\n', timeout=60)
    assert (process.returncode, errors) == (0, "")
    steps = [one for one in map(json.loads, out.splitlines()) if one.get("event") == "step"]
    assert [one["text"] for one in steps] == ["d6"]


@pytest.mark.parametrize("more", [[], ["--setup"]])
def test_simulation_on_macos_serves_its_page(more: list[str], tmp_path: Path) -> None:
    process = started("darwin", tmp_path, "sim", "--no-browser", "--port", "0", *more)
    assert process.stdout is not None
    try:
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+/", line)))
        assert "Millwright" in get(address)[2]
        page = PageClient(address)
        page.until("setup" if more else "snapshot")
        page.close()
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
