"""An active buzzer behind a transistor, on a line of the header.

Invariants: the line is a plain output, low unless the buzzer is to sound, and low when it is released. It is
written by the board's loop; a buzzer that is active needs no thread and no PWM.
"""

from __future__ import annotations

from contextlib import suppress

from firmware_host.config.gpio import gpio_conflicts, gpio_uses, header_lines
from firmware_host.errors import SensorError, SoundError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Controls, Sensors, Sound, Strip
from hardware.bus.gpio import Lines
from hardware.bus.pi import buses_in_use, model
from hardware.machine import Machine


class Buzzer:
    """The buzzer on the only output of `lines`."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def sound(self, *, on: bool) -> None:
        """Sound, or be silent; raise SoundError if the line can't be written."""
        try:
            self._lines.write(int(on))
        except Exception as error:
            raise SoundError(Message("fault.sound.unwritten", {"why": reason_of(error)})) from error

    def close(self) -> None:
        """Be silent and release the line; may be called twice."""
        with suppress(Exception):  # a line that is closed already can't be written, and is silent
            self._lines.write(0)
        self._lines.close()


def open_buzzer(sound: Sound, controls: Controls, sensors: Sensors, strip: Strip, machine: Machine) -> Buzzer:
    """Open the buzzer of a configuration; raises SoundError if another part or a bus has its line."""
    uses = gpio_uses(sensors, strip, buses_in_use(), controls=controls, sound=sound)
    for key, what in gpio_conflicts(uses, header_lines(model())):
        if key == "sound.buzzer":
            raise SoundError(Message("fault.unfit", {"text": what}))
    return buzzer_on(machine, sound)


def buzzer_on(machine: Machine, sound: Sound) -> Buzzer:
    """Open the buzzer of a configuration on a machine, without checking its line for other users."""
    try:
        return Buzzer(machine.lines((sound.buzzer,), (), "floating", 0))
    except SensorError as error:
        raise SoundError(error.message) from error
