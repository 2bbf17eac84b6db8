"""The symbols of a wiring diagram: colours of nets, ground and supply, contacts and small parts.

Invariants: a symbol is drawn between the ends of wires and joins nothing else. Colours repeat what the
drawing shows without them.
"""

from __future__ import annotations

from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas, Place
from hardware.wiring.netlist import GROUND, LOGIC, SUPPLY, Net, NetKind

_INKS = {
    NetKind.FREE: FAINT,
    NetKind.GROUND: INK,
    NetKind.LOGIC: "#b34700",
    NetKind.SUPPLY: "#b3122e",
    NetKind.BOARD_SUPPLY: "#c0392b",
    NetKind.SIGNAL: "#007a5a",
    NetKind.ENABLE: "#8a6100",
    NetKind.ROW: "#0072b2",
    NetKind.COLUMN: "#007a5a",
    NetKind.CONTACT: "#5b6770",
    NetKind.DATA: "#a8327e",
    NetKind.STRIP: "#a8327e",
    NetKind.BUTTON: "#1d6f5c",
    NetKind.BUZZER: "#7a4a9e",
}
_SELECT_INKS = ("#0072b2", "#2a4d9b", "#3f9bd6", "#5b4bb0")
_BUS_INKS = {"SDA": "#007a5a", "SCL": "#8a6100", "SCLK": "#8a6100", "MOSI": "#5b4bb0", "MISO": "#a0522d"}
_CHOICE_INK = "#6b7a00"


def ink(net: Net) -> str:
    """Return the colour of a net."""
    if net.kind in (NetKind.I2C, NetKind.SPI):
        return _BUS_INKS.get(net.which, _CHOICE_INK)
    return _SELECT_INKS[int(net.which) % len(_SELECT_INKS)] if net.kind is NetKind.SELECT else _INKS[net.kind]


def wire(canvas: Canvas, net: Net, *places: Place) -> None:
    """Draw a wire in the colour of its net."""
    canvas.wire(str(net), ink(net), *places)


def joint(canvas: Canvas, net: Net, at: Place) -> None:
    """Draw a dot where wires of one net join."""
    canvas.joint(str(net), ink(net), at)


def ground(canvas: Canvas, at: Place) -> None:
    """Draw the ground symbol at a wire's lower end; all of them are joined."""
    x, y = at
    wire(canvas, GROUND, at, (x, y + 8))
    for half, down in ((9, 8), (6, 12), (3, 16)):
        canvas.line([(x - half, y + down), (x + half, y + down)], width=2)


def supply(canvas: Canvas, net: Net, at: Place) -> None:
    """Draw the symbol of 3.3 V or 5 V on a wire's upper end; all of the same voltage are joined."""
    x, y = at
    wire(canvas, net, at, (x, y - 8))
    canvas.line([(x - 9, y - 8), (x + 9, y - 8)], ink=ink(net), width=3)
    canvas.text(str(net), x, y - 13, size=11, anchor=Anchor.MIDDLE, ink=ink(net), bold=True)


def reed(canvas: Canvas, left: int, right: int, y: int) -> None:
    """Draw a switch that a magnet closes."""
    middle = (left + right) // 2
    canvas.circle(middle - 14, y, 3, fill=PAPER)
    canvas.circle(middle + 14, y, 3, fill=PAPER)
    canvas.line([(left, y), (middle - 17, y)])
    canvas.line([(middle + 17, y), (right, y)])
    canvas.line([(middle - 12, y - 2), (middle + 10, y - 9)])


def push_button(canvas: Canvas, left: int, right: int, y: int) -> None:
    """Draw a switch that a finger closes."""
    middle = (left + right) // 2
    for x in (middle - 14, middle + 14):
        canvas.circle(x, y, 3, fill=PAPER)
    canvas.line([(left, y), (middle - 17, y)])
    canvas.line([(middle + 17, y), (right, y)])
    canvas.line([(middle - 18, y - 8), (middle + 18, y - 8)], width=2)
    canvas.line([(middle, y - 8), (middle, y - 18)])
    canvas.line([(middle - 6, y - 18), (middle + 6, y - 18)], width=2)


def transistor(canvas: Canvas, x: int, y: int) -> None:
    """Draw an NPN transistor whose base ends at `x`; collector and emitter end 30 above and below, 28 on."""
    canvas.circle(x + 20, y, 22, fill=PAPER)
    canvas.line([(x, y), (x + 12, y)])
    canvas.line([(x + 12, y - 12), (x + 12, y + 12)], width=3)
    canvas.line([(x + 12, y - 5), (x + 28, y - 16), (x + 28, y - 30)])
    canvas.line([(x + 12, y + 5), (x + 28, y + 16), (x + 28, y + 30)])
    canvas.shape([(x + 28, y + 16), (x + 19, y + 15), (x + 24, y + 8)], fill=INK, ink=INK)


def rising_diode(canvas: Canvas, x: int, top: int, bottom: int) -> None:
    """Draw a diode that conducts upwards, with its band above."""
    half, band = 8, (top + bottom) // 2 - 6
    canvas.shape([(x - half, band + 12), (x + half, band + 12), (x, band)], fill=INK, ink=INK)
    canvas.line([(x, top), (x, band)])
    canvas.line([(x - half, band), (x + half, band)], width=3)
    canvas.line([(x, band + 12), (x, bottom)])


def falling_diode(canvas: Canvas, x: int, top: int, bottom: int) -> None:
    """Draw a diode that conducts downwards, with its band below."""
    half, band = 8, bottom - 4
    canvas.shape([(x - half, band - 12), (x + half, band - 12), (x, band)], fill=INK, ink=INK)
    canvas.line([(x, top), (x, band - 12)])
    canvas.line([(x - half, band), (x + half, band)], width=3)
    canvas.line([(x, band), (x, bottom)])


def hall(canvas: Canvas, left: int, right: int, y: int, name: str) -> None:
    """Draw a hall sensor: its output at the left, at the right its supply above and its ground below."""
    canvas.rect(left, y - 9, right - left, 18, fill=PAPER)
    canvas.text(name, (left + right) // 2, y + 4, size=11, anchor=Anchor.MIDDLE)


def resistor(canvas: Canvas, left: int, right: int, y: int) -> None:
    """Draw a horizontal resistor."""
    canvas.rect(left, y - 6, right - left, 12, fill=PAPER)


def pull_up(canvas: Canvas, at: Place) -> None:
    """Draw a resistor of 10 kOhm that pulls a wire up to 3.3 V."""
    x, y = at
    canvas.rect(x - 5, y - 28, 10, 20, fill=PAPER)
    canvas.line([(x, y - 8), at])
    canvas.text("10k", x - 10, y - 14, size=11, anchor=Anchor.END)
    supply(canvas, LOGIC, (x, y - 28))


def capacitor(canvas: Canvas, x: int, top: int, bottom: int) -> None:
    """Draw an electrolytic capacitor between 5 V at `top` and ground at `bottom`."""
    middle = (top + bottom) // 2
    joint(canvas, SUPPLY, (x, top))
    joint(canvas, GROUND, (x, bottom))
    canvas.line([(x, top), (x, middle - 4)], ink=ink(SUPPLY), width=2)
    canvas.line([(x, middle + 4), (x, bottom)], width=2)
    canvas.line([(x - 14, middle - 4), (x + 14, middle - 4)], width=3)
    canvas.line([(x - 14, middle + 4), (x + 14, middle + 4)], width=3)
    canvas.text("+", x - 18, middle - 7, size=13, anchor=Anchor.END, bold=True)


def fuse(canvas: Canvas, left: int, right: int, y: int) -> None:
    """Draw a fuse around a horizontal wire."""
    canvas.rect(left, y - 6, right - left, 12)


def diode(canvas: Canvas, x: int, top: int, bottom: int) -> None:
    """Draw a TVS diode between 5 V at `top` and ground at `bottom`, its band at 5 V."""
    middle = (top + bottom) // 2
    joint(canvas, SUPPLY, (x, top))
    joint(canvas, GROUND, (x, bottom))
    canvas.line([(x, top), (x, middle - 8)], ink=ink(SUPPLY), width=2)
    canvas.line([(x, middle + 8), (x, bottom)], width=2)
    canvas.shape([(x, middle - 8), (x - 10, middle + 8), (x + 10, middle + 8)], fill=PAPER, ink=INK)
    canvas.line([(x - 10, middle - 8), (x + 10, middle - 8), (x + 10, middle - 3)], width=3)
