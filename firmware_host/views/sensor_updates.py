"""Sensor updates: raw and debounced readings, for the pages that watch them.

Invariants: nothing is computed while no page watches; a page gets the readings as soon as it watches, and
then changes as often as the eye can follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.play.controller import Controller
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.web import messages

MIN_INTERVAL: Microseconds = 40_000
"""The shortest time between two updates."""


class SensorPublisher:
    """Publishes the readings of one board.

    `shining` returns the lit points with their colours, and `levels` the last readings of linear sensors by
    the index of their point; these are left out while the sensors cannot be read.
    """

    def __init__(
        self,
        controller: Controller,
        *,
        shining: Callable[[], dict[str, str]],
        levels: Callable[[], Mapping[int, int]],
    ) -> None:
        self._controller = controller
        self._shining = shining
        self._levels = levels
        self._watchers = 0
        self._published: messages.PageMessage = {}
        self._next_at: Microseconds = 0

    def publish_changes(
        self, publish: Callable[[messages.PageMessage], None], watchers: int, now: Microseconds
    ) -> None:
        """Publish the readings if they differ from the last call, and `watchers` pages are more than none."""
        is_new, self._watchers = watchers > self._watchers, watchers
        if not watchers or (now < self._next_at and not is_new):
            return
        message = self._message()
        if is_new or message != self._published:
            self._published, self._next_at = message, now + MIN_INTERVAL
            publish(message)

    def _message(self) -> messages.PageMessage:
        controller = self._controller
        session = controller.session
        points, box = session.game.rules.layout.points, session.game.rules.box
        readings = {*controller.raw, *session.frame} - {NOTHING}
        levels = self._levels() if controller.raw else {}
        shown = {reading: session.sensor_model.shown(reading, box) for reading in sorted(readings)}
        return messages.sensor_readings(
            raw=_named(points, controller.raw),
            stable=_named(points, session.frame),
            shown={str(reading): [*map(str, pieces)] for reading, pieces in shown.items() if pieces},
            masked=sorted(map(str, session.masking.points)),
            glitches={
                str(points[index]): count for index, count in sorted(controller.debouncer.glitches.items())
            },
            levels={str(points[index]): level for index, level in levels.items()},
            leds=self._shining(),
        )


def _named(points: tuple[object, ...], frame: Frame) -> dict[str, int]:
    """Return the readings other than nothing, by the names of their points."""
    read = zip(points, frame, strict=False)  # the frame is empty before the first reading, and after a fault
    return {str(point): reading for point, reading in read if reading != NOTHING}
