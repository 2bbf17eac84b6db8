"""How much one visitor may ask for, and how often guess.

Rules kept here: time is an argument, in seconds of a clock that does not jump; what is remembered is bounded;
nobody is locked out for good, since waits end and other addresses have their own.
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
    """Tokens that come back at an even `rate` a second, of which at most `most` can be saved up."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate = rate
        self._most = most
        self._left = most
        self._at: Seconds = 0.0

    def take(self, now: Seconds, count: float = 1) -> Seconds:
        """Take so many, and say how long to wait before they may be used; 0 where there were as many."""
        self._refill(now)
        self._left -= count
        return max(0.0, -self._left / self._rate)

    def wait(self, now: Seconds) -> Seconds:
        """How long until a token is there; nothing is taken."""
        self._refill(now)
        return max(0.0, (1 - self._left) / self._rate)

    def _refill(self, now: Seconds) -> None:
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)


MOST_SOCKETS = 128
MOST_PAGES = 32
MOST_SOCKETS_OF_ONE = 32
MOST_PAGES_OF_ONE = 8
_LEFT_FOR_THIS_MACHINE = 4
"""Pages and sockets that others cannot take."""

_BYTES_A_SECOND = 64_000
_BYTES_AT_ONCE = 512_000
_FILES_A_SECOND = 60
_FILES_AT_ONCE = 800
"""Twenty pages that are opened at once."""

_MOST_ADDRESSES = 1024


class Visitor:
    """All that comes from one address."""

    def __init__(self) -> None:
        self.sockets = 0
        self.pages = 0
        self.bytes = Bucket(_BYTES_A_SECOND, _BYTES_AT_ONCE)
        """What may be sent here."""
        self.files = Bucket(_FILES_A_SECOND, _FILES_AT_ONCE)
        """What may be fetched by HTTP."""


class Visitors:
    """Who is here: so many sockets and pages in all, and not all of them from one address.

    This machine may take as many as there are; some are left for it, so that whoever crowds the board from
    elsewhere does not shut out who sits beside it.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[_Key, Visitor] = OrderedDict()
        self.sockets = 0
        self.pages = 0

    def of(self, address: Address) -> Visitor:
        """The visitor from this address; who left long ago, and has nothing open, is forgotten."""
        key = _one(address)
        visitor = self._known.setdefault(key, Visitor())
        self._known.move_to_end(key)
        if len(self._known) > _MOST_ADDRESSES:
            idle = (known for known, one in self._known.items() if not one.sockets and known != key)
            self._known.pop(next(idle, key))
        return visitor

    def open_socket(self, address: Address) -> bool:
        """Count a new socket, or refuse it."""
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
        """Count a page as long as the context lasts; False where it is refused."""
        visitor = self.of(address)
        if not _has_room(address, self.pages, MOST_PAGES, visitor.pages, MOST_PAGES_OF_ONE):
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
    return there < most - _LEFT_FOR_THIS_MACHINE and own < most_of_one


FREE_GUESSES = 3
"""Wrong codes that cost an address no wait."""
LONGEST_WAIT: Seconds = 300.0
_FORGIVEN_AFTER: Seconds = 3600.0
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
        self._records: OrderedDict[_Key, _Record] = OrderedDict()
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


def _one(address: Address) -> _Key:
    if address.is_loopback:
        return address
    return address if isinstance(address, IPv4Address) else IPv6Network((address, 64), strict=False)
