"""Measures, in one run on the virtual Pi, what a frame of 24 points costs by each way to its lines.

The machine's clock counts instructions, so a busy host changes nothing; still the ways take turns, and are
compared within a run alone. Prints the results as one line of JSON and as the tables of
`tests/soak/measurements.md`; ends with 1 if a goal is missed.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.bus.gpio import Lines, PinLines
from hardware.bus.kernel_lines import KernelLines
from hardware.bus.pi import header_with
from hardware.bus.spi import SpiBus
from hardware.sensors.decode import switch_sensors
from hardware.sensors.mux import levels_at, mux_sweep
from hardware.sensors.sweep import SweepScanner
from hardware.strip import NeoPixelStrip
from hardware.wiring.contacts import MuxWiring

PLAIN = "plain gpiozero properties"
PINS = "gpiozero pin state in Gray code, our driver"
OURS = "the kernel's group calls, our driver"
BARE = "bare lgpio group calls"

BOARD = MuxWiring.recommended(MORRIS, SensorKind.PRESENCE)
WIRINGS = {
    PLAIN: replace(BOARD, select=(0, 14, 15), signals=(8, 9, 11)),
    PINS: replace(BOARD, select=(12, 18, 21), signals=(4, 26, 1)),
    OURS: BOARD,
    BARE: replace(BOARD, select=(5, 6, 13), signals=(16, 19, 20)),
}
"""Lines of its own for each way, so that they can take turns frame by frame; a board hangs on ours."""

GRAY = [n ^ n >> 1 for n in range(8)]
FRAMES = 300
RATE_HZ, CPU_ROUNDS, CPU_S = 200, 3, 1.0
WARM_UP = 20
GOAL = 1.5
MILLWRIGHT = Path(sys.executable).with_name("millwright")

Way = Callable[[MuxWiring], AbstractContextManager[Callable[[], object]]]
"""Opens the lines of a wiring; what it gives reads one frame."""


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def settle(microseconds: int) -> None:
    """Watch the clock for some microseconds, as a hand-written loop would."""
    end = time.perf_counter() + microseconds / 1_000_000
    while time.perf_counter() < end:
        pass


@contextmanager
def plain_properties(wiring: MuxWiring) -> Iterator[Callable[[], object]]:
    """The devices of gpiozero as its documentation uses them, channels in order."""
    from gpiozero import InputDevice, OutputDevice

    factory = lgpio_factory()
    select = [OutputDevice(gpio, pin_factory=factory) for gpio in wiring.select]
    signals = [InputDevice(gpio, pull_up=True, pin_factory=factory) for gpio in wiring.signals]

    def frame() -> list[list[int]]:
        seen = []
        for channel in range(8):
            for bit, line in enumerate(select):
                if channel >> bit & 1:
                    line.on()
                else:
                    line.off()
            if wiring.settling_us:
                settle(wiring.settling_us)
            seen.append([signal.value for signal in signals])
        return seen

    yield frame
    for device in (*select, *signals):
        device.close()
    factory.close()


def lgpio_factory() -> Any:
    """A factory of gpiozero that the caller closes."""
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=0)


def pins(wiring: MuxWiring) -> Lines:
    """The lines as gpiozero's pins."""
    factory = lgpio_factory()
    return PinLines(
        wiring.select, wiring.signals, "up", factory, levels=levels_at(wiring), release=factory.close
    )


def groups(wiring: MuxWiring) -> Lines:
    """The lines as the program opens them."""
    return KernelLines(
        wiring.select, wiring.signals, "up", header_with(wiring.lines), levels=levels_at(wiring)
    )


@contextmanager
def driver(wiring: MuxWiring, open_lines: Callable[[MuxWiring], Lines]) -> Iterator[Callable[[], object]]:
    """Our driver, with what it makes of the levels."""
    lines = open_lines(wiring)
    scanner = SweepScanner(mux_sweep(wiring), lines)
    with switch_sensors(scanner, wiring.contacts, len(wiring.layout)) as sensors:
        yield sensors.read


@contextmanager
def bare_groups(wiring: MuxWiring) -> Iterator[Callable[[], object]]:
    """Nothing but lgpio's group calls."""
    import lgpio

    handle = lgpio.gpiochip_open(0)
    select, signals = list(wiring.select), list(wiring.signals)
    lgpio.group_claim_output(handle, select, [0, 0, 0])
    lgpio.group_claim_input(handle, signals, lgpio.SET_PULL_UP)

    def frame() -> list[int]:
        seen = []
        for address in GRAY:
            lgpio.group_write(handle, select[0], address)
            if wiring.settling_us:
                settle(wiring.settling_us)
            seen.append(lgpio.group_read(handle, signals[0])[1])
        return seen

    yield frame
    lgpio.group_free(handle, select[0])
    lgpio.group_free(handle, signals[0])
    lgpio.gpiochip_close(handle)


WAYS: dict[str, Way] = {
    PLAIN: plain_properties,
    PINS: lambda wiring: driver(wiring, pins),
    OURS: lambda wiring: driver(wiring, groups),
    BARE: bare_groups,
}


def spread(times_ns: list[int]) -> dict[str, float]:
    """The middle and the 99th percentile, in us."""
    return {
        "median_us": round(median(times_ns) / 1000, 1),
        "p99_us": round(quantiles(times_ns, n=100)[98] / 1000, 1),
    }


def frames(settling_us: int) -> dict[str, dict[str, float]]:
    """Return the time of a frame by each way."""
    times: dict[str, list[int]] = {name: [] for name in WAYS}
    with ExitStack() as opened:
        read = {
            name: opened.enter_context(way(replace(WIRINGS[name], settling_us=settling_us)))
            for name, way in WAYS.items()
        }
        for n in range(-WARM_UP, FRAMES):
            for name, frame in read.items():
                began = time.perf_counter_ns()
                frame()
                if n >= 0:
                    times[name].append(time.perf_counter_ns() - began)
    return {name: spread(each) for name, each in times.items()}


def strip_times() -> dict[str, float]:
    """Return the times to show a frame in which all LEDs have changed."""
    times = []
    bus = SpiBus()
    with NeoPixelStrip.on_spi(bus, range(len(MORRIS)), release=bus.close) as strip:
        for n in range(100):
            frame = tuple(((n + k) % 256, (2 * n + k) % 256, 7) for k in range(len(MORRIS)))
            began = time.perf_counter_ns()
            strip.show(frame)
            times.append(time.perf_counter_ns() - began)
    return spread(times)


def loop(way: Way, wiring: MuxWiring) -> None:
    """Frames at a steady rate, until the process is ended; those that it comes too late for are left out."""
    with way(wiring) as frame:
        say("begun")
        due = time.monotonic()
        while True:
            frame()
            due += 1 / RATE_HZ
            ahead = due - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            else:
                due -= ahead


BARE_LOOP = "a bare lgpio loop"
DAEMON = "the daemon (`millwright run`)"


def cpu_shares() -> dict[str, float]:
    """The share of a core, in percent, that each takes at 200 frames a second with settling.

    All stand ready, each on lines of its own, and go on in turns.
    """
    commands = {
        BARE_LOOP: [sys.executable, str(Path(__file__).resolve()), BARE],
        DAEMON: [str(MILLWRIGHT), "run", "--port", "0"],
    }
    used = dict.fromkeys(commands, 0.0)
    with ExitStack() as running:
        programs = {name: running.enter_context(begun(command)) for name, command in commands.items()}
        for n in range(-1, CPU_ROUNDS):
            for name, program in programs.items():
                program.send_signal(signal.SIGCONT)
                time.sleep(0.2)  # for what it has to catch up with
                began, before = time.monotonic(), cpu_ns(program.pid)
                time.sleep(CPU_S)
                share = (cpu_ns(program.pid) - before) / (time.monotonic() - began) / 1e7
                used[name] += share if n >= 0 else 0.0
                program.send_signal(signal.SIGSTOP)
    return {name: round(share / CPU_ROUNDS, 2) for name, share in used.items()}


@contextmanager
def begun(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that has come to its loop, and was stopped there."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:  # noqa: S603
        if not (program.stdout and program.stdout.readline()):
            sys.exit(f"{command} did not begin")
        time.sleep(3.0)  # for what comes but once
        program.send_signal(signal.SIGSTOP)
        yield program
        program.kill()


def cpu_ns(process: int) -> int:
    """Return the processor time of all threads of a process."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{process}/task").glob("*/schedstat"))


def machine() -> str:
    """Return the machine's description, as far as it is visible from inside."""
    return (
        f"emulated (qemu TCG), {os.cpu_count()} core, Linux {platform.release()}, "
        f"Python {platform.python_version()}, gpiozero {version('gpiozero')}, lgpio {version('lgpio')}"
    )


def main() -> int:
    """Measure all, print it, and judge it."""
    results: dict[str, Any] = {
        "machine": machine(),
        "frame": frames(0),
        "frame_with_settling": frames(BOARD.settling_us),
        "cpu_percent": cpu_shares(),
        "strip": strip_times(),
    }
    say(json.dumps(results))
    say(table(results))
    return int(missed(results))


def missed(results: dict[str, Any]) -> bool:
    """Return whether a goal is missed, and report it."""
    frame, cpu = results["frame"], results["cpu_percent"]
    ratios = {
        "a frame by our driver, to bare group calls": frame[OURS]["median_us"] / frame[BARE]["median_us"],
        "the daemon's share of a core, to a bare loop's": cpu[DAEMON] / cpu[BARE_LOOP],
    }
    for what, ratio in ratios.items():
        say(f"{what}: {ratio:.2f}, {'at most' if ratio <= GOAL else 'NOT at most'} {GOAL}")
    return max(ratios.values()) > GOAL


def table(results: dict[str, Any]) -> str:
    """All results as Markdown."""
    rows = ["| a frame of 24 points | median | 99% | with 20 us settling: median | 99% | ratio to bare |"]
    rows.append("|---|---|---|---|---|---|")
    bare = results["frame"][BARE]["median_us"]
    for name in WAYS:
        quick, settled = results["frame"][name], results["frame_with_settling"][name]
        rows.append(
            f"| {name} | {quick['median_us']} us | {quick['p99_us']} us | {settled['median_us']} us | "
            f"{settled['p99_us']} us | {quick['median_us'] / bare:.2f} |"
        )
    cpu = results["cpu_percent"]
    rows += [
        "",
        "| idle, 200 frames a second, settling 20 us | share of a core | ratio to bare |",
        "|---|---|---|",
    ]
    rows += [f"| {name} | {share} % | {share / cpu[BARE_LOOP]:.2f} |" for name, share in cpu.items()]
    strip = results["strip"]
    rows += ["", f"strip: {strip['median_us']} us, 99% {strip['p99_us']} us"]
    return "\n".join(rows)


if __name__ == "__main__":
    os.chdir(Path.home())  # where lgpio may make its pipe
    if len(sys.argv) > 1:
        loop(WAYS[sys.argv[1]], WIRINGS[sys.argv[1]])
    sys.exit(main())
