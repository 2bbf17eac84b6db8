"""How a contact behaves in time, well or ill, as plans: waits in microseconds, and the state after each.

Rules kept here: a plan draws from the random numbers that it is given and from nothing else, so that a seed
tells all; every wait of an endless plan is longer than nothing. Bounce is that of reeds: most are quiet
after 0.5 to 1 ms, some waver for up to 2 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware_host.settings import Microseconds

Plan = Iterator[tuple[Microseconds, bool]]
"""Wait so long after what was before, then be closed or not."""

_MILLISECOND: Microseconds = 1000


def settle(closed: bool, random: Random) -> Plan:
    """Become `closed` with a bounce."""
    yield 0, closed
    least, most = (1000, 2000) if random.random() < 0.1 else (500, 1000)
    span = random.randint(least, most)
    turns = sorted(random.sample(range(1, span), 2 * random.randint(1, 3) - 1))
    state, before = closed, 0
    for turn in (*turns, span):
        state = not state
        yield turn - before, state
        before = turn


def hold(closed: bool) -> Plan:
    """Stay `closed`, whatever comes."""
    yield 0, closed


def chatter(random: Random) -> Plan:
    """Open and close for ever, every 1 to 40 ms."""
    closed = False
    while True:
        closed = not closed
        yield random.randint(1 * _MILLISECOND, 40 * _MILLISECOND), closed


def drop_out(random: Random) -> Plan:
    """Close, and now and then open for 20 to 250 ms."""
    yield from settle(closed=True, random=random)
    while True:
        yield random.randint(300 * _MILLISECOND, 3000 * _MILLISECOND), False
        yield random.randint(20 * _MILLISECOND, 250 * _MILLISECOND), True
