"""Sensors behind multiplexers, read through gpiozero.

Rules kept here: only channels in use are visited, in Gray-code order, so that a step writes one select line;
all signal lines are read at each step, after the settling time; pins are plain inputs and outputs without
edge alerts, which would cost more than the whole scan; a pin that cannot be read is a SensorError, and the
next scan starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from gpiozero import InputDevice, OutputDevice  # type: ignore[import-untyped]

from firmware_host.errors import SensorError
from firmware_host.ports import NOTHING, Frame, Reading
from hardware.pause import pause
from hardware.wiring import MuxWiring

_Write = tuple[Any, bool]
_Tap = tuple[Any, int, Reading]


class MuxSensors:
    """A SensorPort on any number of select and signal lines.

    `pin_factory` is a gpiozero factory, made by the caller, so that none is chosen behind its back; `sleep`
    waits so many seconds. Raises ConfigError where the wiring is wrong and SensorError where a pin is not to
    be had. Where several contacts of one point are closed at once, the one that was believed before still is,
    else the one with the lowest reading.
    """

    def __init__(
        self, wiring: MuxWiring, pin_factory: Any, *, sleep: Callable[[float], None] = pause
    ) -> None:
        wiring.check()
        self._points = len(wiring.layout)
        self._settling = wiring.settling_us / 1_000_000
        self._sleep = sleep
        self._last: Frame = (NOTHING,) * self._points
        self._lost = True
        self._closed = False
        with ExitStack() as opened:
            try:
                select = [
                    opened.enter_context(OutputDevice(n, pin_factory=pin_factory)) for n in wiring.select
                ]
                signals = [opened.enter_context(_input(n, wiring, pin_factory)) for n in wiring.signals]
            except Exception as error:
                raise SensorError(f"cannot open the sensors' pins: {error}") from error
            self._devices = opened.pop_all()
        self._home, self._steps = _plan(wiring, [d.pin for d in select], [d.pin for d in signals])

    def read(self) -> Frame:
        """Scan every point once; the very same tuple as before where nothing changed."""
        if self._closed:
            raise SensorError("cannot read the sensors: they were closed")
        try:
            frame = self._scan()
        except Exception as error:
            raise SensorError(f"cannot read the sensors: {error}") from error
        if frame != self._last:
            self._last = frame
        return self._last

    def close(self) -> None:
        """Give the pins back; may be called twice."""
        self._closed = True
        self._devices.close()

    def __enter__(self) -> MuxSensors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _scan(self) -> Frame:
        if self._lost:
            for pin, level in self._home:
                pin.state = level
        self._lost = True
        frame = [NOTHING] * self._points
        for writes, taps in self._steps:
            for pin, level in writes:
                pin.state = level
            self._sleep(self._settling)
            for pin, point, reading in taps:
                if not pin.state and (frame[point] == NOTHING or self._last[point] == reading):
                    frame[point] = reading
        self._lost = False
        return tuple(frame)


def _input(gpio: int, wiring: MuxWiring, pin_factory: Any) -> InputDevice:
    if wiring.pull_up:
        return InputDevice(gpio, pull_up=True, pin_factory=pin_factory)
    return InputDevice(gpio, pull_up=None, active_state=False, pin_factory=pin_factory)


def _plan(
    wiring: MuxWiring, select: list[Any], signals: list[Any]
) -> tuple[list[_Write], list[tuple[list[_Write], list[_Tap]]]]:
    """The writes that set the address before the first step, and each step: its writes, then its readings.

    The pins' own state is used, not the devices' value: in a virtual Pi a frame took 266 us instead of 702.
    """
    used = {channel for _, channel in wiring.contacts.values()}
    order = [address for n in range(1 << len(select)) if (address := n ^ n >> 1) in used]
    home = [(pin, bool(order[-1] >> bit & 1)) for bit, pin in enumerate(select)]
    steps = []
    for before, address in zip((order[-1], *order), order, strict=False):
        changed = before ^ address
        writes = [(pin, bool(address >> bit & 1)) for bit, pin in enumerate(select) if changed >> bit & 1]
        taps = [
            (signals[signal], point, reading)
            for (point, reading), (signal, channel) in sorted(wiring.contacts.items())
            if channel == address
        ]
        steps.append((writes, taps))
    return home, steps
