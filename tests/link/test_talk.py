"""The chat of a room: what can be sent, and what of the other board is shown."""

from __future__ import annotations

import pytest

from firmware_host.errors import FarError
from firmware_host.far.sealing import parsed
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.link.talk import KEPT, MAX_TEXT, MIN_INTERVAL, Talk
from firmware_host.settings import PHRASES

A, B = "AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"
KEY = bytes(range(16))


def talks(*, is_free: bool = True) -> tuple[Talk, Talk]:
    return Talk(A, PairSeal(A, KEY), is_free=is_free), Talk(B, PairSeal(B, KEY), is_free=is_free)


def texts(talk: Talk) -> list[tuple[bool, str, str]]:
    return [(one.mine, one.text, one.phrase) for one in talk.messages]


def test_a_text_reaches_the_other_board_once() -> None:
    one, other = talks()
    message = one.say(0, "n1", text="  Good\nluck\u202e! ")
    for _ in range(2):  # a broker may repeat it
        other.receive(parsed(message), 0)
    assert texts(one) == [(True, "Good luck !", "")]
    assert texts(other) == [(False, "Good luck !", "")]


def test_a_text_shows_no_pile_of_accents() -> None:
    one, other = talks()
    other.receive(parsed(one.say(0, "n1", text="a" + "\u0301" * 150)), 0)
    other.receive({"v": 1, "board": A, "id": "n2", "text": "b" + "\u0336" * 150}, MIN_INTERVAL)
    assert [text for _, text, _ in texts(other)] == ["a" + "\u0301" * 3, "b" + "\u0336" * 3]


def test_every_phrase_can_be_sent_in_every_room() -> None:
    one, other = talks(is_free=False)
    for number, phrase in enumerate(PHRASES):
        message = one.say(number * MIN_INTERVAL, f"n{number}", phrase=phrase)
        other.receive(parsed(message), number * MIN_INTERVAL)
    assert [phrase for _, _, phrase in texts(other)] == list(PHRASES)


@pytest.mark.parametrize("words", [{}, {"text": " \n "}, {"text": "x" * (MAX_TEXT + 1)}, {"phrase": "boo"}])
def test_other_words_are_refused(words: dict[str, str]) -> None:
    one, _ = talks()
    with pytest.raises(FarError):
        one.say(0, "n1", **words)
    assert not one.messages


def test_messages_too_fast_are_dropped_on_both_sides() -> None:
    one, other = talks()
    other.receive(parsed(one.say(0, "n1", text="one")), 0)
    with pytest.raises(FarError):
        one.say(MIN_INTERVAL - 1, "n2", text="two")
    assert not other.may_receive(1000)
    other.receive({"v": 1, "board": A, "id": "n2", "text": "two"}, 1000)
    assert len(other.messages) == 1


def test_free_text_is_refused_in_a_public_room() -> None:
    one, other = talks(is_free=False)
    with pytest.raises(FarError):
        one.say(0, "n1", text="hello")
    with pytest.raises(FarError):
        other.receive({"v": 1, "board": A, "id": "n1", "text": "hello"}, 0)
    assert not other.messages


@pytest.mark.parametrize(
    "members",
    [
        {"board": A, "id": "n" * 40, "text": "a long id"},
        {"board": A, "text": "no id"},
        {"board": A, "id": "n"},
        {"board": A, "id": "n", "text": 7},
        {"board": A, "id": "n", "text": ["a"]},
        {"board": A, "id": "n", "text": "two\nlines"},
        {"board": A, "id": "n", "text": "backwards \u202e"},
        {"board": A, "id": "n", "text": "x" * (MAX_TEXT + 1)},
        {"board": A, "id": "n", "phrase": "boo"},
        {"board": A, "id": "n", "phrase": {}},
    ],
)
def test_hostile_messages_are_refused(members: dict[str, object]) -> None:
    _, other = talks()
    with pytest.raises(FarError):
        other.receive({"v": 1, **members}, 0)
    assert not other.messages


def test_nothing_of_a_muted_player_is_kept() -> None:
    one, other = talks()
    other.is_muted = True
    assert not other.may_receive(0)
    other.receive(parsed(one.say(0, "n1", text="hello")), 0)
    assert not other.messages


def test_the_newest_messages_are_kept() -> None:
    one, other = talks()
    for number in range(KEPT + 5):
        message = one.say(number * MIN_INTERVAL, f"n{number}", text=str(number))
        other.receive(parsed(message), number * MIN_INTERVAL)
    assert len(other.messages) == KEPT
    assert other.messages[-1].number == KEPT + 5
