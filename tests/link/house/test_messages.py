"""The times at which a link publishes something of its board to the house."""

from __future__ import annotations

import json
from typing import Any

from firmware_host.link.house.entities import MIN_INTERVAL, House, HouseBoard, HouseMessage, description
from firmware_host.link.topics import DISCOVERY, EVENT, STATE
from tests.link.house.states import played

BOARD = HouseBoard("ABCDEFGHIJKLMNOP", "Kitchen", ["standard"], ["harbour"])


def kinds(messages: list[HouseMessage]) -> list[object]:
    return [message.kind for message in messages]


def content(message: HouseMessage) -> Any:
    return json.loads(message.payload)


def test_greeting_describes_the_board_retained() -> None:
    (message,) = House(BOARD).greeting()
    assert message.topic == "homeassistant/device/ABCDEFGHIJKLMNOP/config"
    assert message.kind is DISCOVERY
    assert DISCOVERY.retained
    assert content(message) == description(BOARD)


def test_a_state_is_published_when_it_has_changed() -> None:
    house = House(BOARD)
    (first,) = house.follow(played(), 0)
    assert (first.kind, first.topic) == (STATE, "mw/1/b/ABCDEFGHIJKLMNOP/state")
    assert content(first)["turns"] == 0
    assert list(house.follow(played(), 9_000_000)) == []
    assert house.due is None


def test_states_are_at_least_half_a_second_apart_and_events_are_not() -> None:
    house = House(BOARD)
    list(house.follow(played(), 0))
    early = list(house.follow(played("d6"), 1000))
    assert kinds(early) == [EVENT]
    assert house.due == MIN_INTERVAL
    later = list(house.follow(played("d6 f4"), 2000))
    assert kinds(later) == [EVENT]
    (state,) = house.follow(played("d6 f4"), MIN_INTERVAL)
    assert content(state)["turns"] == 2


def test_everything_is_published_again_after_a_greeting() -> None:
    house = House(BOARD)
    list(house.follow(played("d6"), 0))
    list(house.greeting())
    assert kinds(list(house.follow(played("d6"), 1))) == [STATE]


def test_the_first_state_reports_no_events() -> None:
    assert kinds(list(House(BOARD).follow(played("d6 f4"), 0))) == [STATE]
