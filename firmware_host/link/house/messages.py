"""The messages about one board for its house, for the link to send as they are.

    house = House(HouseBoard(board, "Kitchen", rule_sets, themes, takes_commands=True))
    for message in house.greeting():             # at each connection, and when Home Assistant says `online`
        broker.publish(*message)
    for message in house.follow(state, now):     # whenever the board's page has sent something
        broker.publish(*message)

Invariants: a state is published when it has changed, and at most twice a second; the last one is never held
back for longer than that. Time is an argument.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from firmware_host.link.house.entities import HouseBoard, description
from firmware_host.link.house.states import game_events, house_state
from firmware_host.link.topics import DISCOVERY, EVENT, STATE, Topic
from firmware_host.settings import Microseconds

MIN_INTERVAL: Microseconds = 500_000
"""The least time between two states."""


class HouseMessage(NamedTuple):
    """A message to publish."""

    kind: Topic
    topic: str
    payload: bytes


class House:
    """The messages about one board."""

    def __init__(self, board: HouseBoard) -> None:
        self._board = board
        self._before: Mapping[str, Any] | None = None
        self._published: Mapping[str, Any] | None = None
        self._at: Microseconds | None = None

    def greeting(self) -> Iterator[HouseMessage]:
        """Yield the description of the board; its state is published again after it."""
        self._published = self._at = None
        yield self._message(DISCOVERY, description(self._board))

    def follow(self, state: Mapping[str, Any], now: Microseconds) -> Iterator[HouseMessage]:
        """Yield the messages for a public state of the board at `now`.

        Call it again with the same state when `due` says so.
        """
        before, self._before = self._before, state
        for event in game_events(before, state) if before is not None else ():
            yield self._message(EVENT, event)
        if self.due is not None and now >= self.due:
            self._published, self._at = house_state(state), now
            yield self._message(STATE, self._published)

    @property
    def due(self) -> Microseconds | None:
        """The time from which the state may be published; None if the house has it already."""
        if self._before is None or house_state(self._before) == self._published:
            return None
        return 0 if self._at is None else self._at + MIN_INTERVAL

    def _message(self, kind: Topic, members: Mapping[str, Any]) -> HouseMessage:
        payload = json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
        return HouseMessage(kind, kind.at(board=self._board.board), payload)
