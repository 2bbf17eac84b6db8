"""The listening socket: what it accepts counts until it is closed; what it refuses costs no descriptor."""

from __future__ import annotations

import gc
import os
import socket
import weakref
from collections.abc import Iterator
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import pytest

from firmware_host.web import transports as module
from firmware_host.web.rate_limits import MAX_SOCKETS, Visitors
from firmware_host.web.transports import BoundedListener


@pytest.fixture
def visitors() -> Visitors:
    return Visitors()


@pytest.fixture
def listener(visitors: Visitors) -> Iterator[BoundedListener]:
    with socket.create_server(("127.0.0.1", 0)) as bound, BoundedListener(bound, visitors) as listener:
        yield listener


def connected(listener: BoundedListener) -> socket.socket:
    return socket.create_connection(listener.getsockname(), timeout=10)


def descriptors() -> int:
    return len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))


def test_a_connection_counts_until_it_is_closed(listener: BoundedListener, visitors: Visitors) -> None:
    with closing(connected(listener)) as there:
        here, peer = listener.accept()
        assert peer == there.getsockname()
        assert visitors.sockets == 1
        here.sendall(b"x")
        assert there.recv(1) == b"x"
        here.close()
        here.close()
        assert visitors.sockets == 0


def test_a_connection_is_read_in_small_parts(listener: BoundedListener) -> None:
    with closing(connected(listener)) as there:
        here, _ = listener.accept()
        with here:
            there.sendall(bytes(60_000))
            there.close()
            parts = list(iter(lambda: here.recv(262_144), b""))
    assert sum(map(len, parts)) == 60_000
    assert max(map(len, parts)) <= 16_384


def test_memory_of_a_closed_connection_does_not_wait_for_the_collector(listener: BoundedListener) -> None:
    gc.disable()
    try:
        with closing(connected(listener)):
            here, _ = listener.accept()
            here.close()
            closed = weakref.ref(here)
            del here
            assert closed() is None
    finally:
        gc.enable()


def test_a_connection_beyond_the_limit_is_reset_at_once_and_keeps_no_descriptor(
    listener: BoundedListener, visitors: Visitors
) -> None:
    taken = [visitors.open_socket(ip_address("127.0.0.1"), 0.0, lambda: None) for _ in range(MAX_SOCKETS)]
    assert all(taken)
    before = descriptors()
    with closing(connected(listener)) as there:
        with pytest.raises(ConnectionAbortedError):
            listener.accept()
        with pytest.raises(ConnectionResetError):
            there.recv(1)
    assert descriptors() == before
    assert visitors.sockets == MAX_SOCKETS


def test_a_connection_that_gives_its_place_up_is_cut(
    listener: BoundedListener, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A visitor from elsewhere, since this machine keeps its places.
    monkeypatch.setattr(module, "parse_address", lambda _: ip_address("192.0.2.7"))
    with closing(connected(listener)) as there:
        here, _ = listener.accept()
        with here:
            cast("module._CountedConnection", here).place.give_up()  # type: ignore[union-attr]
            assert there.recv(1) == b""
            assert here.recv(1) == b""
            assert visitors.sockets == 1
        assert visitors.sockets == 0
