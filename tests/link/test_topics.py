"""The table of topics, and the permissions that follow from it."""

from __future__ import annotations

import pytest

from firmware_host.errors import FarError
from firmware_host.link.permissions import FILE, acl_text
from firmware_host.link.topics import DISCOVERY, LOBBY, ON, RECORD, TOPICS, Topic
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
    assert LOBBY.at(club="the-club", room=ROOM) == f"mw/1/l/the-club/{ROOM}"
    assert DISCOVERY.at(board=BOARD) == f"homeassistant/device/{BOARD}/config"


@pytest.mark.parametrize("name", ["+", "#", "A/B", "", "a" * 16, "A" * 17, "AAAAAAAAAAAAAAA\n"])
def test_no_name_reaches_another_topic(name: str) -> None:
    with pytest.raises(FarError, match="can't be the name of a board"):
        ON.at(board=name)
    assert ON.names(f"mw/1/b/{name}/on") is None


def test_a_topic_that_is_too_long_is_none_of_ours() -> None:
    assert ON.names("mw/1/b/" + "A" * 100_000 + "/on") is None


def test_the_shipped_permissions_are_those_of_the_table() -> None:
    assert FILE.read_text("utf-8") == acl_text(), "write them: python -m firmware_host.link.permissions"
