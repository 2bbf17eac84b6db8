"""Boards that do nothing but publish their records, two in each room, and the times their turns take.

A turn is a record with one turn more: published, acknowledged, delivered to the other board and acknowledged
there. Its latency ends when this process has read it, and so contains the waits of a busy process.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from firmware_host.link.topics import ON, RECORD
from tests.club.rooms import match, named
from tests.load.wire import PING, BoardWire, connect, publish, subscribe

_WILL_DELAY_S = 10
_AT_ONCE = 200
_TICK_S = 0.01
_PACKETS = 65_535


@dataclass
class Times:
    """The times that turns took, in seconds."""

    latencies: list[float] = field(default_factory=list)
    sent: int = 0

    def share(self, part: float) -> float:
        """Return the time within which this share of turns arrived."""
        found = sorted(self.latencies)
        return found[min(int(part * len(found)), len(found) - 1)] if found else 0.0


class LoadBoard:
    """One board in a room."""

    def __init__(self, number: int, times: Times, record: bytes) -> None:
        self.wire: BoardWire | None = None
        self._number = number
        self._times = times
        self._record = record
        self._name = named(number, 16)
        room = named(number // 2, 10)
        self._own = RECORD.at(room=room, board=self._name)
        self._other = RECORD.at(room=room, board=named(number ^ 1, 16))
        self._packets = 0

    async def join(self, host: str, port: int, keepalive_s: int) -> None:
        """Connect and subscribe to the other board's record."""
        loop = asyncio.get_running_loop()
        _, self.wire = await loop.create_connection(lambda: BoardWire(self._arrived), host, port)
        self.wire.send(connect(self._name, keepalive_s, ON.at(board=self._name), _WILL_DELAY_S))
        self.wire.send(subscribe(1, self._other))
        await self.wire.ready

    def play(self) -> None:
        """Publish the record with the time at which that happens."""
        if self.wire is None or self.wire.is_lost:
            return
        self._packets = self._packets % _PACKETS + 1
        self._times.sent += 1
        payload = b'{"sent":%.6f,%s' % (perf_counter(), self._record[1:])
        self.wire.send(publish(self._packets, self._own, payload))

    def ping(self) -> None:
        """Say that the board is there."""
        if self.wire is not None and not self.wire.is_lost:
            self.wire.send(PING)

    def _arrived(self, payload: bytes) -> None:
        now = perf_counter()
        if payload.startswith(b'{"sent":'):
            self._times.latencies.append(now - float(payload[8 : payload.index(b",")]))


def load_boards(count: int, times: Times) -> list[LoadBoard]:
    """Return boards that are not connected yet, each with a long record."""
    record = next(match(1, (named(0, 16), named(1, 16)), 60).messages())[1]
    return [LoadBoard(number, times, record) for number in range(count)]


async def join(boards: list[LoadBoard], host: str, port: int, keepalive_s: int) -> None:
    """Connect all boards, a few hundred at once. Raise OSError if one can't be."""
    for start in range(0, len(boards), _AT_ONCE):
        await asyncio.gather(
            *(board.join(host, port, keepalive_s) for board in boards[start : start + _AT_ONCE])
        )


async def stay(boards: list[LoadBoard], keepalive_s: int) -> None:
    """Have all boards say that they are there, each twice within the time in which it must, for ever."""
    began, pinged = perf_counter(), 0
    while True:
        while pinged < (perf_counter() - began) * 2 * len(boards) / keepalive_s:
            boards[pinged % len(boards)].ping()
            pinged += 1
        await asyncio.sleep(_TICK_S)


async def play(boards: list[LoadBoard], turns_a_second: float, seconds: float) -> float:
    """Have boards by chance play this many turns a second, and return the seconds that it took."""
    chance, began, played = Random(1), perf_counter(), 0
    while (elapsed := perf_counter() - began) < seconds:
        while played < elapsed * turns_a_second:
            chance.choice(boards).play()
            played += 1
        await asyncio.sleep(_TICK_S)
    return perf_counter() - began
