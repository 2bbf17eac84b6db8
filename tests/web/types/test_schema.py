"""Lists in the protocol's schema that must be those of the program."""

from __future__ import annotations

from firmware_host.games.game import Reason
from tests.support.web.protocol import SCHEMA


def test_schema_lists_every_reason_a_game_can_end() -> None:
    reason = SCHEMA["$defs"]["outcome"]["properties"]["reason"]
    assert set(reason["enum"]) == set(map(str, Reason))
