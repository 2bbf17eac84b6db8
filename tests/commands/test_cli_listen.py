"""`millwright listen`, with a stand-in for systemctl that writes down what it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.commands import listen
from firmware_host.errors import PageError
from firmware_host.maintenance import board_client as asking
from firmware_host.maintenance import services
from tests.support.systemd.systemctl import FakeSystemctl

Run = Callable[..., Result]
RESTART = ["daemon-reload", "restart --no-block millwright.socket millwright.service"]


@pytest.fixture
def drop_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "etc" / "millwright.socket.d" / "zz-listen.conf"
    monkeypatch.setattr(listen, "DROP_IN", path)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return path


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystemctl:
    return FakeSystemctl(tmp_path, monkeypatch)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(listen.listen, arguments)


PAIRING = {"code": "1234 5678", "left_s": 600, "addresses": ["http://pi.local:9000/"]}


class Restarted:
    """A board that has come back after some looks; the one before it still answers until then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
        self.looks = 0
        self.after = after
        self.codes = 0
        monkeypatch.setattr(asking, "get_object", self.status)
        monkeypatch.setattr(asking, "request", self.request)
        monkeypatch.setattr(listen.time, "sleep", lambda _: None)

    def status(self, host: str, port: int, path: str) -> dict[str, Any]:
        self.looks += 1
        return {"uptime_s": 0 if self.looks > self.after else 5000}

    def request(self, host: str, port: int, method: str, path: str) -> tuple[int, str]:
        assert (port, method, path) == (9000, "POST", "/pairing")
        if self.looks <= self.after:
            return 404, '{"error": "This board is for this machine only."}'
        self.codes += 1
        return 200, json.dumps(PAIRING)


def test_the_socket_is_opened_to_the_house_and_a_code_printed(drop_in, manager, monkeypatch) -> None:
    Restarted(monkeypatch, after=2)
    result = run("--port", "9000")
    assert "1234 5678" in result.output
    assert "http://pi.local:9000/" in result.output
    lines = drop_in.read_text().splitlines()
    assert lines[lines.index("ListenStream=") + 1] == "ListenStream=9000"
    assert lines[-2] == "IPAddressAllow="
    assert "192.168.0.0/16" in lines[-1]
    assert drop_in.stat().st_mode & 0o777 == 0o644
    assert manager.requests == RESTART


def test_on_an_open_board_it_only_prints_another_code(drop_in, manager, monkeypatch) -> None:
    board = Restarted(monkeypatch, after=2)
    run("--port", "9000")
    assert "1234 5678" in run("--port", "9000").output
    assert board.codes == 2
    assert manager.requests == RESTART  # once


def test_a_start_that_was_interrupted_is_made_up_for(drop_in, manager, monkeypatch) -> None:
    Restarted(monkeypatch, after=2)
    run("--port", "9000")
    Restarted(monkeypatch, after=1)  # the file is there, but the service has not been restarted
    assert "1234 5678" in run("--port", "9000").output
    assert manager.requests == RESTART * 2


def test_it_is_closed_again_also_twice(drop_in, manager) -> None:
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text("")
    assert "this machine alone" in run("--off").output
    assert not drop_in.exists()
    assert run("--off").exit_code == 0
    assert manager.requests == RESTART * 2


def test_a_board_that_does_not_come_back_is_no_failure(drop_in, manager, monkeypatch) -> None:
    def nobody(host: str, port: int, path: str) -> dict[str, Any]:
        raise PageError("no board answers")

    clock = iter(range(100))
    monkeypatch.setattr(asking, "get_object", nobody)
    monkeypatch.setattr(listen, "time", SimpleNamespace(monotonic=lambda: next(clock), sleep=lambda _: None))
    assert "`millwright devices pair` prints the code" in run().output


def test_where_there_is_no_service_nothing_is_written(drop_in, manager, tmp_path, monkeypatch) -> None:
    manager.fail("broken")
    monkeypatch.setattr(services, "SYSTEMD", tmp_path)
    assert "sudo make install" in str(run().exception)
    assert not drop_in.exists()


def test_only_root_can(monkeypatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert str(run("--off").exception).endswith("sudo millwright listen --off")
