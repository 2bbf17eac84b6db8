"""A push button between a line of the header and ground.

Invariants: the line is a plain input with the Pi's own pull-up, read once in each frame; edge alerts would
cost more than the whole scan.
"""

from __future__ import annotations

from firmware_host.config.gpio import gpio_conflicts, gpio_uses, header_lines
from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Controls, Sensors, Strip
from hardware.bus.gpio import Lines
from hardware.bus.pi import buses_in_use, model
from hardware.machine import Machine


class Button:
    """The button on the only input of `lines`."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def is_down(self) -> bool:
        """Return True while the button is pressed; raise SensorError if it can't be read."""
        try:
            return not self._lines.read() & 1
        except Exception as error:
            raise SensorError(Message("fault.button.unread", {"why": reason_of(error)})) from error

    def close(self) -> None:
        """Release the line; may be called twice."""
        self._lines.close()


def open_button(controls: Controls, sensors: Sensors, strip: Strip, machine: Machine) -> Button:
    """Open the button of a configuration; raises SensorError if another part or a bus has its line."""
    uses = gpio_uses(sensors, strip, buses_in_use(), controls=controls)
    for key, what in gpio_conflicts(uses, header_lines(model())):
        if key == "controls.button":
            raise SensorError(Message("fault.unfit", {"text": what}))
    return button_on(machine, controls)


def button_on(machine: Machine, controls: Controls) -> Button:
    """Open the button of a configuration on a machine, without checking its line for other users."""
    return Button(machine.lines((), (controls.button,), "up", 0))
