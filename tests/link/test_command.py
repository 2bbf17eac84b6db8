"""`millwright link`: its service, rooms, and the wishes of players."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.commands.club import link
from firmware_host.errors import FarError, LinkError, PageError
from firmware_host.far.invitation import Invitation
from firmware_host.link.rooms import LinkFolder
from tests.support.web.fake_board import FakeBoard


def run(*arguments: str) -> Any:
    return CliRunner().invoke(link.link, arguments)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Record the requests to systemctl, in a folder that stands in for /etc."""
    log = tmp_path / "asked"
    log.touch()
    program = tmp_path / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$*" >>{log}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(link, "UNIT", tmp_path / "etc" / "millwright-link.service")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return lambda: log.read_text().splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LinkFolder:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return LinkFolder(tmp_path / "state")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[FakeBoard]:
    found = FakeBoard()
    port = found.server.address.rpartition(":")[2].strip("/")
    (tmp_path / "millwright.toml").write_text(f'[web]\nport = {port}\n[link]\nbroker = "localhost"\n')
    yield found
    found.server.close()


def test_the_service_is_installed_and_removed(asked: Callable[[], list[str]]) -> None:
    pytest.importorskip("paho")
    assert "millwright link open" in run("--on").output
    unit = link.UNIT.read_text()
    for line in (
        "DynamicUser=yes",
        "StateDirectory=millwright-link",
        "PrivateDevices=yes",
        "DevicePolicy=closed",
    ):
        assert f"\n{line}\n" in unit
    assert asked() == ["daemon-reload", "enable --now millwright-link.service"]
    run("--off")
    assert not link.UNIT.exists()
    assert asked()[2:] == ["disable --now millwright-link.service", "daemon-reload"]


@pytest.mark.parametrize("option", ["--on", "--off"])
def test_only_root_can_install_it(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    error = run(option).exception
    assert isinstance(error, PageError)
    assert f"sudo millwright link {option}" in str(error)


def test_a_room_is_opened_by_the_rules_of_the_board(
    folder: LinkFolder, board: FakeBoard, tmp_path: Path
) -> None:
    output = run("open", "--config", str(tmp_path / "millwright.toml")).output
    invitation = Invitation.parse(output.splitlines()[0])
    room = folder.current()
    assert room is not None
    assert room.invitation == invitation
    assert (invitation.host, invitation.port) == ("localhost", 1883)
    assert room.rules is not None
    assert room.rules.name == "standard"
    assert "▀" in output  # the code for a phone's camera


def test_without_a_broker_no_room_is_opened(folder: LinkFolder, tmp_path: Path) -> None:
    config = tmp_path / "millwright.toml"
    config.touch()
    error = run("open", "--config", str(config)).exception
    assert isinstance(error, LinkError)
    assert "[link]" in str(error)


def test_a_room_is_joined_and_left(folder: LinkFolder) -> None:
    text = "MW1:broker.example:8883/ABCDEFGHIJ#" + "A" * 26
    assert "ABCDEFGHIJ" in run("join", text).output
    room = folder.current()
    assert room is not None
    assert room.rules is None
    run("leave")
    assert folder.current() is None
    assert isinstance(run("join", "MW1:nonsense").exception, FarError)


def test_the_board_names_itself_for_the_users_of_a_broker(folder: LinkFolder) -> None:
    found = folder.identity()
    assert run("board").output == f"{found.board} {found.password}\n"


def far(number: int, done: int, refused: object = None) -> dict[str, Any]:
    room: dict[str, Any] = {"stage": "playing", "question": None, "may_claim": False, "done": done}
    room |= {"refused": refused, "trouble": None}
    wish = {"number": number, "what": "draw"} if number else None
    return {"status": "stands", "room": room, "wish": wish}


@pytest.mark.parametrize(
    ("refused", "output"),
    [(None, "Done.\n"), ({"key": "link.no-offer", "slots": {}}, "You can't offer that now.")],
)
def test_a_wish_waits_for_the_links_answer(
    board: FakeBoard, tmp_path: Path, refused: object, output: str
) -> None:
    board.say(far=far(1, 1))

    def answer() -> None:
        board.asked(1)
        board.say(far=far(2, 2, refused))

    threading.Thread(target=answer, daemon=True).start()
    done = run("want", "draw", "--config", str(tmp_path / "millwright.toml"))
    assert output in (done.output or "") + str(done.exception)
