"""The records of two boards, for somebody who doesn't play: a verified game, or a refusal with words."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from firmware_host.errors import FarError
from firmware_host.far.parsing import parse_record
from firmware_host.far.record import SeatRecord, begun, replayed
from firmware_host.far.seat import FarSeat
from firmware_host.far.verifying import verified
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from tests.far.boards import A, B, agreed, message, playing, told

ROOM = "ROOMROOM22"
TURNS = ("d6", "f4", "d2", "b4")


def given_up(*turns: str) -> tuple[FarSeat, FarSeat]:
    """Return the seats after a game in which Black gave up, in agreement."""
    white, black = playing(*turns)
    return agreed(white, black.resign())


def records(white: FarSeat, black: FarSeat) -> tuple[SeatRecord, SeatRecord]:
    return white.record, black.record


def both(white: FarSeat, black: FarSeat, /, **changes: Any) -> tuple[SeatRecord, SeatRecord]:
    """Return the records of both boards with the same changes, each with the hash of what it says."""
    one, other = (replace(seat.record, **changes).sealed_hash() for seat in (white, black))
    return one, other


def test_a_game_that_ended_on_both_boards_is_verified() -> None:
    white, black = given_up(*TURNS)
    found = verified(ROOM, *records(white, black))
    assert found is not None
    assert (found.room, found.name) == (ROOM, white.record.game)
    assert (found.white, found.black) == (A, B)
    assert found.game.turn_texts() == TURNS
    assert found.game.outcome == Outcome(Reason.RESIGNED, Player.WHITE)
    assert found == verified(ROOM, *records(white, black)[::-1])


def test_times_are_those_of_the_board_that_played() -> None:
    white, black = given_up(*TURNS)
    one = replace(white.record, used_ms=(1, 2, 3, 4))
    other = replace(black.record, used_ms=(5, 6, 7, 8))
    found = verified(ROOM, one, other)
    assert found is not None
    assert found.used_ms == (1, 6, 3, 8)


def test_nothing_is_verified_before_the_end_or_before_a_game() -> None:
    white, black = playing(*TURNS)
    assert verified(ROOM, *records(white, black)) is None
    ended = black.resign()
    assert verified(ROOM, white.record, ended.record) is None
    ahead = white.carry(4).play("a1", 1000)
    assert verified(ROOM, ahead.record, black.record) is None
    assert verified(ROOM, replace(white.record, game=""), black.record) is None
    assert verified(ROOM, replace(white.record, round=2), black.record) is None


def test_a_turn_that_is_not_legal_is_refused() -> None:
    white, black = given_up(*TURNS)
    with pytest.raises(FarError, match="turn 5 of the record, d6, isn't legal"):
        verified(ROOM, *both(white, black, turns=(*TURNS, "d6"), used_ms=(1,) * 5))


def test_turns_after_the_end_are_refused() -> None:
    chance, game = Random(1), begun(rule_set("six"))
    while game.outcome is None:
        game = game.play(chance.choice(game.position.legal_steps()))
    record = replace(playing("d6", rules="six")[0].record, turns=game.turn_texts())
    assert replayed(record).outcome == game.outcome
    with pytest.raises(FarError, match="although the game was over"):
        replayed(replace(record, turns=(*record.turns, "d6")))
    declared = Outcome(Reason.RESIGNED, Player.BLACK)
    assert replayed(replace(record, declared=declared)).outcome == game.outcome, "the rules come first"


def test_records_that_differ_are_refused() -> None:
    white, black = given_up(*TURNS)
    other = replace(black.record, turns=(*TURNS[:3], "a1")).sealed_hash()
    with pytest.raises(FarError, match="different games from turn 4 on"):
        verified(ROOM, white.record, other)
    mine = replace(black.record, declared=Outcome(Reason.RESIGNED, Player.BLACK))
    with pytest.raises(FarError, match="different ends"):
        verified(ROOM, white.record, mine)


@pytest.mark.parametrize(
    ("reason", "winner"), [(Reason.RESIGNED, None), (Reason.TIME, None), (Reason.AGREED, Player.WHITE)]
)
def test_an_end_with_the_wrong_winner_is_refused(reason: Reason, winner: Player | None) -> None:
    white, black = given_up(*TURNS)
    with pytest.raises(FarError, match="wrong winner"):
        verified(ROOM, *both(white, black, declared=Outcome(reason, winner)))


def test_sides_and_names_that_no_roll_gave_are_refused() -> None:
    white, black = given_up(*TURNS)
    for changes in ({"white": B, "black": A}, {"game": "AAAAAAAAAA"}):
        with pytest.raises(FarError, match="don't follow from the roll"):
            verified(ROOM, *both(white, black, **changes))
    with pytest.raises(FarError, match="don't follow from the roll"):
        verified("OTHERROOM2", *records(white, black))
    with pytest.raises(FarError, match="different games, rules or sides"):
        verified(ROOM, white.record, replace(black.record, rules="lasker"))
    roll = replace(black.record.roll, nonce="11" * 16)
    with pytest.raises(FarError, match="committed to"):
        verified(ROOM, white.record, replace(black.record, roll=roll))


def test_a_board_that_does_not_play_is_refused() -> None:
    white, black = given_up(*TURNS)
    with pytest.raises(FarError, match="two boards that play"):
        verified(ROOM, white.record, replace(black.record, board="C" * 16))
    with pytest.raises(FarError, match="two boards that play"):
        verified(ROOM, white.record, white.record)


def test_rules_that_are_unknown_here_are_refused() -> None:
    white, _ = playing("d6")
    with pytest.raises(FarError, match="rules can't be played here"):
        replayed(replace(white.record, rules="nonsense flying=perhaps"))


def test_without_the_key_all_but_the_seal_is_checked() -> None:
    white, black = playing("d6")
    assert parse_record(message(white).replace(b'"mac":"', b'"mac":"0'), None) == white.record
    with pytest.raises(FarError, match="hash"):
        parse_record(message(white, turns=["d2"]), None)
    assert told(black, white)[0].turns == ("d6",)
