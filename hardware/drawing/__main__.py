"""The drawings of the builder's guide; `python -m hardware.drawing` writes them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.settings import Sensors
from hardware.drawing.section import section_svg
from hardware.drawing.steps.closing import closing_svg
from hardware.drawing.steps.frame import controller_svg, frame_svg
from hardware.drawing.steps.leds import leds_svg
from hardware.drawing.steps.loom import loom_svg
from hardware.drawing.steps.measuring import measuring_svg
from hardware.drawing.steps.module import module_svg
from hardware.drawing.steps.pieces import pieces_svg
from hardware.drawing.steps.plates import plates_svg
from hardware.drawing.steps.point import point_svg
from hardware.drawing.steps.power import power_svg
from hardware.drawing.steps.stripboard import stripboard_svg
from hardware.drawing.wiring import wiring_svg
from hardware.wiring.plan import FORMS, PICO_KINDS, BoardPlan

FOLDER = Path(__file__).parent.with_name("drawings")


def _wiring(form: Sensors) -> Callable[[], str]:
    """Return a function that draws a board of this form."""
    return lambda: wiring_svg(BoardPlan.of_form(SQUARES if form.alphabet == "pieces" else MORRIS, form))


def _pico(kind: str) -> Callable[[], str]:
    """Return a function that draws a board with a Pico."""
    return lambda: wiring_svg(BoardPlan.with_pico(MORRIS, kind))


FILES: Mapping[str, Callable[[], str]] = {
    **{f"wiring-{name}.svg": _wiring(form) for name, form in FORMS.items()},
    **{f"wiring-pico-{kind}.svg": _pico(kind) for kind in PICO_KINDS},
    "section.svg": section_svg,
    "build-plates.svg": plates_svg,
    "build-point.svg": point_svg,
    "build-leds.svg": leds_svg,
    "build-loom.svg": loom_svg,
    "build-stripboard.svg": stripboard_svg,
    "build-power.svg": power_svg,
    "build-frame.svg": frame_svg,
    "build-module.svg": module_svg,
    "build-controller.svg": controller_svg,
    "build-pieces.svg": pieces_svg,
    "build-measuring.svg": measuring_svg,
    "build-closing.svg": closing_svg,
}
"""The name of each file, and the function that draws it."""


def write_all(folder: Path = FOLDER) -> None:
    """Write every drawing into a folder, which is created if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in FILES.items():
        (folder / name).write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_all()
