"""Gestures that hands make by chance, which would open the menu of light: counted, and how many may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.play.asking.gestures import GestureWatch
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds

KNOCKS, HOLD_UPS = "knocks by chance", "hold-ups by chance"
TURNS_OF_A_HOLD_UP = 2_000
"""The turns in which one hold-up by chance is allowed."""


@contextmanager
def counted(counts: Counter[str]) -> Iterator[None]:
    """Count the gestures that all boards in this process see."""
    update = GestureWatch.completed_in

    def counting(self: GestureWatch, frame: Frame, now: Microseconds) -> set[int]:
        found = update(self, frame, now)
        if found:
            counts[KNOCKS if len(found) == 1 else HOLD_UPS] += 1
        return found

    GestureWatch.completed_in = counting
    try:
        yield
    finally:
        GestureWatch.completed_in = update


def are_few(counts: Counter[str], turns: int) -> bool:
    """Return whether hands that ask for nothing may make these gestures in `turns` turns: no knock at all."""
    return not counts[KNOCKS] and counts[HOLD_UPS] * TURNS_OF_A_HOLD_UP <= turns
