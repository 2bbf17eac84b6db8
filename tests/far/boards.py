"""Two seats in memory, and what their boards publish, for the tests of far play."""

from __future__ import annotations

from typing import Any

from firmware_host.far.judging import Judgement, judge
from firmware_host.far.parsing import parse_record
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import parse_rules

A, B = "AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"
KEY = b"sixteen bytes on"
NONCES = {A: "00" * 16, B: "00" * 15 + "00"}
"""Numbers with which A plays White."""


def message(seat: FarSeat, **changes: Any) -> bytes:
    """Return what a seat publishes, with some members changed and sealed again."""
    return sealed({**seat.record.as_dict(), **changes}, KEY)


def told(seat: FarSeat, sender: FarSeat, **kwargs: Any) -> tuple[FarSeat, Judgement]:
    """Return a seat after the record of another one, and what became of it."""
    return judge(seat, parse_record(message(sender), KEY), **kwargs)


def agreed(white: FarSeat, black: FarSeat) -> tuple[FarSeat, FarSeat]:
    """Return both seats after they have exchanged records until nothing changes."""
    while True:
        after_white = told(white, black)[0]
        after_black = told(black, after_white)[0]
        if (after_white, after_black) == (white, black):
            return white, black
        white, black = after_white, after_black


def seats(rules: str = "standard") -> tuple[FarSeat, FarSeat]:
    """Return the seats of White and Black in a room in which nobody is ready."""
    by = parse_rules(rules)
    return FarSeat(A, B, "ROOMROOM22", by), FarSeat(B, A, "ROOMROOM22", by)


def playing(*turns: str, rules: str = "standard") -> tuple[FarSeat, FarSeat]:
    """Return the seats of White and Black after these turns, in agreement."""
    white, black = seats(rules)
    white, black = agreed(white.ready(NONCES[A]), black.ready(NONCES[B]))
    for index, turn in enumerate(turns):
        if index % 2 == 0:
            white = white.carry(len(white.turns)).play(turn, 1000)
        else:
            black = black.carry(len(black.turns)).play(turn, 1000)
        white, black = agreed(white, black)
    return white, black
