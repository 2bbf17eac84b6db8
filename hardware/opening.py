"""Drivers that are opened when they are first used, and again until they can be.

Rules kept here: a board plays on while its strip cannot be opened, and says what is wrong while its sensors
cannot; either is tried again after a second, since a plug or a permission may be mended meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware_host.errors import MillwrightError, SensorError, StripError
from firmware_host.ports import Frame, LedFrame, LedPort, SensorPort

RETRY_S = 1.0


class SensorsWhenReady:
    """A SensorPort on the driver that `open_driver` makes; it may raise any MillwrightError."""

    def __init__(
        self, open_driver: Callable[[], SensorPort], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open_driver = open_driver
        self._clock = clock
        self._driver: SensorPort | None = None
        self._fault = ""
        self._retry_at = -RETRY_S

    def read(self) -> Frame:
        """Read the sensors, opened first if need be; raises SensorError while they cannot be."""
        if self._driver is None:
            self._driver = self._opened()
        return self._driver.read()

    def close(self) -> None:
        """Give the pins back; may be called twice."""
        if self._driver is not None:
            self._driver.close()

    def _opened(self) -> SensorPort:
        now = self._clock()
        if self._fault and now < self._retry_at:
            raise SensorError(self._fault)
        try:
            return self._open_driver()
        except MillwrightError as error:
            self._fault, self._retry_at = str(error), now + RETRY_S
            raise SensorError(self._fault) from error


class StripWhenReady:
    """A LedPort on the driver that `open_driver` makes; who shows frames waits before trying again."""

    def __init__(self, open_driver: Callable[[], LedPort]) -> None:
        self._open_driver = open_driver
        self._driver: LedPort | None = None

    def show(self, frame: LedFrame) -> None:
        """Send `frame`; raises StripError where the strip cannot be opened or written."""
        if self._driver is None:
            try:
                self._driver = self._open_driver()
            except MillwrightError as error:
                raise StripError(str(error)) from error
        self._driver.show(frame)

    def close(self) -> None:
        """Go dark, if there ever was light; may be called twice."""
        if self._driver is not None:
            self._driver.close()
