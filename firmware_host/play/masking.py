"""Masking a sensor that is broken, and believing it again, by the name of its point.

Rules kept here: what is wrong with a name is said; names that a board does not have, as they may be kept from
another one, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.errors import RequestError
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.play.events import Event, Masked, Unmasked
from firmware_host.tracking.sensor_model import Sight


def with_masks(sight: Sight, layout: Layout, names: Iterable[str]) -> Sight:
    """`sight` with the sensors of these points masked."""
    points = (layout.by_name.get(name) for name in names)
    return Sight(sight.alphabet, sight.masked | {point.index for point in points if point is not None})


def masked(sight: Sight, layout: Layout) -> frozenset[Point]:
    """The points whose sensor is masked."""
    return frozenset(point for point in layout.points if point.index in sight.masked)


def mask(sight: Sight, layout: Layout, name: str) -> Sight:
    """`sight` with one more sensor masked; raises RequestError."""
    index = _index(layout, name)
    if index in sight.masked:
        raise RequestError(Message("refused.masked", {"points": (name,)}))
    return Sight(sight.alphabet, sight.masked | {index})


def unmask(sight: Sight, layout: Layout, name: str) -> Sight:
    """`sight` with a masked sensor believed again; raises RequestError."""
    index = _index(layout, name)
    if index not in sight.masked:
        raise RequestError(Message("refused.not-masked", {"points": (name,)}))
    return Sight(sight.alphabet, sight.masked - {index})


def changes(before: Sight, after: Sight, layout: Layout) -> list[Event]:
    """What is told when `after` follows `before`."""
    changed = [point for point in layout.points if point.index in before.masked ^ after.masked]
    return [Masked(point) if point.index in after.masked else Unmasked(point) for point in changed]


def _index(layout: Layout, name: str) -> int:
    point = layout.by_name.get(name)
    if point is None:
        raise RequestError(Message("refused.no-point", {"text": name}))
    return point.index
