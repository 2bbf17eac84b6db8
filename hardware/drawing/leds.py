"""The light part of the diagram: supply, level shifter and strip."""

from __future__ import annotations

from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Canvas, Place
from hardware.drawing.chip import draw_package
from hardware.drawing.symbols import capacitor, diode, fuse, ground, joint, resistor, supply, wire
from hardware.wiring.bom import current, fuse_a, led_name, models
from hardware.wiring.netlist import DATA, GROUND, STRIP, SUPPLY, Chip, Circuit
from hardware.wiring.plan import BoardPlan

_ROW = 28
_SHIFTER_X, _RESISTOR_X, _STRIP_X, _WIDTH = 420, 610, 740, 124
_UNUSED = ("2OE", "2A", "3A", "3OE", "4A", "4OE")


def draw_light(canvas: Canvas, plan: BoardPlan, circuit: Circuit, data: Place, top: int) -> int:
    """Draw this part from `top` on, with the data line coming from above; return its lower edge."""
    first = top + 68
    if circuit.shifter:
        _shifter(canvas, circuit.shifter, top + 12, first)
        draw_package(canvas, circuit.shifter, (174, top + 12))
        wire(canvas, DATA, data, (data[0], first), (_SHIFTER_X, first))
        wire(canvas, STRIP, (_SHIFTER_X + _WIDTH, first), (_RESISTOR_X, first))
    else:
        wire(canvas, STRIP, data, (data[0], first), (_RESISTOR_X, first))
    resistor(canvas, _RESISTOR_X, _RESISTOR_X + 60, first)
    canvas.text("330 Ohm", _RESISTOR_X + 30, first - 12, size=11, anchor=Anchor.MIDDLE)
    wire(canvas, STRIP, (_RESISTOR_X + 60, first), (_STRIP_X, first))
    plus, minus = first + 7 * _ROW, first + 9 * _ROW
    _strip(canvas, plan, top + 12, first, (plus, minus))
    _supply(canvas, plan, circuit, (plus, minus))
    return minus + 66


def _shifter(canvas: Canvas, chip: Chip, top: int, first: int) -> None:
    x = _SHIFTER_X
    canvas.rect(x, top, _WIDTH, 56 + 5 * _ROW, fill=BODY)
    canvas.text(chip.name, x + _WIDTH // 2, top + 20, size=14, anchor=Anchor.MIDDLE, bold=True)
    canvas.text(chip.package.name, x + _WIDTH // 2, top + 36, size=12, anchor=Anchor.MIDDLE)
    for row, name in enumerate(("1A", "1OE", "GND", "VCC")):
        y, number = first + _ROW * row, chip.package.number(name)
        canvas.pin(f"{chip.name} {number}", (x, y))
        canvas.text(name, x + 8, y + 5, bold=True)
        canvas.text(str(number), x - 6, y - 4, size=11, anchor=Anchor.END)
    out = x + _WIDTH
    canvas.pin(f"{chip.name} 3", (out, first))
    canvas.text("1Y", out - 8, first + 5, anchor=Anchor.END, bold=True)
    canvas.text("3", out + 6, first - 4, size=11)
    for row in (1, 2):
        wire(canvas, GROUND, (x, first + _ROW * row), (x - 30, first + _ROW * row))
    wire(canvas, GROUND, (x - 30, first + _ROW), (x - 30, first + 2 * _ROW))
    joint(canvas, GROUND, (x - 30, first + 2 * _ROW))
    ground(canvas, (x - 30, first + 2 * _ROW))
    wire(canvas, SUPPLY, (x, first + 3 * _ROW), (x - 58, first + 3 * _ROW))
    supply(canvas, SUPPLY, (x - 58, first + 3 * _ROW))
    unused = sorted(chip.package.number(name) for name in _UNUSED)
    below = top + 56 + 5 * _ROW
    canvas.text("pins " + " ".join(map(str, unused)) + " to GND", x, below + 15, size=11)
    canvas.text(f"10 kOhm from pin {chip.package.number('1A')} to GND", x, below + 29, size=11)


def _strip(canvas: Canvas, plan: BoardPlan, top: int, first: int, rails: Place) -> None:
    plus, minus = rails
    canvas.rect(_STRIP_X, top, 240, minus + 28 - top, fill=BODY)
    canvas.text("LED strip", _STRIP_X + 120, top + 20, size=14, anchor=Anchor.MIDDLE, bold=True)
    canvas.text(
        f"{plan.strip.leds} x {led_name(plan)}", _STRIP_X + 120, top + 36, size=12, anchor=Anchor.MIDDLE
    )
    for name, y in (("DIN", first), ("5V", plus), ("GND", minus)):
        canvas.pin(f"strip {name}", (_STRIP_X, y))
        canvas.text(name, _STRIP_X + 8, y + 5, bold=True)
    bars = {leds[0] for leds in (plan.strip.white_bar, plan.strip.black_bar) if leds}
    some = sorted(({0, 1, 2, plan.strip.leds - 1} | bars) & set(range(plan.strip.leds)))
    for row, led in enumerate(some):
        y, x = first + (_ROW + 8) * row, _STRIP_X + 90
        leap = led - some[row - 1] > 1
        canvas.line([(x, y - 10 if row else y), (x, y - 26) if row else (_STRIP_X + 40, y)], dashed=leap)
        canvas.rect(x - 10, y - 10, 20, 20, fill=PAPER)
        canvas.circle(x, y, 6, ink=FAINT)
        point = _point_of(plan, led)
        canvas.text(f"LED {led}", x + 22, y + 5)
        canvas.text(point, x + 84, y + 5, bold=True)
    capacitor(canvas, 640, plus, minus)
    canvas.text("1000 uF", 664, (plus + minus) // 2 + 5, size=11)


def _point_of(plan: BoardPlan, led: int) -> str:
    """Return the point that an LED lights, or its place in a side bar: W1 is the first of White's."""
    places = [(point.name, leds) for point, leds in zip(plan.layout.points, plan.places, strict=True)]
    bars = (("W", plan.strip.white_bar), ("B", plan.strip.black_bar))
    places += [(f"{side}{number}", (one,)) for side, leds in bars for number, one in enumerate(leds, start=1)]
    return next((name for name, leds in places if led in leds), "")


def _supply(canvas: Canvas, plan: BoardPlan, circuit: Circuit, rails: Place) -> None:
    plus, minus = rails
    draws = current(plan)
    canvas.rect(40, plus - 32, 220, minus - plus + 64, fill=BODY)
    canvas.text("5 V supply", 52, plus - 10, size=14, bold=True)
    for n, model in enumerate(models(plan)):
        fed = f"with a Pi {model.name}" if model.name else "for the strip"
        canvas.text(f"{draws.supply_a(model):g} A {fed}", 52, plus + 11 + 17 * n, size=11)
    for name, net, y in (("+", SUPPLY, plus), ("-", GROUND, minus)):
        canvas.pin(f"supply {name}", (260, y))
        canvas.text(name, 252, y + 5, size=14, anchor=Anchor.END, bold=True)
        wire(canvas, net, (260, y), (_STRIP_X, y))
    fuses = sorted({fuse_a(plan, model) for model in models(plan)})
    fuse(canvas, 266, 290, plus)
    canvas.text("fuse, " + " or ".join(f"{one:g}" for one in fuses) + " A", 314, plus - 8, size=11)
    diode(canvas, 560, plus, minus)
    canvas.text("P6KE6.8A", 546, (plus + minus) // 2 + 5, size=11, anchor=Anchor.END)
    joint(canvas, SUPPLY, (300, plus))
    supply(canvas, SUPPLY, (300, plus))
    joint(canvas, GROUND, (300, minus))
    ground(canvas, (300, minus))
    limit = f"held to {draws.budget_ma:g} mA by the program; {draws.white_ma:g} mA if all were white"
    others = "the level shifter and the strip" if circuit.shifter else "the strip"
    warning = (
        ("this 5 V goes to " + others, "and to no pin of the Pico: it would destroy it")
        if circuit.pico
        else ("this 5 V goes to the header's pins 2 and 4,", f"to {others}, and to no other pin")
    )
    for row, words in enumerate((limit, *warning)):
        canvas.text(words, 340, minus + 20 + 17 * row, size=11)
