"""The wire between two simulated boards: a broker with one retained message for each, and what can go wrong.

Invariants: chance comes from a seed alone, and time is an argument. A board that is cut off gets nothing, and
after a connection the message that is retained for it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random

from firmware_host.errors import HandsError
from firmware_host.settings import Microseconds

_USUAL: Microseconds = 20_000
_SLOW: Microseconds = 3_000_000

CONNECTIONS = ("cut", "joined")
"""The changes of a board's connection."""
FAULTS = ("slow", "double", "reorder", "lose")
"""The faults of the wire, which last until it is `good`."""
MODES = (*CONNECTIONS, *FAULTS, "forget", "good")


class Wire:
    """The wire between boards, by their names."""

    def __init__(self, seed: int, names: tuple[str, ...]) -> None:
        self._luck = Random(f"wire {seed}")  # noqa: S311
        self._names = names
        self._retained: dict[str, bytes] = {}
        self._faults: set[str] = set()
        self._on_the_way: list[tuple[Microseconds, int, str, bytes]] = []
        self._sent = 0
        self.cut: set[str] = set()
        """The boards that are cut off."""

    @property
    def due(self) -> Microseconds | None:
        """The time at which the next message arrives at the broker."""
        return self._on_the_way[0][0] if self._on_the_way else None

    def change(self, mode: str, names: tuple[str, ...]) -> None:
        """Break or repair the wire, or the connections of the boards `names`."""
        if mode == "cut":
            self.cut |= {*names}
        elif mode == "joined":
            self.cut -= {*names}
        elif mode == "forget":
            self._retained.clear()
            self._on_the_way.clear()
        elif mode == "good":
            self._faults.clear()
            self.cut.clear()
        elif mode in FAULTS:
            self._faults.add(mode)
        else:
            raise HandsError(f'"wire" must be one of {", ".join(MODES)}')

    def publish(self, sender: str, message: bytes, now: Microseconds) -> None:
        """Send a message on its way, unless its board is cut off or the wire loses it."""
        if sender in self.cut or ("lose" in self._faults and self._luck.random() < 0.5):
            return
        for _ in range(2 if "double" in self._faults else 1):
            delay = _SLOW if "slow" in self._faults else _USUAL
            if "reorder" in self._faults:
                delay *= self._luck.randrange(1, 100)
            self._sent += 1
            heappush(self._on_the_way, (now + delay, self._sent, sender, message))

    def arrivals(self, now: Microseconds) -> list[tuple[str, str, bytes]]:
        """Return the messages that have arrived, each after its sender and the board that gets it."""
        found = []
        while self._on_the_way and self._on_the_way[0][0] <= now:
            _, _, sender, message = heappop(self._on_the_way)
            self._retained[sender] = message
            found += [(sender, name, message) for name in self._names if name not in (sender, *self.cut)]
        return found

    def retained_for(self, receiver: str) -> list[tuple[str, bytes]]:
        """Return what a board gets when it connects, each after its sender."""
        return [(name, message) for name, message in self._retained.items() if name != receiver]

    def drop(self, sender: str) -> None:
        """Forget what a board has sent to the room in which it was."""
        self._retained.pop(sender, None)
        self._on_the_way = sorted(one for one in self._on_the_way if one[2] != sender)
