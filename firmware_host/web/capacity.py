"""A limited number of places, shared fairly between the addresses that want them.

Invariants: nobody keeps others out by taking many places. When all are taken, the address that holds the most
gives one up for an address that holds fewer. A network that holds half of the places takes no more from
others, and one that holds more gives its own up for them: a machine may have thousands of addresses in its
network. Strangers take no places from familiar addresses, and give theirs up for them, however few each
holds. Places that are kept, and those of this machine, are not given up. An evicted place counts until its
holder has left it, and only a few are awaited at a time, so that the number of holders is also bounded. Half
of those few are for newcomers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field

_AWAITED = 16
"""The evicted holders that may be awaited while others take their places."""
_FEW = 3
"""Familiar addresses and those that hold fewer may have that many awaited, and others half of them: an
address that takes one place after the other would have all awaited, and a newcomer be refused."""
_SHARE = 1 / 4
"""The part of all places from which on a network gives some up for a smaller one: a machine beside the board
may have addresses in three networks of IPv6, and others come by IPv4."""


@dataclass(slots=True)
class _Holder:
    """The places of one address: all that it holds, and those that it may have to give up, oldest first."""

    network: Hashable
    is_familiar: bool = False
    held: int = 0
    evictable: dict[Place, None] = field(default_factory=dict)


class Place:
    """A place that was taken, until `leave`."""

    def __init__(self, capacity: Capacity, key: Hashable, evict: Callable[[], object]) -> None:
        self._capacity: Capacity | None = capacity
        self._key = key
        self._evict = evict
        self._is_awaited = False

    def keep(self) -> None:
        """Have the place never given up for another."""
        if self._capacity is not None:
            self._capacity.holders[self._key].evictable.pop(self, None)

    def leave(self) -> None:
        """Give the place back; may be called twice."""
        capacity, self._capacity = self._capacity, None
        if capacity is not None:
            self._release(capacity)

    def _release(self, capacity: Capacity) -> None:
        holder = capacity.holders[self._key]
        holder.evictable.pop(self, None)
        holder.held -= 1
        if not holder.held:
            del capacity.holders[self._key]
        capacity.held -= 1
        capacity.awaited -= self._is_awaited

    def give_up(self) -> None:
        """Tell the holder to go; the place is free for another at once."""
        if self._capacity is not None:
            self._is_awaited = True
            self._capacity.awaited += 1
            self.keep()
            self._evict()


class Capacity:
    """`most` places in all and `most_of_one` for each address, of which `reserved` are for this machine."""

    def __init__(self, most: int, most_of_one: int, reserved: int) -> None:
        self.held = 0
        """The places taken, those of evicted holders that have not left included."""
        self.awaited = 0
        self.holders: dict[Hashable, _Holder] = {}
        self._most = most
        self._most_of_one = most_of_one
        self._reserved = reserved

    def take(
        self,
        key: Hashable,
        evict: Callable[[], object],
        *,
        is_here: bool,
        is_familiar: bool = False,
        network: Hashable = None,
    ) -> Place | None:
        """Take a place for the address `key` in its `network`; return None if there is none for it.

        `evict` tells its holder to go, and is called at most once. An address that `is_here`, on this
        machine, may take all places, and keeps them.
        """
        most = self._most if is_here else self._most - self._reserved
        own = self.holders[key].held if key in self.holders else 0
        if not is_here and own >= self._most_of_one:
            return None
        if self.held - self.awaited >= most:
            found = self._dispensable(own, network, most, is_familiar=is_familiar)
            if found is None:
                return None
            next(iter(found.evictable)).give_up()
        place = Place(self, key, evict)
        holder = self.holders.setdefault(key, _Holder(network))
        holder.is_familiar = is_familiar
        holder.held += 1
        self.held += 1
        if not is_here:
            holder.evictable[place] = None
        return place

    def _dispensable(self, own: int, network: Hashable, most: int, *, is_familiar: bool) -> _Holder | None:
        """Return who has to give up a place for an address in `network` that holds `own`, or None."""
        if self.awaited >= (_AWAITED if is_familiar or own < _FEW else _AWAITED // 2):
            return None
        strangers = [holder for holder in self.holders.values() if not holder.is_familiar]
        if not is_familiar:
            return _least_fair(strangers, own, network, most)
        return _greatest(strangers, 1) or _least_fair(self.holders.values(), own, network, most)


def _least_fair(holders: Iterable[_Holder], own: int, network: Hashable, most: int) -> _Holder | None:
    """Return the holder of more than its share, for an address in `network` that holds `own`, or None."""
    networks: defaultdict[Hashable, list[_Holder]] = defaultdict(list)
    for holder in holders:
        networks[holder.network].append(holder)
    counts = {each: sum(map(_evictable, inside)) for each, inside in networks.items()}
    crowd = max(counts, key=counts.__getitem__, default=network)
    after = counts.get(network, 0) + 1
    if counts.get(crowd, 0) > max(after, most * _SHARE):
        return _greatest(networks[crowd], 1)
    if after > most * _SHARE:
        return _greatest(networks[network], own + 2)
    return _greatest((holder for inside in networks.values() for holder in inside), own + 2)


def _greatest(holders: Iterable[_Holder], least: int) -> _Holder | None:
    """Return the holder of the most places, or None if it holds fewer than `least`."""
    found = max(holders, key=_evictable, default=None)
    return None if found is None or _evictable(found) < least else found


def _evictable(holder: _Holder) -> int:
    return len(holder.evictable)
