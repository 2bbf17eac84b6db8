"""The vocabulary of a layout.

Lengths are in millimetres, x to the right and y down as in KiCad; angles count counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from firmware_host.frozen import frozen

XY = tuple[float, float]

BOTH = ("F.Cu", "B.Cu")


@frozen(slots=False)
class PartPlace:
    """The place of a part; `label` is where its reference is printed, from its origin."""

    x: float
    y: float
    turn: float = 0
    label: XY = (0, 0)
    below: bool = False
    """True for a part on the bottom."""


@frozen(slots=False)
class Pour:
    """An area of copper for a net, on the layers named."""

    net: str
    corners: tuple[XY, ...]
    layers: tuple[str, ...] = BOTH


@frozen(slots=False)
class Text:
    """Words on the silkscreen; `below` prints them on the bottom as well, mirrored."""

    words: str
    x: float
    y: float
    size: float = 1.0
    turn: float = 0
    below: bool = False


@frozen(slots=False)
class BoardLayout:
    """A board: its outline (corners, or the radius of a disc), and everything on it."""

    name: str
    title: str
    places: Mapping[str, PartPlace]
    pours: tuple[Pour, ...]
    texts: tuple[Text, ...] = ()
    holes: tuple[XY, ...] = ()
    corners: tuple[XY, ...] = ()
    centre: XY = (0, 0)
    radius: float = 0
    """A disc, if not 0."""
    ground_tracks: tuple[tuple[str, str, str, str], ...] = ()
    """Pads of ground that a track joins, whatever the pours do: reference and pad, reference and pad."""
    wide: Mapping[str, float] = field(default_factory=dict)
    """The greatest width of the tracks of some nets, where there is room."""
