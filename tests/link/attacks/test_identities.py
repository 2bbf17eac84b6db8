"""Boards with one identity, and the passwords of a board, with a real mosquitto and real links."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest

from firmware_host.commands.broker import broker_of
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.link.broker import BrokerConnection, Connected, Contested, Disconnected
from firmware_host.link.identity import Identity, Login, PresenceMarks
from firmware_host.link.program import LinkProgram
from firmware_host.link.rooms import LinkFolder
from firmware_host.link.topics import ON
from firmware_host.settings import Link
from tests.support.mosquitto import PROGRAM, Mosquitto, mosquitto, next_of
from tests.support.web.boards import simulated_board

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)"),
    pytest.mark.ci("programs"),
]
OWN = "A" * 16
SECRET = "5" * 64


@contextmanager
def connected(port: int, login: Login, presence: str | None = None) -> Iterator[Queue[object]]:
    """Connect with this login, and return what happens."""
    inbox: Queue[object] = Queue(1000)
    address = BrokerAddress("127.0.0.1", port)
    broker = BrokerConnection(address, login, inbox, presence=presence, draw=lambda: 0.1)
    with closing(broker):
        broker.open()
        yield inbox


@contextmanager
def guarded(folder: Path, **passwords: str) -> Iterator[Mosquitto]:
    """Run a broker that asks for these passwords."""
    folder.mkdir()
    users = folder / "passwords"
    users.touch(0o600)
    tool = shutil.which("mosquitto_passwd")
    assert tool is not None
    for user, password in passwords.items():
        subprocess.run([tool, "-b", str(users), user, password], check=True, capture_output=True)  # noqa: S603
    with mosquitto(folder, f"allow_anonymous false\npassword_file {users}\n") as broker:
        yield broker


def test_password_of_one_broker_opens_no_other(tmp_path: Path) -> None:
    own = Identity(OWN, SECRET)
    addresses = [BrokerAddress("127.0.0.1", 1), BrokerAddress("127.0.0.1", 2)]
    club, stranger = (own.login(one) for one in addresses)
    with guarded(tmp_path / "club", **{OWN: club.password}) as broker:
        with connected(broker.port, club) as inbox:
            assert not next_of(inbox, Connected).by_old_password
        with connected(broker.port, stranger) as inbox:
            assert "refuses" in next_of(inbox, Disconnected).reason


def test_board_with_an_old_password_is_not_locked_out(tmp_path: Path) -> None:
    with guarded(tmp_path / "club", **{OWN: "old"}) as broker:
        address = BrokerAddress("127.0.0.1", broker.port)
        upgraded = Identity(OWN, "", "old").with_secret([address])
        with connected(broker.port, upgraded.login(address)) as inbox:
            assert next_of(inbox, Connected).by_old_password
        elsewhere = Identity(OWN, "", "old").with_secret([])
        with connected(broker.port, elsewhere.login(address)) as inbox:
            assert "refuses" in next_of(inbox, Disconnected).reason


def test_programs_with_one_identity_find_out_and_rest(tmp_path: Path) -> None:
    login, presence = Login(OWN), ON.at(board=OWN)
    with (
        mosquitto(tmp_path) as broker,
        connected(broker.port, login, presence) as one,
        connected(broker.port, login, presence) as other,
    ):
        next_of(one, Contested)
        next_of(other, Contested)
        sleep(8.0)
        happened = [*one.queue, *other.queue]
    ended = [event for event in happened if isinstance(event, Disconnected)]
    assert len(ended) <= 4, "each is thrown out again and again"


def test_programs_of_a_club_share_a_login(tmp_path: Path) -> None:
    with guarded(tmp_path / "club", club="secret") as broker:
        file = tmp_path / "password"
        file.write_text("secret\n")
        logins = [
            broker_of(f"127.0.0.1:{broker.port}", "club", file, "", own)[1] for own in ("wall", "archive")
        ]
        with connected(broker.port, logins[0]) as wall, connected(broker.port, logins[1]) as archive:
            next_of(wall, Connected)
            next_of(archive, Connected)
            sleep(2.0)
            assert wall.empty()
            assert archive.empty()


def test_copied_card_is_told_until_it_has_a_new_identity(tmp_path: Path) -> None:
    first = LinkFolder(tmp_path / "first")
    before = first.identity()
    with mosquitto(tmp_path) as broker, simulated_board() as page, simulated_board() as other_page:
        first.enter(Invitation("127.0.0.1", broker.port, "ROOMROOM22", b"sixteen bytes on"))
        shutil.copytree(first.path, tmp_path / "copy")
        copy = LinkFolder(tmp_path / "copy")
        programs = []
        for folder, address in ((first, page), (copy, other_page)):
            at = urlsplit(address)
            programs.append(LinkProgram(folder, Link(), at.hostname or "", at.port or 0))
        threads = [Thread(target=program.run) for program in programs]
        for thread in threads:
            thread.start()
        until = monotonic() + 60
        while not all(program._notices() for program in programs):
            assert monotonic() < until
            sleep(0.1)
        assert programs[0]._notices()[0]["key"] == "link.contested"
        copy.renew()
        while programs[1]._identity == before:
            assert monotonic() < until
            sleep(0.1)
        while programs[1]._notices():
            assert monotonic() < until, "it is another board now, and nobody else is it"
            sleep(0.1)
        for program in programs:
            program.is_closing = True
        for thread in threads:
            thread.join()
    assert first.identity() == before
    assert copy.identity().board != before.board


def test_marks_tell_another_program_from_an_earlier_one() -> None:
    marks, other = PresenceMarks(), PresenceMarks()
    earlier = other.draw()
    assert not marks.is_of_another(earlier)
    assert not marks.is_of_another(marks.draw())
    assert not marks.is_of_another(earlier)  # a broker may come back with old messages
    assert marks.is_of_another(other.draw())
