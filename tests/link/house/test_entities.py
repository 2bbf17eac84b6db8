"""The description of a board for Home Assistant, held against the form that its documentation gives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from firmware_host.far.sealing import MAX_BYTES
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.lights.themes import THEMES
from firmware_host.link.house.entities import EVENT_TYPES, STATUSES, HouseBoard, description, house_state
from firmware_host.link.topics import AT_HOME, DO, EVENT, STATE
from tests.link.house.states import played
from tests.support.web.protocol import SCHEMA

BOARD = "ABCDEFGHIJKLMNOP"
HOUSE_SCHEMA = json.loads(Path(__file__).with_name("home_assistant.schema.json").read_text("utf-8"))


def board(*, takes_commands: bool) -> HouseBoard:
    return HouseBoard(BOARD, "Kitchen", list(RULE_SETS), list(THEMES), takes_commands)


def texts(value: Any) -> Iterator[str]:
    """Yield all texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


@pytest.mark.parametrize("takes_commands", [False, True])
def test_description_is_as_home_assistant_documents_it(takes_commands: bool) -> None:
    message = description(board(takes_commands=takes_commands))
    message["cmps"] = {key: own for key, own in message["cmps"].items() if own.keys() != {"p"}}
    faults = [error.message for error in Draft202012Validator(HOUSE_SCHEMA).iter_errors(message)]
    assert faults == []
    assert len(json.dumps(message)) < MAX_BYTES


def test_a_board_that_takes_no_commands_describes_none() -> None:
    message = description(board(takes_commands=False))
    assert DO.at(board=BOARD) not in json.dumps(message)
    kinds = {entity["p"] for entity in message["cmps"].values() if "unique_id" in entity}
    assert kinds == {"sensor", "binary_sensor", "event"}
    everything = description(board(takes_commands=True))["cmps"]
    assert {entity["p"] for entity in everything.values()} == kinds | {"light", "select", "button"}
    assert everything["off"]["enabled_by_default"] is False


def test_house_components_no_longer_offered_are_withdrawn() -> None:
    all_of_them = description(board(takes_commands=True))["cmps"]
    fewer = description(board(takes_commands=False))["cmps"]
    assert fewer.keys() == all_of_them.keys()
    gone = {key: own for key, own in fewer.items() if "unique_id" not in own}
    assert gone == {key: {"p": all_of_them[key]["p"]} for key in gone}
    assert {own["p"] for own in gone.values()} == {"light", "select", "button"}


def test_topics_are_those_of_the_table() -> None:
    message = description(board(takes_commands=True))
    topics = {value for value in texts(message) if value.startswith("mw/")}
    assert topics == {kind.at(board=BOARD) for kind in (AT_HOME, STATE, EVENT, DO)}
    assert message["availability_topic"] == AT_HOME.at(board=BOARD)
    assert (message["payload_available"], message["payload_not_available"]) == ("1", "0")


def test_entities_have_names_of_their_own() -> None:
    entities = description(board(takes_commands=True))["cmps"]
    identifiers = [entity["unique_id"] for entity in entities.values()]
    assert len(set(identifiers)) == len(identifiers)
    assert all(identifier.startswith(f"millwright-{BOARD}-") for identifier in identifiers)


def test_templates_read_members_that_the_state_has() -> None:
    state = house_state(played("d6 f4"))
    used = set(re.findall(r"value_json\.(\w+)", json.dumps(description(board(takes_commands=True)))))
    assert used <= state.keys()
    assert {"status", "to_move", "turns", "light", "brightness", "theme", "rules", "sound"} <= used


def test_enumerations_have_all_values_of_the_page() -> None:
    assert set(STATUSES) == set(SCHEMA["$defs"]["state-members"]["properties"]["status"]["enum"])
    entities = description(board(takes_commands=True))["cmps"]
    assert entities["to-move"]["options"] == SCHEMA["$defs"]["player"]["enum"]
    assert entities["sound"]["options"] == SCHEMA["$defs"]["sound-level"]["enum"]
    assert entities["game"]["event_types"] == list(EVENT_TYPES)
