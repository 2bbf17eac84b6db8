"""The symbols of a wiring diagram: colours of nets, signs of ground and supply, contacts and small parts.

Rules kept here: a symbol is drawn between the ends of wires and joins nothing else; what colours say, the
drawing says without them.
"""

from __future__ import annotations

from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Place, Sheet
from hardware.wiring.netlist import GROUND, LOGIC, SUPPLY, Kind, Net

_INKS = {
    Kind.FREE: FAINT,
    Kind.GROUND: INK,
    Kind.LOGIC: "#b34700",
    Kind.SUPPLY: "#b3122e",
    Kind.BOARD_SUPPLY: "#c0392b",
    Kind.SIGNAL: "#007a5a",
    Kind.ENABLE: "#8a6100",
    Kind.CONTACT: "#5b6770",
    Kind.DATA: "#a8327e",
    Kind.STRIP: "#a8327e",
}
_SELECT_INKS = ("#0072b2", "#2a4d9b", "#3f9bd6", "#5b4bb0")
_BUS_INKS = {"SDA": "#007a5a", "SCL": "#8a6100", "SCLK": "#8a6100", "MOSI": "#5b4bb0", "MISO": "#a0522d"}
_CHOICE_INK = "#6b7a00"


def ink(net: Net) -> str:
    """The colour of a net."""
    if net.kind in (Kind.I2C, Kind.SPI):
        return _BUS_INKS.get(net.which, _CHOICE_INK)
    return _SELECT_INKS[int(net.which) % len(_SELECT_INKS)] if net.kind is Kind.SELECT else _INKS[net.kind]


def wire(sheet: Sheet, net: Net, *places: Place) -> None:
    """A wire in the colour of its net."""
    sheet.wire(str(net), ink(net), *places)


def joint(sheet: Sheet, net: Net, at: Place) -> None:
    """A dot where wires of one net join."""
    sheet.joint(str(net), ink(net), at)


def ground(sheet: Sheet, at: Place) -> None:
    """The sign of ground, hanging from a wire's end; all of them are joined."""
    x, y = at
    wire(sheet, GROUND, at, (x, y + 8))
    for half, down in ((9, 8), (6, 12), (3, 16)):
        sheet.line([(x - half, y + down), (x + half, y + down)], width=2)


def supply(sheet: Sheet, net: Net, at: Place) -> None:
    """The sign of 3.3 V or 5 V, standing on a wire's end; all of the same voltage are joined."""
    x, y = at
    wire(sheet, net, at, (x, y - 8))
    sheet.line([(x - 9, y - 8), (x + 9, y - 8)], ink=ink(net), width=3)
    sheet.text(str(net), x, y - 13, size=11, anchor=Anchor.MIDDLE, ink=ink(net), bold=True)


def reed(sheet: Sheet, left: int, right: int, y: int) -> None:
    """A switch that a magnet closes."""
    middle = (left + right) // 2
    sheet.circle(middle - 14, y, 3, fill=PAPER)
    sheet.circle(middle + 14, y, 3, fill=PAPER)
    sheet.line([(left, y), (middle - 17, y)])
    sheet.line([(middle + 17, y), (right, y)])
    sheet.line([(middle - 12, y - 2), (middle + 10, y - 9)])


def hall(sheet: Sheet, left: int, right: int, y: int, name: str) -> None:
    """A hall sensor: its output at the left, at the right its supply above and its ground below."""
    sheet.rect(left, y - 9, right - left, 18, fill=PAPER)
    sheet.text(name, (left + right) // 2, y + 4, size=11, anchor=Anchor.MIDDLE)


def resistor(sheet: Sheet, left: int, right: int, y: int) -> None:
    """A resistor that lies."""
    sheet.rect(left, y - 6, right - left, 12, fill=PAPER)


def pull_up(sheet: Sheet, at: Place) -> None:
    """A resistor of 10 kOhm that stands on a wire and holds it at 3.3 V."""
    x, y = at
    sheet.rect(x - 5, y - 28, 10, 20, fill=PAPER)
    sheet.line([(x, y - 8), at])
    sheet.text("10k", x - 10, y - 14, size=11, anchor=Anchor.END)
    supply(sheet, LOGIC, (x, y - 28))


def capacitor(sheet: Sheet, x: int, top: int, bottom: int) -> None:
    """An electrolytic capacitor between 5 V at `top` and ground at `bottom`."""
    middle = (top + bottom) // 2
    joint(sheet, SUPPLY, (x, top))
    joint(sheet, GROUND, (x, bottom))
    sheet.line([(x, top), (x, middle - 4)], ink=ink(SUPPLY), width=2)
    sheet.line([(x, middle + 4), (x, bottom)], width=2)
    sheet.line([(x - 14, middle - 4), (x + 14, middle - 4)], width=3)
    sheet.line([(x - 14, middle + 4), (x + 14, middle + 4)], width=3)
    sheet.text("+", x - 18, middle - 7, size=13, anchor=Anchor.END, bold=True)
