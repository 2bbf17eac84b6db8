"""Clocks for people: the state of the headless board and the page, and time controls in words."""

from __future__ import annotations

from typing import Any

from firmware_host.games.game import Player
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import Message
from firmware_host.play.controller import Controller


def clock_dict(controller: Controller) -> dict[str, Any] | None:
    """Return the public form of the clocks now; None if there are none.

    It names the time control, the seconds left of each player (None for one without a clock), the player
    whose time runs, the one whose time is up, whether that loses the game, and the LEDs of each side bar.
    """
    reading = controller.clocks.read(controller.now)
    if reading is None:
        return None
    left = (reading.left.get(player) for player in Player)
    white_s, black_s = (None if time is None else round(time / 1_000_000, 1) for time in left)
    return {
        "control": str(reading.controls),
        "white_s": white_s,
        "black_s": black_s,
        "running": None if reading.running is None else str(reading.running),
        "flag": None if reading.flag is None else str(reading.flag),
        "strict": reading.is_strict,
        "bar_leds": controller.clocks.bar_leds,
    }


def clock_name(text: str) -> Message:
    """Return the name of a time control that both players have."""
    control = TimeControls.parse(text).white
    if control is None:
        return Message("clock.none")
    if control.is_per_turn:
        return Message("clock.turn", {"seconds": control.turn_s})
    if not control.turn_s:
        return Message("clock.minutes", {"minutes": control.base_s // 60})
    return Message("clock.fischer", {"minutes": control.base_s // 60, "seconds": control.turn_s})
