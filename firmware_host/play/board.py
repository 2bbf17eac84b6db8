"""One pass of the board's loop: read the sensors, let the controller answer, show its light.

Rules kept here: no clock; a strip that fails does not stop the game and is tried again after a second, and
one that was without power shines again within one; sensors that fail stop play until they can be read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.errors import SensorError, StripError
from firmware_host.play import events as ev
from firmware_host.play.controller import Controller
from firmware_host.play.strip_refresh import Sending
from firmware_host.ports import LedFrame, LedPort, SensorPort
from firmware_host.settings import Microseconds


@dataclass(frozen=True, slots=True)
class Progress:
    """How often each part has come round since the start: has done its work, or has said why it could not.

    `store` is None on a board that keeps nothing.
    """

    sensors: int
    strip: int
    store: int | None = None

    def is_past(self, earlier: Progress) -> bool:
        """Whether every part has come round since `earlier`."""
        return (
            self.sensors > earlier.sensors
            and self.strip > earlier.strip
            and (self.store is None or earlier.store is None or self.store > earlier.store)
        )


class Board:
    """The ports and the controller between them."""

    def __init__(self, sensors: SensorPort, strip: LedPort, controller: Controller) -> None:
        self.controller = controller
        self.frames = 0
        """Frames that were read; those that could not be are not counted."""
        self._sensors = sensors
        self._strip = strip
        self.sending = Sending()
        """When the strip is sent light."""
        self._sensors_round = 0
        self._strip_round = 0

    def tick(self, now: Microseconds) -> tuple[ev.Event, ...]:
        """Do one pass at `now` and say what happened."""
        try:
            readings = self._sensors.read()
        except SensorError as error:
            leds = self.controller.blind_step(error.said, now)
        else:
            self.frames += 1
            leds = self.controller.step(readings, now)
        self._sensors_round += 1
        if self.sending.is_due(leds, now):
            self._show(leds, now)
        self._strip_round += 1
        return self.controller.take_events()

    @property
    def progress(self) -> Progress:
        """How often sensors and strip have come round; a strip that is owed no light has, too."""
        return Progress(self._sensors_round, self._strip_round)

    @property
    def levels(self) -> Mapping[int, int]:
        """What linear sensors gave when they were read last, by the index of their point; else empty."""
        return self._sensors.levels

    @property
    def deadline(self) -> Microseconds | None:
        """When something may happen although no reading changes; light that is sent again is not counted."""
        dues = (self.controller.deadline, self.sending.again_at if self.sending.failed else None)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Go dark and give the pins back."""
        self._strip.close()
        self._sensors.close()

    def _show(self, leds: LedFrame, now: Microseconds) -> None:
        try:
            self._strip.show(leds)
        except StripError as error:
            self.sending.did_fail(now)
            self.controller.fault("leds", error.said)
        else:
            self.sending.succeeded(leds, now)
            self.controller.fault_cleared("leds")
