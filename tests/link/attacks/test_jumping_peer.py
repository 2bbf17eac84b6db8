"""Two links on a real broker, and an opponent who counts as no board does: the victim's link starts again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.far.sealing import opened
from firmware_host.games.rulesets import rule_set
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.identity import Login
from firmware_host.link.messages.pair_seal import PAIR, PairSeal
from firmware_host.link.program import LinkProgram
from firmware_host.link.rooms import LinkFolder
from firmware_host.link.topics import RECORD
from firmware_host.settings import Link
from tests.support.mosquitto import PROGRAM, mosquitto, next_of
from tests.support.web.boards import simulated_board
from tests.support.web.page_client import PageClient

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)"),
    pytest.mark.ci("programs"),
]
ROOM, KEY = "ROOMROOM22", b"sixteen bytes on"


def until(is_so: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is so."""
    end = monotonic() + seconds
    while not is_so():
        assert monotonic() < end
        sleep(0.1)


def seat_of(folder: LinkFolder) -> dict[str, Any]:
    """Return the record that a link has saved."""
    room = folder.current()
    record: dict[str, Any] = {} if room is None or room.linked is None else room.linked["seat"]["record"]
    return record


def are_ready(*addresses: str) -> bool:
    """Have the players at these boards say that they are ready; a link that came later hears the next."""
    for address in addresses:
        with closing(PageClient(address)) as client:
            client.ask({"id": 1, "do": "wish", "wish": "ready"})
    return True


def test_jumping_peer_does_not_stop_a_link_for_ever(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folders = [LinkFolder(tmp_path / name) for name in ("victim", "peer")]
    with mosquitto(tmp_path) as broker, simulated_board() as page, simulated_board() as other_page:
        programs = []
        for folder, address in zip(folders, (page, other_page), strict=True):
            is_host = folder is folders[0]
            invitation = Invitation("127.0.0.1", broker.port, ROOM, KEY)
            folder.enter(invitation, rule_set("standard") if is_host else None)
            at = urlsplit(address)
            programs.append(LinkProgram(folder, Link(), at.hostname or "", at.port or 0))
        threads = [Thread(target=program.run) for program in programs]
        for thread in threads:
            thread.start()
        until(lambda: all(seat_of(folder) for folder in folders))
        until(lambda: are_ready(page, other_page) and all(seat_of(one).get("game") for one in folders))
        peer = folders[1].identity().board
        topic = RECORD.at(room=ROOM, board=peer)
        inbox: Queue[Any] = Queue()
        here = BrokerAddress("127.0.0.1", broker.port)
        with closing(BrokerConnection(here, Login("attacker"), inbox)) as attacker:
            attacker.subscribe(topic)
            attacker.open()
            next_of(inbox, Connected)
            record = opened(next_of(inbox, Incoming).payload, KEY)
            record.pop(PAIR, None)
            room = folders[1].current()
            assert room is not None
            seal = PairSeal(peer, KEY, room.linked)
            assert attacker.publish(RECORD, topic, seal.record({**record, "takes_back": 2**53 - 1}))
            until(lambda: "editions ahead" in caplog.text)
        for program in programs:
            program.is_closing = True
        for thread in threads:
            thread.join()
    assert seat_of(folders[0])["takes_back"] < 1000
    again = LinkFolder(folders[0].path)
    assert again.current() is not None
    assert again.notices == ()
