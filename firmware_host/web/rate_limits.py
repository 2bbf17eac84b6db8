"""The limits on what one visitor may send and fetch, and on how often one may guess the code.

Invariants: time is an argument, in seconds of a clock that does not jump. Memory is bounded. Nobody is locked
out for good: waits end, and other addresses have limits of their own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from firmware_host.web.capacity import Capacity, Place

Seconds = float
Address = IPv4Address | IPv6Address


class Bucket:
    """A token bucket that is refilled at `rate` tokens a second, up to `most`."""

    __slots__ = ("_at", "_left", "_most", "_rate")

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


MAX_SOCKETS = 96
MAX_PAGES = 32
MAX_SOCKETS_OF_ONE = 32
MAX_PAGES_OF_ONE = 8
_RESERVED_FOR_THIS_MACHINE = 4
"""The pages and sockets that visitors from elsewhere cannot take."""

_BYTES_A_SECOND = 64_000
_BYTES_AT_ONCE = 512_000
_REQUESTS_A_SECOND = 15
_REQUESTS_AT_ONCE = 500
"""Enough for ten pages that open at once, with fifty files each."""
_CONNECTIONS_A_SECOND = 4
_CONNECTIONS_AT_ONCE = 80
_STRANGERS_A_SECOND = 200
_STRANGERS_AT_ONCE = 1000
"""The connections of all strangers of one network: enough for fifty phones in a house. One machine of IPv6
has as many addresses as it likes, each with connections of its own."""
_REFUSALS_A_SECOND = 2
_REFUSALS_AT_ONCE = 40
_REFUSED_COUNTS_AS = 10
"""The connections that one refused request counts as: an honest page sends none."""

_SEATS_A_SECOND = 6 / 3600
_SEATS_AT_ONCE = 6
_ALL_SEATS_A_SECOND = 20 / 3600
_ALL_SEATS_AT_ONCE = 20
"""Of all together, since a machine of IPv6 has thousands of addresses."""

_MAX_ADDRESSES = 256
_MAX_GUESSERS = 1024
_MAX_FAMILIAR = 64
_MAX_NETWORKS = 64


class Neighbours:
    """The networks that this machine is part of, and what counts as one visitor.

    In a network of its own, a visitor of IPv6 is one address, as with IPv4: all phones of a house share its
    2**64 addresses. Elsewhere such a network is one visitor, since one machine may have it to itself.
    """

    _LOCAL = (IPv6Network("fe80::/10"), IPv6Network("fc00::/7"))

    def __init__(self) -> None:
        self._own: set[IPv6Network] = set()

    def learn(self, address: Address) -> None:
        """Note an address of this machine."""
        if isinstance(address, IPv6Address):
            self._own.add(_network_of(address))

    def is_local(self, address: Address) -> bool:
        """Return whether an address is in a network of this machine, or one that no router forwards."""
        if isinstance(address, IPv4Address):
            return address.is_private or address.is_loopback
        return address.is_loopback or self.key(address) == address

    def key(self, address: Address) -> Hashable:
        """Return what stands for the visitor at `address`: the address, or its network."""
        if isinstance(address, IPv4Address) or address.is_loopback:
            return address
        network = _network_of(address)
        is_neighbour = network in self._own or any(address in local for local in self._LOCAL)
        return address if is_neighbour else network


def _network_of(address: IPv6Address) -> IPv6Network:
    return IPv6Network((address, 64), strict=False)


def crowd_of(address: Address) -> Hashable:
    """Return the network that an address shares with all that one machine there could take for itself."""
    if isinstance(address, IPv6Address):
        return _network_of(address)
    return IPv4Network((address, 24), strict=False)


class Visitor:
    """The rates of one visitor."""

    __slots__ = ("bytes", "connections", "refusals", "requests", "seats")

    def __init__(self) -> None:
        self.bytes = Bucket(_BYTES_A_SECOND, _BYTES_AT_ONCE)
        """The bytes that may be sent here."""
        self.requests = Bucket(_REQUESTS_A_SECOND, _REQUESTS_AT_ONCE)
        """The requests that are answered."""
        self.refusals = Bucket(_REFUSALS_A_SECOND, _REFUSALS_AT_ONCE)
        """The requests that are refused: apart, since a browser may send them for another site's page."""
        self.seats = Bucket(_SEATS_A_SECOND, _SEATS_AT_ONCE)
        """The times that it may have the board light a point, for which hands have to wait."""
        self.connections = Bucket(_CONNECTIONS_A_SECOND, _CONNECTIONS_AT_ONCE)
        """The connections that are accepted."""


class Visitors:
    """The open sockets and pages, limited in all and for each visitor.

    This machine may use them all, and some are reserved for it, so that a crowd from elsewhere does not lock
    out the players beside the board. It is not slowed down, either, except in sending.
    """

    def __init__(self) -> None:
        self.neighbours = Neighbours()
        self._known: OrderedDict[Hashable, Visitor] = OrderedDict()
        self._familiar: OrderedDict[Hashable, None] = OrderedDict()
        self._strangers: OrderedDict[Hashable, Bucket] = OrderedDict()
        self._seats = Bucket(_ALL_SEATS_A_SECOND, _ALL_SEATS_AT_ONCE)
        self._sockets = Capacity(MAX_SOCKETS, MAX_SOCKETS_OF_ONE, _RESERVED_FOR_THIS_MACHINE)
        self._pages = Capacity(MAX_PAGES, MAX_PAGES_OF_ONE, _RESERVED_FOR_THIS_MACHINE)

    @property
    def sockets(self) -> int:
        """The number of open sockets."""
        return self._sockets.held

    @property
    def pages(self) -> int:
        """The number of open pages."""
        return self._pages.held

    def of(self, address: Address) -> Visitor:
        """Return the visitor at this address; the one that was silent for longest may be forgotten."""
        key = self.neighbours.key(address)
        visitor = self._known.setdefault(key, Visitor())
        self._known.move_to_end(key)
        if len(self._known) > _MAX_ADDRESSES:
            self._known.popitem(last=False)
        return visitor

    def recognise(self, address: Address) -> None:
        """Note that a device that may play came from this address: strangers take no places from it."""
        key = self.neighbours.key(address)
        self._familiar[key] = None
        self._familiar.move_to_end(key)
        if len(self._familiar) > _MAX_FAMILIAR:
            self._familiar.popitem(last=False)

    def open_socket(self, address: Address, now: Seconds, evict: Callable[[], object]) -> Place | None:
        """Count a new socket; return None if there is no place for it, or if sockets come too fast.

        `evict` cuts it if another visitor needs its place more.
        """
        if not address.is_loopback and not self._may_connect(address, now):
            return None
        return self._take(self._sockets, address, evict)

    def _may_connect(self, address: Address, now: Seconds) -> bool:
        """Count a connection from elsewhere, if it does not come too fast, and return whether it doesn't."""
        # The network is asked first: of addresses that it is refused for, nothing is kept.
        crowd = None if self.neighbours.key(address) in self._familiar else self._strangers_of(address)
        if crowd is not None and crowd.wait(now):
            return False
        own = self.of(address).connections
        if own.wait(now):
            return False
        own.take(now)
        if crowd is not None:
            crowd.take(now)
        return True

    def _strangers_of(self, address: Address) -> Bucket:
        """Return the connections of the strangers in the network of this address."""
        network = crowd_of(address)
        bucket = self._strangers.setdefault(network, Bucket(_STRANGERS_A_SECOND, _STRANGERS_AT_ONCE))
        self._strangers.move_to_end(network)
        if len(self._strangers) > _MAX_NETWORKS:
            self._strangers.popitem(last=False)
        return bucket

    def request(self, address: Address, now: Seconds) -> Seconds:
        """Count a request, and return the seconds to wait before it is answered."""
        return self.of(address).requests.take(now)

    def refused(self, address: Address, now: Seconds) -> Seconds:
        """Count a request that is refused, and return the seconds to wait before the refusal."""
        visitor = self.of(address)
        visitor.connections.take(now, _REFUSED_COUNTS_AS)
        return visitor.refusals.take(now)

    def wait_for_seat(self, address: Address, now: Seconds) -> Seconds:
        """Return the seconds until the board may light a point for this address."""
        return max(self.of(address).seats.wait(now), self._seats.wait(now))

    def take_seat(self, address: Address, now: Seconds) -> None:
        """Count a point that the board lights for this address."""
        self.of(address).seats.take(now)
        self._seats.take(now)

    @contextmanager
    def page(self, address: Address, evict: Callable[[], object]) -> Iterator[Place | None]:
        """Count a page while the context lasts; yield None if there is no place for it.

        `evict` closes it if another visitor needs its place more.
        """
        place = self._take(self._pages, address, evict)
        try:
            yield place
        finally:
            if place is not None:
                place.leave()

    def _take(self, places: Capacity, address: Address, evict: Callable[[], object]) -> Place | None:
        key = self.neighbours.key(address)
        return places.take(
            key,
            evict,
            is_here=address.is_loopback,
            is_familiar=key in self._familiar,
            network=crowd_of(address),
        )


FREE_GUESSES = 3
"""The wrong codes that one visitor may enter without a wait."""
LONGEST_WAIT: Seconds = 300.0
_FORGIVEN_AFTER: Seconds = 3600.0
_ALL_RATE = 1 / 6
_ALL_AT_ONCE = 20
_OTHERS_AT_ONCE = 60


@dataclass(slots=True)
class _Record:
    wrong: int
    free_at: Seconds


class Guesses:
    """The wrong codes of each visitor, and the wait before its next guess.

    The wait of a visitor doubles with each wrong code, up to five minutes. All visitors who have entered a
    wrong code share one guess in six seconds, since somebody with many addresses must not have many guesses.
    All others share another, so that a phone with the right code need not wait for those who guess, one for
    each version of IP: of IPv6, a machine has as many new addresses as it likes.
    """

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self._records: OrderedDict[Hashable, _Record] = OrderedDict()
        self._guessers = Bucket(_ALL_RATE, _ALL_AT_ONCE)
        self._others = {version: Bucket(_ALL_RATE, _OTHERS_AT_ONCE) for version in (4, 6)}

    def wait(self, address: Address, now: Seconds) -> Seconds:
        """Return the seconds that this address must wait before it may enter a code."""
        record = self._records.get(self._neighbours.key(address))
        if record is None:
            return self._others[address.version].wait(now)
        return max(0.0, record.free_at - now, self._guessers.wait(now))

    def was_wrong(self, address: Address, now: Seconds) -> None:
        """Note a wrong code."""
        key = self._neighbours.key(address)
        record = self._records.pop(key, None)
        (self._others[address.version] if record is None else self._guessers).take(now)
        if record is None or now - record.free_at > _FORGIVEN_AFTER:
            record = _Record(0, now)
        record.wrong += 1
        doubled = record.wrong - FREE_GUESSES
        record.free_at = now + (min(LONGEST_WAIT, 2.0 ** min(doubled, 16)) if doubled >= 0 else 0.0)
        self._records[key] = record
        if len(self._records) > _MAX_GUESSERS:
            self._records.popitem(last=False)

    def was_right(self, address: Address) -> None:
        """Forget the wrong codes of this address."""
        self._records.pop(self._neighbours.key(address), None)
