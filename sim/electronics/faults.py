"""Faults of the simulated electronics, and the JSON objects that describe them.

Invariants: a description is read completely before anything breaks; one that can't be read raises a
HandsError that names what is wrong and what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Must, decode, is_number, is_text
from firmware_host.errors import HandsError, MillwrightError, did_you_mean
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from sim.electronics.contacts import ContactFault


@dataclass(frozen=True, slots=True)
class PointFault:
    """The contacts of a point fail."""

    point: Point
    kind: ContactFault


@dataclass(frozen=True, slots=True)
class DeadMux:
    """A multiplexer no longer connects anything to its line."""

    chip: int


@dataclass(frozen=True, slots=True)
class BadSelect:
    """A select line does not reach one chip, or any; or two are swapped, or shorted."""

    kind: str
    bits: tuple[int, ...]
    chip: int | None = None


@dataclass(frozen=True, slots=True)
class BadSignal:
    """The line of a chip comes off, or rises too slowly."""

    kind: str
    chip: int


@dataclass(frozen=True, slots=True)
class OtherWiring:
    """Points whose wires changed places: each has those of the next, the last those of the first."""

    points: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class OtherMagnets:
    """All magnets are too strong, or too weak."""

    strong: bool


@dataclass(frozen=True, slots=True)
class MagnetsOf:
    """All magnets have this field at the sensor below them, through wood of the usual thickness."""

    millitesla: float


@dataclass(frozen=True, slots=True)
class WoodOf:
    """The wood over the sensors has this thickness."""

    mm: float


@dataclass(frozen=True, slots=True)
class BounceOf:
    """Contacts bounce for up to this time."""

    ms: float


@dataclass(frozen=True, slots=True)
class BadLeds:
    """The strip is unplugged or reversed, ends before an LED, or shows the wrong colours."""

    kind: str
    led: int = 0
    order: str = ""


@dataclass(frozen=True, slots=True)
class SaggingSupply:
    """The supply can't deliver the current that the light may draw."""


ElectricFault = (
    PointFault
    | DeadMux
    | BadSelect
    | BadSignal
    | OtherWiring
    | OtherMagnets
    | MagnetsOf
    | WoodOf
    | BounceOf
    | BadLeds
    | SaggingSupply
)

STRONGEST_MT, THICKEST_MM, LONGEST_BOUNCE_MS = 2000.0, 50.0, 500.0
"""The most that can be asked for."""

_NO_FAULT = Message("refused.no-fault")
"""The message on the page for every fault that can't occur."""

FORMS = (
    '{"point": NAME, "kind": KIND}',
    '{"mux": NUMBER, "kind": "dead"}',
    '{"signal": NUMBER, "kind": "floating"}',
    '{"select": NUMBER, "kind": "open"}',
    '{"select": [NUMBER, NUMBER], "kind": "swapped"}',
    '{"wiring": "mirrored"}',
    '{"magnets": "strong"}',
    '{"magnets": "field", "millitesla": NUMBER}',
    '{"wood": "thickness", "mm": NUMBER}',
    '{"contacts": "bounce", "ms": NUMBER}',
    '{"leds": "unplugged"}',
    '{"supply": "sags"}',
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


def read_fault(
    described: Mapping[str, Any], layout: Layout, chips: int, select: int = 3, signals: int = 3
) -> ElectricFault:
    """Return the fault that `described`, which has one of FORMS, means; README.md lists all of them.

    Raises HandsError if it means none on a board with that many chips, select lines and signal lines. A board
    whose chips are not multiplexers has neither kind of line.
    """
    reader = next((reader for key, reader in _READERS.items() if key in described), None)
    if reader is not None:
        with suppress(_ShapeError):
            arguments = decode(reader, described, "fault", _ShapeError)
            return reader(_Board(layout, chips, select, signals), **arguments)
    raise HandsError(
        f"{dict(described)} is not a fault of the electronics: use {', '.join(FORMS[:-1])} or {FORMS[-1]}",
        _NO_FAULT,
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
        case DeadMux(chip):
            return DeadMux, chip
        case BadLeds(kind):
            return BadLeds, kind
        case OtherMagnets(strong=True):
            return (MagnetsOf,)
        case OtherWiring():
            return OtherWiring, fault.points
    return (type(fault),)


class _ShapeError(MillwrightError):
    """A description that has none of the FORMS."""


@dataclass(frozen=True, slots=True)
class _Board:
    """The parts of a board that a fault can name."""

    layout: Layout
    chips: int
    select: int
    signals: int

    def point(self, name: object) -> Point:
        if not isinstance(name, str):
            raise _ShapeError
        if name not in self.layout.by_name:
            text = f"there is no point {name}: {did_you_mean(name, self.layout.by_name)}"
            raise HandsError(text, Message("refused.no-point", {"text": name}))
        return self.layout[name]

    def chip(self, number: object) -> int:
        return _numbered(number, self.chips, "mux")

    def signal(self, number: object) -> int:
        return _numbered(number, self.signals, "signal line")

    def line(self, number: object) -> int:
        return _numbered(number, self.select, "select line")


_Text: TypeAlias = Annotated[str, Must("a text", is_text)]
_Number: TypeAlias = Annotated[float, Must("a number", is_number)]
_MaybeNumber: TypeAlias = Annotated[float | None, Must("a number", is_number)]


def _point(board: _Board, *, point: _Text, kind: _Text) -> ElectricFault:
    return PointFault(
        board.point(point), ContactFault(_known(kind, [fault.value for fault in ContactFault], "a sensor"))
    )


def _mux(board: _Board, *, mux: object, kind: _Text) -> ElectricFault:
    _known(kind, ["dead"], "a mux")
    return DeadMux(board.chip(mux))


def _signal(board: _Board, *, signal: object, kind: _Text) -> ElectricFault:
    return BadSignal(_known(kind, ["floating", "slow"], "a signal line"), board.signal(signal))


def _select(board: _Board, *, select: object, kind: _Text, mux: object = None) -> ElectricFault:
    if not isinstance(select, list):
        kind = _known(kind, ["open", "high"], "a select line")
        return BadSelect(kind, (board.line(select),), None if mux is None else board.chip(mux))
    kind = _known(kind, ["swapped", "shorted"], "two select lines")
    if mux is not None or len(select) != 2 or select[0] == select[1]:
        raise _ShapeError
    return BadSelect(kind, tuple(map(board.line, select)))


def _wiring(board: _Board, *, wiring: object) -> ElectricFault:
    if isinstance(wiring, list):
        points = tuple(map(board.point, wiring))
        if len(set(points)) < max(len(points), 2):
            raise _ShapeError
        return OtherWiring((points,))
    if not isinstance(wiring, str):
        raise _ShapeError
    return OtherWiring(tuple(_cycles(board.layout, _TURNS[_known(wiring, list(_TURNS), "the wiring")])))


def _magnets(_: _Board, *, magnets: _Text, millitesla: _MaybeNumber = None) -> ElectricFault:
    if magnets == "field" and millitesla is not None:
        return MagnetsOf(_amount(millitesla, "millitesla", STRONGEST_MT))
    if magnets == "field" or millitesla is not None:
        raise _ShapeError
    return OtherMagnets(_known(magnets, ["strong", "weak"], "the magnets") == "strong")


def _wood(_: _Board, *, wood: _Text, mm: _Number) -> ElectricFault:
    _known(wood, ["thickness"], "the wood")
    return WoodOf(_amount(mm, "mm", THICKEST_MM))


def _contacts(_: _Board, *, contacts: _Text, ms: _Number) -> ElectricFault:
    _known(contacts, ["bounce"], "the contacts")
    return BounceOf(_amount(ms, "ms", LONGEST_BOUNCE_MS))


def _leds(_: _Board, *, leds: _Text, led: object = None, order: object = None) -> ElectricFault:
    match leds, led, order:
        case "broken", int(), None if not isinstance(led, bool) and led >= 0:
            return BadLeds("broken", led=led)
        case "colours", None, str():
            return BadLeds("colours", order=_known(order, ["GRB", "RGB", "GRBW", "RGBW"], "the LEDs"))
        case (("broken" | "colours"), _, _):
            raise _ShapeError
        case _, None, None:
            return BadLeds(_known(leds, ["unplugged", "reversed", "first-green"], "the LEDs"))
    raise _ShapeError


def _supply(_: _Board, *, supply: _Text) -> ElectricFault:
    _known(supply, ["sags"], "the supply")
    return SaggingSupply()


_READERS: Mapping[str, Callable[..., ElectricFault]] = {
    "point": _point,
    "signal": _signal,
    "select": _select,
    "mux": _mux,
    "wiring": _wiring,
    "magnets": _magnets,
    "wood": _wood,
    "contacts": _contacts,
    "leds": _leds,
    "supply": _supply,
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


def _numbered(number: object, count: int, part: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise _ShapeError
    if not 0 <= number < count:
        has = f"0 to {count - 1}" if count else "none"
        raise HandsError(f"there is no {part} {number}: the board has {has}", _NO_FAULT)
    return number


def _amount(amount: float, unit: str, most: float) -> float:
    if not 0 <= amount <= most:
        raise HandsError(f'"{unit}" must be a number from 0 to {most:g}', _NO_FAULT)
    return float(amount)  # only now: a whole number may be too large for a float


def _known(kind: str, kinds: list[str], part: str) -> str:
    if kind not in kinds:
        raise HandsError(f"{kind} is not a fault of {part}: {did_you_mean(kind, kinds)}", _NO_FAULT)
    return kind
