"""Timings of frames and of the strip on this machine.

Invariants: it times the work of play, by the same drivers. Times are medians and 99th percentiles. Nothing is
judged here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from statistics import median
from typing import Any

from firmware_host.errors import ConfigError, StripError
from firmware_host.frozen import frozen
from firmware_host.ports import DARK
from hardware.doctor.examination import ExaminedBoard
from hardware.electronics import Electronics

SCANS = 1000
SHOWS = 200
SHARE_S = 2.0

_FAINT = (2, 0, 0)


@frozen
class Timings:
    """A sample of durations, in microseconds."""

    values: Sequence[float]

    @property
    def median_us(self) -> float:
        """The median."""
        return round(median(self.values), 1)

    @property
    def p99_us(self) -> float:
        """The 99th percentile."""
        ordered = sorted(self.values)
        return round(ordered[round(0.99 * (len(ordered) - 1))], 1)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for programs."""
        return {"median_us": self.median_us, "p99_us": self.p99_us, "of": len(self.values)}


@frozen(slots=False)
class BenchmarkResult:
    """The result: `strip` is an error text if it cannot be opened, `cpu` the share of a core at `rate_hz`."""

    wires: int
    settling_us: int
    frame: Timings
    strip: Timings | str
    rate_hz: int
    cpu: float

    def as_dict(self) -> dict[str, Any]:
        """Return the result for programs."""
        strip = {"error": self.strip} if isinstance(self.strip, str) else self.strip.as_dict()
        return {
            "wires": self.wires,
            "settling_us": self.settling_us,
            "frame": self.frame.as_dict(),
            "strip": strip,
            "frame_rate_hz": self.rate_hz,
            "cpu_percent_of_a_core": round(100 * self.cpu, 1),
        }

    def as_text(self) -> str:
        """Return the result for people."""
        strip = self.strip if isinstance(self.strip, str) else _text(self.strip)
        return "\n".join(
            [
                f"frame of {self.wires} wires, each step after {self.settling_us} us: {_text(self.frame)}",
                f"strip, a changed frame: {strip}",
                f"scanning {self.rate_hz} times a second: {100 * self.cpu:.1f}% of a core",
            ]
        )


def measure(
    plan: ExaminedBoard,
    electronics: Electronics,
    rate_hz: int,
    *,
    scans: int = SCANS,
    shows: int = SHOWS,
    share_s: float = SHARE_S,
    sleep: Callable[[float], None] = time.sleep,
) -> BenchmarkResult:
    """Measure for some seconds; raises SensorError or ConfigError if the sensors cannot be read."""
    with closing(electronics.open_scanner(plan.sensors)) as scanner:
        wires = len(scanner.wires)
        frame = _timed(scanner.scan, scans)
        frames = max(1, round(share_s * rate_hz))
        used, due = time.process_time(), time.perf_counter()
        for _ in range(frames):
            due += 1 / rate_hz
            scanner.scan()
            sleep(max(0.0, due - time.perf_counter()))
        cpu = (time.process_time() - used) / (frames / rate_hz)
    settling = plan.sensors.settling_us if plan.sensors.kind in ("mux", "matrix", "mcp3008") else 0
    return BenchmarkResult(wires, settling, frame, _strip(plan, electronics, shows), rate_hz, cpu)


def _strip(plan: ExaminedBoard, electronics: Electronics, shows: int) -> Timings | str:
    frames = [(DARK,) * plan.strip.leds, (_FAINT,) * plan.strip.leds]
    try:
        with closing(electronics.open_leds(plan.strip)) as strip:
            strip.show(frames[0])
            turn = iter(range(1, shows + 1))
            return _timed(lambda: strip.show(frames[next(turn) % 2]), shows)
    except (StripError, ConfigError) as error:
        return str(error)


def _timed(do: Callable[[], object], times: int) -> Timings:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        do()
        taken.append((time.perf_counter() - began) * 1e6)
    return Timings(taken)


def _text(times: Timings) -> str:
    return f"median {times.median_us:.0f} us, 99th percentile {times.p99_us:.0f} us (of {len(times.values)})"
