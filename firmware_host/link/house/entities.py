"""The entities of a board in Home Assistant, as its MQTT discovery of devices wants them (2024.11 and later).

https://www.home-assistant.io/integrations/mqtt/ describes the members; those of each kind of entity are on
the page of its platform.

Invariants: every entity reads the one retained state of the board, except the game's events, which aren't
retained. A board that takes no commands describes nothing that could send one, and withdraws what did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from firmware_host import __version__
from firmware_host.frozen import frozen
from firmware_host.games.game import Player
from firmware_host.link.broker import ABSENT, PRESENT
from firmware_host.link.topics import AT_HOME, DO, EVENT, STATE
from firmware_host.settings import SOUND_LEVELS

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
