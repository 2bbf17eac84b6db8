"""The houses that a board was announced to, and how it leaves them.

Invariants: a house is noted on the disk once the board has been announced there. It is forgotten when its
broker has handed back, empty, all that the board had it keep, and until then that is tried again. Another
board, such as one with the identity of before, takes nothing away: it may be on another machine now.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import Empty, Queue
from threading import Lock
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.parsing import BOARD_LENGTH, is_name
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.identity import Identity
from firmware_host.link.topics import AT_HOME, DISCOVERY, STATE
from firmware_host.state_files import json_object, read_state, write_state

_LOG = logging.getLogger(__name__)
HOUSE_PART = "-house"
"""The part of the program that connects to a house, in the name of its connection."""
_RETAINED = (DISCOVERY, STATE, AT_HOME)
_MAX_HOUSES = 20
_MAX_WAITING = 100
_POLL_S = 0.25
_ATTEMPT_S = 120.0
"""The time after which another house is left before this one is tried again."""


class HouseMemory:
    """The brokers of the houses that know a board, in a file; any thread may use it."""

    def __init__(self, path: Path, board: str) -> None:
        """Use the file at `path`, which also names the board."""
        self._path, self._board = path, board
        self._lock = Lock()

    def brokers(self) -> tuple[str, ...]:
        """Return the addresses; none if the disk refuses."""
        with self._lock:
            try:
                return self._read()
            except OSError as error:
                self._warn(error)
                return ()

    def note(self, broker: str) -> None:
        """Note that the board was announced at an address, if the disk lets it."""
        self._change(lambda known: (*(one for one in known if one != broker), broker)[-_MAX_HOUSES:])

    def forget(self, broker: str) -> None:
        """Note that nothing of the board is left there, if the disk lets it."""
        self._change(lambda known: tuple(one for one in known if one != broker))

    def _change(self, changed: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
        with self._lock:
            try:
                known = self._read()
                after = changed(known)
                if after != known:
                    text = json.dumps({"board": self._board, "brokers": list(after)})
                    write_state(self._path, text.encode(), _parsed)
            except OSError as error:
                self._warn(error)

    def _warn(self, error: OSError) -> None:
        _LOG.warning("%s can't be used; houses that are left may keep this board: %s", self._path, error)

    def _read(self) -> tuple[str, ...]:
        found = read_state(self._path, _parsed)
        return found[1] if found is not None and found[0] == self._board else ()


def _parsed(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the board and the addresses of a file; raise ValueError for anything else."""
    found = json_object(data)
    board, brokers = found.get("board"), found.get("brokers")
    if not is_name(board, BOARD_LENGTH):
        raise ValueError("it doesn't name a board")
    if not isinstance(brokers, list) or len(brokers) > _MAX_HOUSES:
        raise ValueError(f'"brokers" must be a list of {_MAX_HOUSES} addresses at most')
    try:
        return str(board), tuple(str(BrokerAddress.parse(str(one))) for one in brokers)
    except FarError as error:
        raise ValueError(f'"brokers" must be a list of addresses: {error}') from error


def leave_house(
    address: BrokerAddress,
    own: Identity,
    goes_on: Callable[[], bool],
    connect: Callable[..., BrokerConnection] = BrokerConnection,
) -> bool:
    """Clear all that a broker keeps of this board for a house; return whether it has, once `goes_on` ends.

    Raises LinkError without the library.
    """
    left = {kind.at(board=own.board): kind for kind in _RETAINED}
    inbox: Queue[Any] = Queue(_MAX_WAITING)
    with closing(connect(address, own.login(address, HOUSE_PART), inbox)) as broker:
        broker.subscribe(*left)
        broker.open()
        while left and goes_on():
            try:
                event = inbox.get(timeout=_POLL_S)
            except Empty:
                continue
            match event:
                case Connected():
                    for topic, kind in left.items():
                        broker.publish(kind, topic, b"")
                case Incoming(topic, b"") if topic in left:
                    del left[topic]
    return not left


def leave_houses(
    memory: HouseMemory,
    current: str,
    own: Identity,
    ca: str,
    goes_on: Callable[[], bool],
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Leave all houses but the `current` one, as long as `goes_on`; those that are away keep up no other."""
    left = deque(broker for broker in memory.brokers() if broker != current)
    for broker in left:
        _LOG.info("this board isn't in the house of %s any more, and is withdrawn there", broker)
    end = 0.0

    def tries() -> bool:
        return goes_on() and now() < end

    while left and goes_on():
        broker, end = left.popleft(), now() + _ATTEMPT_S
        if leave_house(BrokerAddress.parse(broker, ca), own, tries):
            memory.forget(broker)
        else:
            left.append(broker)
