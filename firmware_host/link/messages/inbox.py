"""The inbox of a program that follows a broker: whoever sends much waits, and nobody else does.

It takes the place of a queue between the threads that read and the one that decides. Events of the program's
own (its board, the connection) are taken first. The messages of a broker are taken in turn from those who
have sent them, by the board in their topic, and from each of them at the same pace at most. Messages that
take long to deal with make their sender wait longer: what a sender may use is time, and not a number.

Invariants: a message waits for those of its own sender, and for one of each other. No sender ever gets more
than its share of the processor. Of a retained topic, the newest message alone waits. If too many wait, the
sender of most of them loses the oldest. A topic of another form than those that boards write has no sender,
and never waits.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Empty, Full
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.link.broker import MAX_WAITING, Connected, Disconnected, Incoming
from firmware_host.link.messages.reading import address_of

MAX_OF_TOPIC = 5
"""The most messages of one topic that wait, if its messages are not retained."""
WAIT_FOR_WORK = 4.0
"""The seconds from a message that took one to the sender's next: nobody gets more than a quarter."""
_IDLE_S = 60.0
"""The longest wait for an event before its time limit is checked again."""


@frozen
class Pace:
    """The messages of one sender that are taken: `burst` at once, and then one in `every_s` seconds."""

    every_s: float
    burst: int


OF_ROOM = Pace(0.1, 30)
"""The pace of a board in a room, or in a lobby."""
OF_CLUB = Pace(0.02, 500)
"""The pace of a board for programs that read what a broker has retained of all its rooms."""


class _Sender:
    """The messages of one sender that wait, by their topics."""

    def __init__(self) -> None:
        self.topics: dict[str, deque[Incoming]] = {}
        self.count = 0

    def put(self, message: Incoming, most: int) -> bool:
        """Have a message wait; return False if as many of its topic wait already. One alone is replaced."""
        same = self.topics.setdefault(message.topic, deque())
        if len(same) >= most:
            if most > 1:
                return False
            same.clear()
            self.count -= 1
        same.append(message)
        self.count += 1
        return True

    def pop(self) -> Incoming:
        """Return the next message; topics take turns."""
        topic = next(iter(self.topics))
        same = self.topics.pop(topic)
        message = same.popleft()
        if same:
            self.topics[topic] = same
        self.count -= 1
        return message


class Inbox:
    """Events that wait to be dealt with; any thread may put some, and one gets them."""

    def __init__(
        self,
        pace: Pace,
        most: int = MAX_WAITING,
        now: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        """Begin empty; `most` messages wait at most.

        `used` returns the seconds of the processor that the thread has used which deals with the events.
        """
        self._pace, self._most, self._now, self._used = pace, most, now, used
        self._dealt_with: tuple[str, float] | None = None
        """The sender of the message that was got last, and the time that the thread had used before."""
        self._own: deque[Any] = deque()
        self._senders: dict[str, _Sender] = {}
        """Those with messages that wait; the one whose turn it is comes first."""
        self._count = 0
        self._paid: dict[str, float] = {}
        """The times up to which what was taken of a sender uses its pace."""
        self._changed = threading.Condition(threading.RLock())

    def put(self, item: object, *, timeout: float | None = None) -> None:
        """Put an event of the program's own; raise Full if too many wait for longer than `timeout`."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._own) < self._most, timeout):
                raise Full
            self._own.append(item)
            self._changed.notify_all()

    def put_nowait(self, item: Incoming) -> None:
        """Put a message of the broker; raise Full if one is dropped for it, or it is."""
        address = address_of(item.topic)
        if address is None:  # nobody reads it, and it has no sender with whose messages it could wait
            return
        with self._changed:
            sender = self._senders.setdefault(address.board, _Sender())
            before = sender.count
            is_put = sender.put(item, 1 if address.kind.retained else MAX_OF_TOPIC)
            self._count += sender.count - before
            self._changed.notify_all()
            if not is_put or self._drops_one():
                raise Full

    def get(self, timeout: float | None = None) -> Any:
        """Return the next event; raise Empty if none comes within `timeout` seconds."""
        until = None if timeout is None else self._now() + timeout
        with self._changed:
            self._charge()
            while True:
                now = self._now()
                event = self.take(now)
                if event is not None:
                    return event
                if until is not None and now >= until:
                    raise Empty
                ends = [self._ready_at(name) for name in self._senders] + ([] if until is None else [until])
                self._changed.wait(max(min(min(ends, default=now + _IDLE_S) - now, _IDLE_S), 0.001))

    def take(self, now: float) -> Any | None:
        """Return the next event that can be dealt with now; None if there is none."""
        with self._changed:
            if self._own:
                self._changed.notify_all()
                return self._own.popleft()
            for name in self._senders:
                if self._ready_at(name) <= now:
                    return self._take_of(name, now)
        return None

    def is_idle(self) -> bool:
        """Return whether nothing can be dealt with now."""
        with self._changed:
            return not self._own and not any(self._ready_at(name) <= self._now() for name in self._senders)

    def forget_broker(self) -> None:
        """Forget all that came from the broker: its connection is at an end."""
        with self._changed:
            self._senders.clear()
            self._count = 0
            self._own = deque(one for one in self._own if not isinstance(one, Connected | Disconnected))

    def _ready_at(self, name: str) -> float:
        return self._paid.get(name, 0.0) - self._pace.every_s * (self._pace.burst - 1)

    def _take_of(self, name: str, now: float) -> Incoming:
        sender = self._senders.pop(name)
        message = sender.pop()
        self._count -= 1
        if sender.count:
            self._senders[name] = sender
        self._dealt_with = name, self._used()
        self._paid[name] = max(self._paid.pop(name, 0.0), now) + self._pace.every_s
        while len(self._paid) > self._most:  # of those who have been silent for longest
            del self._paid[next(iter(self._paid))]
        return message

    def _charge(self) -> None:
        """Have the sender of the last message rest for what that has taken."""
        if self._dealt_with is not None:
            name, before = self._dealt_with
            self._dealt_with = None
            self._paid[name] = self._paid.get(name, 0.0) + WAIT_FOR_WORK * (self._used() - before)

    def _drops_one(self) -> bool:
        """Drop the oldest message of the sender with most of them, if too many wait."""
        if self._count <= self._most:
            return False
        name = max(self._senders, key=lambda one: self._senders[one].count)
        sender = self._senders[name]
        sender.pop()
        self._count -= 1
        if not sender.count:
            del self._senders[name]
        return True
