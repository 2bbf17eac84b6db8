"""Reading a message: it counts for the board that its topic names, or not at all, whatever kind it is."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.errors import FarError
from firmware_host.far.invitation import Invitation
from firmware_host.far.sealing import canonical, sealed
from firmware_host.link.messages.reading import (
    BrokerMessage,
    CardMessage,
    InfoMessage,
    Listing,
    ListingMessage,
    PresenceMessage,
    RecordMessage,
    SayMessage,
    address_of,
    read,
)
from firmware_host.link.topics import CARD, INFO, LOBBY, ON, RECORD, SAY, TOPICS, Topic, TopicWriter
from tests.far.boards import KEY, A, B, playing

ROOM = "ROOMROOM22"
WHITE = playing("d6")[0]
LISTING = Listing(A, "Open table", "standard", Invitation("broker.example", 8883, ROOM, bytes(16)))
SAID = {"v": 1, "board": A, "id": "n", "phrase": "bye"}
MESSAGES: dict[Topic, tuple[bytes, BrokerMessage]] = {
    ON: (b"1", PresenceMessage(A, is_on=True)),
    CARD: (b'{"v": 1, "name": "Kitchen"}', CardMessage(A, "Kitchen")),
    INFO: (
        sealed({"v": 1, "board": A, "name": "Sunday", "public": True}, KEY),
        InfoMessage(ROOM, A, "Sunday", is_public=True),
    ),
    RECORD: (
        sealed(WHITE.record.as_dict(), KEY),
        RecordMessage(ROOM, A, WHITE.record, WHITE.record.as_dict()),
    ),
    SAY: (sealed(SAID, KEY), SayMessage(ROOM, A, SAID)),
    LOBBY: (LISTING.message(), ListingMessage("the-club", A, LISTING)),
}
NAMED = {"room": ROOM, "club": "the-club"}


def received(kind: Topic, board: str, payload: bytes, key: bytes | None = KEY) -> BrokerMessage:
    names = {name: value for name, value in NAMED.items() if f"<{name}>" in kind.pattern}
    address = address_of(kind.at(board=board, **names))
    assert address is not None
    return read(address, payload, key)


def test_every_topic_that_boards_write_for_each_other_is_read_here() -> None:
    for_others = {one for one in TOPICS if one.writer is TopicWriter.BOARD and not one.is_of_house}
    assert for_others == set(MESSAGES)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.pattern)
def test_a_message_under_its_own_topic_is_read(kind: Topic) -> None:
    payload, message = MESSAGES[kind]
    assert received(kind, A, payload) == message


@pytest.mark.parametrize(
    "kind", [kind for kind in MESSAGES if kind not in (ON, CARD)], ids=lambda kind: kind.pattern
)
def test_a_message_under_another_boards_topic_is_refused(kind: Topic) -> None:
    with pytest.raises(FarError, match="another board than its topic"):
        received(kind, B, MESSAGES[kind][0])


def test_a_card_that_names_another_board_is_refused() -> None:
    with pytest.raises(FarError, match="another board than its topic"):
        received(CARD, B, canonical({"name": "Kitchen", "board": A}))


@pytest.mark.parametrize("kind", [INFO, RECORD, SAY], ids=lambda kind: kind.pattern)
@pytest.mark.parametrize("changes", [{"board": None}, {"board": 7}, {"board": [A]}])
def test_a_sealed_message_must_name_its_board(kind: Topic, changes: dict[str, Any]) -> None:
    members = {**WHITE.record.as_dict(), **SAID} if kind is RECORD else SAID
    with pytest.raises(FarError):
        received(kind, A, sealed({**members, **changes}, KEY))


@pytest.mark.parametrize("kind", [INFO, RECORD, SAY], ids=lambda kind: kind.pattern)
def test_a_message_with_another_key_is_refused(kind: Topic) -> None:
    with pytest.raises(FarError, match="didn't come"):
        received(kind, A, MESSAGES[kind][0], bytes(16))


@pytest.mark.parametrize("kind", [CARD, INFO, RECORD, LOBBY], ids=lambda kind: kind.pattern)
def test_an_empty_message_withdraws_what_was_there(kind: Topic) -> None:
    withdrawn = {
        CARD: CardMessage(A, ""),
        INFO: InfoMessage(ROOM, A, "", is_public=False),
        RECORD: RecordMessage(ROOM, A, None),
        LOBBY: ListingMessage("the-club", A, None),
    }
    assert received(kind, A, b"") == withdrawn[kind]
