"""The board's own Wi-Fi, as far as the board shows it: by light until somebody has seen it, and in words.

A companion program opens it (`maintenance/wifi/`), by itself or when the button was held down.

Invariants: nothing of the game is stopped by it. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.i18n import Message
from firmware_host.lights.scene import Scene, own_wifi_scene
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart
from firmware_host.play.session import Session
from firmware_host.settings import Microseconds

PATIENCE: Microseconds = 60_000_000
"""The time that the companion has to open it: it looks for networks before."""


class OwnWifi(PlayPart):
    """The Wi-Fi of one board."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_open = self._is_seen = False
        self._wanted_at: Microseconds | None = None
        self._trouble: Message | None = None

    @property
    def stage(self) -> str | None:
        """Return `wanted` while the companion is to open it, `open` while it is, and otherwise None."""
        if self._wanted_at is not None:
            return "wanted"
        return "open" if self._is_open else None

    def want(self, now: Microseconds) -> None:
        """Have the companion open it."""
        self._wanted_at, self._trouble, self._is_seen = now, None, False

    def report(self, *, is_open: bool) -> None:
        """Note whether it is open, as its companion reports."""
        self._is_open, self._is_seen = is_open, False
        self._wanted_at = self._trouble = None

    @property
    def faults(self) -> Mapping[str, Message]:
        """The lack of a network, and the way to one, as a fault of the Wi-Fi."""
        why = Message("fault.wifi.own") if self._is_open else self._trouble
        return {} if why is None else {ev.WIFI: why}

    def add_light(self, scene: Scene) -> Scene:
        """Return its own light alone until the board is used."""
        is_lit = self._is_open and not self._is_seen
        return own_wifi_scene(self._session.game.rules.layout) if is_lit else scene

    def on_use(self, _now: Microseconds) -> None:
        """Leave the light to the game, as somebody has touched the board."""
        self._is_seen = True

    def on_frame(self, now: Microseconds) -> None:
        """Give up waiting for the companion, at `now`."""
        if self._wanted_at is not None and now - self._wanted_at >= PATIENCE:
            self._wanted_at, self._trouble = None, Message("fault.wifi.none")

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which it has waited long enough; None if it isn't waiting."""
        return None if self._wanted_at is None else self._wanted_at + PATIENCE
