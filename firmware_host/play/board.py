"""One pass of the board's loop: read the sensors, let the controller answer, show its light.

The requests that touches made are carried out in the same pass, so that light answers the touch.

Invariants: no clock; a strip that fails does not stop the game, and is tried again after a second; a strip
that had no power shines again within a second; sensors that fail stop play until they can be read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.errors import SensorError, StripError
from firmware_host.play import events as ev
from firmware_host.play.controller import Controller
from firmware_host.play.requests import carry_out
from firmware_host.play.strip_refresh import StripRefresh
from firmware_host.ports import LedFrame, LedPort, SensorPort
from firmware_host.settings import Microseconds


@dataclass(frozen=True, slots=True)
class LoopCounters:
    """The number of passes of each part since the start, including those that ended in a fault.

    `store` is None on a board that stores nothing.
    """

    sensors: int
    strip: int
    store: int | None = None

    def is_past(self, earlier: LoopCounters) -> bool:
        """Return True if every part has made a pass since `earlier`."""
        return (
            self.sensors > earlier.sensors
            and self.strip > earlier.strip
            and (self.store is None or earlier.store is None or self.store > earlier.store)
        )


class Board:
    """A board: its ports, and the controller between them."""

    def __init__(self, sensors: SensorPort, strip: LedPort, controller: Controller) -> None:
        self.controller = controller
        self.frames = 0
        """The number of frames that were read, without those that failed."""
        self._sensors = sensors
        self._strip = strip
        self.strip_refresh = StripRefresh()
        """The schedule of transmissions to the strip."""
        self._sensor_passes = 0
        self._strip_passes = 0

    def tick(self, now: Microseconds) -> tuple[ev.Event, ...]:
        """Do one pass at `now`, and return its events."""
        try:
            readings = self._sensors.read()
        except SensorError as error:
            leds = self.controller.blind_step(error.message, now)
        else:
            self.frames += 1
            leds = self.controller.step(readings, now)
            if asked := self.controller.asks.take_requests():
                for request in asked:
                    carry_out(self.controller, request)
                leds = self.controller.step(readings, now)
        self._sensor_passes += 1
        if self.strip_refresh.is_due(leds, now):
            self._show(leds, now)
        self._strip_passes += 1
        return self.controller.take_events()

    @property
    def progress(self) -> LoopCounters:
        """The passes of sensors and strip, including those in which the strip was sent nothing."""
        return LoopCounters(self._sensor_passes, self._strip_passes)

    @property
    def levels(self) -> Mapping[int, int]:
        """The last readings of linear sensors, by the index of their point; empty for other sensors."""
        return self._sensors.levels

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes, refreshes not counted."""
        dues = (self.controller.deadline, self.strip_refresh.again_at if self.strip_refresh.failed else None)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Switch the light off, and release the pins."""
        self._strip.close()
        self._sensors.close()

    def _show(self, leds: LedFrame, now: Microseconds) -> None:
        try:
            self._strip.show(leds)
        except StripError as error:
            self.strip_refresh.did_fail(now)
            self.controller.fault("leds", error.message)
        else:
            self.strip_refresh.succeeded(leds, now)
            self.controller.fault_cleared("leds")
