"""The schema of the page's messages has the settings of the program's table, with their values and limits."""

from __future__ import annotations

from dataclasses import Field
from typing import Any

import pytest

from firmware_host.settings import PREFERENCES, THEME_NAMES
from tests.support.web.protocol import SCHEMA

DEFS = SCHEMA["$defs"]
CHECKED_BY_THE_BOARD = {"clock", "theme"}
"""The settings that are any text in the schema: a time control, and one of the themes that a board lists."""


def described(member: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a member, without the way round by a definition."""
    return DEFS[member["$ref"].rpartition("/")[2]] if "$ref" in member else member


def kind(setting: Field[Any]) -> str:
    return {bool: "boolean", float: "number", str: "string"}[type(setting.default)]


@pytest.mark.parametrize("name", PREFERENCES)
def test_schema_has_the_values_of_a_setting(name: str) -> None:
    setting, state = PREFERENCES[name], described(DEFS["settings"]["properties"][name])
    request = described(DEFS["do"]["properties"][name])
    among = list(setting.metadata.get("among", ()))
    if among and name not in CHECKED_BY_THE_BOARD:
        assert state["enum"] == among
        assert request["enum"] == [*among, None]
    else:
        assert state["type"] == kind(setting)
        assert request["type"] == [kind(setting), "null"]
    if "least" in setting.metadata:
        limits = setting.metadata
        assert (state["minimum"], state["maximum"]) == (limits["least"], limits["most"])
        least = limits.get("least_for_players", limits["least"])
        assert (request["minimum"], request["maximum"]) == (least, limits["most"])


def test_schema_names_the_settings_that_can_be_set() -> None:
    assert set(DEFS["settings"]["properties"]["set"]["items"]["enum"]) == set(PREFERENCES)
    assert PREFERENCES["theme"].metadata["among"] == THEME_NAMES
