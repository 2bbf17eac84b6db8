"""The circuit boards of a board: the parts of its controller, and of the module at each point.

The controller carries the header, the chips of the circuit, and all that hand-wired boards have on
stripboard. A resistor lies between each multiplexer and its line of the Pi: it bounds the current if a line
is driven against a closed contact, and with an MCP3008, which reads the multiplexers instead, it stays out.
3.3 V comes from a regulator, because 48 hall switches or 24 linear sensors draw more than the header's pin 1
promises.

**Invariants:** the nets of header and chips are those of the circuit; nothing is assigned here that the
circuit assigns. The pads of a part that the plan leaves out have no net of the circuit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hardware.wiring import components as kinds
from hardware.wiring.netlist import (
    BUTTON,
    BUZZER,
    DATA,
    FREE,
    GROUND,
    LOGIC,
    STRIP,
    SUPPLY,
    BoardPart,
    Chip,
    Circuit,
    Component,
    Net,
    NetKind,
    SensorType,
)
from hardware.wiring.pinout import HEADER
from hardware.wiring.plan import BoardPlan

MUXES = 6
"""Multiplexers that the controller has room for."""

_CHIPS = {"74HC4051": kinds.MUX, "74AHCT125": kinds.SHIFTER, "MCP3008": kinds.ADC_CHIP}

DIN, CHAIN_END = Net(NetKind.LOCAL, "DIN"), Net(NetKind.LOCAL, "END")
"""The strip's data behind its resistor, and what comes back from the last point."""


def with_boards(plan: BoardPlan, circuit: Circuit) -> Circuit:
    """Return the circuit with the parts of its circuit boards."""
    return replace(circuit, parts=tuple(_controller(plan, circuit)), module=tuple(_module(circuit.sensor)))


def points_plug(chip: int) -> str:
    """Return the reference of the plug for the points of a multiplexer."""
    return f"J{2 + chip}"


def _controller(plan: BoardPlan, circuit: Circuit) -> Iterator[BoardPart]:
    yield _part("J1", kinds.HEADER_SOCKET, _header(circuit), "below the board, onto the Pi's header")
    for number, chip in enumerate(circuit.chips):
        yield from _mux(number, chip)
        if plan.resistors:
            pull = {"1": _signal(number), "2": LOGIC}
            yield _part(
                f"R{13 + number}", kinds.R_10K, pull, f"pulls signal {number} up; for pull_up = false"
            )
        if circuit.front is None:
            joined = {"1": _line(number), "2": _signal(number)}
            yield _part(
                f"R{5 + number}", kinds.R_1K, joined, f"signal {number} to the Pi; not with an MCP3008"
            )
    if circuit.front:
        yield from _chip("U8", "C8", circuit.front, "with linear sensors only")
    if circuit.shifter:
        yield from _chip("U7", "C7", circuit.shifter, "lifts the strip's data to 5 V")
    yield from _supply()
    yield from _strip(plan)
    yield from _controls(plan)


def _header(circuit: Circuit) -> dict[str, Net]:
    """Return the nets of the header's pins; on a board every ground has copper."""
    of = {LOGIC: FREE} | {_signal(number): _line(number) for number in range(MUXES)}
    nets = [of.get(net, net) for net in circuit.header]
    return {
        str(pin): GROUND if name == "GND" else net
        for pin, (name, net) in enumerate(zip(HEADER, nets, strict=True), start=1)
    }


def _mux(number: int, chip: Chip) -> Iterator[BoardPart]:
    yield from _chip(f"U{1 + number}", f"C{1 + number}", chip, chip.name)
    channels = [chip.net_of(name) for name in chip.package.channels]
    pads = {str(pad): net for pad, net in enumerate((*channels, GROUND, LOGIC), start=1)}
    yield _part(points_plug(number), kinds.POINTS_PLUG, pads, f"sensors on {chip.name}")


def _chip(ref: str, capacitor: str, chip: Chip, about: str) -> Iterator[BoardPart]:
    nets = {str(pin): net for pin, net in enumerate(chip.nets, start=1)}
    yield _part(ref, _CHIPS[chip.package.name], nets, about)
    supply = SUPPLY if SUPPLY in chip.nets else LOGIC
    yield _part(capacitor, kinds.C_100N, {"1": supply, "2": GROUND}, f"beside {ref}")


def _supply() -> Iterator[BoardPart]:
    """Yield both inputs of 5 V with their protection, and the regulator for 3.3 V."""
    bus, inlet, fused, gate = (Net(NetKind.LOCAL, name) for name in ("VBUS", "INLET", "FUSED", "GATE"))
    asks = [Net(NetKind.LOCAL, name) for name in ("CC1", "CC2")]
    pads = {"A5": asks[0], "B5": asks[1], "A9": bus, "B9": bus, "A12": GROUND, "B12": GROUND, "S1": GROUND}
    yield _part("J8", kinds.USB_C, pads, "5 V, 3 A")
    for number, ask in enumerate(asks, start=1):
        yield _part(f"R{number}", kinds.R_5K1, {"1": ask, "2": GROUND}, "asks a USB-C supply for 5 V")
    yield _part("F1", kinds.POLYFUSE, {"1": bus, "2": SUPPLY}, "fuse of the USB-C socket")
    yield _part("J9", kinds.TERMINAL_2, {"1": inlet, "2": GROUND}, "5 V above 3 A, for a Pi 5")
    yield _part(
        "F2", kinds.FUSE_CLIPS, {"1": inlet, "2": fused}, "fuse of the terminals; see the supply's table"
    )
    pads = dict.fromkeys("123", SUPPLY) | {"4": gate} | dict.fromkeys("5678", fused)
    yield _part("Q2", kinds.P_MOSFET, pads, "keeps a reversed supply off the board")
    yield _part("R12", kinds.R_10K, {"1": gate, "2": GROUND}, "opens Q2")
    yield _part("D1", kinds.TVS, {"1": SUPPLY, "2": GROUND}, "clips surges")
    yield _part("C11", kinds.C_1000U, {"1": SUPPLY, "2": GROUND}, "for the strip")
    yield _part("U9", kinds.REGULATOR, {"1": GROUND, "2": LOGIC, "3": SUPPLY}, "3.3 V for chips and sensors")
    yield _part("C9", kinds.C_10U, {"1": SUPPLY, "2": GROUND}, "input of U9")
    yield _part("C10", kinds.C_10U, {"1": LOGIC, "2": GROUND}, "output of U9")


def _strip(plan: BoardPlan) -> Iterator[BoardPart]:
    yield _part("R3", kinds.R_330, {"1": STRIP, "2": DIN}, "in the strip's data line")
    yield _part("R4", kinds.R_10K, {"1": DATA, "2": GROUND}, "holds the data low until the Pi drives it")
    ends = {"J10": (DIN, "to the first point"), "J11": (CHAIN_END, "from the last point")}
    if plan.strip.white_bar:
        ends["J12"] = (CHAIN_END, "to the side bars")
    for ref, (data, about) in ends.items():
        yield _part(ref, kinds.TERMINAL_3, {"1": SUPPLY, "2": data, "3": GROUND}, about)


def _controls(plan: BoardPlan) -> Iterator[BoardPart]:
    if plan.button_gpio is not None:
        yield _part("J13", kinds.PINS_2, {"1": BUTTON, "2": GROUND}, "button")
    if plan.buzzer_gpio is not None:
        base, minus = Net(NetKind.LOCAL, "BASE"), Net(NetKind.LOCAL, "BUZZER-")
        yield _part("J14", kinds.PINS_2, {"1": SUPPLY, "2": minus}, "active buzzer for 5 V, plus at pin 1")
        yield _part("R11", kinds.R_1K, {"1": BUZZER, "2": base}, "to the base of Q1")
        yield _part("Q1", kinds.NPN, {"1": base, "2": GROUND, "3": minus}, "switches the buzzer")
        yield _part("D2", kinds.DIODE, {"1": SUPPLY, "2": minus}, "across the buzzer")


def _module(sensor: SensorType) -> Iterator[BoardPart]:
    """Yield the parts at a point: its LED, its sensors, and the wires of chain and sensors."""
    data, out, first, second = (Net(NetKind.LOCAL, name) for name in ("DIN", "DOUT", "A", "B"))
    yield _part("D1", kinds.PIXEL, {"1": SUPPLY, "2": out, "3": GROUND, "4": data}, "light")
    yield _part("C1", kinds.C_100N, {"1": SUPPLY, "2": GROUND}, "beside D1")
    yield _part("J1", kinds.THICK_WIRES, {"1": SUPPLY, "2": data, "3": GROUND}, "from the point before")
    yield _part("J2", kinds.THICK_WIRES, {"1": SUPPLY, "2": out, "3": GROUND}, "to the point behind")
    powered = sensor is not SensorType.REED
    supply = {"1": LOGIC} if powered else {}
    pair = {"3": second} if sensor is SensorType.HALL else {}
    wires = {"1": LOGIC if powered else FREE, "2": first, "3": second if pair else FREE, "4": GROUND}
    yield _part("J3", kinds.THIN_WIRES, wires, "to the controller's plug")
    outputs = {"S1": {"3": first}} | ({"S2": pair} if pair else {})
    for number, (ref, output) in enumerate(outputs.items()):
        yield _part(ref, kinds.SENSOR, supply | {"2": GROUND} | output, sensor.value)
        if powered:
            yield _part(f"C{2 + number}", kinds.C_100N, {"1": LOGIC, "2": GROUND}, f"beside {ref}")


def _part(ref: str, component: Component, nets: Mapping[str, Net], about: str) -> BoardPart:
    return BoardPart(ref, component, tuple(_used(nets.items())), about)


def _used(pads: Iterable[tuple[str, Net]]) -> Iterator[tuple[str, Net]]:
    return ((pad, net) for pad, net in pads if net is not FREE and net != FREE)


def _signal(number: int) -> Net:
    return Net(NetKind.SIGNAL, str(number))


def _line(number: int) -> Net:
    return Net(NetKind.LINE, str(number))
