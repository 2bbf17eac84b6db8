"""The wires between the controller's plugs and terminals and the modules at the points, as text."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.wiring import components as kinds
from hardware.wiring.netlist import BoardPart, Circuit, Net, NetKind, SensorType
from hardware.wiring.plan import BoardPlan

_OUTSIDE = (kinds.TERMINAL_2, kinds.TERMINAL_3, kinds.PINS_2, kinds.USB_C)
_HOLES = {"INLET": "plus of the supply", "DIN": "D", "END": "D", "BUZZER-": "minus of the buzzer"}


def boards_text(plan: BoardPlan, circuit: Circuit) -> str:
    """Return every wire that a board of circuit boards needs, and the parts that its variant leaves out."""
    lines = [
        "The controller stands on the Pi's header, a module at each point. Holes are named on both.",
        "",
        "Chain: 5V, D and GND from J10 to the first module's 5V, DIN and GND; from each module's DOUT on to",
        "the next; from the last module's 5V, DOUT and GND to J11, so that 5 V comes from both ends.",
        *_modules(plan),
        *_plugs(circuit),
        "",
        "Terminals and pins of the controller",
        *(f"  {part.ref:4} {_terminal(part)}" for part in circuit.parts if part.component in _OUTSIDE),
        "",
        _left_out(circuit),
    ]
    return "\n".join(lines) + "\n"


def _modules(plan: BoardPlan) -> Iterator[str]:
    points = zip(plan.layout.points, plan.places, strict=True)
    chain = sorted((min(leds), point.name) for point, leds in points)
    named = [f"{number:3} {name:4}" for number, name in chain]
    yield ""
    yield "Modules along the chain, by the numbers of their LEDs"
    yield from ("".join(named[start : start + 8]).rstrip() for start in range(0, len(named), 8))


def _plugs(circuit: Circuit) -> Iterator[str]:
    for part in circuit.parts:
        if part.component is not kinds.POINTS_PLUG:
            continue
        yield ""
        yield f"{part.ref}, {part.about}"
        for pad, net in part.pads:
            yield f"  {pad:>3}  {_sensor_wire(circuit.sensor, net)}"


def _sensor_wire(sensor: SensorType, net: Net) -> str:
    """Return the hole of the module that a wire from a plug leads to."""
    if net.kind is NetKind.CONTACT:
        point, *colour = net.which.split()
        return f"{'B' if colour == ['black'] else 'A'} of {point}"
    if net.kind is NetKind.LOGIC:
        return "open: reeds need no 3.3 V" if sensor is SensorType.REED else "3V of each of these points"
    if net.kind is NetKind.GROUND:
        return "GND of each of these points, from one to the next"
    return "open"


def _terminal(part: BoardPart) -> str:
    if part.component is kinds.USB_C:
        return "USB-C, 5 V and 3 A; not together with J9"
    wires = [_HOLES.get(str(net), str(net)) for _, net in part.pads]
    return f"{part.about}: {', '.join(wires)}"


def _left_out(circuit: Circuit) -> str:
    fitted = sum(part.component is kinds.MUX for part in circuit.parts)
    beside = "one of R5 to R10; not U8 and C8" if circuit.front is None else "U8 and C8; none of R5 to R10"
    return f"Fitted: {fitted} multiplexers, from U1 on, each with its capacitor; {beside}."
