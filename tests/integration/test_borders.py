"""The way from magnet to light stays short: a promise about the structure, counted at run time."""

from __future__ import annotations

import pytest

from tests.integration.borders import deciding_frame
from tests.integration.loads import load_of

MAX_CROSSINGS = 30
MAX_LINES = {"link": 10_000, "wall": 6_000, "engine": 8_200, "page's server": 6_000}
"""The most lines that programs load which share a Pi with the board, or run on small machines."""


def test_deciding_frame_crosses_few_package_borders() -> None:
    crossed, _ = deciding_frame()
    assert ("firmware_host.play", "firmware_host.tracking") in crossed
    assert ("firmware_host.play", "hardware.strip") in crossed
    assert crossed.total() <= MAX_CROSSINGS, crossed


@pytest.mark.parametrize("program", MAX_LINES)
def test_program_loads_little_but_its_own(program: str) -> None:
    load = load_of(program)
    assert 1000 < load.lines <= MAX_LINES[program], load
