"""A running link on a real broker: the board's card in a room, and the board in its house."""

from __future__ import annotations

import json
import os
from pathlib import Path
from queue import Queue
from threading import Thread
from urllib.parse import urlsplit

import pytest

from firmware_host.errors import LinkError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.games.rulesets import rule_set
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.identity import Login
from firmware_host.link.program import LinkProgram, sole_use
from firmware_host.link.rooms import LinkFolder
from firmware_host.link.topics import AT_HOME, CARD, DISCOVERY, ON
from firmware_host.settings import Link
from tests.support.mosquitto import PROGRAM, mosquitto, next_of
from tests.support.web.boards import simulated_board

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="no mosquitto was found for a link"),
    pytest.mark.ci("programs"),
]


def test_a_second_link_of_a_board_is_refused(tmp_path: Path) -> None:
    folder = LinkFolder(tmp_path / "link")
    with (
        sole_use(folder),
        pytest.raises(LinkError, match=rf"has a link already \(process {os.getpid()} on .*systemctl stop"),
    ):
        LinkProgram(LinkFolder(tmp_path / "link"), Link(), "127.0.0.1", 1).run()
    with sole_use(folder):
        pass


def test_a_board_in_a_room_and_a_house_is_known_by_its_name(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, simulated_board() as address:
        inbox: Queue = Queue()
        here = f"127.0.0.1:{broker.port}"
        watcher = BrokerConnection(BrokerAddress.parse(here), Login("watcher"), inbox)
        watcher.subscribe("mw/#", "homeassistant/#")
        watcher.open()
        next_of(inbox, Connected)
        folder = LinkFolder(tmp_path / "link")
        folder.enter(
            Invitation("127.0.0.1", broker.port, "ROOMROOM22", b"sixteen bytes on"), rule_set("standard")
        )
        page = urlsplit(address)
        settings = Link(name="Kitchen", house_broker=here)
        program = LinkProgram(folder, settings, page.hostname or "", page.port or 0)
        thread = Thread(target=program.run)
        thread.start()
        board = folder.identity().board
        wanted = {kind.at(board=board) for kind in (ON, CARD, AT_HOME, DISCOVERY)}
        found: dict[str, bytes] = {}
        while not wanted <= found.keys():
            message = next_of(inbox, Incoming)
            found[message.topic] = message.payload
        program.is_closing = True
        thread.join()
        watcher.close()
    assert json.loads(found[CARD.at(board=board)])["name"] == "Kitchen"
    assert json.loads(found[DISCOVERY.at(board=board)])["dev"]["name"] == "Kitchen"
    assert (found[ON.at(board=board)], found[AT_HOME.at(board=board)]) == (b"1", b"1")
