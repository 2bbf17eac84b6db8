"""Programs that follow a broker: what they make of its messages, with a real one on loopback."""

from __future__ import annotations

import logging
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.club.following import Follower
from firmware_host.errors import FarError
from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import (
    BrokerConnection,
    Connected,
    Disconnected,
    Incoming,
)
from firmware_host.link.identity import Login
from firmware_host.link.topics import CARD, RECORD
from firmware_host.store.database import open_read_only
from firmware_host.store.saved_game import game_of
from tests.club.rooms import Match, given_up, match, named, presence
from tests.support.mosquitto import PROGRAM, Mosquitto, mosquitto, next_of, shipped_limits
from tests.support.web.browsing import MILLWRIGHT

needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="no mosquitto was found to follow")


def test_messages_are_handed_on_and_refusals_reported_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[tuple[str, bytes]] = []

    def receive(topic: str, payload: bytes) -> None:
        seen.append((topic, payload))
        if payload == b"lie":
            raise FarError("it isn't true")

    now = 0.0
    follower = Follower(receive, lambda: now)
    with caplog.at_level(logging.INFO):
        for event in (Connected(), Incoming("a", b"1"), Incoming("b", b"lie"), Incoming("c", b"lie")):
            follower.take(event)
        now = 2.0
        follower.take(Incoming("d", b"lie"))
        follower.take(Disconnected("the broker is gone"))
    assert [topic for topic, _ in seen] == ["a", "b", "c", "d"]
    assert follower.refused == 3
    refused = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert refused == ["refused (1 in all): b: it isn't true", "refused (3 in all): d: it isn't true"]
    assert "the broker is gone" in caplog.text


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


def published(broker: Mosquitto, game: Match, *names: str) -> None:
    """Publish a game's records, and the cards of its boards, as the boards would."""
    sent = [(RECORD, *message) for message in game.messages()]
    cards = [next(presence(seat.board, name)) for seat, name in zip(game.seats, names, strict=True)]
    inbox: Queue = Queue()
    board = BrokerConnection(BrokerAddress.parse(f"127.0.0.1:{broker.port}"), Login("boards"), inbox)
    board.subscribe(*(topic for topic, _ in cards), *(topic for _, topic, _ in sent))
    board.open()
    next_of(inbox, Connected)
    for kind, topic, payload in [*((CARD, *card) for card in cards), *sent]:
        assert board.publish(kind, topic, payload)
    for _ in range(len(cards) + len(sent)):
        next_of(inbox, Incoming)
    board.close()


@needs_mosquitto
def test_archive_keeps_a_game_and_games_shows_it(broker: Mosquitto, tmp_path: Path) -> None:
    store = tmp_path / "club.db"
    game = given_up(match(1, (named(0, 16), named(1, 16)), 6))
    published(broker, game, "Kitchen", "Attic")
    command = [MILLWRIGHT, "archive", "--broker", f"127.0.0.1:{broker.port}", "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:  # noqa: S603
        assert running.stdout is not None
        line = running.stdout.readline()
        running.terminate()
    names = {game.one.board: "Kitchen", game.other.board: "Attic"}
    white, black = (names[board] for board in (game.one.record.white, game.one.record.black))
    winner = "black" if white == "Kitchen" else "white"
    assert line == f"1: {white} - {black}, {winner} won (resigned)\n"
    kept = open_read_only(store)
    assert game_of(kept.game(1).saved).turn_texts() == game.one.turns
    kept.close()
    shown = CliRunner().invoke(main, ["games", "--store", str(store), "show", "1"])
    assert all(turn in shown.output for turn in game.one.turns)


@needs_mosquitto
@pytest.mark.ci("programs")
def test_archive_misses_no_game_behind_what_a_member_left(tmp_path: Path) -> None:
    limits = re.sub("max_queued_messages .*", "max_queued_messages 20", shipped_limits())
    store, strays = tmp_path / "club.db", [named(number, 10) for number in range(1000, 1200)]
    with mosquitto(tmp_path, limits=limits) as broker:
        inbox: Queue = Queue()
        member = BrokerConnection(BrokerAddress.parse(f"127.0.0.1:{broker.port}"), Login("member"), inbox)
        member.subscribe(RECORD.every())
        member.open()
        next_of(inbox, Connected)
        for room in strays:
            assert member.publish(RECORD, RECORD.at(room=room, board="MEMBERMEMBERMEMB"), b"nothing")
            next_of(inbox, Incoming)
        member.close()
        published(broker, given_up(match(1, (named(0, 16), named(1, 16)), 6)), "Kitchen", "Attic")
        command = [MILLWRIGHT, "archive", "--broker", f"127.0.0.1:{broker.port}", "--store", str(store)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:  # noqa: S603
            assert running.stdout is not None
            line = running.stdout.readline()
            running.terminate()
    assert line.endswith("won (resigned)\n")
