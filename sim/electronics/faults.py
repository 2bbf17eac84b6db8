"""What can be broken in the simulated electronics, and how it is said.

Rules kept here: a description is read whole before anything breaks; one that cannot be read is a HandsError
that names what is wrong and what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from sim.electronics.contacts import Fault


@dataclass(frozen=True, slots=True)
class PointFault:
    """The contacts of a point fail."""

    point: Point
    kind: Fault


@dataclass(frozen=True, slots=True)
class DeadMux:
    """A multiplexer no longer connects anything to its line."""

    chip: int


@dataclass(frozen=True, slots=True)
class BadSelect:
    """A select line does not reach the chip, or all; or two have changed places, or touch."""

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
    """The wires of each of these points hang where those of the next should, the last's where the first's."""

    points: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class OtherMagnets:
    """All magnets are too strong, or too weak."""

    strong: bool


@dataclass(frozen=True, slots=True)
class MagnetsOf:
    """All magnets have so many mT right above a sensor, through wood as thick as is usual."""

    millitesla: float


@dataclass(frozen=True, slots=True)
class WoodOf:
    """The wood over the sensors is so thick."""

    mm: float


@dataclass(frozen=True, slots=True)
class BounceOf:
    """Contacts bounce for up to so long."""

    ms: float


@dataclass(frozen=True, slots=True)
class BadLeds:
    """The strip is not there, gets no data, breaks off before an LED, takes other colours, or mishears."""

    kind: str
    led: int = 0
    order: str = ""


@dataclass(frozen=True, slots=True)
class SaggingSupply:
    """The supply does not bear what the light may draw."""


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
"""What is said of all that cannot break so, in no language."""

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
"""How faults are said, one of each form."""

_TURNS: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "mirrored": lambda x, y: (-x, y),
    "upside-down": lambda x, y: (x, -y),
    "half-turned": lambda x, y: (-x, -y),
    "turned-right": lambda x, y: (y, -x),
    "turned-left": lambda x, y: (-y, x),
}
"""How a board may lie otherwise than its wires were meant to, about its middle."""


def read_fault(
    described: Mapping[str, Any], layout: Layout, chips: int, select: int = 3, signals: int = 3
) -> ElectricFault:
    """The fault that `described` means, one of FORMS; README.md has all of them.

    Raises HandsError where it means none on a board with so many chips, select lines and signal lines. A
    board whose chips are no multiplexers has no lines of either kind.
    """
    for key, read in _READERS.items():
        if key in described:
            rest = {name: value for name, value in described.items() if name != key}
            with suppress(_SenselessError):
                return read(described[key], rest, _Board(layout, chips, select, signals))
            break
    raise HandsError(
        f"{dict(described)} is no fault that the electronics can have: "
        f"say {', '.join(FORMS[:-1])} or {FORMS[-1]}",
        _NO_FAULT,
    )


def subject(fault: ElectricFault) -> tuple[object, ...]:
    """What a fault is of: of two with the same subject, the later takes the place of the one before."""
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


class _SenselessError(Exception):
    """A description of no known form."""


@dataclass(frozen=True, slots=True)
class _Board:
    layout: Layout
    chips: int
    select: int
    signals: int

    def point(self, name: object) -> Point:
        if not isinstance(name, str):
            raise _SenselessError
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


def _point(name: object, rest: Mapping[str, Any], board: _Board) -> ElectricFault:
    kind = _only(rest, "kind")
    return PointFault(board.point(name), Fault(_known(kind, [fault.value for fault in Fault], "a sensor")))


def _mux(chip: object, rest: Mapping[str, Any], board: _Board) -> ElectricFault:
    _known(_only(rest, "kind"), ["dead"], "a mux")
    return DeadMux(board.chip(chip))


def _signal(chip: object, rest: Mapping[str, Any], board: _Board) -> ElectricFault:
    kind = _only(rest, "kind")
    return BadSignal(_known(kind, ["floating", "slow"], "a signal line"), board.signal(chip))


def _select(lines: object, rest: Mapping[str, Any], board: _Board) -> ElectricFault:
    if isinstance(lines, list):
        kind = _known(_only(rest, "kind"), ["swapped", "shorted"], "two select lines")
        if len(lines) != 2 or lines[0] == lines[1]:
            raise _SenselessError
        return BadSelect(kind, tuple(map(board.line, lines)))
    at = {name: value for name, value in rest.items() if name != "mux"}
    kind = _known(_only(at, "kind"), ["open", "high"], "a select line")
    return BadSelect(kind, (board.line(lines),), board.chip(rest["mux"]) if "mux" in rest else None)


def _wiring(how: object, rest: Mapping[str, Any], board: _Board) -> ElectricFault:
    if isinstance(how, list) and len(how) > 1 and not rest:
        points = tuple(map(board.point, how))
        if len(set(points)) == len(points):
            return OtherWiring((points,))
    if not isinstance(how, str) or rest:
        raise _SenselessError
    return OtherWiring(tuple(_cycles(board.layout, _TURNS[_known(how, list(_TURNS), "the wiring")])))


def _magnets(how: object, rest: Mapping[str, Any], _: _Board) -> ElectricFault:
    if how == "field":
        return MagnetsOf(_amount(rest, "millitesla", STRONGEST_MT))
    return OtherMagnets(_word(how, rest, ["strong", "weak"], "the magnets") == "strong")


def _wood(how: object, rest: Mapping[str, Any], _: _Board) -> ElectricFault:
    _word(how, {}, ["thickness"], "the wood")
    return WoodOf(_amount(rest, "mm", THICKEST_MM))


def _contacts(how: object, rest: Mapping[str, Any], _: _Board) -> ElectricFault:
    _word(how, {}, ["bounce"], "the contacts")
    return BounceOf(_amount(rest, "ms", LONGEST_BOUNCE_MS))


def _leds(how: object, rest: Mapping[str, Any], _: _Board) -> ElectricFault:
    match how, rest:
        case "broken", {"led": int(led)} if len(rest) == 1 and not isinstance(led, bool) and led >= 0:
            return BadLeds("broken", led=led)
        case "colours", {"order": str(order)} if len(rest) == 1:
            return BadLeds("colours", order=_known(order, ["GRB", "RGB", "GRBW", "RGBW"], "the LEDs"))
        case (("broken" | "colours"), _):
            raise _SenselessError
    return BadLeds(_word(how, rest, ["unplugged", "reversed", "first-green"], "the LEDs"))


def _supply(how: object, rest: Mapping[str, Any], _: _Board) -> ElectricFault:
    _word(how, rest, ["sags"], "the supply")
    return SaggingSupply()


_READERS: Mapping[str, Callable[[object, Mapping[str, Any], _Board], ElectricFault]] = {
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


def _cycles(layout: Layout, turn: Callable[[int, int], tuple[int, int]]) -> Iterator[tuple[Point, ...]]:
    """The points that change places when a board is turned so."""
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


def _numbered(number: object, count: int, what: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise _SenselessError
    if not 0 <= number < count:
        has = f"0 to {count - 1}" if count else "none"
        raise HandsError(f"there is no {what} {number}: the board has {has}", _NO_FAULT)
    return number


def _amount(rest: Mapping[str, Any], unit: str, most: float) -> float:
    amount = rest.get(unit)
    if list(rest) != [unit] or isinstance(amount, bool) or not isinstance(amount, int | float):
        raise _SenselessError
    if not 0 <= amount <= most:
        raise HandsError(f'"{unit}" must be a number from 0 to {most:g}', _NO_FAULT)
    return float(amount)


def _only(rest: Mapping[str, Any], key: str) -> str:
    if list(rest) != [key] or not isinstance(rest[key], str):
        raise _SenselessError
    return str(rest[key])


def _word(word: object, rest: Mapping[str, Any], words: list[str], where: str) -> str:
    if rest or not isinstance(word, str):
        raise _SenselessError
    return _known(word, words, where)


def _known(kind: str, kinds: list[str], where: str) -> str:
    if kind not in kinds:
        raise HandsError(f"{kind} is no fault of {where}: {did_you_mean(kind, kinds)}", _NO_FAULT)
    return kind
