"""The side bars: two rows of LEDs beside the board that show how much time each player has left.

A bar lights the share of the time that is left. In the last seconds each LED stands for four of them.

**Invariants:** a bar is dark only when the time is up and nothing says so; what a bar shows changes only at
the times that `next_step` gives.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from math import ceil

from firmware_host.frozen import frozen
from firmware_host.games.game import Player
from firmware_host.lights.themes import Look, Pattern, Theme
from firmware_host.settings import Microseconds

LOW: Microseconds = 30_000_000
"""The time left from which on each LED is a few seconds."""
_LOW_STEP: Microseconds = 4_000_000
_QUARTER = 0.25


class BarState(enum.Enum):
    """The ways in which a bar is lit."""

    RUNNING = "running"
    STANDING = "standing"
    LOW = "low"
    """Time runs, and is nearly up."""
    FLAG = "flag"
    """Time is up."""


@frozen
class Bar:
    """The bar of one player: how many of its LEDs are lit, and how."""

    lit: int
    state: BarState


NO_BAR = Bar(0, BarState.STANDING)
"""The bar of a player without a clock."""


def bar_of(left: Microseconds, whole: Microseconds, leds: int, *, runs: bool) -> Bar:
    """Return the bar of a player with `left` of a `whole` time; `runs` if that time runs."""
    if left <= 0:
        return Bar(leds, BarState.FLAG)
    step = _step(left, whole, leds)
    state = BarState.STANDING if not runs else BarState.LOW if left <= LOW else BarState.RUNNING
    return Bar(min(leds, ceil(left / step)), state)


def next_step(left: Microseconds, whole: Microseconds, leds: int) -> Microseconds:
    """Return the next time left at which a bar that runs changes; below 0 if it will not."""
    if left <= 0:
        return -1
    step = _step(left, whole, leds)
    lower = int((min(leds, ceil(left / step)) - 1) * step)
    return max(lower, LOW) if left > LOW else lower


def bar_look(theme: Theme, player: Player, state: BarState) -> Look:
    """Return the look of the lit LEDs of a bar, in the colour in which `theme` shows the player's moves."""
    colour = (theme.destination_white if player is Player.WHITE else theme.destination_black).colour
    look = Look(colour)
    match state:
        case BarState.RUNNING:
            return look
        case BarState.STANDING:
            return replace(look, level=_QUARTER)
        case BarState.LOW:
            return replace(look, pattern=Pattern.PULSE, period_ms=1200)
        case BarState.FLAG:
            return replace(look, pattern=Pattern.DOUBLE_BLINK, rest=0.0)


def _step(left: Microseconds, whole: Microseconds, leds: int) -> float:
    """Return the time that each LED stands for."""
    return _LOW_STEP if left <= LOW else max(whole, 1) / leds
