"""The table of topics, and the permissions that follow from it."""

from __future__ import annotations

import pytest

from firmware_host.errors import FarError
from firmware_host.link.permissions import FILE, HOUSE_FILE, club_acl, house_acl
from firmware_host.link.topics import DISCOVERY, LOBBY, ON, RECORD, TOPICS, Topic, TopicWriter
from tests.support.link.topics import BOARD, ROOM, made


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.pattern)
def test_the_names_of_each_topic_are_read_back(topic: Topic) -> None:
    text = made(topic)
    names = topic.names(text)
    assert names is not None
    assert topic.at(**names) == text
    assert [other for other in TOPICS if other.names(text) is not None] == [topic]


def test_topics_are_those_of_the_protocol() -> None:
    assert RECORD.at(room=ROOM, board=BOARD) == f"mw/1/r/{ROOM}/{BOARD}/rec"
    assert RECORD.every(room=ROOM) == f"mw/1/r/{ROOM}/+/rec"
    assert ON.every() == "mw/1/b/+/on"
    assert LOBBY.at(club="the-club", board=BOARD) == f"mw/1/l/the-club/{BOARD}"
    assert DISCOVERY.at(board=BOARD) == f"homeassistant/device/{BOARD}/config"


@pytest.mark.parametrize("name", ["+", "#", "A/B", "", "a" * 16, "A" * 17, "AAAAAAAAAAAAAAA\n"])
def test_no_name_reaches_another_topic(name: str) -> None:
    with pytest.raises(FarError, match="can't be the name of a board"):
        ON.at(board=name)
    assert ON.names(f"mw/1/b/{name}/on") is None


def test_a_topic_that_is_too_long_is_none_of_ours() -> None:
    assert ON.names("mw/1/b/" + "A" * 100_000 + "/on") is None


def test_the_shipped_permissions_are_those_of_the_table() -> None:
    advice = "write them: python -m firmware_host.link.permissions"
    assert FILE.read_text("utf-8") == club_acl(), advice
    assert HOUSE_FILE.read_text("utf-8") == house_acl(), advice


def test_every_topic_that_a_board_writes_has_its_name() -> None:
    assert [
        one.pattern for one in TOPICS if one.writer is TopicWriter.BOARD and "<board>" not in one.pattern
    ] == []


def test_a_club_passes_on_nothing_for_houses() -> None:
    of_house = [topic.every(board="%u") for topic in TOPICS if topic.is_of_house]
    assert DISCOVERY.every(board="%u") in of_house
    assert [topic for topic in of_house if topic in club_acl()] == []
