"""A set-up that has found all points of a board wired as recommended, up to what follows them."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from firmware_host.settings import NO_LINE, Gpio, Sensors, Strip
from hardware.setup.progress import Seat, SetupFindings
from hardware.setup.wizard import SetupWizard
from hardware.wiring.contacts import every_wire

FRAME = 5000


def wizard_at_its_end(
    found: SetupFindings | None = None,
    *,
    button: Gpio = NO_LINE,
    buzzer: Gpio = NO_LINE,
    is_button_down: bool = False,
) -> SetupWizard:
    """Return a set-up with nothing left to find on the board, which goes on after an interruption."""
    if found is None:
        seats = tuple(Seat((n,), (n,), point.name) for n, point in enumerate(MORRIS.points))
        found = SetupFindings(seats=seats, order="GRB")
    sensors = Sensors()
    wires = every_wire(sensors)
    setup = SetupWizard(MORRIS, sensors, Strip(), wires, found=found, button=button, buzzer=buzzer)
    setup.answer("", 0)
    for frame in range(100):
        if setup.prompt.stage != "clear":
            break
        setup.step((0,) * len(wires), frame * FRAME, is_button_down=is_button_down)
    return setup
