"""The way from magnet to light stays short: a promise about the structure, counted at run time."""

from __future__ import annotations

from tests.integration.borders import crossings_of_deciding_frame

MAX_CROSSINGS = 30


def test_deciding_frame_crosses_few_package_borders() -> None:
    crossed = crossings_of_deciding_frame()
    assert ("firmware_host.play", "firmware_host.tracking") in crossed
    assert ("firmware_host.play", "hardware.strip") in crossed
    assert crossed.total() <= MAX_CROSSINGS, crossed
