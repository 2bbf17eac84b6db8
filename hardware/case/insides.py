"""Whatever stands on the lid and in the frame: the Pi, the board with the chips, and the jack.

Invariants: sizes are those of the Pi's mechanical drawings and of usual parts, and the largest of the models.
The Pi's memory card points to the left; its header is at the back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.games.layout import Layout
from hardware.case.heights import Heights
from hardware.case.housing import FrameSide, Window
from hardware.case.measures import ChipBoard, Measures
from hardware.case.module import (
    BOARD_MM,
    CONTROLLER_ABOVE_MM,
    CONTROLLER_MM,
    PI_IN_CONTROLLER_MM,
    POSTS_MM,
    USB_C_MM,
    controller_prisms,
)
from hardware.case.solids import Hole, Prism, Solid

PI_MM = (85.0, 56.0)
PI_HOLES_MM = (*tuple((x, y) for x in (3.5, 61.5) for y in (3.5, 52.5)), (3.5, 29.5), (61.5, 29.5))
"""Holes for a Pi with its header at the back: those of a full board, then the front two of a Zero."""

STRIPBOARD_MM, STRIPBOARD_PARTS_MM = (160.0, 100.0), 22.0
"""A stripboard, and the height of sockets and terminals with their wires on it."""

SPACER_MM, SPACER_HEIGHT_MM, _SPACER_SCREW_MM = 6.0, 5.0, 2.7
_USB_MM, _USB_OVER_MM = 16.0, 3.0
_CARD_MM, _CARD_OVER_MM = (15.0, 1.2), 2.6
_PLUG_MM = 16.0
"""The height of a ribbon cable's plug on the header."""

_AIR_MM, _AIR_HEIGHT_MM = (40.0, 5.0), 42.0
_CARD_WINDOW_MM, _JACK_BODY_MM, _JACK_WALL_MM = (26.0, 16.0), (14.0, 22.0), 3.0
JACK_MM = 8.0
_JACK_HEIGHT_MM = 16.0
_USB_C_WINDOW_MM = (16.0, 11.0)
_WIRE_ROOM_MM = 13.0
"""The room for wires between the controller's terminals and the frame; a USB-C plug is longer."""


ON_LID = ("Pi", "stripboard", "controller", "spacer")
"""The beginnings of the names of parts that come with the lid; the jack stays in the frame."""


class BoardPlaces(NamedTuple):
    """The places of the boards: the left front corners of the Pi and of the board with the chips."""

    pi: tuple[float, float]
    board: tuple[float, float]


def board_places(layout: Layout, m: Measures) -> BoardPlaces:
    """Return the places of the boards.

    The one with the wires to the points is in front, and the Pi's card at the left.
    """
    width, _ = m.size_mm(layout)
    front = m.frame_mm + 18.0
    if m.electronics is ChipBoard.CONTROLLER:
        left = m.frame_mm + _WIRE_ROOM_MM
        right, rear = PI_IN_CONTROLLER_MM
        return BoardPlaces((left + right, front + CONTROLLER_MM[1] - rear - PI_MM[1]), (left, front))
    board = (width - STRIPBOARD_MM[0]) / 2, front
    return BoardPlaces((m.frame_mm + 4.0, front + STRIPBOARD_MM[1] + 18.0), board)


def windows(layout: Layout, m: Measures) -> tuple[Window, ...]:
    """Return the openings of the frame: for the card or the plug, the jack, and air."""
    (width, _), places = m.size_mm(layout), board_places(layout, m)
    air = (
        Window(f"air at the {wall.value}", wall, x, _AIR_HEIGHT_MM, *_AIR_MM, 0.0, m.frame_mm)
        for wall, x in ((FrameSide.FRONT, 0.3 * width), (FrameSide.BACK, 0.7 * width))
    )
    board = SPACER_HEIGHT_MM + BOARD_MM
    if m.electronics is ChipBoard.CONTROLLER:
        height = board + CONTROLLER_ABOVE_MM + BOARD_MM + 1.6
        y = places.board[1] + CONTROLLER_MM[1] - USB_C_MM
        return (*air, Window("USB-C", FrameSide.LEFT, y, height, *_USB_C_WINDOW_MM, 0.0, m.frame_mm))
    card = Window("card", FrameSide.LEFT, places.pi[1] + PI_MM[1] / 2, 9.0, *_CARD_WINDOW_MM, 0.0, m.frame_mm)
    y = places.board[1] + STRIPBOARD_MM[1] - 20.0
    body = _JACK_BODY_MM[0]
    jack = (
        Window("jack", FrameSide.RIGHT, y, _JACK_HEIGHT_MM, JACK_MM, JACK_MM, 0.0, _JACK_WALL_MM, round=True),
        Window(
            "jack", FrameSide.RIGHT, y, _JACK_HEIGHT_MM, body, body, _JACK_WALL_MM, m.frame_mm, round=True
        ),
    )
    return (*air, card, *jack)


def lid_holes(layout: Layout, m: Measures) -> tuple[Hole, ...]:
    """Return the holes of the lid for the spacers."""
    return tuple(
        Hole(f"spacer {number}", Prism.disc(x, y, _SPACER_SCREW_MM, 0.0, m.lid_mm))
        for number, (x, y, _) in enumerate(_spacers(layout, m))
    )


def _spacers(layout: Layout, m: Measures) -> list[tuple[float, float, float]]:
    """Return the place of each hole for a spacer, and the spacer's length: 0 for the holes of other Pis."""
    (pi_x, pi_y), (left, front) = board_places(layout, m)
    short = SPACER_HEIGHT_MM
    places = [(pi_x + x, pi_y + y, short if n < 4 else 0.0) for n, (x, y) in enumerate(PI_HOLES_MM)]
    if m.electronics is ChipBoard.STRIPBOARD:
        wide, deep = STRIPBOARD_MM
        places += [(left + x, front + y, short) for x in (4.0, wide - 4.0) for y in (4.0, deep - 4.0)]
    else:
        rear = front + CONTROLLER_MM[1]
        places += [(left + x, rear - y, _controller_height()) for x, y in POSTS_MM]
    return places


def inside_parts(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield the Pi, the board with the chips, spacers and jack."""
    yield from _pi(layout, m)
    if m.electronics is ChipBoard.CONTROLLER:
        yield from _controller(layout, m)
    else:
        yield from _stripboard(layout, m)
        yield from _jack(layout, m)
    h = Heights.of(m)
    for number, (x, y, long) in enumerate(_spacers(layout, m)):
        if long:
            yield Solid("spacer", str(number), Prism.disc(x, y, SPACER_MM, h.frame, h.frame + long))


def _pi(layout: Layout, m: Measures) -> Iterator[Solid]:
    (x, y), (wide, deep) = board_places(layout, m).pi, PI_MM
    under = Heights.of(m).frame + SPACER_HEIGHT_MM
    top = under + BOARD_MM
    middle, half, thin = y + deep / 2, _CARD_MM[0] / 2, _CARD_MM[1]
    card = Prism.box(x - _CARD_OVER_MM, middle - half, x + 15, middle + half, under - thin, under)
    sockets = Prism.box(x + wide - 20, y + 1, x + wide + _USB_OVER_MM, y + deep - 1, top, top + _USB_MM)
    plug = CONTROLLER_ABOVE_MM if m.electronics is ChipBoard.CONTROLLER else _PLUG_MM
    header = Prism.box(x + 7, y + deep - 7, x + 58, y + deep - 1, top, top + plug)
    solids = {
        "Pi": Prism.box(x, y, x + wide, y + deep, under, top),
        "Pi's card": card,
        "Pi's sockets": sockets,
        "Pi's header": header,
    }
    for name, prism in solids.items():
        yield Solid(name, "", prism, unit="Pi")


def _stripboard(layout: Layout, m: Measures) -> Iterator[Solid]:
    (left, front), (wide, deep) = board_places(layout, m).board, STRIPBOARD_MM
    under = Heights.of(m).frame + SPACER_HEIGHT_MM
    high = under + BOARD_MM + STRIPBOARD_PARTS_MM
    yield Solid("stripboard", "", Prism.box(left, front, left + wide, front + deep, under, high))


def _controller(layout: Layout, m: Measures) -> Iterator[Solid]:
    under = Heights.of(m).frame + _controller_height()
    for name, prism in controller_prisms(*board_places(layout, m).board, under):
        yield Solid(name, "", prism, unit="controller")


def _controller_height() -> float:
    """Return the distance of the controller from the lid, which is the length of its spacers."""
    return SPACER_HEIGHT_MM + BOARD_MM + CONTROLLER_ABOVE_MM


def _jack(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield the jack: its thread in the wall, and its body behind."""
    size, h = m.size_mm(layout), Heights.of(m)
    outer, inner = (window for window in windows(layout, m) if window.name == "jack")
    yield Solid("jack", "", outer.prism(m, size), unit="jack")
    low = h.frame + inner.height - inner.tall / 2
    begin = size[0] - _JACK_WALL_MM - _JACK_BODY_MM[1]
    left, right = inner.along - inner.width / 2, inner.along + inner.width / 2
    body = Prism.box(begin, left, size[0] - _JACK_WALL_MM, right, low, low + inner.tall)
    yield Solid("jack", "", body, unit="jack")
