"""Lines of the header, written and read together.

Invariants: a line is written only where its level changes. Pins are plain inputs and outputs without edge
alerts, which would cost more than the whole scan. After a failed write, all lines are written again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Literal, Protocol

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Gpio

Pull = Literal["up", "down", "floating"]
"""The Pi's own resistor on an input: to 3.3 V, to ground, or none."""


class Lines(Protocol):
    """A group of outputs and a group of inputs; the first line of each group is bit 0.

    Its methods raise the exceptions of the library beneath.
    """

    def write(self, levels: int) -> None:
        """Drive the outputs to these levels."""

    def read(self) -> int:
        """Return the levels of the inputs."""

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """Return the inputs read at each of the output levels `stops`, `settle` being called in between."""

    def close(self) -> None:
        """Release the lines; may be called twice."""


def sweep_stepwise(lines: Lines, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
    """Sweep any lines step by step."""
    seen = []
    for levels in stops:
        lines.write(levels)
        if settle:
            settle()
        seen.append(lines.read())
    return seen


class PinLines:
    """Lines by the pins of any gpiozero factory.

    The pins' own state is used instead of the devices' value: in the virtual Pi a frame took 290 us instead
    of 625. Raises SensorError if a pin cannot be opened. `open_drain`: outputs are driven low only; while
    they should be high they are inputs with the Pi's pull-up. `release` is called once the pins have been
    closed.
    """

    def __init__(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        pin_factory: Any,
        *,
        levels: int = 0,
        open_drain: bool = False,
        release: Callable[[], object] = lambda: None,
    ) -> None:
        """Open the pins, with the outputs at `levels`."""
        from gpiozero import InputDevice  # type: ignore[import-untyped]

        opener = _open_drain if open_drain else _output
        with ExitStack() as opened:
            opened.callback(release)
            try:
                self._outputs = [
                    opened.enter_context(opener(gpio, bool(levels >> bit & 1), pin_factory)).pin
                    for bit, gpio in enumerate(outputs)
                ]
                pulled: dict[str, Any] = (
                    {"pull_up": None, "active_state": True}
                    if pull == "floating"
                    else {"pull_up": pull == "up"}
                )
                self._inputs = [
                    opened.enter_context(InputDevice(gpio, pin_factory=pin_factory, **pulled)).pin
                    for gpio in inputs
                ]
            except Exception as error:
                raise SensorError(Message("fault.pins.unopened", {"why": reason_of(error)})) from error
            self._devices = opened.pop_all()
        self._levels: int | None = levels
        self._put = _drain if open_drain else _drive
        self._writes: dict[tuple[int | None, int], list[tuple[Any, bool]]] = {}

    def write(self, levels: int) -> None:
        """Drive the outputs to `levels`, one bit each; only those that change are written."""
        change = self._levels, levels
        writes = self._writes.get(change)
        if writes is None:
            writes = self._writes[change] = self._changes(*change)
        self._levels = None
        put = self._put
        for pin, level in writes:
            put(pin, level)
        self._levels = levels

    def read(self) -> int:
        """Return the levels of the inputs, one bit each."""
        levels = 0
        for bit, pin in enumerate(self._inputs):
            if pin.state:
                levels |= 1 << bit
        return levels

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """Return the inputs after each of `stops`, with `settle` called in between."""
        return sweep_stepwise(self, stops, settle)

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()

    def _changes(self, before: int | None, levels: int) -> list[tuple[Any, bool]]:
        """Return the writes needed, rising lines first.

        A chip must release a common line before the next chip takes it.
        """
        bits = range(len(self._outputs))
        changed = [bit for bit in bits if before is None or (before ^ levels) >> bit & 1]
        writes = [(self._outputs[bit], bool(levels >> bit & 1)) for bit in changed]
        return sorted(writes, key=lambda write: not write[1])


def _output(gpio: Gpio, high: bool, pin_factory: Any) -> Any:
    """Open a pin that is driven to either level."""
    from gpiozero import OutputDevice

    return OutputDevice(gpio, initial_value=high, pin_factory=pin_factory)


def _open_drain(gpio: Gpio, high: bool, pin_factory: Any) -> Any:
    """Open a pin that is driven low only."""
    from gpiozero import InputDevice

    device = InputDevice(gpio, pull_up=True, pin_factory=pin_factory)
    _drain(device.pin, high)
    return device


def _drive(pin: Any, high: bool) -> None:
    pin.state = high


def _drain(pin: Any, high: bool) -> None:
    """Release the pin to its pull-up, or drive it low."""
    if high:
        pin.input_with_pull("up")
    else:
        pin.output_with_state(0)
