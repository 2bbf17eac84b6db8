"""Masks: the sensors that are ignored because they are broken, by the names of their points.

Invariants: a wrong name is an error in a request, but is left out of the names that were stored, which may be
those of another board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.play.events import Event, Masked, Unmasked
from firmware_host.ports import SensorKind
from firmware_host.tracking.sensor_model import SensorModel


@frozen
class Masking:
    """The masks of a board, within the model of its sensors."""

    layout: Layout
    model: SensorModel

    @classmethod
    def of(cls, alphabet: SensorKind, layout: Layout, names: Iterable[str] = ()) -> Masking:
        """Return the masks of the points with these `names`, as far as the layout has them."""
        points = (layout.by_name.get(name) for name in names)
        indexes = frozenset(point.index for point in points if point is not None)
        return cls(layout, SensorModel(alphabet, indexes))

    @property
    def points(self) -> frozenset[Point]:
        """The points whose sensor is masked."""
        return frozenset(point for point in self.layout.points if point.index in self.model.masked)

    def mask(self, name: str) -> Masking:
        """Return these masks and one more; raise RequestError if there is no such sensor to mask."""
        index = self._index(name)
        if index in self.model.masked:
            raise RequestError(Message("refused.masked", {"points": (name,)}))
        return self._with(self.model.masked | {index})

    def unmask(self, name: str) -> Masking:
        """Return these masks without one; raise RequestError if there is no such sensor to unmask."""
        index = self._index(name)
        if index not in self.model.masked:
            raise RequestError(Message("refused.not-masked", {"points": (name,)}))
        return self._with(self.model.masked - {index})

    def changes_since(self, before: Masking) -> list[Event]:
        """Return the events that lead from the masks `before` to these."""
        changed = [point for point in self.layout.points if point in self.points ^ before.points]
        return [Masked(point) if point in self.points else Unmasked(point) for point in changed]

    def _with(self, masked: frozenset[int]) -> Masking:
        return replace(self, model=SensorModel(self.model.alphabet, masked))

    def _index(self, name: str) -> int:
        point = self.layout.by_name.get(name)
        if point is None:
            raise RequestError(Message("refused.no-point", {"text": name}))
        return point.index
