"""The machine's clock, the only one for dates: the time since boot, and the date of the boot if it is known.

Most of these machines are a Raspberry Pi, which forgets the time when it is switched off. Until it has been
set over the network, its clock shows the last time it knew.

Invariants: a moment never jumps while its date is unknown, and once the date is known, every moment since the
boot has one. A machine is trusted unless it says that its clock was not set; a clock that turns out to have
been wrong is corrected when it is set. Files are read once a second at most. Any thread may ask.
"""

from __future__ import annotations

import random
import struct
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock

from firmware_host.ports import MAX_BOOTS, Boot, Dating, Moment, date_of
from firmware_host.state_files import date_names_by

_TIMESYNC = Path("run/systemd/timesync")
"""The folder of systemd-timesyncd, which makes the file `synchronized` there once it has set the clock."""
_MODEL = Path("sys/firmware/devicetree/base/model")
_BOOT_ID = Path("proc/sys/kernel/random/boot_id")
_BATTERY_CLOCKS = Path("sys/class/rtc")
_STATUS = Path("proc/self/status")
_NO_FILTER = "Seccomp:\t0"
"""The line in the status of a process that may make every system call."""

_POLL_INTERVAL_S = 1.0
_MIN_STEP_MS = 2_000
"""The least change of the machine's clock that counts as its being set; smaller ones are drift."""
_BATTERY_ERROR_S = 5.0
"""The difference within which a clock with a battery agrees with the machine's."""
_MAX_ERROR_US = 16_000_000
"""The error at which the kernel gives up, so that timedatectl reports a clock below it as synchronised.

The kernel's flag STA_UNSYNC is no measure: chrony leaves it set where it doesn't want the kernel to set a
clock with a battery.
"""


_TIMEX = struct.Struct("@Illl")
"""The head of `struct timex` (adjtimex(2)): modes, offset, frequency and the greatest error."""
_TIMEX_BYTES = 512
"""More than the whole of it takes."""


def kernel_is_synchronised(root: Path = Path("/")) -> bool | None:
    """Return whether a program such as chrony or timesyncd keeps the kernel's clock right; None if unknown.

    In a sandbox that filters system calls, asking could end this program.
    """
    if not sys.platform.startswith("linux") or _NO_FILTER not in _text(root / _STATUS).splitlines():
        return None
    import ctypes  # a service, whose calls are filtered, never needs it

    state = ctypes.create_string_buffer(_TIMEX_BYTES)
    try:
        failed = ctypes.CDLL(None).adjtimex(state) < 0
    except (OSError, AttributeError):  # a C library without it
        return None
    *_, max_error = _TIMEX.unpack_from(state)
    return None if failed else 0 <= max_error < _MAX_ERROR_US


def since_boot_s() -> float:
    """Return the seconds since this machine was switched on, its sleep included; they do not jump."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def boot_of(root: Path) -> Boot | None:
    """Return this boot; None where the system doesn't tell, as in some sandboxes."""
    try:
        return Boot(int((root / _BOOT_ID).read_text("ascii")[:8], 16) % MAX_BOOTS)
    except (OSError, ValueError):
        return None


def is_trusted(root: Path, now_s: float, kernel: Callable[[], bool | None]) -> bool:
    """Return whether the machine's clock, which shows `now_s`, is right as far as anybody can tell.

    It is once it was set over the network. Otherwise it is if it agrees with a clock that has a battery, or
    if nothing speaks against it: neither a timesyncd that waits for the network, nor the kernel of a
    Raspberry Pi. Of another machine the kernel says nothing, since few are synchronised without timesyncd.
    """
    if (root / _TIMESYNC / "synchronized").exists():
        return True
    is_synchronised = kernel()
    is_pi = "Raspberry Pi" in _text(root / _MODEL)
    is_doubted = (root / _TIMESYNC).exists() or (is_pi and is_synchronised is False)
    return (
        is_synchronised is True
        or not is_doubted
        or any(abs(shown - now_s) <= _BATTERY_ERROR_S for shown in _battery_clocks(root))
    )


def _battery_clocks(root: Path) -> list[float]:
    """Return the times of the clocks with a battery, in seconds since 1970."""
    found = [_text(path) for path in sorted((root / _BATTERY_CLOCKS).glob("*/since_epoch"))]
    return [float(text) for text in found if text.strip().isdigit()]


def _text(path: Path) -> str:
    """Return the text of a file of the kernel; nothing if there is none."""
    try:
        return path.read_bytes().decode("ascii", "replace")
    except OSError:
        return ""


class MachineClock:
    """The clock of a machine whose files are below `root`."""

    def __init__(
        self,
        *,
        root: Path = Path("/"),
        boot: Boot | None = None,
        boot_s: Callable[[], float] = since_boot_s,
        wall_s: Callable[[], float] = time.time,
        kernel: Callable[[], bool | None] = kernel_is_synchronised,
    ) -> None:
        """Take the time since boot from `boot_s`, and that since 1970, which may be wrong, from `wall_s`."""
        self._root, self._boot_s, self._wall_s, self._kernel = root, boot_s, wall_s, kernel
        found = boot_of(root) if boot is None else boot
        self.knows_boot = found is not None
        """False if the moments of other processes look like those of other boots."""
        self._boot = Boot(random.SystemRandom().randrange(MAX_BOOTS)) if found is None else found
        self._is_trusted = False
        self._dating: Dating | None = None
        self._due_s = 0.0
        self._lock = Lock()

    def stamp(self) -> Moment:
        """Return this moment without a date."""
        return self._boot.moment(self.since_boot_ms)

    def now(self) -> Moment:
        """Return this moment, with a date if that is known."""
        return self.dated(self.stamp())

    def dating(self) -> Dating | None:
        """Return what gives the moments of this boot a date; None as long as that is unknown."""
        with self._lock:
            since_s = self._boot_s()
            if since_s >= self._due_s:
                self._due_s = since_s + _POLL_INTERVAL_S
                self._read(since_s)
            return self._dating

    def _read(self, since_s: float) -> None:
        wall_s = self._wall_s()
        # Once trusted, always trusted: without a network the kernel's error grows, but the clock still runs.
        self._is_trusted = self._is_trusted or is_trusted(self._root, wall_s, self._kernel)
        began_ms = round((wall_s - since_s) * 1000)
        before = self._dating
        if self._is_trusted and (before is None or abs(began_ms - before.began_ms) >= _MIN_STEP_MS):
            self._dating = Dating(self._boot, began_ms)

    @property
    def since_boot_ms(self) -> int:
        """The time since the machine was switched on."""
        return round(self._boot_s() * 1000)

    def time_s(self) -> float | None:
        """Return the seconds since 1970; None if the date is unknown."""
        now = date_of(self.now())
        return now / 1000 if now else None

    @property
    def is_right(self) -> bool:
        """True if the date is known."""
        return self.dating() is not None

    def dated(self, moment: Moment) -> Moment:
        """Return a moment with its date, if it is of this boot and the date is known; any other as it is."""
        dating = self.dating()
        return moment if dating is None else dating.dated(moment)

    def age_ms(self, moment: Moment) -> int | None:
        """Return the time since a moment; None if nobody knows. It is negative for a moment to come."""
        if (since := self._boot.since(moment)) is not None:
            return self.since_boot_ms - since
        now, then = date_of(self.now()), date_of(moment)
        return now - then if now and then else None

    def local(self, in_s: float = 0.0) -> time.struct_time | None:
        """Return the local time in `in_s` seconds; None if the date is unknown."""
        now = date_of(self.now())
        return time.localtime(now / 1000 + in_s) if now else None

    def day(self) -> str:
        """Return the local day for names of files, such as `2026-11-28`, or `undated`."""
        local = self.local()
        return "undated" if local is None else time.strftime("%Y-%m-%d", local)


@cache
def machine_clock() -> MachineClock:
    """Return the clock of this process, which also dates the names of damaged files."""
    clock = MachineClock()
    date_names_by(clock.time_s)
    return clock
