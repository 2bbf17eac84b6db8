"""Step 8: where to put the meter before the supply is switched on."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from hardware.drawing.canvas import FAINT, Canvas
from hardware.drawing.header import draw_header, pin_field
from hardware.drawing.symbols import wire
from hardware.wiring.circuit import GROUND_PIN, LOGIC_PIN, SUPPLY_PINS, build_circuit
from hardware.wiring.netlist import FREE, POWER, Circuit, NetKind
from hardware.wiring.plan import BoardPlan

_TEXT_X, _TOP, _LINE, _STUB = 460, 84, 20, 30

_NOTE = (
    "The numbers are those of the Pi's header from above.",
    "A plug that you look into has left and right exchanged.",
)


def measuring_svg() -> str:
    """Draw the header, and list where a meter beeps and where it must not."""
    circuit = build_circuit(BoardPlan.recommended(MORRIS))
    canvas = Canvas("Step 8: measuring")
    canvas.text("8  Measuring, before power", 40, 34, size=20, bold=True, plain=True)
    canvas.text("without the Pi, and with the supply unplugged", 420, 34, ink=FAINT, plain=True)
    for net, (x, y) in draw_header(canvas, pin_field(circuit), 50).items():
        wire(canvas, net, (x, y), (x + _STUB, y))
    y = _TOP
    for title, rows in _measurements(circuit):
        canvas.text(title, _TEXT_X, y, bold=True, plain=True)
        for row in rows:
            y += _LINE
            canvas.text(row, _TEXT_X, y, size=12)
        y += 2 * _LINE
    for words in _NOTE:
        canvas.text(words, _TEXT_X, y, size=12)
        y += _LINE
    return canvas.svg(1040, 640)


def _measurements(circuit: Circuit) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the places to measure, by what the meter has to do there."""
    five, ground, logic = SUPPLY_PINS[0], GROUND_PIN, LOGIC_PIN
    lines = [
        pin for pin, net in enumerate(circuit.header, start=1) if net is not FREE and net.kind not in POWER
    ]
    muxes = ", ".join(chip.name for chip in circuit.chips)
    return (
        (
            "It must stay silent (but the big capacitor may beep for a moment)",
            (
                f"between pins {five} (5 V) and {ground} (GND); red lead on the 5 V",
                f"between pins {logic} (3.3 V) and {ground} (GND)",
                f"between pin {five} (5 V) and pins {logic}, {', '.join(map(str, lines))}",
                f"between pin {logic} and VCC of the level shifter",
                f"with the fuse out: between the jack's plus and pin {five}",
            ),
        ),
        (
            "It must beep",
            (
                f"from pin {logic} to VCC of {muxes}",
                f"from pin {ground} to GND, VEE and E of {muxes}",
                f"from pin {ground} to GND of level shifter, strip and supply",
                f"from pins {_pins(circuit, NetKind.SELECT)} to A, B, C of {muxes}",
                f"from pins {_pins(circuit, NetKind.SIGNAL)} to Z of {muxes}, one to one",
                f"from pin {_pins(circuit, NetKind.DATA)} to pin 2 (1A) of the level shifter",
                f"with the fuse in: from the jack's plus to pin {five}",
            ),
        ),
        (
            "Then switch on, still without the Pi",
            (
                f"5 V between pins {five} and {ground}, and between {SUPPLY_PINS[1]} and {ground}",
                "0 V between every other pin and GND",
            ),
        ),
    )


def _pins(circuit: Circuit, kind: NetKind) -> str:
    """Return the pins of all nets of a kind, in the nets' order."""
    pins = sorted((net.which, pin) for pin, net in enumerate(circuit.header, start=1) if net.kind is kind)
    return ", ".join(str(pin) for _, pin in pins)
