"""`millwright link`: its service, rooms, and the wishes of players."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.commands import link
from firmware_host.errors import FarError, LinkError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.link.rooms import LinkFolder
from firmware_host.maintenance import services
from tests.support.systemd.systemctl import FakeSystemctl
from tests.support.web.fake_board import FakeBoard

SERVICE = 12_345
"""The user that the service would have."""


def run(*arguments: str) -> Any:
    return CliRunner().invoke(link.link, arguments)


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


def test_the_service_is_installed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("paho")
    monkeypatch.setattr(services, "UNITS", tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    FakeSystemctl(tmp_path, monkeypatch)
    assert "millwright link open" in run("--on").output
    assert "\nStateDirectory=millwright-link\n" in link.SERVICE.unit.read_text()
    assert "no longer" in run("--off").output


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


def test_the_board_names_itself_for_the_users_of_a_broker(folder: LinkFolder, tmp_path: Path) -> None:
    config = tmp_path / "millwright.toml"
    config.write_text('[link]\nbroker = "club.example"\n')
    found = folder.identity()
    password = found.password_at(BrokerAddress.parse("club.example:8883"))
    assert run("board", "--config", str(config)).output == f"{found.board} {password}\n"
    other = run("board", "--broker", "house.example", "--config", str(config)).output
    assert other.startswith(found.board)
    assert password not in other


def test_password_without_a_broker_says_what_to_name(folder: LinkFolder, tmp_path: Path) -> None:
    config = tmp_path / "millwright.toml"
    config.touch()
    folder.identity()
    assert "--broker" in str(run("board", "--config", str(config)).exception)


def test_new_identity_leaves_the_room_and_keeps_the_old(folder: LinkFolder, tmp_path: Path) -> None:
    config = tmp_path / "millwright.toml"
    config.touch()
    before = folder.identity()
    folder.enter(Invitation.parse("MW1:broker.example:8883/ABCDEFGHIJ#" + "A" * 26))
    text = (folder.path / "board.json").read_text()
    printed = run("board", "--new", "--config", str(config)).output
    assert printed.strip() == folder.identity().board != before.board
    assert folder.current() is None
    assert [one.read_text() for one in folder.path.glob("board.json.before-*")] == [text]


def far(number: int, done: int, refused: object = None) -> dict[str, Any]:
    room: dict[str, Any] = {"stage": "playing", "question": None, "may_claim": False, "done": done}
    room |= {"refused": refused, "trouble": None, "message": None}
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")
@pytest.mark.parametrize("planted", [".current.new", "rooms"])
def test_root_is_not_led_out_of_the_folder_of_the_service(
    planted: str, folder: LinkFolder, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir(mode=0o700)
    (secret / "file").write_text("root's own")
    folder.path.mkdir()
    (folder.path / planted).symlink_to(secret / "file" if planted == ".current.new" else secret)
    for path in (folder.path, folder.path / planted):
        os.chown(path, SERVICE, SERVICE, follow_symlinks=False)
    run("join", "MW1:broker.example:8883/ABCDEFGHIJ#" + "A" * 26)
    assert [path.name for path in secret.iterdir()] == ["file"]
    assert (secret / "file").read_text() == "root's own"
    assert {path.stat().st_uid for path in (secret, secret / "file")} == {0}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")
def test_rooms_that_root_enters_belong_to_the_service(folder: LinkFolder, tmp_path: Path) -> None:
    folder.path.mkdir()
    os.chown(folder.path, SERVICE, SERVICE)
    tmp_path.chmod(0o700)  # as systemd bars the folders of its dynamic users
    assert run("join", "MW1:broker.example:8883/ABCDEFGHIJ#" + "A" * 26).exit_code == 0
    files = list(folder.path.rglob("*"))
    assert len(files) == 4
    assert {(path.stat().st_uid, path.stat().st_gid) for path in files} == {(SERVICE, SERVICE)}
    assert (os.geteuid(), os.getegid()) == (0, 0)
