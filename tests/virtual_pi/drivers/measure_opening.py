"""Measures, in one run on the virtual Pi, what it costs to open strip and lines with libraries and without.

Each way is a process of its own, which opens, works once and reports: its processor time since it was begun,
the memory it took, and the modules it loaded with the size of their files. Prints the results as one line of
JSON and as the table of `tests/soak/measurements.md`; ends with 1 if our strip costs more than Blinka's.

Our lines cost more to open than lgpio's, since they come with the program's own modules, which are loaded
anyway; `measure.py` compares what a frame costs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROUNDS = 5
LEDS = 24
SELECT, SIGNALS = (17, 27, 22), (23, 24, 25)

Cost = dict[str, float]


def open_nothing() -> None:
    """Do nothing: what Python itself costs."""


def strip_of_ours() -> None:
    """Show a frame as the program does."""
    from hardware.bus.spi import SpiBus
    from hardware.strip import NeoPixelStrip

    bus = SpiBus()
    strip = NeoPixelStrip.on_spi(bus, range(LEDS), release=bus.close)
    strip.show(((1, 2, 3),) * LEDS)


def strip_of_blinka() -> None:
    """Show a frame as Adafruit's examples do, on the bus of the board that Blinka detects, through gpiod."""
    import board
    import neopixel_spi

    pixels = neopixel_spi.NeoPixel_SPI(board.SPI(), LEDS, pixel_order=neopixel_spi.GRB, auto_write=False)
    pixels.fill((1, 2, 3))
    pixels.show()


def lines_of_ours() -> None:
    """Write the select lines and read the signals as the program does, by the kernel's ioctl."""
    from hardware.bus.kernel_lines import KernelLines
    from hardware.bus.pi import header_with

    KernelLines(SELECT, SIGNALS, "up", header_with((*SELECT, *SIGNALS)), levels=5).read()


def lines_of_lgpio() -> None:
    """Do the same by lgpio's group calls."""
    import lgpio

    chip = lgpio.gpiochip_open(0)
    lgpio.group_claim_output(chip, list(SELECT), [1, 0, 1])
    lgpio.group_claim_input(chip, list(SIGNALS), lgpio.SET_PULL_UP)
    lgpio.group_read(chip, SIGNALS[0])


NOTHING = "Python alone"
STRIP, BLINKA = "the strip, our driver", "the strip, Blinka, gpiod and neopixel_spi"
LINES, LGPIO = "lines, our driver", "lines, lgpio"
WAYS: dict[str, Callable[[], None]] = {
    NOTHING: open_nothing,
    STRIP: strip_of_ours,
    BLINKA: strip_of_blinka,
    LINES: lines_of_ours,
    LGPIO: lines_of_lgpio,
}


def cost_so_far() -> Cost:
    """Return what this process has cost since it was begun."""
    cpu_s = time.process_time()
    modules = [module for module in sys.modules.values() if getattr(module, "__file__", None)]
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("utf-8"))
    return {
        "cpu_ms": cpu_s * 1000,
        "memory_mb": int(peak[1]) / 1024 if peak else 0.0,
        "modules": len(modules),
        "files_kb": sum(Path(str(module.__file__)).stat().st_size for module in modules) / 1024,
    }


def cost(way: str) -> Cost:
    """Return the middle of what a way costs in some runs, after one that reads its files from the disk."""
    command = [sys.executable, str(Path(__file__).resolve()), way]
    runs: list[Cost] = []
    for _ in range(1 + ROUNDS):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
        runs.append(json.loads(done.stdout))
    return {name: round(median(run[name] for run in runs[1:]), 1) for name in runs[0]}


def table(results: dict[str, Cost]) -> str:
    """All results as Markdown."""
    rows = ["| a process that opens | CPU | memory | modules | their files |", "|---|---|---|---|---|"]
    rows += [
        f"| {way} | {own['cpu_ms']:.0f} ms | {own['memory_mb']:.1f} MB | {own['modules']:.0f} "
        f"| {own['files_kb']:,.0f} KB |"
        for way, own in results.items()
    ]
    return "\n".join(rows)


def main() -> int:
    """Measure all, print it, and judge it."""
    results = {way: cost(way) for way in WAYS}
    sys.stdout.write(f"{json.dumps(results)}\n{table(results)}\n")
    return int(results[STRIP]["cpu_ms"] > results[BLINKA]["cpu_ms"])


if __name__ == "__main__":
    os.chdir(Path.home())  # where lgpio may make its pipe
    if len(sys.argv) > 1:
        WAYS[sys.argv[1]]()
        sys.stdout.write(json.dumps(cost_so_far()))
        sys.stdout.flush()
        os._exit(0)  # closing is not measured, and a strip would be darkened
    sys.exit(main())
