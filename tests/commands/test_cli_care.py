"""`millwright care`: its service, and the companion that follows the board and switches the machine off."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.commands import care
from firmware_host.errors import PageError
from firmware_host.maintenance import services
from firmware_host.maintenance.care import Caretaker, power_off, take_care
from firmware_host.maintenance.companion import CompanionConnection
from tests.support.bus import Called, Service, system_bus
from tests.support.systemd.systemctl import FakeSystemctl
from tests.support.web.fake_board import FakeBoard

POWER_OFF = (
    "busctl --system call org.freedesktop.login1 /org/freedesktop/login1 "
    "org.freedesktop.login1.Manager PowerOff b false"
)


def test_the_companion_may_switch_off_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "UNITS", tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    FakeSystemctl(tmp_path, monkeypatch)
    rule = tmp_path / "rule"
    monkeypatch.setattr(care, "SERVICE", replace(care.SERVICE, files={rule: care.SERVICE.files[care.RULE]}))
    assert "off = true" in CliRunner().invoke(care.care, ["--on"]).output
    text = rule.read_text()
    assert text.count("org.freedesktop.login1") == text.count("power-off") == 2
    assert "no longer" in CliRunner().invoke(care.care, ["--off"]).output
    assert not rule.exists()


def done(code: int, stderr: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, "", stderr)


def test_logind_is_asked_by_busctl() -> None:
    asked = []
    assert power_off(lambda command, **_: asked.append(" ".join(command)) or done(0)) is None
    assert asked == [POWER_OFF]


LOGIND = "org.freedesktop.login1"


def test_a_service_like_logind_gets_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with system_bus(tmp_path) as path:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={path}")
        missing = power_off()
        assert missing is not None
        assert LOGIND in missing, "nobody is there to ask"
        with Service(path, LOGIND).running() as logind:
            assert power_off() is None
        with Service(path, LOGIND, refuses="Interactive authentication required.").running():
            assert power_off() == "Call failed: Interactive authentication required."
    call = Called("/org/freedesktop/login1", f"{LOGIND}.Manager", "PowerOff", "b", bytes(4))
    assert logind.calls == [call], "without questions to people at the machine"


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (done(1, "Call failed: Interactive authentication required.\nmore"), "Call failed: Interactive auth"),
        (done(3), "busctl ended with 3"),
        (FileNotFoundError("no busctl"), "no busctl"),
        (subprocess.TimeoutExpired("busctl", 10), "timed out after 10 seconds"),
    ],
)
def test_a_refusal_is_said(result: Any, why: str) -> None:
    def run(*_: Any, **__: Any) -> subprocess.CompletedProcess[str]:
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]

    assert why in (power_off(run) or "")


def test_the_machine_goes_off_once_for_each_wish() -> None:
    tries: list[None] = []
    caretaker = Caretaker(lambda: tries.append(None))
    for stage in ("wanted", "wanted", None, "counting", "wanted"):
        assert caretaker.answer({"off": stage}) is None
    assert len(tries) == 2
    assert caretaker.answer({}) is None


def test_a_refused_wish_is_answered() -> None:
    caretaker = Caretaker(lambda: "not allowed")
    assert caretaker.answer({"off": "wanted"}) == {"do": "stay", "why": "not allowed"}
    assert caretaker.answer({"off": "wanted"}) is None


class StopError(Exception):
    """The end of a test of what never ends."""


@pytest.fixture
def board() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


def port_of(board: FakeBoard) -> int:
    return int(board.server.address.rpartition(":")[2].strip("/"))


def test_the_companion_switches_off_when_the_board_wants_it(board: FakeBoard) -> None:
    def switch_off() -> str | None:
        raise StopError

    board.say(off="wanted")
    with pytest.raises(StopError):
        take_care("127.0.0.1", port_of(board), Caretaker(switch_off))


def test_the_companion_learns_of_changes(board: FakeBoard) -> None:
    with CompanionConnection("127.0.0.1", port_of(board)) as connection:
        states = connection.states()
        assert next(states)["off"] is None
        for stage in ("counting", "wanted", None):
            board.say(off=stage)
            assert next(states)["off"] == stage


def test_a_board_that_is_away_is_tried_again() -> None:
    tries: list[int] = []

    def connect(_host: str, _port: int) -> CompanionConnection:
        tries.append(1)
        raise PageError("it is away")

    def sleep(_seconds: float) -> None:
        if len(tries) == 3:
            raise StopError

    with pytest.raises(StopError):
        take_care("127.0.0.1", 1, Caretaker(), connect=connect, sleep=sleep)
    assert len(tries) == 3


def test_a_refusal_reaches_the_board(board: FakeBoard) -> None:
    with CompanionConnection("127.0.0.1", port_of(board)) as connection:
        states = connection.states()
        next(states)
        connection.ask({"do": "stay", "why": "not allowed"})
        assert board.asked(1) == [{"do": "stay", "why": "not allowed"}]
