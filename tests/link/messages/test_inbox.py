"""The inbox: who sends much waits, and nobody else does. The time is an argument."""

from __future__ import annotations

from queue import Empty, Full
from threading import Thread
from typing import Any

import pytest

from firmware_host.link.broker import Connected, Disconnected, Incoming
from firmware_host.link.messages.inbox import MAX_OF_TOPIC, Inbox, Pace
from firmware_host.link.topics import ON, RECORD, SAY

A, B, C = "A" * 16, "B" * 16, "C" * 16
ROOM = "ROOMROOM22"
FAST = Pace(0.0, 1)


def record(board: str, number: int = 0, room: str = ROOM) -> Incoming:
    return Incoming(RECORD.at(room=room, board=board), b"%d" % number)


def text(board: str, number: int = 0) -> Incoming:
    return Incoming(SAY.at(room=ROOM, board=board), b"%d" % number)


def taken(inbox: Inbox, now: float = 0.0) -> list[Any]:
    """Return all events that can be dealt with now."""
    found = []
    while (event := inbox.take(now)) is not None:
        found.append(event)
    return found


def sent(inbox: Inbox, *messages: Incoming) -> int:
    """Put messages; return how many times one was dropped."""
    dropped = 0
    for message in messages:
        try:
            inbox.put_nowait(message)
        except Full:
            dropped += 1
    return dropped


def test_own_events_come_before_a_brokers_messages() -> None:
    inbox = Inbox(FAST)
    sent(inbox, text(A), record(B))
    inbox.put("the board")
    inbox.put(Connected())
    assert taken(inbox) == ["the board", Connected(), text(A), record(B)]


def test_of_a_retained_topic_only_the_newest_message_waits() -> None:
    inbox = Inbox(FAST)
    assert sent(inbox, *(record(A, number) for number in range(1000))) == 0
    assert taken(inbox) == [record(A, 999)]


def test_the_first_texts_of_a_flood_wait_and_no_others() -> None:
    inbox = Inbox(FAST)
    assert sent(inbox, *(text(A, number) for number in range(1000))) == 1000 - MAX_OF_TOPIC
    assert taken(inbox) == [text(A, number) for number in range(MAX_OF_TOPIC)]


def test_a_message_waits_for_one_of_each_other_sender() -> None:
    inbox = Inbox(FAST)
    sent(inbox, *(text(A, number) for number in range(5)), Incoming(ON.at(board=A), b"1"))
    sent(inbox, text(B), record(C))
    assert taken(inbox)[:3] == [text(A, 0), text(B), record(C)]


def test_topics_of_a_sender_take_turns() -> None:
    inbox = Inbox(FAST)
    sent(inbox, *(text(A, number) for number in range(5)), record(A, 7))
    assert taken(inbox)[:2] == [text(A, 0), record(A, 7)]


def test_who_sends_most_loses_the_oldest_when_all_is_full() -> None:
    inbox = Inbox(FAST, most=10)
    sent(inbox, record(B, 1), text(C, 2))
    rooms = [f"ROOMROOM{first}{second}" for first in "ABCDEF" for second in "ABCDEF"]
    flood = [record(A, number, room) for number, room in enumerate(rooms)]
    assert sent(inbox, *flood) == len(flood) - 8
    found = taken(inbox)
    assert {record(B, 1), text(C, 2)} <= set(found)
    assert [one for one in found if one in flood] == flood[-8:]


def test_a_sender_gets_no_more_than_its_pace() -> None:
    inbox = Inbox(Pace(0.1, 5))
    counts = []
    for tenths in range(30):
        sent(inbox, *(record(A, number) for number in range(50)), text(A), text(A))
        counts.append(len(taken(inbox, 100 + tenths / 10)))
        sent(inbox, record(B))
        assert taken(inbox, 100 + tenths / 10) == [record(B)], "another sender isn't slowed down"
    assert sum(counts) == 5 + 29
    assert len(taken(inbox, 200.0)) > 0


def test_a_sender_rests_for_what_its_messages_took() -> None:
    now = used = 0.0
    inbox = Inbox(Pace(0.01, 1), now=lambda: now, used=lambda: used)
    dealt_with = {A: 0, B: 0}
    while now < 100:
        sent(inbox, record(A, int(now * 10)), record(B))
        try:
            event = inbox.get(timeout=0)
        except Empty:
            now += 0.1
            continue
        board = (RECORD.names(event.topic) or {})["board"]
        dealt_with[board] += 1
        took = 1.0 if board == A else 0.001
        now, used = now + took, used + took
    assert 20 <= dealt_with[A] <= 25, "a quarter of the processor"
    assert dealt_with[B] > 500, "another sender isn't slowed down"


def test_what_is_left_of_a_connection_is_forgotten() -> None:
    inbox = Inbox(FAST)
    sent(inbox, text(A), record(B))
    for event in (Connected(), "the board", Disconnected("cut")):
        inbox.put(event)
    inbox.forget_broker()
    assert taken(inbox) == ["the board"]
    sent(inbox, text(B))
    assert taken(inbox) == [text(B)]


def test_getting_waits_for_what_another_thread_puts() -> None:
    inbox = Inbox(FAST)
    thread = Thread(target=inbox.put, args=("news",))
    thread.start()
    assert inbox.get(timeout=60) == "news"
    thread.join()
    with pytest.raises(Empty):
        inbox.get(timeout=0)
    assert inbox.is_idle()


def test_a_full_inbox_holds_up_the_board_and_no_longer_than_asked() -> None:
    inbox = Inbox(FAST, most=1)
    inbox.put("one")
    with pytest.raises(Full):
        inbox.put("two", timeout=0)
    assert taken(inbox) == ["one"]


def test_topics_that_nobody_reads_displace_no_message() -> None:
    inbox = Inbox(FAST, 4)
    own = [record(A, 1), record(A, 2, "OTHERROOM2"), record(B, 1), record(B, 2, "OTHERROOM2")]
    stray = [Incoming(f"mw/1/r/no room {number}/{C}/rec", b"") for number in range(10)]
    assert sent(inbox, *own, *stray) == 0
    assert sorted(map(str, taken(inbox))) == sorted(map(str, own))
