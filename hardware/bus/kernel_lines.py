"""Lines by the kernel's group calls: one call for all outputs, another for all inputs.

Invariants: nothing is written unless a level changes; after a failed write, all lines are written again.
Released lines drive nothing. The kernel sets the lines of a group one after another, well within a
microsecond; for that time two chips with enable lines may both be connected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Gpio
from hardware.bus.gpio import Pull, sweep_stepwise
from hardware.bus.gpiochip import (
    INPUT,
    NO_PULL,
    OPEN_DRAIN,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    GpioChip,
    LineRequest,
)

_PULLS = {"up": PULL_UP, "down": PULL_DOWN, "floating": NO_PULL}

# A line that is not driven would otherwise keep the pull-down that most lines have since the Pi started.
_DRAINS = OPEN_DRAIN | PULL_UP


class KernelLines:
    """Lines of a chip, which stays open as long as they are held, so that other programs find who holds them.

    `open_drain`: outputs are driven low only; while they should be high the kernel makes them inputs, with
    the Pi's pull-up. Raises SensorError if a line cannot be taken, and closes the chip then.
    """

    def __init__(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        chip: GpioChip,
        *,
        levels: int = 0,
        open_drain: bool = False,
    ) -> None:
        """Take the lines, with the outputs at `levels`."""
        self._outputs: LineRequest | None = None
        self._inputs: LineRequest | None = None
        with ExitStack() as taken:
            taken.callback(chip.close)
            try:
                if outputs:
                    self._outputs = chip.request(outputs, OUTPUT | (_DRAINS if open_drain else 0), levels)
                    taken.callback(self._outputs.release)
                if inputs:
                    self._inputs = chip.request(inputs, INPUT | _PULLS[pull])
                    taken.callback(self._inputs.release)
            except OSError as error:
                raise SensorError(Message("fault.pins.unopened", {"why": reason_of(error)})) from error
            self._taken = taken.pop_all()
        self._levels: int | None = levels

    def write(self, levels: int) -> None:
        """Drive the outputs to `levels`, one bit each, unless they are there already."""
        if levels == self._levels or self._outputs is None:
            return
        self._levels = None
        self._outputs.write(levels)
        self._levels = levels

    def read(self) -> int:
        """Return the levels of the inputs, one bit each."""
        return 0 if self._inputs is None else self._inputs.read()

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """Sweep as `write`, `settle` and `read` for each stop would, in a loop of bare calls."""
        if self._outputs is None or self._inputs is None:
            return sweep_stepwise(self, stops, settle)
        write, read = self._outputs.write, self._inputs.read
        seen = []
        self._levels = None
        for levels in stops:
            write(levels)
            if settle:
                settle()
            seen.append(read())
        self._levels = stops[-1] if stops else None
        return seen

    def close(self) -> None:
        """Release the lines, or raise SensorError if the kernel reports that they may still be driven."""
        try:
            self._taken.close()
        except OSError as error:
            raise SensorError(Message("fault.pins.kept", {"why": reason_of(error)})) from error
