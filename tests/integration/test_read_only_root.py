"""The program on a machine whose root nobody can write, as with an overlay in memory, and on one whose folder
for games can't be written either.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import which

import pytest

from tests.support.paths import PROJECT
from tests.support.web.page_client import PageClient, get

READ_ONLY = """set -e
mount --make-rprivate /
for at in / /tmp /dev/shm; do ! mountpoint -q $at || mount -o remount,bind,ro $at; done
if touch "$HOME/there" 2>/dev/null; then exit 1; fi
"""
WRITABLE = 'mount -t tmpfs none "$STATE_DIRECTORY"'
FULL = 'mount -t tmpfs -o size=4k none "$STATE_DIRECTORY"; head -c 4096 /dev/zero >"$STATE_DIRECTORY/other"'


def command(folder: Path, text: str) -> tuple[list[str], dict[str, str]]:
    """The words and the environment of a shell's `text` on a read-only root."""
    places = {"HOME": str(folder), "STATE_DIRECTORY": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return [which("unshare") or "", "-m", "sh", "-c", READ_ONLY + text], {**os.environ, **places}


@pytest.fixture(autouse=True)
def _mounts(tmp_path: Path) -> None:
    words, environment = command(tmp_path, ":")
    if os.geteuid() or not words[0] or subprocess.run(words, env=environment, check=False).returncode:  # noqa: S603
        pytest.skip("only root can mount, with unshare")


@contextmanager
def started(folder: Path, arguments: str, state: str) -> Iterator[str]:
    """Run `millwright` with these arguments, after `state` was done; yield the page's address."""
    words, environment = command(folder, f"{state}; exec {sys.executable} -m firmware_host {arguments}")
    process = subprocess.Popen(  # noqa: S603
        words, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    try:
        found = None
        while found is None:
            line = process.stdout.readline()
            assert line, process.wait()
            found = re.search(r"The board is at (\S+)", line)
        yield found[1]
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.ci("programs")
def test_the_service_starts_on_a_root_that_nobody_can_write(tmp_path):
    with started(tmp_path, "run --port 0", WRITABLE) as address:
        faults = json.loads(get(address, "/status")[2])["faults"]
    assert set(faults) == {"sensors", "leds"}


@pytest.mark.ci("programs")
@pytest.mark.parametrize(("state", "why"), [(":", "is mounted read-only"), (FULL, "the disk is full")])
def test_a_service_without_a_place_for_games_says_why(tmp_path, state, why):
    with started(tmp_path, "run --port 0", state) as address:
        faults = json.loads(get(address, "/status")[2])["faults"]
    assert set(faults) == {"sensors", "leds", "disk"}
    assert faults["disk"].startswith("games aren't being saved: ")
    assert why in faults["disk"]


@pytest.mark.ci("programs")
def test_a_board_without_a_place_for_games_plays(tmp_path):
    with (
        started(tmp_path, "sim --no-browser --port 0", FULL) as address,
        closing(PageClient(address)) as page,
    ):
        page.until("snapshot")
        page.send({"id": 1, "put": "d6", "piece": "white"})
        while page.until("snapshot")["state"]["turns"] != ["d6"]:
            pass
