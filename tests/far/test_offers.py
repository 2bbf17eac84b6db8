"""Offers: each kind is put to the other player once in a turn, whoever asks for how long."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware_host.errors import FarError
from firmware_host.far.record import DRAW, TAKE_BACK, Offer
from firmware_host.far.seat import FarSeat, kept, restored
from tests.far.boards import agreed, playing, told


def declined_draw() -> tuple[FarSeat, FarSeat]:
    """Return two seats after White offered a draw, and Black declined."""
    white, black = playing("d6", "f4")
    white, black = agreed(white.offer_draw(), black)
    return agreed(white, black.decline())


def test_a_declined_offer_waits_for_a_turn() -> None:
    white, black = declined_draw()
    with pytest.raises(FarError, match="after the next turn"):
        white.offer_draw()
    white, black = agreed(white.carry(2).play("d2", 0), black)
    white, black = agreed(white.offer_draw(), black)
    assert black.theirs_to_answer is not None


def test_another_kind_of_offer_waits_for_nothing() -> None:
    white, black = declined_draw()
    white, black = agreed(white.offer_take_back(), black)
    offer = black.theirs_to_answer
    assert offer is not None
    assert offer.what == TAKE_BACK


@pytest.mark.parametrize("is_declined", [True, False], ids=["declined", "withdrawn"])
def test_an_opponent_without_limits_is_heard_once_a_turn(*, is_declined: bool) -> None:
    white, black = playing("d6", "f4")
    heard = 0
    for number in range(1, 50):
        insisting = replace(white, offer=Offer(DRAW, number, 2, 2), offers=number)
        black, _ = told(black, insisting)
        if black.theirs_to_answer is not None:
            heard += 1
            black = black.decline() if is_declined else told(black, replace(white, offer=None))[0]
    assert heard == 1


def test_a_new_edition_by_revising_is_no_new_turn() -> None:
    white, black = playing("d6", "f4", "d2")
    black, _ = told(black, white.offer_draw())
    black = black.decline()
    again = replace(white.revise().play("b4", 0), offer=Offer(DRAW, 7, 3, 3), offers=7)
    black, _ = told(black, again)
    assert black.turns[-1] == "b4"
    assert black.theirs_to_answer is None


def test_after_an_agreed_take_back_players_may_ask_again() -> None:
    white, black = playing("d6", "f4", "d2")
    white, black = agreed(white.offer_take_back(), black)
    white, black = agreed(white, black.accept())
    white, black = agreed(white.offer_take_back(), black)
    assert black.theirs_to_answer is not None


def test_limits_of_offers_survive_a_power_cut() -> None:
    white, black = declined_draw()
    white, black = (restored(json.loads(json.dumps(kept(one))), one.rules) for one in (white, black))
    white, black = agreed(white, black)
    with pytest.raises(FarError, match="after the next turn"):
        white.offer_draw()
    black, _ = told(black, replace(white, offer=Offer(DRAW, 9, 2, 2), offers=9))
    assert black.theirs_to_answer is None


def test_a_question_stands_after_a_power_cut() -> None:
    white, black = playing("d6", "f4")
    white, black = agreed(white.offer_draw(), black)
    again = restored(json.loads(json.dumps(kept(black))), black.rules)
    again, _ = told(again, white)
    assert again.theirs_to_answer == black.theirs_to_answer
    assert again.theirs_to_answer is not None
