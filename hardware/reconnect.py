"""Drivers that open their device on first use and reconnect after a failure.

Invariants: a board plays on while its strip cannot be opened, and reports a fault while its sensors cannot.
Both are retried after a second, since a plug or a permission may be fixed in the meantime. An open device
that fails for a second is closed and opened again: one that was unplugged and came back needs a new handle.
Drivers that reconnect by themselves, such as that of a serial board, are left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from firmware_host.config.gpio import strip_backend
from firmware_host.errors import MillwrightError, SensorError, SoundError, StripError
from firmware_host.i18n import Message
from firmware_host.ports import Frame, LedFrame, LedPort, SensorPort
from firmware_host.settings import Sensors, Strip
from hardware.button import Button
from hardware.buzzer import Buzzer
from hardware.factory import open_strip
from hardware.machine import Machine

RETRY_S = 1.0
_LOG = logging.getLogger(__name__)


class ReconnectingSensors:
    """A SensorPort on the driver that `open_driver` makes, which may raise any MillwrightError.

    `clock` returns seconds. With `reconnects_itself` the driver reconnects by itself, even if that takes
    longer than a second.
    """

    def __init__(
        self,
        open_driver: Callable[[], SensorPort],
        *,
        clock: Callable[[], float],
        reconnects_itself: bool = False,
    ) -> None:
        self._open_driver = open_driver
        self._reconnects_itself = reconnects_itself
        self._clock = clock
        self._driver: SensorPort | None = None
        self._fault: Message | None = None
        self._retry_at = -RETRY_S
        self._failing_since: float | None = None

    def read(self) -> Frame:
        """Read the sensors, opened first if need be; raises SensorError while that fails."""
        if self._driver is None:
            self._driver = self._opened()
        try:
            frame = self._driver.read()
        except SensorError as error:
            self._failed(error.message)
            raise
        self._failing_since = None
        return frame

    @property
    def levels(self) -> Mapping[int, int]:
        """The driver's levels; empty before it is opened."""
        return {} if self._driver is None else self._driver.levels

    def close(self) -> None:
        """Close the driver; may be called twice."""
        if self._driver is not None:
            self._driver.close()

    def _opened(self) -> SensorPort:
        now = self._clock()
        if self._fault is not None and now < self._retry_at:
            raise SensorError(self._fault)
        try:
            return self._open_driver()
        except MillwrightError as error:
            self._fault, self._retry_at = _message_of(error), now + RETRY_S
            raise SensorError(self._fault) from error

    def _failed(self, fault: Message) -> None:
        """Close a driver that has done nothing but fail for a second."""
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        if self._reconnects_itself or now - self._failing_since < RETRY_S or self._driver is None:
            return
        driver, self._driver = self._driver, None
        self._failing_since = None
        self._fault, self._retry_at = fault, now
        try:
            driver.close()
        except Exception as error:  # noqa: BLE001 - the device is gone, which has been reported already
            _LOG.debug("the failing driver could not be closed: %s", error)


class ReconnectingStrip:
    """A LedPort on the driver that `open_driver` makes; the caller waits before it retries.

    `reconnects_itself`: as in ReconnectingSensors.
    """

    def __init__(self, open_driver: Callable[[], LedPort], *, reconnects_itself: bool = False) -> None:
        self._open_driver = open_driver
        self._reconnects_itself = reconnects_itself
        self._driver: LedPort | None = None
        self._failed = False

    def show(self, frame: LedFrame) -> None:
        """Send `frame`; raises StripError if the strip cannot be opened or written."""
        if self._driver is None:
            try:
                self._driver = self._open_driver()
            except MillwrightError as error:
                raise StripError(_message_of(error)) from error
        try:
            self._driver.show(frame)
        except StripError:
            if self._failed and not self._reconnects_itself:
                self._driver.close()
                self._driver = None
            self._failed = self._driver is not None
            raise
        self._failed = False

    def close(self) -> None:
        """Switch the LEDs off, if the strip was ever opened; may be called twice."""
        if self._driver is not None:
            self._driver.close()


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
            self._fault, self._retry_at = SensorError(_message_of(error)), self._clock() + RETRY_S
            self.close()
            raise self._fault from error
        self._fault = None
        return down

    def close(self) -> None:
        """Release the line, if it was ever opened; may be called twice."""
        button, self._button = self._button, None
        if button is not None:
            button.close()


class ReconnectingBuzzer:
    """A BuzzerPort on the buzzer that `open_buzzer` opens at its first use, and after each failure.

    The caller waits before it retries.
    """

    def __init__(self, open_buzzer: Callable[[], Buzzer]) -> None:
        self._open_buzzer = open_buzzer
        self._buzzer: Buzzer | None = None

    def sound(self, *, on: bool) -> None:
        """Sound, or be silent; raise SoundError if the buzzer can't be opened or driven."""
        try:
            if self._buzzer is None:
                self._buzzer = self._open_buzzer()
            self._buzzer.sound(on=on)
        except MillwrightError as error:
            self.close()
            raise SoundError(_message_of(error)) from error

    def close(self) -> None:
        """Be silent and release the line, if it was ever opened; may be called twice."""
        buzzer, self._buzzer = self._buzzer, None
        if buzzer is not None:
            buzzer.close()


def _message_of(error: MillwrightError) -> Message:
    """Return the error's message; faults of the settings quote the lines of their file."""
    return error.message or Message("fault.unfit", {"text": " ".join(str(error).split("\n"))})


def reconnecting_strip(
    sensors: Sensors,
    strip: Strip,
    leds: Sequence[Sequence[int]],
    machine: Machine,
    say: Callable[[str], object],
) -> ReconnectingStrip:
    """Return the strip of a configuration, whose points have the LEDs `leds`.

    `say` receives how the strip is driven, each sentence once: a strip that is unplugged is opened again
    every second or two.
    """
    sent: set[str] = set()

    def say_once(text: str) -> None:
        if text not in sent:
            sent.add(text)
            say(text)

    driven = replace(strip, backend=strip_backend(sensors, strip))
    board = partial(machine.serial, sensors.port)
    return ReconnectingStrip(
        lambda: open_strip(driven, leds, say_once, board=board), reconnects_itself=driven.backend == "serial"
    )
