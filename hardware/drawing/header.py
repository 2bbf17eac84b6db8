"""The 40 pins that the board's lines lead to, a Pi's header or a Pico, with the lines leaving to the right.

Invariants: lines from the left row of pins pass between two rows of names, so that no two lines leave at the
same height: `ROW` apart from row to row, half of it between the two pins of a row.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.frozen import frozen
from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Canvas, Place
from hardware.drawing.symbols import ink, wire
from hardware.wiring.circuit import ground_pin_beside
from hardware.wiring.netlist import BUTTON, BUZZER, CONTROLS, DATA, FREE, GROUND, LOGIC, POWER, Circuit, Net
from hardware.wiring.pinout import HEADER, PICO

ROW = 28
MIDDLE_X = 174
_HALF = ROW // 2
_LETTER = 8
"""The width of a letter of a pin's name."""

_ODD_X, _EVEN_X, _NAMES_END = MIDDLE_X - _HALF, MIDDLE_X + _HALF, 268
_SENSORS, _SUPPLY = (1, 9), (2, 4, 6)


@frozen(slots=False)
class PinField:
    """Two rows of 20 pins as they lie: the name of their part, and of each pin its name, net and use."""

    part: str
    names: tuple[str, ...]
    nets: tuple[Net, ...]
    uses: tuple[str, ...]
    """The use of each power pin and of each part beside the points; empty for other pins."""

    def place(self, pin: int) -> tuple[bool, int]:
        """Return whether a pin is in the left row, and its place in its row, from 0 on."""
        if self.part == "header":
            return pin % 2 == 1, (pin - 1) // 2
        return pin <= 20, pin - 1 if pin <= 20 else 40 - pin


def pin_field(circuit: Circuit) -> PinField:
    """Return the pins of the Pi's header, or of the Pico if the board has one."""
    if circuit.pico is None:
        names = tuple(name.replace("V", " V") for name in HEADER)
        return PinField("header", names, circuit.header, tuple(_uses_of_header(circuit.header)))
    nets = circuit.pico.nets
    names = tuple(PICO.label(pin) for pin in range(1, len(nets) + 1))
    return PinField(circuit.pico.name, names, nets, tuple(_uses_of_pico(circuit, nets)))


def _uses_of_header(nets: tuple[Net, ...]) -> Iterator[str]:
    """Yield the use of each pin of the header that isn't a line of the sensors."""
    of_ground = {BUZZER: "buzzer", BUTTON: "button", DATA: "for data"}  # of two at one pin, the last
    beside = {_ground_beside(net, nets): use for net, use in of_ground.items() if net in nets}
    uses = beside | dict.fromkeys(_SENSORS, "sensors") | dict.fromkeys(_SUPPLY, "supply")
    for pin, net in enumerate(nets, start=1):
        yield str(net) if net.kind in CONTROLS else uses.get(pin, "") if net.kind in POWER else ""


def _ground_beside(net: Net, nets: tuple[Net, ...]) -> int:
    """Return the pin of ground beside that of a line of the header."""
    return ground_pin_beside(int(HEADER[nets.index(net)].removeprefix("GPIO")))


def _uses_of_pico(circuit: Circuit, nets: tuple[Net, ...]) -> Iterator[str]:
    """Yield the use of each pin of a Pico; a matrix has no ground of its own."""
    data, at_ground = nets.index(DATA), "" if circuit.crossings else "sensors"
    for number, net in enumerate(nets):
        if net == GROUND:
            yield "for data" if abs(number - data) == 1 else at_ground
        else:
            yield "sensors" if net == LOGIC else ""


def draw_header(canvas: Canvas, field: PinField, top: int) -> dict[Net, Place]:
    """Draw the pins from `top` on, 20 rows high; return where each line ends, to its right."""
    canvas.rect(_ODD_X - 16, top + 10, _EVEN_X - _ODD_X + 32, ROW * 20, fill=BODY)
    exits = {}
    for pin, net in enumerate(field.nets, start=1):
        left, row = field.place(pin)
        at = (_ODD_X if left else _EVEN_X, top + ROW * (row + 1) - _HALF // 2)
        _pin(canvas, field, pin, at)
        if net is not FREE and net.kind not in (*POWER, *CONTROLS):
            exits[net] = _let_go(canvas, f"{field.part} {pin}", net, at)
    return exits


def _pin(canvas: Canvas, field: PinField, pin: int, at: Place) -> None:
    x, y = at
    net, name = field.nets[pin - 1], field.names[pin - 1]
    colour, used = ink(net), net is not FREE
    canvas.circle(x, y, 10, fill=colour if used else PAPER, ink=colour if used else FAINT)
    canvas.text(str(pin), x, y + 4, size=10, anchor=Anchor.MIDDLE, ink=PAPER if used else FAINT, bold=used)
    side, way = (Anchor.END, -1) if x == _ODD_X else (Anchor.START, 1)
    canvas.text(name, x + 22 * way, y + 4, anchor=side, ink=colour, bold=used)
    if use := field.uses[pin - 1]:
        far = 22 + _LETTER * len(name) + 8
        canvas.text(use, x + far * way, y + 4, size=11, anchor=side, ink=colour)


def _let_go(canvas: Canvas, pin: str, net: Net, at: Place) -> Place:
    x, y = at
    begins, ends = (_NAMES_END, y), (_NAMES_END, y)
    if x == _ODD_X:
        begins, ends = (x + 8, y + 8), (_NAMES_END, y + _HALF)
        wire(canvas, net, begins, (x + _HALF, y + _HALF), ends)
    canvas.pin(pin, begins)
    canvas.text(str(net), ends[0] + 36, ends[1] - 4, size=10, ink=ink(net))
    return ends
