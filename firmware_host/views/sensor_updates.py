"""What the sensors say and what of it is believed, for the pages that watch.

Rules kept here: while no page watches nothing is worked out; who watches is told of what differs as often as
an eye can follow, and at once when it begins to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.play.controller import Controller
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.web import messages

_BETWEEN: Microseconds = 40_000


class Feeling:
    """The feeling of one board.

    `shining` are the lit points with the colours that they were sent; `levels` has those of linear sensors,
    by the index of their point, when they were read last: none are told while they cannot be read.
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
        self._told: messages.PageMessage = {}
        self._next: Microseconds = 0

    def tell(self, publish: Callable[[messages.PageMessage], None], watchers: int, now: Microseconds) -> None:
        """Publish what differs from the last call, if any of so many pages watch."""
        came, self._watchers = watchers > self._watchers, watchers
        if not watchers or (now < self._next and not came):
            return
        message = self._message()
        if came or message != self._told:
            self._told, self._next = message, now + _BETWEEN
            publish(message)

    def _message(self) -> messages.PageMessage:
        controller = self._controller
        session = controller.session
        points, box = session.game.rules.layout.points, session.game.rules.box
        readings = {*controller.raw, *session.frame} - {NOTHING}
        levels = self._levels() if controller.raw else {}
        shown = {reading: session.sight.shown(reading, box) for reading in sorted(readings)}
        return messages.felt(
            raw=_named(points, controller.raw),
            believed=_named(points, session.frame),
            shown={str(reading): [*map(str, pieces)] for reading, pieces in shown.items() if pieces},
            masked=sorted(map(str, session.masking.points)),
            flickers={str(points[index]): count for index, count in sorted(controller.flickers.items())},
            levels={str(points[index]): level for index, level in levels.items()},
            leds=self._shining(),
        )


def _named(points: tuple[object, ...], frame: Frame) -> dict[str, int]:
    """The readings other than nothing, by the names of their points."""
    read = zip(points, frame, strict=False)  # nothing was read yet, or cannot be
    return {str(point): reading for point, reading in read if reading != NOTHING}
