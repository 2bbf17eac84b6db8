"""Sensors behind multiplexers, read through gpiozero.

Rules kept here: only channels in use are visited, in Gray-code order, so that a step writes one select line;
all signal lines are read at each step, after the settling time; pins are plain inputs and outputs without
edge alerts, which would cost more than the whole scan; a pin that cannot be read is a SensorError, and the
next scan starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """A SensorPort on any number of select, signal and enable lines.

    `pin_factory` is a gpiozero factory, made by the caller, so that none is chosen behind its back; `sleep`
    waits so many seconds; `release` is called when the pins have been given back. Raises ConfigError where
    the wiring is wrong and SensorError where a pin is not to be had. Where several contacts of one point are
    closed at once, the one that was believed before still is, else the one with the lowest reading.
    """

    def __init__(
        self,
        wiring: MuxWiring,
        pin_factory: Any,
        *,
        sleep: Callable[[float], None] = pause,
        release: Callable[[], object] = lambda: None,
    ) -> None:
        self._points = len(wiring.layout)
        self._settling = wiring.settling_us / 1_000_000
        self._sleep = sleep
        self._last: Frame = (NOTHING,) * self._points
        self._lost = True
        self._closed = False
        with ExitStack() as opened:
            opened.callback(release)
            wiring.check()
            try:
                outputs = [
                    opened.enter_context(OutputDevice(n, initial_value=high, pin_factory=pin_factory))
                    for lines, high in ((wiring.select, False), (wiring.enables, True))
                    for n in lines
                ]
                signals = [opened.enter_context(_input(n, wiring, pin_factory)) for n in wiring.signals]
            except Exception as error:
                raise SensorError(f"cannot open the sensors' pins: {error}") from error
            self._devices = opened.pop_all()
        self._home, self._steps = _plan(wiring, [d.pin for d in outputs], [d.pin for d in signals])

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
    wiring: MuxWiring, outputs: list[Any], signals: list[Any]
) -> tuple[list[_Write], list[tuple[list[_Write], list[_Tap]]]]:
    """The writes that set the lines before the first step, and each step: its writes, then its readings.

    The pins' own state is used, not the devices' value: in a virtual Pi a frame took 266 us instead of 702.
    """
    stops = list(_stops(wiring))
    before = _levels(wiring, *stops[-1])
    home = list(zip(outputs, before, strict=True))
    steps = []
    for enabled, address in stops:
        levels = _levels(wiring, enabled, address)
        writes = [(pin, new) for pin, old, new in zip(outputs, before, levels, strict=True) if new != old]
        writes.sort(key=lambda write: not write[1])  # a chip lets go of the line before the next takes it
        taps = [
            (signals[0 if wiring.enables else chip], point, reading)
            for (point, reading), (chip, channel) in sorted(wiring.contacts.items())
            if channel == address and enabled in (None, chip)
        ]
        steps.append((writes, taps))
        before = levels
    return home, steps


def _stops(wiring: MuxWiring) -> Iterator[tuple[int | None, int]]:
    """The chip that is enabled (None: all always are) and the address at each step, in use alone.

    Addresses go in Gray code, forth on one chip and back on the next, so that they change by one line.
    """
    gray = [n ^ n >> 1 for n in range(1 << len(wiring.select))]
    for chip in range(len(wiring.enables)) if wiring.enables else (None,):
        used = {channel for on, channel in wiring.contacts.values() if chip in (None, on)}
        run = [address for address in gray if address in used]
        yield from ((chip, address) for address in (reversed(run) if chip and chip % 2 else run))


def _levels(wiring: MuxWiring, enabled: int | None, address: int) -> tuple[bool, ...]:
    """The levels of all select lines, then of all enable lines, which are low for the chip that connects."""
    select = (bool(address >> bit & 1) for bit in range(len(wiring.select)))
    return (*select, *(chip != enabled for chip in range(len(wiring.enables))))
