"""Lines of the header, written and read together.

Rules kept here: a line is written only where its level changes; pins are plain inputs and outputs without
edge alerts, which would cost more than the whole scan; after a write that failed all lines are written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Literal, Protocol

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Gpio

Pull = Literal["up", "down", "floating"]
"""What the Pi's own resistors do to an input: to 3.3 V, to ground, or nothing."""


class Lines(Protocol):
    """Some outputs and some inputs; each has its bit, the first of them bit 0."""

    def write(self, levels: int) -> None:
        """Give the outputs these levels; raises an exception of the library where that is not possible."""

    def read(self) -> int:
        """The levels of the inputs; raises an exception of the library where that is not possible."""

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """What is read at each of these levels, after `settle` has waited; raises as they do."""

    def close(self) -> None:
        """Give the lines back; may be called twice."""


def swept(lines: Lines, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
    """A sweep over any lines, step by step."""
    seen = []
    for levels in stops:
        lines.write(levels)
        if settle:
            settle()
        seen.append(lines.read())
    return seen


class PinLines:
    """Lines by the pins of any gpiozero factory.

    The pins' own state is used, not the devices' value: in the virtual Pi a frame took 290 us instead of 625.
    Raises SensorError where a pin is not to be had. `release` is called when the pins have been given back.
    """

    def __init__(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        pin_factory: Any,
        *,
        levels: int = 0,
        release: Callable[[], object] = lambda: None,
    ) -> None:
        """Begin with the outputs at `levels`."""
        from gpiozero import InputDevice, OutputDevice  # type: ignore[import-untyped]

        with ExitStack() as opened:
            opened.callback(release)
            try:
                self._outputs = [
                    opened.enter_context(
                        OutputDevice(gpio, initial_value=bool(levels >> bit & 1), pin_factory=pin_factory)
                    ).pin
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
        self._writes: dict[tuple[int | None, int], list[tuple[Any, bool]]] = {}

    def write(self, levels: int) -> None:
        change = self._levels, levels
        writes = self._writes.get(change)
        if writes is None:
            writes = self._writes[change] = self._changes(*change)
        self._levels = None
        for pin, level in writes:
            pin.state = level
        self._levels = levels

    def read(self) -> int:
        levels = 0
        for bit, pin in enumerate(self._inputs):
            if pin.state:
                levels |= 1 << bit
        return levels

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        return swept(self, stops, settle)

    def close(self) -> None:
        self._devices.close()

    def _changes(self, before: int | None, levels: int) -> list[tuple[Any, bool]]:
        """What is to be written, rising lines first: a chip lets go of a line before the next takes it."""
        bits = range(len(self._outputs))
        changed = [bit for bit in bits if before is None or (before ^ levels) >> bit & 1]
        writes = [(self._outputs[bit], bool(levels >> bit & 1)) for bit in changed]
        return sorted(writes, key=lambda write: not write[1])
