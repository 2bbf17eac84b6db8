"""A record is published at once, again while it may be lacking, and not too often."""

from __future__ import annotations

from firmware_host.far.judging import Judgement
from firmware_host.far.linked_seat import MIN_INTERVAL, REPEAT_AFTER, RecordPublisher
from tests.far.boards import playing


def test_a_change_is_published_at_once_and_then_repeated_until_both_agree() -> None:
    white, _ = playing("d6")
    publisher = RecordPublisher()
    alone = white.play("d2", 1) if white.may_play else white.revise().play("d2", 1)
    assert publisher.due(alone) == 0
    publisher.publish(alone, 7)
    assert publisher.due(alone) == 7 + REPEAT_AFTER
    publisher.publish(white, 7)
    assert publisher.due(white) is None


def test_records_that_are_behind_are_answered_once_a_second() -> None:
    white, _ = playing("d6")
    publisher = RecordPublisher()
    publisher.publish(white, 7)
    for _ in range(100):
        publisher.note(Judgement.BEHIND, 8, is_repeated=False)
    assert publisher.due(white) == 7 + MIN_INTERVAL
    publisher.publish(white, 8)
    assert publisher.due(white) is None


def test_a_repeated_record_is_answered_and_the_answer_is_not() -> None:
    white, _ = playing("d6")
    publisher = RecordPublisher()
    publisher.publish(white, 0)
    publisher.note(Judgement.AGREED, MIN_INTERVAL, is_repeated=True)
    assert publisher.due(white) is None
    publisher.note(Judgement.AGREED, REPEAT_AFTER, is_repeated=False)
    assert publisher.due(white) is None
    publisher.note(Judgement.AGREED, REPEAT_AFTER, is_repeated=True)
    assert publisher.due(white) == MIN_INTERVAL


def test_a_record_is_published_after_each_connection() -> None:
    white, _ = playing("d6")
    publisher = RecordPublisher()
    publisher.publish(white, 7)
    publisher.forget()
    assert publisher.due(white) == 0
