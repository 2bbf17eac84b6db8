"""A board in Home Assistant, by MQTT discovery of devices (2024.11 on): entities, messages and commands.

https://www.home-assistant.io/integrations/mqtt/ describes the members; those of each kind of entity are on
the page of its platform.

Invariants: every entity reads the one retained state of the board, except the game's events, which aren't
retained. A board that takes no commands describes nothing that could send one, and withdraws what did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from firmware_host import __version__
from firmware_host.decoding import is_number
from firmware_host.errors import FarError
from firmware_host.far.record import common_turns
from firmware_host.far.sealing import parsed
from firmware_host.frozen import frozen
from firmware_host.games.game import Player
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.link.broker import ABSENT, PRESENT
from firmware_host.link.topics import AT_HOME, DISCOVERY, DO, EVENT, STATE, Topic
from firmware_host.settings import FAR, MIN_BRIGHTNESS, SOUND_LEVELS, THEME_NAMES, Microseconds

EVENT_TYPES = ("turn", "mill", "removal", "over", "mismatch", "ask", "said")
STATUSES = (
    *("ready", "lifted", "remove", "mismatch", "undecided", "taking-back", "asking", "clear", "paused"),
    *("over", "fault", "off"),
)
"""The statuses of a board, as its page has them."""

Entity = Mapping[str, Any]

# The board is never dark, so that nobody takes it for broken: off is its lowest brightness.
_LIGHT_ON = (
    '{"do":"set"'
    '{% if brightness is defined %},"brightness":{{ [(brightness / 2.55) | round | int, 1] | max }}'
    '{% elif effect is not defined %},"brightness":null{% endif %}'
    '{% if effect is defined %},"theme":"{{ effect }}"{% endif %}}'
)
_LIGHT_OFF = '{"do":"set","brightness":0}'


@frozen
class HouseBoard:
    """A board as its house knows it."""

    board: str
    name: str
    rule_sets: Sequence[str]
    themes: Sequence[str]
    takes_commands: bool = False


def description(one: HouseBoard) -> dict[str, Any]:
    """Return the discovery message of a board with all of its entities."""
    entities = dict(_reporting(one))
    commanding = dict(_commanding(one))
    withdrawn = {} if one.takes_commands else {key: {"p": own["p"]} for key, own in commanding.items()}
    if one.takes_commands:
        entities |= commanding
    return {
        "dev": {
            "ids": [f"millwright-{one.board}"],
            "name": one.name or "Millwright",
            "mf": "Millwright",
            "mdl": "Nine Men's Morris board",
            "sw": __version__,
        },
        "o": {"name": "millwright", "sw": __version__},
        "availability_topic": AT_HOME.at(board=one.board),
        "payload_available": PRESENT.decode(),
        "payload_not_available": ABSENT.decode(),
        "cmps": {
            **{key: {**own, "unique_id": f"millwright-{one.board}-{key}"} for key, own in entities.items()},
            **withdrawn,  # a component with its platform alone is one that Home Assistant deletes
        },
    }


def _reporting(one: HouseBoard) -> Iterator[tuple[str, Entity]]:
    """Yield the entities that only report."""
    state = STATE.at(board=one.board)
    sensor = {"p": "sensor", "state_topic": state}
    enum = {**sensor, "device_class": "enum"}
    seconds = {**sensor, "device_class": "duration", "unit_of_measurement": "s"}
    binary = {"p": "binary_sensor", "state_topic": state}
    players = [str(player) for player in Player]
    yield "status", {**enum, **_read("status"), "name": "Status", "options": list(STATUSES)}
    yield "to-move", {**enum, **_read("to_move"), "name": "To move", "options": players}
    yield "turns", {**sensor, **_read("turns"), "name": "Turns", "state_class": "measurement"}
    yield "white-time", {**seconds, **_read("white_s"), "name": "White's time"}
    yield "black-time", {**seconds, **_read("black_s"), "name": "Black's time"}
    faults = "{{ {'faults': value_json.faults} | tojson }}"
    problem = {"device_class": "problem", "entity_category": "diagnostic", "json_attributes_topic": state}
    yield (
        "problem",
        {**binary, **_read("problem"), "name": "Problem", **problem, "json_attributes_template": faults},
    )
    connectivity = {"name": "Other board", "device_class": "connectivity"}
    yield "far", {**binary, **_read("far_is_here"), **connectivity}
    events = {"state_topic": EVENT.at(board=one.board), "event_types": list(EVENT_TYPES)}
    yield "game", {"p": "event", "name": "Game", **events}


def _commanding(one: HouseBoard) -> Iterator[tuple[str, Entity]]:
    """Yield the entities that give commands."""
    command = {"command_topic": DO.at(board=one.board), "qos": DO.qos}
    state = {"state_topic": STATE.at(board=one.board)}
    select = {"p": "select", **command, **state, "entity_category": "config"}
    button = {"p": "button", **command}
    light = {"p": "light", "schema": "template", "name": "Lights", **command, **state}
    yield (
        "light",
        {
            **light,
            "command_on_template": _LIGHT_ON,
            "command_off_template": _LIGHT_OFF,
            "state_template": "{{ value_json.light }}",
            "brightness_template": "{{ (value_json.brightness * 2.55) | round | int }}",
            "effect_template": "{{ value_json.theme }}",
            "effect_list": list(one.themes),
        },
    )
    rules = _write('{"do":"new-game","rules":"{{ value }}"}')
    yield "rules", {**select, **_read("rules"), **rules, "name": "Rules", "options": list(one.rule_sets)}
    sound = _write('{"do":"set","sound":"{{ value }}"}')
    yield "sound", {**select, **_read("sound"), **sound, "name": "Sounds", "options": list(SOUND_LEVELS)}
    yield "pause", {**button, "name": "Pause", "payload_press": '{"do":"pause"}'}
    yield "resume", {**button, "name": "Resume", "payload_press": '{"do":"resume"}'}
    off = {"payload_press": '{"do":"off"}', "entity_category": "config", "enabled_by_default": False}
    yield "off", {**button, "name": "Switch off", **off}


def _read(member: str) -> dict[str, str]:
    return {"value_template": f"{{{{ value_json.{member} }}}}"}


def _write(template: str) -> dict[str, str]:
    return {"command_template": template}


# ---- messages to the house ------------------------------------------------------------------------------
# The messages about one board for its house, for the link to send as they are.
#
#     house = House(HouseBoard(board, "Kitchen", rule_sets, themes, takes_commands=True))
#     for message in house.greeting():             # at each connection, and when Home Assistant says `online`
#         broker.publish(*message)
#     for message in house.follow(state, now):     # whenever the board's page has sent something
#         broker.publish(*message)
#
# Invariants: a state is published when it has changed, and at most twice a second; the last one is never
# held back for longer than that. Time is an argument.
#
# An event is something that two states of one connection show, so that a link which starts again reports
# nothing twice.


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


# ---- commands of the house ------------------------------------------------------------------------------
# The commands that a house gives, as requests to the board's page.
#
# Invariants: whatever comes is one of a few requests or a FarError with the reason. A house can't end a
# game: another one begins only when none stands, and one between two boards is left to its players.


Request = dict[str, Any]
"""A request of a page."""

_DIMMEST = MIN_BRIGHTNESS + 0.01
_SETTINGS: Mapping[str, Callable[[Any], bool]] = {
    "brightness": lambda value: value is None or (is_number(value) and 0 <= value <= 100),
    "theme": lambda value: value in THEME_NAMES,
    "sound": lambda value: value in SOUND_LEVELS,
}


def house_request(payload: bytes, state: Mapping[str, Any]) -> Request:
    """Return the request of a command to a board in this state; raise FarError if there is none."""
    command = parsed(payload)
    what = command.get("do")
    if what in ("pause", "resume", "off"):
        return {"do": what}
    if what == "set":
        return {"do": what, **_settings({key: value for key, value in command.items() if key != "do"})}
    if what == "new-game":
        return {"do": what, **_new_game(command.get("rules"), state)}
    raise FarError(f"a house can't do {what!r}")


def _settings(wanted: Mapping[str, Any]) -> Request:
    for name, value in wanted.items():
        check = _SETTINGS.get(name)
        if check is None or not check(value):
            raise FarError(f"a house can't set {name!r} to {value!r}")
    percent = wanted.get("brightness")
    share = {} if percent is None else {"brightness": _share(percent)}
    return {**wanted, **share}


def _share(percent: float) -> float:
    """Return a brightness of the board: the lowest one reads as off, so a light that is on has more."""
    return max(percent / 100, _DIMMEST) if percent else MIN_BRIGHTNESS


def _new_game(rules: object, state: Mapping[str, Any]) -> Request:
    if rules is not None and not (isinstance(rules, str) and rules in RULE_SETS):
        raise FarError(f"there are no rules {rules!r}")
    if FAR in state["seats"].values():
        raise FarError("the board is playing against another board")
    if state["turns"] and state["outcome"] is None:
        raise FarError("a game is going on")
    return {} if rules is None else {"rules": rules}
