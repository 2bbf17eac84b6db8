"""The real drivers on the kernel of the virtual Pi: hands close contacts in its GPIO chip, and what the strip
was sent is read back from its SPI bus. There are such rigs only there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from firmware_host.games.layout import MORRIS, Layout, Point
from firmware_host.ports import BLACK_PIECE, DARK, SOMETHING, LedFrame, LedPort, SensorKind, SensorPort
from firmware_host.settings import NO_LINE, Gpio, Sensors, Strip
from hardware.bus.spi import SpiBus
from hardware.factory import open_sensors
from hardware.scanner import Wire
from hardware.strip import NeoPixelStrip
from hardware.wiring.contacts import MuxWiring, contacts_of
from sim.electronics.spi import SimulatedSpi

_MODULES = Path("/sys/module")
_TAP = Path("/dev/striptap")
_FIRST_EXPANDER = 0x20


def tell(module: str, **values: Any) -> None:
    """Set what a kernel module does; tuples as it takes them, with commas."""
    for name, value in values.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(int(value))
        (_MODULES / module / "parameters" / name).write_text(text)


def told(module: str, name: str) -> int:
    """Return a counter of a kernel module."""
    return int((_MODULES / module / "parameters" / name).read_text())


class LineBoard:
    """The contacts that the kernel module `muxboard` stands for, on lines of the header."""

    def __init__(self) -> None:
        self._closed: set[Wire] = set()
        faults = ("stuck_closed", "stuck_open", "shorted", "dead", "floats", "mute")
        tell("muxboard", closed=0, rise_ns=7000, button=NO_LINE, buzzer=NO_LINE, **dict.fromkeys(faults, 0))

    @abstractmethod
    def mask(self, wires: Iterable[Wire]) -> int:
        """The bits that contacts have in the module's parameters."""

    def close(self, wire: Wire) -> None:
        """Let a contact close."""
        self._closed.add(wire)
        tell("muxboard", closed=self.mask(self._closed))

    def open(self, wire: Wire) -> None:
        """Let a contact open."""
        self._closed.remove(wire)
        tell("muxboard", closed=self.mask(self._closed))

    @contextmanager
    def silent(self) -> Iterator[None]:
        """No line can be read."""
        tell("muxboard", mute=1)
        try:
            yield
        finally:
            tell("muxboard", mute=0)


class MuxBoard(LineBoard):
    """Multiplexers, or none, on the lines of `wiring`."""

    def __init__(self, wiring: MuxWiring) -> None:
        self._selects = len(wiring.select)
        super().__init__()
        lines = {"select": wiring.select, "signal": wiring.signals, "enable": wiring.enables}
        tell("muxboard", **{name: each for name, each in lines.items() if each})
        tell("muxboard", selects=self._selects, enables=len(wiring.enables), rows=0)

    def mask(self, wires: Iterable[Wire]) -> int:
        """The bits that contacts have in the module's parameters."""
        return sum(1 << channel + (chip << self._selects) for chip, channel in wires)


class MatrixBoard(LineBoard):
    """Reeds and diodes between the lines of `rows` and `columns`."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        self._columns = len(columns)
        super().__init__()
        tell("muxboard", row=tuple(rows), signal=tuple(columns), rows=len(rows), enables=0)

    def mask(self, wires: Iterable[Wire]) -> int:
        return sum(1 << column + row * self._columns for row, column in wires)


def line_board(layout: Layout, sensors: Sensors) -> LineBoard:
    """Solder what reads these sensors to the lines that the settings name."""
    if sensors.kind == "matrix":
        return MatrixBoard(sensors.rows, sensors.columns)
    return MuxBoard(MuxWiring.of(layout, sensors))


class ControlBoard:
    """The button and the buzzer that the kernel module `muxboard` stands for; make it after the contacts."""

    def __init__(self, button: Gpio, buzzer: Gpio) -> None:
        tell("muxboard", button=button, pressed=0, buzzer=buzzer, edges=0)

    def press(self) -> None:
        """Press the button."""
        tell("muxboard", pressed=1)

    def release(self) -> None:
        """Let the button go."""
        tell("muxboard", pressed=0)

    @property
    def is_sounding(self) -> bool:
        """True while the buzzer's line is high."""
        return bool(told("muxboard", "edges") % 2)

    def take_burst(self) -> list[list[int]]:
        """Return the beats since the last call, as `beats_of` has them; call it while the line is low."""
        times = (_MODULES / "muxboard" / "parameters" / "edge_us").read_text()
        count = told("muxboard", "edges")
        tell("muxboard", edges=0)
        return beats_of([int(time) for time in times.split(",")[:count]])


def beats_of(edges: Sequence[int]) -> list[list[int]]:
    """Return the milliseconds of sound and of silence of each beat, from the microseconds of all edges."""
    spans = [round((after - before) / 1000) for before, after in pairwise(edges)]
    return [[on, off] for on, off in zip(spans[::2], [*spans[1::2], 0], strict=True)] if spans else []


class ExpanderBoard:
    """The chips and contacts that the kernel module `expanders` stands for, at `addresses`."""

    def __init__(self, addresses: Sequence[int]) -> None:
        self._chips = [address - _FIRST_EXPANDER for address in addresses]
        self._closed: set[Wire] = set()
        tell("expanders", closed=0, stuck_closed=0, dead=0)

    def mask(self, wires: Iterable[Wire]) -> int:
        """The bits that contacts have in the module's parameters."""
        return sum(1 << pin + 16 * self._chips[chip] for chip, pin in wires)

    def close(self, wire: Wire) -> None:
        """Let a contact close."""
        self._closed.add(wire)
        tell("expanders", closed=self.mask(self._closed))

    def open(self, wire: Wire) -> None:
        """Let a contact open."""
        self._closed.remove(wire)
        tell("expanders", closed=self.mask(self._closed))

    def dip(self) -> None:
        """Let the supply of all chips fail for a moment, in which they lose their settings."""
        tell("expanders", reset=sum(1 << chip for chip in self._chips))

    @contextmanager
    def silent(self) -> Iterator[None]:
        """The last chip has no supply, and has lost its settings when it is back."""
        last = 1 << self._chips[-1]
        tell("expanders", dead=last, reset=last)
        try:
            yield
        finally:
            tell("expanders", dead=0)


class KernelSensors:
    """Sensors by the kernel's group calls, opened as the program opens them.

    What is left open by the rig before is closed: Hypothesis leaves a test in the middle now and then.
    """

    port: SensorPort
    _before: SensorPort | None = None

    def __init__(self, sensors: Sensors, layout: Layout = MORRIS) -> None:
        if KernelSensors._before is not None:
            KernelSensors._before.close()
        self.layout = layout
        self.alphabet = SensorKind(sensors.alphabet)
        self.board: LineBoard | ExpanderBoard
        if sensors.kind == "mcp23017":
            self.board = ExpanderBoard(sensors.expanders)
        else:
            self.board = line_board(layout, sensors)
        self._sensors = sensors
        self._contacts = contacts_of(layout, sensors)
        self._kinds: dict[Point, str] = {}
        self.reopen()

    def reopen(self) -> None:
        KernelSensors._before = self.port = open_sensors(self.layout, self._sensors, Strip())

    def stand(self, point: Point, kind: str) -> None:
        self._kinds[point] = kind
        self.board.close(self._wire(point, kind))

    def lift(self, point: Point) -> None:
        self.board.open(self._wire(point, self._kinds.pop(point)))

    def unreadable(self) -> AbstractContextManager[None]:
        return self.board.silent()

    def _wire(self, point: Point, kind: str) -> Wire:
        is_black = self.alphabet is SensorKind.POLARITY and kind == "black"
        return self._contacts[point.index, BLACK_PIECE if is_black else SOMETHING]


class KernelStrip:
    """NeoPixels on /dev/spidev0.0. A rig that is still open is closed first, because a bus has one user."""

    port: LedPort
    _before: NeoPixelStrip | None = None

    def __init__(self, order: Sequence[int], leds: int) -> None:
        if KernelStrip._before is not None:
            KernelStrip._before.close()
        tell("striptap", unplugged=0)
        self._order, self._leds = order, leds
        self._dark, self._lost = told("striptap", "messages"), -1
        bus = SpiBus()
        KernelStrip._before = self.port = NeoPixelStrip.on_spi(bus, order, leds=leds, release=bus.close)

    @property
    def shining(self) -> LedFrame:
        if told("striptap", "messages") == self._lost:  # LEDs without power forget, and the tap does not
            return (DARK,) * len(self._order)
        strip = SimulatedSpi(self._leds)
        strip.configure(told("striptap", "hz"))
        strip.write(_TAP.read_bytes())
        return tuple(strip.leds[led] for led in self._order)

    @property
    def sent(self) -> int:
        return told("striptap", "messages") - self._dark

    def plug(self, there: bool) -> None:
        tell("striptap", unplugged=not there)
        self._lost = told("striptap", "messages")


def _scattered() -> Sensors:
    """Points in no order on four select lines, the board's corners first."""
    points = {point.name: ((7 * n % 3, 5 * n % 16),) for n, point in enumerate(MORRIS.points)}
    return Sensors(select=(12, 13, 17, 27), signal=(4, 5, 6), points=points)


def _sharing_a_line() -> Sensors:
    points = {point.name: (divmod(n if n < 8 else n + 1, 8),) for n, point in enumerate(MORRIS.points)}
    return Sensors(signal=(23,), enable=(5, 6, 16, 26), points=points)


_FREE = (*range(4, 7), *range(12, 25))
"""Lines that belong to neither the strip's bus nor that of the expanders; too few for 24 points."""
_FILE = Layout(f"{len(_FREE)} points", tuple(Point(f"p{n}", n, n % 8, n // 8) for n in range(len(_FREE))), ())


SENSOR_RIGS: Mapping[str, Callable[[], Any]] = {
    "lines in the virtual Pi, presence behind three 4051": lambda: KernelSensors(Sensors()),
    "lines in the virtual Pi, polarity behind six 4051": lambda: KernelSensors(
        Sensors(alphabet="polarity", signal=(23, 24, 25, 5, 6, 16))
    ),
    "lines in the virtual Pi, scattered wires behind 4067": lambda: KernelSensors(_scattered()),
    "lines in the virtual Pi, chips on one signal line": lambda: KernelSensors(_sharing_a_line()),
    "lines in the virtual Pi, no mux at all": lambda: KernelSensors(
        Sensors(kind="direct", signal=_FREE), _FILE
    ),
    "lines in the virtual Pi, a diode matrix": lambda: KernelSensors(Sensors(kind="matrix")),
    "lines in the virtual Pi, scattered crossings of five rows and seven columns": lambda: KernelSensors(
        Sensors(
            kind="matrix",
            rows=(4, 26, 12, 13, 19),
            columns=(21, 20, 16, 6, 5, 25, 24),
            points={p.name: (((3 * p.index) % 5, (4 * p.index) % 7),) for p in MORRIS.points},
        )
    ),
    "i2c-dev in the virtual Pi, two expanders": lambda: KernelSensors(Sensors(kind="mcp23017")),
    "i2c-dev in the virtual Pi, polarity on four expanders": lambda: KernelSensors(
        Sensors(kind="mcp23017", alphabet="polarity", expanders=(0x23, 0x20, 0x22, 0x21))
    ),
}

STRIP_RIGS: Mapping[str, Callable[[], Any]] = {
    "spidev in the virtual Pi, backwards on a longer strip": lambda: KernelStrip(range(24, 0, -1), 30),
}
