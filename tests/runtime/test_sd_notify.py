"""Messages reach a real datagram socket, and the lack of one disturbs nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.runtime.watchdog import Notifier, inherited_socket, watchdog_us
from tests.support.systemd.service_manager import Manager


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    own = f"@millwright-test-{os.getpid()}-{id(request)}"
    manager = Manager(own if request.param == "abstract" else str(tmp_path / "notify"))
    yield manager
    manager.close()


def test_each_message_is_one_datagram_of_fields(manager: Manager) -> None:
    notifier = Notifier.of(manager.environ)
    assert notifier.has_listener
    assert notifier.tell(READY=1, STATUS="White: lift a piece.")
    assert notifier.tell(WATCHDOG=1)
    assert notifier.tell(STOPPING=1)
    notifier.close()
    assert manager.heard() == ["READY=1\nSTATUS=White: lift a piece.", "WATCHDOG=1", "STOPPING=1"]


def test_a_status_of_several_lines_does_not_become_other_fields(manager: Manager) -> None:
    notifier = Notifier.of(manager.environ)
    notifier.tell(STATUS="a fault:\nMAINPID=1")
    notifier.close()
    assert manager.heard() == ["STATUS=a fault: MAINPID=1"]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_whatever_the_status_it_is_one_field(text: str) -> None:
    address = f"@millwright-status-{os.getpid()}"
    manager = Manager(address)
    notifier = Notifier(address)
    try:
        assert notifier.tell(STATUS=text)
        (message,) = manager.heard()
    finally:
        notifier.close()
        manager.close()
    assert message.startswith("STATUS=")
    assert "\n" not in message


def test_a_manager_whose_queue_is_full_is_not_waited_for(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier.of(manager.environ)
    taken = 0
    while notifier.tell(WATCHDOG=1):
        taken += 1
        assert taken < 100_000
    assert len(manager.heard()) == taken
    assert notifier.tell(WATCHDOG=1)
    notifier.close()
    manager.close()


def test_a_manager_that_has_gone_disturbs_nobody(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier.of(manager.environ)
    assert notifier.tell(READY=1)
    manager.close()
    assert not notifier.tell(WATCHDOG=1)
    notifier.close()
    notifier.close()


@pytest.mark.parametrize("address", [None, "", "@", "/", "vsock:2:1234", "relative/path"])
def test_an_address_that_is_none_is_told_nothing(address: str | None) -> None:
    notifier = Notifier(address)
    assert not notifier.has_listener
    assert not notifier.tell(READY=1)


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 20_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "٣"}, None),
    ],
)
def test_the_watchdog_is_wanted_as_the_manager_says(environ: dict[str, str], wanted: int | None) -> None:
    assert watchdog_us(environ, 7) == wanted


def test_a_socket_that_was_opened_for_this_process_is_taken() -> None:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        opened.listen()
        environ = {"LISTEN_PID": "7", "LISTEN_FDS": "1"}
        taken = inherited_socket(environ, 7, first=os.dup(opened.fileno()))
        assert taken is not None
        with taken:
            assert taken.getsockname() == opened.getsockname()


@pytest.mark.parametrize(
    "environ",
    [{}, {"LISTEN_PID": "8", "LISTEN_FDS": "1"}, {"LISTEN_PID": "7"}, {"LISTEN_PID": "7", "LISTEN_FDS": "2"}],
)
def test_no_other_file_is_taken_for_one(environ: dict[str, str]) -> None:
    assert inherited_socket(environ, 7) is None
