"""Helpers of all benches: the machine and the statistics."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

Figures = dict[str, Any]


def machine() -> Figures:
    """Return the machine and its software."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in lines_of("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def spread(values: Sequence[float], scale: float = 1.0, digits: int = 2) -> Figures:
    """Return the median and the 99th percentile, and the number of values."""
    ordered = sorted(values)
    worst = ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]
    return {
        "median": round(median(ordered) * scale, digits),
        "p99": round(worst * scale, digits),
        "of": len(ordered),
    }


def lines_of(name: str) -> list[str]:
    """Return the lines of a file of the system; none if there is no such file."""
    path = Path(name)
    return path.read_text().splitlines() if path.exists() else []
