"""What one may set about a board, as values with defaults; units are in the names.

`config.py` fills these from a file; nothing here reads one. A field's metadata has its least and
greatest value, which the reader checks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Microseconds = int
"""Time is whole microseconds since the program started: exact, so that 10 ms are two frames at 200 Hz."""


def _number(default: float, least: float, most: float) -> Any:
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True, slots=True)
class Timing:
    """How often the board looks, and how long it waits before it believes; each is used by one module."""

    frame_rate_hz: int = _number(200, 20, 1000)
    debounce_ms: int = _number(10, 0, 200)
    landing_ms: int = _number(40, 0, 2000)
    """A landing where the lifted piece has no other legal one."""
    sliding_landing_ms: int = _number(240, 0, 5000)
    """A landing where a slide could go on."""
    removal_ms: int = _number(300, 0, 5000)
    put_back_ms: int = _number(1000, 0, 10000)
    """A removed piece that is back within this time was put back."""
    illegal_landing_ms: int = _number(150, 0, 5000)
    mismatch_ms: int = _number(500, 0, 10000)
    take_back_rest_ms: int = _number(1000, 0, 10000)
    cleared_ms: int = _number(3000, 500, 60000)
    cleared_forgives_ms: int = _number(10000, 0, 60000)
    """Take-backs so long before the clearing of the board were part of clearing it."""


@dataclass(frozen=True, slots=True)
class Lights:
    """How the light looks and what it may draw."""

    theme: str = "harbour"
    brightness: float = _number(0.6, 0.0, 1.0)
    gamma: float = _number(2.2, 1.0, 4.0)
    budget_ma: int = _number(500, 100, 20000)
    idle_ma_per_led: float = _number(1.0, 0.0, 5.0)
    full_ma_per_colour: float = _number(20.0, 1.0, 60.0)
    hints: bool = True
    """Whether legal moves are lit; mills, removals and errors always are."""


@dataclass(frozen=True, slots=True)
class Play:
    """What the board allows besides the rules."""

    rules: str = "standard"
    switches: tuple[str, ...] = ()
    """Switches set over the rule set, each `name=value`."""
    take_back: bool = True
    """Whether turns older than the last may be taken back by moving back."""
