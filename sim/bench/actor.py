"""Hands on the simulated board in real time, that act at moments of their own between frames.

Rules kept here: what hands do is one generator, which says what it waits for; it is woken while the loop
sleeps, so that a deed falls anywhere between two frames, as a hand's does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from firmware_host.runtime.loop import Loop
from firmware_host.settings import Microseconds
from sim.assembly import SimulatedPlay
from sim.clock import RealClock


@dataclass(frozen=True, slots=True)
class After:
    """Go on when so many microseconds have passed."""

    wait: Microseconds


@dataclass(frozen=True, slots=True)
class Once:
    """Go on behind the first pass of the board after which `seen` is true; gives up after ten seconds."""

    seen: Callable[[], bool]


Deeds = Generator[After | Once, Microseconds, None]
"""Yields what it waits for and is sent the time; the hands rest when it ends."""

_PATIENCE: Microseconds = 10_000_000


def act(play: SimulatedPlay, clock: RealClock, frame_rate_hz: int, deeds: Deeds) -> Loop:
    """Run the board's loop in real time until `deeds` are done; the loop, which counts missed frames."""
    actor = _Actor(clock, deeds)
    loop = Loop(play.board, frame_rate_hz, sleep=actor.sleep)
    actor.stop = loop.stop
    loop.run(lambda _events, _now: actor.seen())
    return loop


class _Actor:
    def __init__(self, clock: RealClock, deeds: Deeds) -> None:
        self.stop: Callable[[], None] = lambda: None
        self._clock = clock
        self._deeds = deeds
        self._waits: After | Once = After(0)
        self._since = clock.now()
        self._begun = False

    def sleep(self, seconds: float) -> None:
        end = self._clock.now() + round(seconds * 1_000_000)
        while isinstance(self._waits, After) and (due := self._since + self._waits.wait) < end:
            _sleep(due - self._clock.now())
            self._go_on()
        _sleep(end - self._clock.now())

    def seen(self) -> None:
        if isinstance(self._waits, Once):
            if self._waits.seen():
                self._go_on()
            elif self._clock.now() - self._since > _PATIENCE:
                raise TimeoutError("the board did not answer the hands within ten seconds")

    def _go_on(self) -> None:
        self._since = self._clock.now()
        try:
            self._waits = self._deeds.send(self._since) if self._begun else next(self._deeds)
            self._begun = True
        except StopIteration:
            self._waits = Once(lambda: False)
            self.stop()


def _sleep(microseconds: Microseconds) -> None:
    if microseconds > 0:
        time.sleep(microseconds / 1_000_000)
