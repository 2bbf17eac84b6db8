"""Decoding requests into the arguments of their handlers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from firmware_host.decoding import Must, decode, is_number, is_object, is_text, is_true
from firmware_host.errors import HandsError, RequestError


def slide(
    _board: object,
    *,
    to: Any,
    seconds: Annotated[int, Must("a number", is_number, lambda value: round(value * 1000))] = 500,
    set_: Annotated[Mapping[str, Any] | None, Must("an object", is_object, quotes=True)] = None,
) -> None:
    """Take what a request has."""


def test_decode_converts_values_and_leaves_defaults_out() -> None:
    assert decode(slide, {"to": ["d6", 1], "seconds": 0.25}, "slide", HandsError) == {
        "to": ["d6", 1],
        "seconds": 250,
    }
    assert decode(slide, {"to": None, "set": {"a": 1}}, "slide", HandsError) == {"to": None, "set_": {"a": 1}}


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({}, '"slide" needs "to"'),
        ({"to": 1, "from": 2}, "'slide' takes no 'from'; it takes to, seconds, set"),
        ({"to": 1, "set_": {}}, "'slide' takes no 'set_'; it takes to, seconds, set"),
        ({"to": 1, "seconds": True}, '"seconds" must be a number'),
        ({"to": 1, "set": "x"}, "\"set\" must be an object, not 'x'"),
    ],
)
def test_decode_of_wrong_members_raises_its_error(members: dict[str, Any], text: str) -> None:
    with pytest.raises(RequestError) as error:
        decode(slide, members, "slide", RequestError)
    assert str(error.value) == text


def test_handler_without_members_takes_nothing() -> None:
    assert decode(lambda _board: None, {}, "pause", RequestError) == {}
    with pytest.raises(RequestError, match="'pause' takes no 'now'; it takes nothing else"):
        decode(lambda _board: None, {"now": True}, "pause", RequestError)


@pytest.mark.parametrize("value", [True, False, 1, 0, 1.5, "", "d6", None, [], {}], ids=repr)
def test_each_value_of_json_is_of_one_type(value: object) -> None:
    found = [check for check in (is_number, is_text, is_object) if check(value)]
    assert len(found) == (0 if value is None or isinstance(value, bool | list) else 1)
    assert is_true(value) is (value is True)
