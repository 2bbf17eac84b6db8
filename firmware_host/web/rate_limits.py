"""The limits on what one visitor may send and fetch, and on how often one may guess the code.

Invariants: time is an argument, in seconds of a clock that does not jump. Memory is bounded. Nobody is locked
out for good: waits end, and other addresses have limits of their own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network

Seconds = float
Address = IPv4Address | IPv6Address
_Key = IPv4Address | IPv6Address | IPv6Network


class Bucket:
    """A token bucket that is refilled at `rate` tokens a second, up to `most`."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate = rate
        self._most = most
        self._left = most
        self._at: Seconds = 0.0

    def take(self, now: Seconds, count: float = 1) -> Seconds:
        """Take `count` tokens and return the seconds to wait before using them; 0 if they were there."""
        self._refill(now)
        self._left -= count
        return max(0.0, -self._left / self._rate)

    def wait(self, now: Seconds) -> Seconds:
        """Return the seconds until there is a token, without taking it."""
        self._refill(now)
        return max(0.0, (1 - self._left) / self._rate)

    def _refill(self, now: Seconds) -> None:
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)


MOST_SOCKETS = 128
MAX_PAGES = 32
MOST_SOCKETS_OF_ONE = 32
MOST_PAGES_OF_ONE = 8
_RESERVED_FOR_THIS_MACHINE = 4
"""The pages and sockets that visitors from elsewhere cannot take."""

_BYTES_A_SECOND = 64_000
_BYTES_AT_ONCE = 512_000
_FILES_A_SECOND = 60
_FILES_AT_ONCE = 800
"""Enough for twenty pages that open at once."""

_MOST_ADDRESSES = 1024


class Visitor:
    """The limits of one address."""

    def __init__(self) -> None:
        self.sockets = 0
        self.pages = 0
        self.bytes = Bucket(_BYTES_A_SECOND, _BYTES_AT_ONCE)
        """The bytes that may be sent here."""
        self.files = Bucket(_FILES_A_SECOND, _FILES_AT_ONCE)
        """The files that may be fetched by HTTP."""


class Visitors:
    """The open sockets and pages, limited in all and for each address.

    This machine may use them all, and some are reserved for it, so that a crowd from elsewhere does not lock
    out those who sit beside the board.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[_Key, Visitor] = OrderedDict()
        self.sockets = 0
        self.pages = 0

    def of(self, address: Address) -> Visitor:
        """Return the visitor at this address; visitors that left long ago are forgotten."""
        key = _one(address)
        visitor = self._known.setdefault(key, Visitor())
        self._known.move_to_end(key)
        if len(self._known) > _MOST_ADDRESSES:
            idle = (known for known, one in self._known.items() if not one.sockets and known != key)
            self._known.pop(next(idle, key))
        return visitor

    def open_socket(self, address: Address) -> bool:
        """Count a new socket and return True, or return False if there are too many."""
        visitor = self.of(address)
        if not _has_room(address, self.sockets, MOST_SOCKETS, visitor.sockets, MOST_SOCKETS_OF_ONE):
            return False
        self.sockets += 1
        visitor.sockets += 1
        return True

    def close_socket(self, address: Address) -> None:
        """Count one socket less."""
        self.sockets -= 1
        self.of(address).sockets -= 1

    @contextmanager
    def page(self, address: Address) -> Iterator[bool]:
        """Count a page while the context lasts; yield False if there are too many."""
        visitor = self.of(address)
        if not _has_room(address, self.pages, MAX_PAGES, visitor.pages, MOST_PAGES_OF_ONE):
            yield False
            return
        self.pages += 1
        visitor.pages += 1
        try:
            yield True
        finally:
            self.pages -= 1
            visitor.pages -= 1


def _has_room(address: Address, there: int, most: int, own: int, most_of_one: int) -> bool:
    if address.is_loopback:
        return there < most
    return there < most - _RESERVED_FOR_THIS_MACHINE and own < most_of_one


FREE_GUESSES = 3
"""The wrong codes that one address may enter without a wait."""
LONGEST_WAIT: Seconds = 300.0
_FORGIVEN_AFTER: Seconds = 3600.0
_ALL_RATE = 1 / 6
_ALL_AT_ONCE = 20


@dataclass(slots=True)
class _Record:
    wrong: int
    free_at: Seconds


class Guesses:
    """The wrong codes of each address, and the wait before its next guess.

    The wait of an address doubles with each wrong code, up to five minutes. All addresses together have one
    guess in six seconds, since a visitor with many addresses must not have many guesses. An IPv6 network of
    2**64 addresses counts as one.
    """

    def __init__(self) -> None:
        self._records: OrderedDict[_Key, _Record] = OrderedDict()
        self._all = Bucket(_ALL_RATE, _ALL_AT_ONCE)

    def wait(self, address: Address, now: Seconds) -> Seconds:
        """Return the seconds that this address must wait before it may enter a code."""
        record = self._records.get(_one(address))
        own = record.free_at - now if record else 0.0
        return max(0.0, own, self._all.wait(now))

    def was_wrong(self, address: Address, now: Seconds) -> None:
        """Note a wrong code."""
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
        """Forget the wrong codes of this address."""
        self._records.pop(_one(address), None)


def _one(address: Address) -> _Key:
    if address.is_loopback:
        return address
    return address if isinstance(address, IPv4Address) else IPv6Network((address, 64), strict=False)
