"""A machine that forgets the time when it is switched off, as a Raspberry Pi does, in a test's own time."""

from __future__ import annotations

from pathlib import Path

from firmware_host.ports import Boot
from firmware_host.runtime.clock import MachineClock

DAY_S = 86_400
NOON_S = 1_795_953_600
"""Noon of 29 November 2026 (UTC)."""


class ForgetfulPi:
    """A Pi whose files lie below `root`; its clock shows `wall_s` until it is synchronised."""

    def __init__(self, root: Path, wall_s: float = NOON_S) -> None:
        self.root = root
        self.boot_s, self.wall_s = 10.0, wall_s
        self._boots = 0
        model = root / "sys/firmware/devicetree/base/model"
        model.parent.mkdir(parents=True)
        model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
        self._flag = root / "run/systemd/timesync/synchronized"
        self._flag.parent.mkdir(parents=True)
        self.clock = self.new_clock()

    def new_clock(self) -> MachineClock:
        """Return the clock of another program on this machine."""
        return MachineClock(
            root=self.root,
            boot=Boot(self._boots),
            boot_s=lambda: self.boot_s,
            wall_s=lambda: self.wall_s,
            kernel=lambda: False,
        )

    def run_for(self, seconds: float) -> None:
        """Let time pass."""
        self.boot_s += seconds
        self.wall_s += seconds

    def synchronise(self, wall_s: float) -> None:
        """Set the clock over the network, and let a second pass."""
        self.wall_s = wall_s - 1
        self._flag.touch()
        self.run_for(1)

    def reboot(self) -> None:
        """Switch the machine off and on: its clock goes on where it was, however long that took."""
        self._boots += 1
        self.boot_s = 10.0
        self._flag.unlink(missing_ok=True)
        self.clock = self.new_clock()
