"""How much one visitor may ask for, and how often guess.

Rules kept here: time is an argument, in seconds of a clock that does not jump; what is remembered is bounded;
nobody is locked out for good, since waits end and other addresses have their own.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network

Seconds = float
Address = IPv4Address | IPv6Address


class Bucket:
    """Tokens that come back at an even `rate` a second, of which at most `most` can be saved up."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate = rate
        self._most = most
        self._left = most
        self._at: Seconds = 0.0

    def take(self, now: Seconds) -> Seconds:
        """Take a token, and say how long to wait before it may be used; 0 where one was left."""
        self._refill(now)
        self._left -= 1
        return max(0.0, -self._left / self._rate)

    def wait(self, now: Seconds) -> Seconds:
        """How long until a token is there; nothing is taken."""
        self._refill(now)
        return max(0.0, (1 - self._left) / self._rate)

    def _refill(self, now: Seconds) -> None:
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)


FREE_GUESSES = 3
"""Wrong codes that cost an address no wait."""
LONGEST_WAIT: Seconds = 300.0
_FORGIVEN_AFTER: Seconds = 3600.0
_MOST_ADDRESSES = 1024
_ALL_RATE = 1 / 6
_ALL_AT_ONCE = 20


@dataclass(slots=True)
class _Record:
    wrong: int
    free_at: Seconds


class Guesses:
    """Who entered wrong codes, and how long they wait before the next.

    The wait of an address doubles with each, up to five minutes. All addresses together have a guess in six
    seconds, since one who has many must not have many times as many. In IPv6 whoever has one has 2**64, so
    that all of those count as one.
    """

    def __init__(self) -> None:
        self._records: OrderedDict[Address | IPv6Network, _Record] = OrderedDict()
        self._all = Bucket(_ALL_RATE, _ALL_AT_ONCE)

    def wait(self, address: Address, now: Seconds) -> Seconds:
        """How long this address must wait before it may enter a code."""
        record = self._records.get(_one(address))
        own = record.free_at - now if record else 0.0
        return max(0.0, own, self._all.wait(now))

    def was_wrong(self, address: Address, now: Seconds) -> None:
        """Remember a wrong code."""
        self._all.take(now)
        key = _one(address)
        record = self._records.pop(key, None)
        if record is None or now - record.free_at > _FORGIVEN_AFTER:
            record = _Record(0, now)
        record.wrong += 1
        doubled = record.wrong - FREE_GUESSES
        record.free_at = now + (min(LONGEST_WAIT, 2.0 ** min(doubled, 16)) if doubled >= 0 else 0.0)
        self._records[key] = record
        if len(self._records) > _MOST_ADDRESSES:
            self._records.popitem(last=False)

    def was_right(self, address: Address) -> None:
        """Forget what this address did wrong."""
        self._records.pop(_one(address), None)


def _one(address: Address) -> Address | IPv6Network:
    return address if isinstance(address, IPv4Address) else IPv6Network((address, 64), strict=False)
