"""Measure one mosquitto on this machine under many boards.

    python -m tests.load --boards 10000 --turns 1000 --seconds 30

Nothing is encrypted. Both processes share the machine: its processors limit the load as well as the broker.
Each board needs a file handle in either process (`ulimit -n`).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from firmware_host.link.broker import KEEPALIVE_S
from tests.load.boards import LoadBoard, Times, join, load_boards, play, stay
from tests.support.mosquitto import Mosquitto, mosquitto

_CONFIG = "allow_anonymous true\n"
_LIMITS = "set_tcp_nodelay true\nmax_packet_size 32768\nmax_inflight_messages 20\nmax_queued_messages 100\n"
"""Those of the measurements, without a limit of connections."""
_DRAIN_S = 2.0


class BrokerCost:
    """The processor time and memory that the broker's process has used."""

    def __init__(self, broker: Mosquitto) -> None:
        self._of = Path(f"/proc/{broker.process_id}")
        self._ticks = os.sysconf("SC_CLK_TCK")

    @property
    def cpu_s(self) -> float:
        """The seconds of processor time."""
        fields = (self._of / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / self._ticks

    @property
    def memory_kb(self) -> int:
        """The resident memory."""
        lines = (self._of / "status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def measured(broker: Mosquitto, boards: int, turns: Iterable[float], seconds: float) -> None:
    """Print what a broker holds, and how long turns take at each rate."""
    cost, times = BrokerCost(broker), Times()
    empty_kb, cpu_s, began = cost.memory_kb, cost.cpu_s, perf_counter()
    there = load_boards(boards, times)
    staying = asyncio.create_task(stay(there, KEEPALIVE_S))
    await join(there, "127.0.0.1", broker.port, KEEPALIVE_S)
    took, memory = perf_counter() - began, cost.memory_kb
    click.echo(
        f"{boards} boards held after {took:.1f} s, {1e6 * (cost.cpu_s - cpu_s) / boards:.0f} us CPU each"
    )
    click.echo(f"memory {memory / 1024:.1f} MB, {(memory - empty_kb) / boards:.2f} kB a board")
    for rate in turns:
        await _at_rate(there, times, cost, rate, seconds)
    click.echo(f"{sum(board.wire is None or board.wire.is_lost for board in there)} boards lost")
    staying.cancel()
    for board in there:
        if board.wire is not None:
            board.wire.close()


async def _at_rate(
    boards: list[LoadBoard], times: Times, cost: BrokerCost, rate: float, seconds: float
) -> None:
    times.latencies.clear()
    times.sent = 0
    cpu_s = cost.cpu_s
    took = await play(boards, rate, seconds)
    used = cost.cpu_s - cpu_s
    await asyncio.sleep(_DRAIN_S)
    arrived = len(times.latencies)
    p50, p99 = (1000 * times.share(part) for part in (0.5, 0.99))
    click.echo(
        f"{times.sent / took:.0f} turns/s: p50 {p50:.2f} ms, p99 {p99:.1f} ms,"
        f" {arrived} of {times.sent} arrived, broker {100 * used / took:.0f} % of a core,"
        f" memory {cost.memory_kb / 1024:.1f} MB"
    )


def main() -> None:
    """Run a broker, and measure it."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument(
        "--turns", type=float, nargs="+", default=[100.0], help="turns a second, one after the other"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="for each of these rates")
    given = parser.parse_args()
    load, _, _ = os.getloadavg()
    click.echo(f"{os.cpu_count()} processors, {platform.machine()}, load {load:.1f} before")
    with TemporaryDirectory() as folder, mosquitto(Path(folder), _CONFIG, limits=_LIMITS) as broker:
        asyncio.run(measured(broker, given.boards, given.turns, given.seconds))


if __name__ == "__main__":
    main()
