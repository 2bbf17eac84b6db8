"""Hands on the simulated board in real time, acting at their own moments between frames.

Invariants: the actions of the hands are one generator, which yields what it waits for. It is resumed while
the loop sleeps, so that an action falls anywhere between two frames, like a real hand's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

from firmware_host.frozen import frozen
from firmware_host.runtime.loop import Loop
from firmware_host.settings import Microseconds
from sim.assembly import SimulatedPlay
from sim.clock import RealClock


@frozen
class Wait:
    """Wait for a time in microseconds."""

    wait: Microseconds


@frozen
class Until:
    """Wait for the first pass of the board after which `seen` is true; TimeoutError after ten seconds."""

    seen: Callable[[], bool]


Actions = Generator[Wait | Until, Microseconds, None]
"""Yields what to wait for and is sent the time; the hands stop when it ends."""

_TIMEOUT: Microseconds = 10_000_000


def act(play: SimulatedPlay, clock: RealClock, frame_rate_hz: int, deeds: Actions) -> Loop:
    """Run the board's loop in real time until `deeds` ends; return the loop, which counts missed frames."""
    actor = _Actor(clock, deeds)
    loop = Loop(play.board, frame_rate_hz, sleep=actor.sleep, min_period=lambda: play.board.min_period)
    actor.stop = loop.stop
    loop.run(lambda _events, _now: actor.seen())
    return loop


class _Actor:
    def __init__(self, clock: RealClock, deeds: Actions) -> None:
        self.stop: Callable[[], None] = lambda: None
        self._clock = clock
        self._deeds = deeds
        self._waiting_for: Wait | Until = Wait(0)
        self._since = clock.now()
        self._begun = False

    def sleep(self, seconds: float) -> None:
        end = self._clock.now() + round(seconds * 1_000_000)
        while isinstance(self._waiting_for, Wait) and (due := self._since + self._waiting_for.wait) < end:
            _sleep(due - self._clock.now())
            self._resume()
        _sleep(end - self._clock.now())

    def seen(self) -> None:
        if isinstance(self._waiting_for, Until):
            if self._waiting_for.seen():
                self._resume()
            elif self._clock.now() - self._since > _TIMEOUT:
                raise TimeoutError("the board did not answer the hands within ten seconds")

    def _resume(self) -> None:
        self._since = self._clock.now()
        try:
            self._waiting_for = self._deeds.send(self._since) if self._begun else next(self._deeds)
            self._begun = True
        except StopIteration:
            self._waiting_for = Until(lambda: False)
            self.stop()


def _sleep(microseconds: Microseconds) -> None:
    if microseconds > 0:
        time.sleep(microseconds / 1_000_000)
