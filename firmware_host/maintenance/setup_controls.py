"""The lines of button and buzzer during a set-up.

Invariants: both are opened before anything is asked, and the buzzer is silent unless it is asked for. A line
that can't be opened is not asked for; it is reported only where the configuration has a part on it.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.config.gpio import control_lines
from firmware_host.config.loader import Config
from firmware_host.errors import ConfigError, SensorError, SoundError, reason_of
from firmware_host.i18n import Message
from firmware_host.ports import ButtonPort, BuzzerPort
from firmware_host.settings import NO_LINE, Controls, Microseconds, Sound
from hardware.electronics import Electronics
from hardware.setup.controls.buzzer import is_beep


class SetupControls:
    """The button and the buzzer of a board, as far as their lines can be opened."""

    def __init__(self, electronics: Electronics, config: Config) -> None:
        self.troubles: tuple[Message, ...] = ()
        """The reasons why parts that the configuration has are not asked for."""
        self._button: ButtonPort | None = None
        self._buzzer: BuzzerPort | None = None
        self._is_beeping = False
        button, buzzer = control_lines(config.controls, config.sound, config.sensors, config.strip)
        self.button_line = self._open_button(electronics, replace(config.controls, button=button), config)
        self.buzzer_line = self._open_buzzer(electronics, replace(config.sound, buzzer=buzzer), config)

    def is_button_down(self) -> bool:
        """Return True while the button is pressed; False without one. Raises SensorError."""
        return self._button is not None and self._button.is_down()

    def beep(self, now: Microseconds, *, is_asked: bool) -> None:
        """Beep in time with `now` while the buzzer is asked for. Raises SoundError."""
        is_beeping = is_asked and is_beep(now)
        if self._buzzer is not None and is_beeping is not self._is_beeping:
            self._is_beeping = is_beeping
            self._buzzer.sound(on=is_beeping)

    def close(self) -> None:
        """Be silent, and release the lines."""
        for part in (self._button, self._buzzer):
            if part is not None:
                part.close()

    def _open_button(self, electronics: Electronics, controls: Controls, config: Config) -> int:
        if controls.button == NO_LINE:
            return NO_LINE
        try:
            self._button = electronics.open_button(controls)
        except (SensorError, ConfigError) as error:
            if config.controls.button != NO_LINE:
                self.troubles += (Message("setup.no-button", {"text": reason_of(error)}),)
            return NO_LINE
        return controls.button

    def _open_buzzer(self, electronics: Electronics, sound: Sound, config: Config) -> int:
        if sound.buzzer == NO_LINE:
            return NO_LINE
        try:
            self._buzzer = electronics.open_buzzer(sound)
        except (SoundError, ConfigError) as error:
            if config.sound.buzzer != NO_LINE:
                self.troubles += (Message("setup.no-buzzer", {"text": reason_of(error)}),)
            return NO_LINE
        return sound.buzzer
