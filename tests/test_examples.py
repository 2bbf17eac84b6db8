"""Examples of properties: the same in each run, whatever else the process has loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci("programs")

PROJECT = Path(__file__).parent.parent
PROPERTY = """
import json, os
from hypothesis import given, settings, strategies as st

DRAWN = []

@settings(max_examples=100)
@given(st.integers(), st.text())
def test_drawn(number, text):
    DRAWN.append([number, text])

def test_end():
    print(json.dumps(DRAWN))
"""


def drawn(folder: Path, *loaded: str) -> list[object]:
    """Return the examples of a property in a process that has these modules loaded."""
    (folder / "conftest.py").write_text("".join(f"import {module}\n" for module in loaded))
    (folder / "test_drawn.py").write_text(PROPERTY)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(folder), "-c", "/dev/null", str(folder / "test_drawn.py")]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT).stdout  # noqa: S603
    examples: list[object] = json.loads(
        next(line for line in output.splitlines() if "[[" in line).lstrip(".")
    )
    return examples


def test_examples_do_not_depend_on_loaded_modules(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    for folder in (few, many):
        folder.mkdir()
    examples = drawn(few)
    assert len(examples) == 100
    assert examples == drawn(many, "firmware_host.cli", "sim.headless", "hardware.factory")
