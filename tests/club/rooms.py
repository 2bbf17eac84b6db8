"""Rooms with games of two boards, as a broker would tell of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from firmware_host.far.judging import judge
from firmware_host.far.parsing import parse_record
from firmware_host.far.record import SeatRecord
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat
from firmware_host.games.game import legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.link.topics import CARD, ON, RECORD

KEY = b"sixteen bytes on"
_LETTERS = str.maketrans("0189", "ABCD")


def named(number: int, length: int) -> str:
    """Return the name of a board or a room with this number."""
    return f"{number:0{length}}".translate(_LETTERS)


@dataclass(frozen=True)
class Match:
    """The two seats of a game."""

    room: str
    one: FarSeat
    other: FarSeat

    @property
    def seats(self) -> tuple[FarSeat, FarSeat]:
        """Both seats."""
        return self.one, self.other

    def messages(self) -> Iterator[tuple[str, bytes]]:
        """Yield the topics and records of both boards."""
        for seat in self.seats:
            yield RECORD.at(room=self.room, board=seat.board), sealed(seat.record.as_dict(), KEY)


def presence(board: str, name: str, *, on: bool = True) -> Iterator[tuple[str, bytes]]:
    """Yield what a broker keeps of a board: its card, and that it is there."""
    yield CARD.at(board=board), json.dumps({"v": 1, "name": name}).encode()
    yield ON.at(board=board), b"1" if on else b"0"


def match(number: int, boards: tuple[str, str], turns: int, rules: str = "standard") -> Match:
    """Return the game of two boards in a room after this many random turns, or at its end."""
    chance, by, room = Random(number), rule_set(rules), named(number, 10)
    one, other = (FarSeat(own, its, room, by) for own, its in (boards, boards[::-1]))
    one, other = _agreed(
        one.ready(f"{chance.getrandbits(128):032x}"), other.ready(f"{chance.getrandbits(128):032x}")
    )
    for _ in range(turns):
        game = one.game
        if game is None or game.outcome is not None:
            break
        turn = game.rules.turn_text(chance.choice(legal_turns(game.position)).steps)
        one, other = one.carry(len(one.turns)), other.carry(len(other.turns))
        one, other = _agreed(*(seat.play(turn, 1500) if seat.may_play else seat for seat in (one, other)))
    return Match(room, one, other)


def given_up(one: Match) -> Match:
    """Return a match in which the first board's player gives up."""
    return Match(one.room, *_agreed(one.one.resign(), one.other))


def _agreed(one: FarSeat, other: FarSeat) -> tuple[FarSeat, FarSeat]:
    """Return both seats once neither changes any more."""
    before = None
    while before != (one, other):
        before = (one, other)
        one = judge(one, _published(other))[0]
        other = judge(other, _published(one))[0]
    return one, other


def _published(seat: FarSeat) -> SeatRecord:
    return parse_record(sealed(seat.record.as_dict(), KEY), KEY)
