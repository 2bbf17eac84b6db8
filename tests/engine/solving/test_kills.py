"""A build that is killed before any of its operations on the disk: nothing bad is left, and it goes on."""

import os
import subprocess
import sys

import pytest

from firmware_host.engine.solving.builder import build, missing, order
from firmware_host.engine.solving.folder import PARTIAL, TableFolder
from tests.engine.conftest import Silent
from tests.support.games.morris import mill_rules
from tests.support.matrix import sampled
from tests.support.paths import PROJECT

pytestmark = pytest.mark.ci("engine")

STONES = 7
KILLED = 9

BUILD = """
import os, sys
from pathlib import Path
import firmware_host.engine.native as native
from firmware_host.engine.solving import folder
from firmware_host.engine.solving.builder import build, order
from firmware_host.games.rulesets import rule_set
from tests.engine.conftest import Silent

library, base, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
native.LIBRARY = library

def count(*_):
    global left
    left -= 1
    if left < 0:
        os._exit(9)

def counted(function):
    return lambda *arguments: (count(), function(*arguments))[1]

def written(file, parts):
    write(file, (part for part in parts if not count()))

write, folder.write_parts = folder.write_parts, written
os.fsync = counted(os.fsync)
sys.addaudithook(
    lambda event, arguments: count()
    if event in ("open", "os.rename", "os.remove", "os.mkdir") and str(base) in str(arguments[0])
    else None
)
build(order(folder.TableFolder.of(rule_set("six").options, base), 7), Silent())
"""


def killed_build(compiled, base, number):
    """Return the status of a build in a process that ends before its operation of this number."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", BUILD, str(compiled), str(base), str(number)],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=False,
        timeout=120,
    ).returncode


@pytest.mark.parametrize("numbers", sampled([range(2, 40, 8), range(40)]))
def test_build_killed_before_an_operation_leaves_nothing_bad(compiled, library, tmp_path, numbers):
    rules = mill_rules("six").options
    whole = TableFolder.of(rules, tmp_path / "whole")
    build(order(whole, STONES), Silent())
    expected = {path.name: path.read_bytes() for path in whole.path.glob("*.mwt")}
    killed = 0
    for number in numbers:
        folder = TableFolder.of(rules, tmp_path / str(number))
        status = killed_build(compiled, tmp_path / str(number), number)
        assert status in (0, KILLED)
        killed += status == KILLED
        found = {path.name: path.read_bytes() for path in folder.path.glob("*.mwt")}
        assert found.items() <= expected.items()
        build(order(folder, STONES), Silent())
        assert missing(order(folder, STONES)) == []
        assert {path.name: path.read_bytes() for path in folder.path.glob("*.mwt")} == expected
        assert not list(folder.path.glob(PARTIAL))
    assert killed
