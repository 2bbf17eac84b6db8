"""The parts of a board that do not work, with the reasons.

Invariants: a fault of the sensors, such as an outage, stops play and leaves the board dark; no other does.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart

STOPPING_PART = "sensors"
"""The part whose fault stops play."""


@frozen
class PartFault:
    """A part of the board that does not work, with the reason."""

    part: str
    reason: Message

    @property
    def message(self) -> Message:
        """The reason within a sentence that names the part."""
        part = self.part
        return Message(f"fault.{part}", {"text": self.reason})


class FaultRecord(PlayPart):
    """The faults of one board, from whoever finds them."""

    def __init__(self) -> None:
        self.reasons: dict[str, Message] = {}
        """The reasons, by the names of the parts."""
        self._found: dict[str, Message] = {}
        self._events: list[ev.Event] = []

    @property
    def stops_clocks(self) -> bool:
        """True while play has stopped."""
        return STOPPING_PART in self.reasons

    def add(self, part: str, what: Message) -> bool:
        """Record that a part does not work, an event if it did, and why; return True if that is news."""
        known = self.reasons.get(part)
        if known is None:
            self._events.append(ev.FaultFound(part, to_english(what)))
        self.reasons[part] = what
        return known != what

    def clear(self, part: str) -> bool:
        """Record that a part works; return True if it did not, which is an event."""
        if self.reasons.pop(part, None) is None:
            return False
        self._events.append(ev.FaultCleared(part))
        return True

    def take_over(self, parts: Iterable[PlayPart]) -> None:
        """Record the faults that `parts` find, and that those which they don't find any more are over."""
        before, self._found = self._found, {}
        for part in parts:
            self._found.update(part.faults)
        for name, why in self._found.items():
            self.add(name, why)
        for name in before.keys() - self._found.keys():
            self.clear(name)

    def add_light(self, scene: Scene) -> Scene:
        """Return no light at all while play has stopped."""
        return Scene() if self.stops_clocks else scene

    def take_news(self) -> tuple[ev.Event, ...]:
        """Return the events since the last call, in order, whether a frame was answered since or not."""
        events = tuple(self._events)
        self._events.clear()
        return events
