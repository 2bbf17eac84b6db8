"""The messages about one board for its house, for the link to send as they are.

    house = House(HouseBoard(board, "Kitchen", rule_sets, themes, takes_commands=True))
    for message in house.greeting():             # at each connection, and when Home Assistant says `online`
        broker.publish(*message)
    for message in house.follow(state, now):     # whenever the board's page has sent something
        broker.publish(*message)

Invariants: a state is published when it has changed, and at most twice a second; the last one is never held
back for longer than that. Time is an argument.

An event is something that two states of one connection show, so that a link which starts again reports
nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from firmware_host.far.replaying import common_turns
from firmware_host.games.game import Player
from firmware_host.link.house.entities import HouseBoard, description
from firmware_host.link.topics import DISCOVERY, EVENT, STATE, Topic
from firmware_host.settings import MIN_BRIGHTNESS, Microseconds

_MAX_FAULTS, _MAX_FAULT_LENGTH = 5, 200
_ON, _OFF = "ON", "OFF"


def house_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that a house needs of the public state of a board."""
    settings, clock, far = state["settings"], state["clock"] or {}, state["far"]
    outcome = state["outcome"] or {}
    return {
        "v": 1,
        "status": state["status"],
        "to_move": state["to_move"],
        "turns": len(state["turns"]),
        "winner": outcome.get("winner"),
        "reason": outcome.get("reason"),
        "white_s": clock.get("white_s"),
        "black_s": clock.get("black_s"),
        "problem": _ON if state["faults"] else _OFF,
        "faults": [fault[:_MAX_FAULT_LENGTH] for fault in state["faults"][:_MAX_FAULTS]],
        "far_is_here": _OFF if far is None or far["status"] == "away" else _ON,
        "rules": state["rules"].partition(" ")[0],
        "sound": settings["sound"],
        "theme": settings["theme"],
        "brightness": round(100 * settings["brightness"]),
        "light": "on" if settings["brightness"] > MIN_BRIGHTNESS else "off",
    }


def game_events(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what has happened on a board between two of its public states, for the `event` of its game."""
    status, was = after["status"], before["status"]
    if status == "remove" and not before["mid_turn"]:  # hands may lift other pieces until they take one
        yield {"event_type": "mill", "by": after["to_move"]}
    yield from _turns(before, after)
    if after["outcome"] is not None and before["outcome"] is None:
        yield {"event_type": "over", **after["outcome"]}
    if status == "mismatch" and was != status:
        yield {"event_type": "mismatch", "sentence": after["sentence"]}
    if after["asking"] is not None and before["asking"] is None:
        yield {"event_type": "ask", "question": after["asking"]["question"]}
    yield from _utterances(before["speech"], after["speech"])


def _utterances(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield what the board has said aloud since, for a loudspeaker of the house."""
    last = before[-1]["number"] if before else 0
    for one in after:
        if one["number"] > last and one["aloud"]:
            text = " ".join(sentence["text"] for sentence in (*one["reports"], *one["prompts"]))
            yield {"event_type": "said", "sentence": text, "level": one["level"]}


def _turns(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the turns that were completed, and the removal of the last one."""
    old, new = _completed(before), _completed(after)
    if new == old or common_turns(old, new) < len(old) - 1:  # nothing new, or the game went back
        return
    last = Player(after["to_move"]).other
    for index in range(len(old), len(new)):
        by = last if (len(new) - index) % 2 else last.other
        yield {"event_type": "turn", "turn": new[index], "by": str(by), "number": index + 1}
    if len(new) >= len(old) and after["taken"]:
        yield {"event_type": "removal", "by": str(last), "points": list(after["taken"])}


def _completed(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the turns without one that is unfinished, whatever hands are doing in the meantime."""
    turns = tuple(state["turns"])
    return turns[:-1] if state["mid_turn"] else turns


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
