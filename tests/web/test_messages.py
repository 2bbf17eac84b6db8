import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.web.messages import as_text, parse_request, snapshot, take_id

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_an_object_or_refused(text: str) -> None:
    with suppress(RequestError):
        assert isinstance(parse_request(text), dict)


@pytest.mark.parametrize(
    "text", [r'{"ask":"qr","text":"\ud83d"}', r'{"do":"names","names":{"white":"\udc00"}}', r'{"\ud800":1}']
)
def test_request_with_half_a_character_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="not valid JSON"):
        parse_request(text)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_an_object_is_read_as_it_was_written(request_: dict[str, Any]) -> None:
    assert parse_request(as_text(request_)) == request_


@pytest.mark.parametrize(
    "text", ["", "[1]", "7", "null", '{"wait": NaN}', '{"wait": -Infinity}', '{"wait": 1e999}', "[" * 4000]
)
def test_what_is_no_object_of_json_is_refused(text: str) -> None:
    with pytest.raises(RequestError):
        parse_request(text)


@pytest.mark.parametrize("request_", [{}, {"id": "1"}, {"id": True}, {"id": 1.5}, {"id": None}])
def test_a_request_without_a_number_is_refused(request_: dict[str, Any]) -> None:
    with pytest.raises(RequestError, match='"id"'):
        take_id(request_)


def test_the_number_is_no_part_of_what_the_board_is_asked() -> None:
    request = {"id": 3, "lift": "d6"}
    assert take_id(request) == 3
    assert request == {"lift": "d6"}


def test_snapshot_has_points_and_lines_of_the_layout() -> None:
    told = snapshot(MORRIS, {"status": "ready"}, table=None, rule_sets=["standard"], kinds={})
    assert told["layout"]["points"]["a7"] == [0, 6]
    assert len(told["layout"]["points"]) == 24
    assert ["a7", "d7", "g7"] in told["layout"]["lines"]
    assert told["state"] == {"status": "ready"}
