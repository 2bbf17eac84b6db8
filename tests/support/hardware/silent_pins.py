"""Signal lines of a simulated Pi that can no longer be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sim.electronics.mux import MuxBank


@contextmanager
def silenced(pi: Any, bank: MuxBank, signals: Sequence[int]) -> Iterator[None]:
    """Let reads of the lines `signals` raise OSError, as if the Pi's GPIO chip did not answer."""

    def fail(pull: str) -> bool:
        raise OSError("the GPIO chip does not answer")

    pins = [pi.pin(gpio) for gpio in signals]
    levels = [pin._level for pin in pins]
    _replace(pins, [fail] * len(pins), bank)
    try:
        yield
    finally:
        _replace(pins, levels, bank)


def _replace(pins: Sequence[Any], levels: Sequence[Any], bank: MuxBank) -> None:
    for pin, level in zip(pins, levels, strict=True):
        pin._level = level
    bank.fail(0, dead=False)  # counts as a change, so that no line answers from memory
