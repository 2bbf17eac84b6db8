"""Faults of the simulated electronics, and the JSON objects that describe them.

Invariants: a description is read completely before anything breaks; one that can't be read raises a
HandsError that names what is wrong and what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Must, decode, is_number, is_text
from firmware_host.errors import HandsError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.settings import COLOUR_ORDERS
from sim.electronics.breakable import NO_FAULT, BreakableBoard, ShapeError, bounded, known
from sim.electronics.contacts import BOUNCE_MS, ContactFault
from sim.electronics.controls.button import ButtonFault
from sim.electronics.controls.buzzer import BuzzerFault
from sim.electronics.matrix import Diode


@frozen
class PointFault:
    """The contacts of a point fail."""

    point: Point
    kind: ContactFault


@frozen
class DeadMux:
    """A multiplexer no longer connects anything to its line."""

    chip: int


@frozen
class BadSelect:
    """A select line does not reach one chip, or any; or two are swapped, or shorted."""

    kind: str
    bits: tuple[int, ...]
    chip: int | None = None


@frozen
class BadSignal:
    """The line of a chip comes off, or rises too slowly."""

    kind: str
    chip: int


@frozen
class BadMatrixWire:
    """A wire of a diode matrix is loose (open), grounded or rises too slowly, or two wires touch."""

    kind: str
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


@frozen
class BadDiode:
    """The diode of a point's reed is open, shorted, or the wrong way round."""

    point: Point
    state: Diode


@frozen
class OtherWiring:
    """Points whose wires changed places: each has those of the next, the last those of the first."""

    points: tuple[tuple[Point, ...], ...]


@frozen
class OtherMagnets:
    """All magnets are too strong, or too weak."""

    strong: bool


@frozen
class MagnetsOf:
    """All magnets have this field at the sensor below them, through wood of the usual thickness."""

    millitesla: float


@frozen
class WoodOf:
    """The wood over the sensors has this thickness."""

    mm: float


@frozen
class BounceOf:
    """Contacts bounce for up to this time."""

    ms: float


@frozen
class BadLeds:
    """The strip is unplugged or reversed, ends before an LED, or shows the wrong colours."""

    kind: str
    led: int = 0
    order: str = ""


@frozen
class SaggingSupply:
    """The supply can't deliver the current that the light may draw."""


@frozen
class BadButton:
    """The button is stuck, comes off, or bounces for up to a time."""

    kind: ButtonFault
    bounce_ms: float


@frozen
class BadBuzzer:
    """The buzzer comes off, or never stops."""

    kind: BuzzerFault


ElectricFault = (
    PointFault
    | DeadMux
    | BadSelect
    | BadSignal
    | BadMatrixWire
    | BadDiode
    | OtherWiring
    | OtherMagnets
    | MagnetsOf
    | WoodOf
    | BounceOf
    | BadLeds
    | SaggingSupply
    | BadButton
    | BadBuzzer
)

STRONGEST_MT, THICKEST_MM, LONGEST_BOUNCE_MS = 2000.0, 50.0, 500.0
"""The most that can be asked for."""

FORMS = (
    '{"point": NAME, "kind": KIND}',
    '{"mux": NUMBER, "kind": "dead"}',
    '{"signal": NUMBER, "kind": "floating"}',
    '{"select": NUMBER, "kind": "open"}',
    '{"select": [NUMBER, NUMBER], "kind": "swapped"}',
    '{"row": NUMBER, "kind": "open"}',
    '{"column": NUMBER, "kind": "open"}',
    '{"row": NUMBER, "column": NUMBER, "kind": "touching"}',
    '{"diode": NAME, "kind": "reversed"}',
    '{"wiring": "mirrored"}',
    '{"magnets": "strong"}',
    '{"magnets": "field", "millitesla": NUMBER}',
    '{"wood": "thickness", "mm": NUMBER}',
    '{"contacts": "bounce", "ms": NUMBER}',
    '{"leds": "unplugged"}',
    '{"supply": "sags"}',
    '{"button": "stuck"}',
    '{"buzzer": "open"}',
)
"""The forms of descriptions, one example of each."""

_TURNS: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "mirrored": lambda x, y: (-x, y),
    "upside-down": lambda x, y: (x, -y),
    "half-turned": lambda x, y: (-x, -y),
    "turned-right": lambda x, y: (y, -x),
    "turned-left": lambda x, y: (-y, x),
}
"""The ways to place a board other than it was wired for, as maps of coordinates about its middle."""


def read_fault(described: Mapping[str, Any], board: BreakableBoard) -> ElectricFault:
    """Return the fault that `described`, which has one of FORMS, means; README.md lists all of them.

    Raises HandsError if it means none on this board.
    """
    reader = next((reader for key, reader in _READERS.items() if key in described), None)
    if reader is not None:
        with suppress(ShapeError):
            return reader(board, **decode(reader, described, "fault", ShapeError))
    raise HandsError(
        f"{dict(described)} is not a fault of the electronics: use {', '.join(FORMS[:-1])} or {FORMS[-1]}",
        NO_FAULT,
    )


def affected_part(fault: ElectricFault) -> tuple[object, ...]:
    """Return the part that a fault affects: a later fault of the same part replaces the earlier one."""
    match fault:
        case PointFault(point):
            return PointFault, point
        case BadSelect(_, bits, chip):
            return BadSelect, bits, chip
        case BadSignal(kind, chip):
            return BadSignal, kind, chip
        case BadMatrixWire(kind, rows, columns):
            return BadMatrixWire, kind, rows, columns
        case BadDiode(point):
            return BadDiode, point
        case DeadMux(chip):
            return DeadMux, chip
        case BadLeds(kind):
            return BadLeds, kind
        case OtherMagnets(strong=True):
            return (MagnetsOf,)
        case OtherWiring():
            return OtherWiring, fault.points
    return (type(fault),)


_Text: TypeAlias = Annotated[str, Must("a text", is_text)]
_Number: TypeAlias = Annotated[float, Must("a number", is_number)]
_MaybeNumber: TypeAlias = Annotated[float | None, Must("a number", is_number)]


def _point(board: BreakableBoard, *, point: _Text, kind: _Text) -> ElectricFault:
    return PointFault(
        board.point(point), ContactFault(known(kind, [fault.value for fault in ContactFault], "a sensor"))
    )


def _mux(board: BreakableBoard, *, mux: object, kind: _Text) -> ElectricFault:
    known(kind, ["dead"], "a mux")
    return DeadMux(board.chip(mux))


def _signal(board: BreakableBoard, *, signal: object, kind: _Text) -> ElectricFault:
    return BadSignal(known(kind, ["floating", "slow"], "a signal line"), board.signal(signal))


def _select(board: BreakableBoard, *, select: object, kind: _Text, mux: object = None) -> ElectricFault:
    if not isinstance(select, list):
        kind = known(kind, ["open", "high"], "a select line")
        return BadSelect(kind, (board.line(select),), None if mux is None else board.chip(mux))
    kind = known(kind, ["swapped", "shorted"], "two select lines")
    if mux is not None or len(select) != 2 or select[0] == select[1]:
        raise ShapeError
    return BadSelect(kind, tuple(map(board.line, select)))


def _row(board: BreakableBoard, *, row: object, kind: _Text, column: object = None) -> ElectricFault:
    if column is not None:
        known(kind, ["touching"], "a row and a column")
        return BadMatrixWire(kind, (board.row(row),), (board.column(column),))
    return BadMatrixWire(kind, rows=_same_wires(row, kind, "row", board.row))


def _column(board: BreakableBoard, *, column: object, kind: _Text) -> ElectricFault:
    return BadMatrixWire(kind, columns=_same_wires(column, kind, "column", board.column))


def _same_wires(named: object, kind: str, part: str, read_number: Callable[[object], int]) -> tuple[int, ...]:
    """Return the rows, or the columns, of a fault that has no other wires."""
    if not isinstance(named, list):
        known(kind, ["open", "grounded", *(["slow"] if part == "column" else [])], f"a {part}")
        return (read_number(named),)
    known(kind, ["touching"], f"two {part}s")
    if len(named) != 2 or named[0] == named[1]:
        raise ShapeError
    return tuple(map(read_number, named))


def _diode(board: BreakableBoard, *, diode: _Text, kind: _Text) -> ElectricFault:
    point = board.point(diode)
    if not board.rows:
        raise HandsError("there is no diode: the board has no matrix", NO_FAULT)
    states = [state.value for state in Diode if state is not Diode.GOOD]
    return BadDiode(point, Diode(known(kind, states, "a diode")))


def _wiring(board: BreakableBoard, *, wiring: object) -> ElectricFault:
    if isinstance(wiring, list):
        points = tuple(map(board.point, wiring))
        if len(set(points)) < max(len(points), 2):
            raise ShapeError
        return OtherWiring((points,))
    if not isinstance(wiring, str):
        raise ShapeError
    return OtherWiring(tuple(_cycles(board.layout, _TURNS[known(wiring, list(_TURNS), "the wiring")])))


def _magnets(_: BreakableBoard, *, magnets: _Text, millitesla: _MaybeNumber = None) -> ElectricFault:
    if magnets == "field" and millitesla is not None:
        return MagnetsOf(bounded(millitesla, "millitesla", STRONGEST_MT))
    if magnets == "field" or millitesla is not None:
        raise ShapeError
    return OtherMagnets(known(magnets, ["strong", "weak"], "the magnets") == "strong")


def _wood(_: BreakableBoard, *, wood: _Text, mm: _Number) -> ElectricFault:
    known(wood, ["thickness"], "the wood")
    return WoodOf(bounded(mm, "mm", THICKEST_MM))


def _contacts(_: BreakableBoard, *, contacts: _Text, ms: _Number) -> ElectricFault:
    known(contacts, ["bounce"], "the contacts")
    return BounceOf(bounded(ms, "ms", LONGEST_BOUNCE_MS))


def _leds(_: BreakableBoard, *, leds: _Text, led: object = None, order: object = None) -> ElectricFault:
    match leds, led, order:
        case "broken", int(), None if not isinstance(led, bool) and led >= 0:
            return BadLeds("broken", led=led)
        case "colours", None, str():
            return BadLeds("colours", order=known(order, list(COLOUR_ORDERS), "the LEDs"))
        case (("broken" | "colours"), _, _):
            raise ShapeError
        case _, None, None:
            return BadLeds(known(leds, ["unplugged", "reversed", "first-green"], "the LEDs"))
    raise ShapeError


def _supply(_: BreakableBoard, *, supply: _Text) -> ElectricFault:
    known(supply, ["sags"], "the supply")
    return SaggingSupply()


def _button(board: BreakableBoard, *, button: _Text, ms: _MaybeNumber = None) -> ElectricFault:
    kind = ButtonFault(known(button, [fault.value for fault in ButtonFault], "the button"))
    if (kind is ButtonFault.BOUNCES) != (ms is not None):
        raise ShapeError
    if not board.has_button:
        raise HandsError("the board has no button", NO_FAULT)
    return BadButton(kind, BOUNCE_MS if ms is None else bounded(ms, "ms", LONGEST_BOUNCE_MS))


def _buzzer(board: BreakableBoard, *, buzzer: _Text) -> ElectricFault:
    kind = BuzzerFault(known(buzzer, [fault.value for fault in BuzzerFault], "the buzzer"))
    if not board.has_buzzer:
        raise HandsError("the board has no buzzer", NO_FAULT)
    return BadBuzzer(kind)


_READERS: Mapping[str, Callable[..., ElectricFault]] = {
    "point": _point,
    "signal": _signal,
    "select": _select,
    "mux": _mux,
    "row": _row,
    "column": _column,
    "diode": _diode,
    "wiring": _wiring,
    "magnets": _magnets,
    "wood": _wood,
    "contacts": _contacts,
    "leds": _leds,
    "supply": _supply,
    "button": _button,
    "buzzer": _buzzer,
}
"""The reader of each form, by its first member; its keyword-only parameters are the members."""


def _cycles(layout: Layout, turn: Callable[[int, int], tuple[int, int]]) -> Iterator[tuple[Point, ...]]:
    """Return the groups of points that change places when a board is turned like that."""
    at = {(point.x, point.y): point for point in layout.points}
    across, along = (min(axis) + max(axis) for axis in zip(*at, strict=True))
    left = set(layout.points)
    for first in layout.points:
        cycle, point = [], first
        while point in left:
            left.remove(point)
            cycle.append(point)
            x, y = turn(2 * point.x - across, 2 * point.y - along)
            point = at[(x + across) // 2, (y + along) // 2]
        if len(cycle) > 1:
            yield tuple(cycle)
