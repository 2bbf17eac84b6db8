"""Lines by lgpio's group calls: one kernel call for all outputs, another for all inputs.

Invariants: lines are claimed on the handle of gpiozero's own factory and reserved there, so that no gpiozero
device can take one of them. Nothing is written unless a level changes; after a failed write, all lines are
written again. Released lines drive nothing. The kernel sets the lines of a group one after another, well
within a microsecond; for that time two chips with enable lines may both be connected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Gpio
from hardware.bus.gpio import Pull, sweep_stepwise


class GroupLines:
    """Lines of a gpiozero LGPIOFactory: a frame takes 100 us in the virtual Pi, and 290 us by pins.

    A group is identified by its first line; a single line is a group as well. Raises SensorError if a line
    cannot be claimed. `release` is called once the lines have been freed; tests pass their own `lgpio`.
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
        lgpio: Any = None,
    ) -> None:
        """Claim the lines, with the outputs at `levels`."""
        self._lgpio = lgpio = lgpio or _library()
        self._factory = pin_factory
        self._outputs, self._inputs = list(outputs), list(inputs)
        with ExitStack() as opened:
            opened.callback(release)
            try:
                self._reserve(opened)
                self._claim(opened, levels, pull)
            except Exception as error:
                raise SensorError(Message("fault.pins.unopened", {"why": reason_of(error)})) from error
            self._claimed = opened.pop_all()
        self._levels: int | None = levels
        # Looked up once: a scan consists of nothing but these calls.
        self._group_write, self._group_read = lgpio.group_write, lgpio.group_read
        self._handle = pin_factory._handle
        self._writer, self._reader = (lines[0] if lines else None for lines in (self._outputs, self._inputs))

    def write(self, levels: int) -> None:
        """Drive the outputs to `levels`, one bit each, unless they are there already."""
        if levels == self._levels or self._writer is None:
            return
        self._levels = None
        self._group_write(self._handle, self._writer, levels)
        self._levels = levels

    def read(self) -> int:
        """Return the levels of the inputs, one bit each."""
        levels: int = self._group_read(self._handle, self._reader)[1]
        return levels

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """Sweep as `write`, `settle` and `read` for each stop would, in a loop of bare calls."""
        if self._writer is None:
            return sweep_stepwise(self, stops, settle)
        write, read = self._group_write, self._group_read
        handle, writer, reader = self._handle, self._writer, self._reader
        seen = []
        self._levels = None
        for levels in stops:
            write(handle, writer, levels)
            if settle:
                settle()
            seen.append(read(handle, reader)[1])
        self._levels = stops[-1] if stops else None
        return seen

    def close(self) -> None:
        """Release the lines; raise SensorError if lgpio keeps them."""
        try:
            self._claimed.close()
        except Exception as error:
            raise SensorError(Message("fault.pins.kept", {"why": reason_of(error)})) from error

    def _conflicts_with(self, _other: object) -> bool:
        """Tell gpiozero that no line may have another user."""
        return True

    def _reserve(self, opened: ExitStack) -> None:
        names = [f"GPIO{gpio}" for gpio in (*self._outputs, *self._inputs)]
        opened.callback(self._factory.release_pins, self, *names)
        self._factory.reserve_pins(self, *names)

    def _claim(self, opened: ExitStack, levels: int, pull: Pull) -> None:
        lgpio, handle = self._lgpio, self._factory._handle
        pulls = {"up": lgpio.SET_PULL_UP, "down": lgpio.SET_PULL_DOWN, "floating": lgpio.SET_PULL_NONE}
        if self._outputs:
            each = [levels >> bit & 1 for bit in range(len(self._outputs))]
            lgpio.group_claim_output(handle, self._outputs, each)
            opened.callback(self._free, self._outputs)
        if self._inputs:
            lgpio.group_claim_input(handle, self._inputs, pulls[pull])
            opened.callback(self._free, self._inputs)

    def _free(self, lines: list[Gpio]) -> None:
        """Free lines as inputs without a pull, as gpiozero leaves them."""
        handle = self._factory._handle
        if handle is None:  # the factory was closed, and all its lines with it
            return
        self._lgpio.group_free(handle, lines[0])
        self._lgpio.group_claim_input(handle, lines, self._lgpio.SET_PULL_NONE)
        self._lgpio.group_free(handle, lines[0])


def _library() -> Any:
    import lgpio  # type: ignore[import-not-found, unused-ignore]

    return lgpio
