"""The seal of a pair: with the room's key alone, nobody speaks as one of its boards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.errors import FarError
from firmware_host.far.record import MAX_TURNS
from firmware_host.far.sealing import MAX_BYTES, opened, sealed
from firmware_host.link.messages.pair_seal import PAIR, SHARE, PairSeal
from tests.far.boards import playing

A, B = "A" * 16, "B" * 16
KEY = bytes(range(16))


class MetSeals:
    """The seals of two boards, once each knows the other's share."""

    def __init__(self) -> None:
        self.one, self.other = PairSeal(A, KEY), PairSeal(B, KEY)
        first = sent(self.one, A)
        self.other.check(A, first)
        assert self.other.meet(A, first)
        second = sent(self.other, B)
        self.one.check(B, second)
        assert self.one.meet(B, second)


def sent(seal: PairSeal, board: str, **more: Any) -> dict[str, Any]:
    """Return the members of a record as they arrive."""
    return opened(seal.record({"board": board, **more}), KEY)


@pytest.fixture
def pair() -> MetSeals:
    return MetSeals()


def test_boards_that_met_read_each_other(pair: MetSeals) -> None:
    pair.one.check(B, sent(pair.other, B, turns=["d6"]))
    said = opened(pair.other.message({"board": B, "phrase": "bye"}), KEY)
    assert SHARE not in said
    pair.one.check(B, said)
    assert not pair.one.meet(B, sent(pair.other, B)), "nothing is new"


@pytest.mark.parametrize("change", ["none", "share", "own", "pair", "text", "number"])
def test_the_rooms_key_alone_makes_no_message_of_a_board(pair: MetSeals, change: str) -> None:
    honest = sent(pair.other, B)
    stranger = sent(PairSeal(B, KEY), B)
    forged: dict[str, dict[str, Any]] = {
        "none": {"board": B},
        "share": {"board": B, SHARE: honest[SHARE]},
        "own": stranger,
        "pair": {**honest, "turns": ["d6"]},
        "text": {**honest, PAIR: "é"},
        "number": {**honest, PAIR: 7},
    }
    with pytest.raises(FarError, match="didn't come"):
        pair.one.check(B, opened(sealed(forged[change], KEY), KEY))


@pytest.mark.parametrize("share", [7, "x", "", "AAAA", None, [1]])
def test_a_share_that_gives_a_known_key_is_refused(share: object) -> None:
    seal = PairSeal(A, KEY)
    seal.is_required = True
    with pytest.raises(FarError):
        seal.check(B, {"board": B, SHARE: share})


@pytest.mark.parametrize("number", [0, 1])
def test_a_share_of_a_trivial_number_is_refused(number: int) -> None:
    import base64

    share = base64.b64encode(number.to_bytes(256, "big")).decode()
    with pytest.raises(FarError, match="ffdhe2048"):
        PairSeal(A, KEY).check(B, {"board": B, SHARE: share})


def test_a_public_room_needs_a_share_and_another_does_not() -> None:
    seal = PairSeal(A, KEY)
    seal.check(B, {"board": B})
    seal.is_required = True
    with pytest.raises(FarError, match="newer version"):
        seal.check(B, {"board": B})


def test_a_seal_is_the_same_after_a_power_cut(pair: MetSeals) -> None:
    kept = json.loads(json.dumps(pair.one.kept()))
    again = PairSeal(A, KEY, kept)
    again.check(B, sent(pair.other, B))
    pair.other.check(A, sent(again, A))
    with pytest.raises(FarError):
        again.check(B, sent(PairSeal(B, KEY), B))


@pytest.mark.parametrize("secret", ["", "zz", 7, "0" * 63])
def test_a_damaged_seal_is_an_error_with_words(secret: object) -> None:
    with pytest.raises(FarError, match="stored seal"):
        PairSeal(A, KEY, {"seal": {"secret": secret}})


def test_a_sealed_record_of_the_most_turns_fits_a_message(pair: MetSeals) -> None:
    white, _ = playing("d6")
    turns = {"turns": ["d6-d5xa1"] * MAX_TURNS, "used_ms": [60_000] * MAX_TURNS}
    assert len(pair.one.record({**white.record.as_dict(), **turns})) <= MAX_BYTES
