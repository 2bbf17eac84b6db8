"""The commands of a house: the few that there are, and nothing else."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import FarError
from firmware_host.link.house.entities import house_request
from tests.link.house.states import played
from tests.support.web.protocol import check_from_page


def request(command: Any, state: dict[str, Any] | None = None) -> dict[str, Any]:
    found = house_request(json.dumps(command).encode(), state or played())
    check_from_page({"id": 1, **found})
    return found


@pytest.mark.parametrize("what", ["pause", "resume", "off"])
def test_simple_commands_are_passed_on(what: str) -> None:
    assert request({"do": what}) == {"do": what}
    assert request({"do": what, "extra": 1}) == {"do": what}


def test_lights_and_sounds_can_be_set() -> None:
    assert request({"do": "set", "theme": "candle"}) == {"do": "set", "theme": "candle"}
    assert request({"do": "set", "sound": "off"}) == {"do": "set", "sound": "off"}
    assert request({"do": "set", "brightness": 40}) == {"do": "set", "brightness": 0.4}
    assert request({"do": "set", "brightness": 0}) == {"do": "set", "brightness": 0.05}
    assert request({"do": "set", "brightness": 1})["brightness"] > 0.05  # which reads back as off
    assert request({"do": "set", "brightness": None}) == {"do": "set", "brightness": None}


@pytest.mark.parametrize(
    "values",
    [{"brightness": 101}, {"brightness": -1}, {"brightness": True}, {"theme": "x"}, {"clock": "5+3"}],
)
def test_other_settings_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(FarError, match="can't set"):
        request({"do": "set", **values})


def test_a_game_begins_only_when_none_stands() -> None:
    assert request({"do": "new-game", "rules": "lasker"}) == {"do": "new-game", "rules": "lasker"}
    assert request({"do": "new-game"}) == {"do": "new-game"}
    stands = played("d6")
    with pytest.raises(FarError, match="going on"):
        request({"do": "new-game"}, stands)
    over = {**stands, "outcome": {"winner": None, "reason": "agreed"}}
    assert request({"do": "new-game"}, over) == {"do": "new-game"}
    with pytest.raises(FarError, match="another board"):
        request({"do": "new-game"}, {**over, "seats": {"white": "here", "black": "far"}})
    with pytest.raises(FarError, match="no rules"):
        request({"do": "new-game", "rules": "chess"})
    with pytest.raises(FarError, match="no rules"):
        request({"do": "new-game", "rules": ["standard"]})


@pytest.mark.parametrize("what", ["resign", "take-back", "far", "seats", "mask", None, ["pause"], {"a": 1}])
def test_nothing_else_can_be_done(what: Any) -> None:
    with pytest.raises(FarError, match="can't do"):
        request({"do": what})


@given(
    st.binary(max_size=200)
    | st.dictionaries(
        st.sampled_from(["do", "brightness", "theme", "sound", "rules", "x"]),
        st.sampled_from(["set", "new-game", "pause"])
        | st.integers()
        | st.floats()
        | st.lists(st.none())
        | st.none(),
    ).map(lambda members: json.dumps(members).encode())
)
def test_hostile_commands_are_refused_with_words(payload: bytes) -> None:
    with suppress(FarError):
        house_request(payload, played())
