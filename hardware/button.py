"""A push button between a line of the header and ground.

Invariants: the line is a plain input with the Pi's own pull-up, read once in each frame; edge alerts would
cost more than the whole scan. A button that can't be read is opened again after a second, and nothing waits
for it.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config.gpio import gpio_conflicts, gpio_uses, header_lines
from firmware_host.errors import MillwrightError, SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Controls, Sensors, Strip
from hardware.bus.gpio import Lines
from hardware.bus.pi import buses_in_use, model
from hardware.machine import Machine
from hardware.reconnect import RETRY_S


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


class ReconnectingButton:
    """A ButtonPort on the button that `open_button` opens at its first use, and after each failure.

    `clock` returns seconds.
    """

    def __init__(self, open_button: Callable[[], Button], clock: Callable[[], float]) -> None:
        self._open_button = open_button
        self._clock = clock
        self._button: Button | None = None
        self._fault: SensorError | None = None
        self._retry_at = 0.0

    def is_down(self) -> bool:
        """Return True while the button is pressed; raise SensorError while it can't be opened or read."""
        if self._fault is not None and self._clock() < self._retry_at:
            raise self._fault
        try:
            if self._button is None:
                self._button = self._open_button()
            down = self._button.is_down()
        except MillwrightError as error:
            self._fault, self._retry_at = _as_fault(error), self._clock() + RETRY_S
            self.close()
            raise self._fault from error
        self._fault = None
        return down

    def close(self) -> None:
        """Release the line, if it was ever opened; may be called twice."""
        button, self._button = self._button, None
        if button is not None:
            button.close()


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


def _as_fault(error: MillwrightError) -> SensorError:
    """Return an error as a fault of the button."""
    why = error.message or Message("fault.unfit", {"text": " ".join(str(error).split("\n"))})
    return SensorError(why)
