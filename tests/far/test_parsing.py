"""Hostile messages: whatever comes is a record or an error with words, and nothing else."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import FarError
from firmware_host.far.parsing import MAX_TURN_MS, parse_record
from firmware_host.far.record import MAX_TURNS
from firmware_host.far.sealing import MAX_BYTES, MAX_NUMBER, canonical, opened, parsed, sealed
from tests.far.boards import KEY, message, playing

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = sorted(playing("d6")[0].record.as_dict())


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"[" * 100 + b"]" * 100, "nested"),
        (b"{" * 16_000, "nested"),
        (b"x" * 100_000, "too large"),
        (b'{"v": NaN}', "NaN"),
        (b'{"v": 1.5}', "1.5"),
        (b'{"v": 1e999}', "1e999"),
        (b'{"v": 123456789012345678901234567890}', "too large"),
        (b"\xff\xfe", "JSON"),
        (b"[]", "object"),
        (b"", "JSON"),
        (b'{"v": 1', "JSON"),
    ],
    ids=["deep", "open", "large", "nan", "fraction", "infinite", "huge", "bytes", "list", "empty", "cut off"],
)
def test_a_message_that_is_no_object_within_limits_is_refused(raw: bytes, words: str) -> None:
    with pytest.raises(FarError, match=words):
        parsed(raw)


def test_a_message_without_a_mac_is_forged() -> None:
    for mac in ({}, {"mac": 5}, {"mac": "é"}, {"mac": ""}):
        with pytest.raises(FarError, match="didn't come"):
            opened(json.dumps({"v": 1, **mac}).encode(), KEY)


def test_a_record_reads_back_as_itself() -> None:
    white, _ = playing("d6", "f4")
    white = white.offer_draw()
    assert parse_record(message(white), KEY) == white.record
    assert parse_record(message(white.resign()), KEY) == white.resign().record


def test_unknown_members_are_ignored_and_an_unknown_version_is_refused() -> None:
    white, _ = playing("d6")
    assert parse_record(message(white, mood="good", deep={"a": [1]}), KEY) == white.record
    with pytest.raises(FarError, match="version 2"):
        parse_record(message(white, v=2), KEY)
    with pytest.raises(FarError, match="version"):
        parse_record(message(white, v=True), KEY)


@pytest.mark.parametrize(
    "changes",
    [
        {"turns": ["d6"] * (MAX_TURNS + 1)},
        {"turns": ["d" * 41]},
        {"turns": [6]},
        {"turns": "d6"},
        {"turns": ["d\u001b6"]},
        {"used_ms": [-1]},
        {"used_ms": [True]},
        {"used_ms": []},
        {"carried": 2},
        {"carried": "1"},
        {"board": "short"},
        {"board": None},
        {"hash": "0" * 16},
        {"hash": ["x"]},
        {"offer": {"what": "peace", "number": 1, "at": 0, "to": 0}},
        {"offer": {"what": ["draw"], "number": 1, "at": 0, "to": 0}},
        {"offer": {"what": "draw"}},
        {"declared": {"reason": "few-pieces", "winner": None}},
        {"declared": {"reason": [], "winner": None}},
        {"declared": {"reason": "resigned", "winner": {}}},
        {"roll": {"commit": "", "nonce": "x" * 32}},
        {"roll": None},
        {"round": MAX_NUMBER + 1},
        {"refused": "x" * 81},
    ],
    ids=str,
)
def test_a_member_that_is_not_what_it_must_be_is_refused(changes: dict[str, Any]) -> None:
    white, _ = playing("d6")
    with pytest.raises(FarError):
        parse_record(message(white, **changes), KEY)


def test_a_missing_member_is_named() -> None:
    members = playing("d6")[0].record.as_dict()
    del members["carried"]
    with pytest.raises(FarError, match='needs "carried"'):
        parse_record(sealed(members, KEY), KEY)


@given(name=st.sampled_from(MEMBERS), value=JSON_VALUES)
def test_any_value_of_any_member_is_a_record_or_an_error(name: str, value: Any) -> None:
    white, _ = playing("d6")
    with suppress(FarError):
        parse_record(message(white, **{name: value}), KEY)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_error(raw: bytes) -> None:
    with pytest.raises(FarError):
        parse_record(raw, KEY)


def test_a_record_of_the_most_turns_fits_into_a_message() -> None:
    white, _ = playing("d6")
    members = {**white.record.as_dict(), "turns": ["d6-d5xa1"] * MAX_TURNS, "used_ms": [60_000] * MAX_TURNS}
    assert len(sealed(members, KEY)) <= MAX_BYTES
    with pytest.raises(FarError, match="too large to send"):
        sealed({**members, "more": "x" * MAX_BYTES}, KEY)


def test_the_others_times_never_make_a_record_too_large() -> None:
    members = {**playing("d6")[0].record.as_dict(), "used_ms": [MAX_NUMBER]}
    assert parse_record(sealed(members, KEY), KEY).used_ms == (MAX_TURN_MS,)
    turns = ["d6"] * 18 + ["d6-d5xa1"] * 14 + ["d6-d5"] * (MAX_TURNS - 32)
    whole = {**members, "turns": turns, "share": "A" * 344, "pair": "0" * 64, "mac": "0" * 64}
    longest = {**whole, "used_ms": [MAX_TURN_MS] * MAX_TURNS}
    assert len(canonical(longest)) <= MAX_BYTES
    assert len(canonical({**whole, "used_ms": [MAX_NUMBER, 3_600_000] * (MAX_TURNS // 2)})) > MAX_BYTES
