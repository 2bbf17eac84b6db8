"""Judging the other board's record: adopt, publish again, disagree, and refuse every cheat with words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.errors import FarError
from firmware_host.far.judging import Judgement, judge, take_theirs
from firmware_host.far.parsing import parse_record
from firmware_host.far.seat import FarSeat, kept, restored
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from tests.far.boards import KEY, NONCES, A, B, agreed, message, playing, seats, told


def test_a_turn_is_adopted_and_then_both_agree() -> None:
    white, black = playing()
    white = white.play("d6", 4120)
    black, judgement = told(black, white)
    assert judgement is Judgement.ADOPTED
    assert black.turns == ("d6",)
    assert black.used_ms == (4120,)
    assert told(white, black)[1] is Judgement.AGREED
    assert told(white, black)[0].is_agreed


def test_the_same_record_twice_changes_nothing() -> None:
    white, black = playing()
    black = told(black, white.play("d6", 1))[0]
    assert told(black, white.play("d6", 1)) == (black, Judgement.AGREED)


def test_a_record_that_is_behind_is_answered_and_not_adopted() -> None:
    white, black = playing("d6")
    before = black
    black = black.carry(1).play("f4", 1)
    assert told(black, white) == (black, Judgement.BEHIND)
    assert told(white, before)[0].turns == ("d6",)


def test_an_old_record_never_takes_a_turn_back() -> None:
    _, black = playing("d6", "f4", "d2")
    old = playing("d6", "f4")[0]
    assert told(black, old) == (black, Judgement.BEHIND)


def test_a_revision_before_the_reply_is_followed_and_old_records_do_not_undo_it() -> None:
    white, black = playing("d6")
    before = white
    white = white.revise().play("f4", 1)
    white, black = agreed(white, black)
    assert black.turns == ("f4",)
    assert told(black, before) == (black, Judgement.BEHIND)


def test_a_revision_after_the_turn_was_carried_out_is_not_possible() -> None:
    white, black = playing("d6")
    white, black = agreed(white, black.carry(1))
    with pytest.raises(FarError, match="take-back"):
        white.revise()


def test_a_revision_that_crosses_the_reply_is_a_disagreement_on_both() -> None:
    white, black = playing("d6")
    revised, replied = white.revise().play("f4", 1), black.carry(1).play("b4", 1)
    black, judgement = told(replied, revised)
    assert judgement is Judgement.DISAGREE
    assert black.turns == ("d6", "b4")
    white, judgement = told(revised, black)
    assert judgement is Judgement.DISAGREE
    assert white.turns == ("f4",)


@pytest.mark.parametrize("who", ["white", "black"])
def test_either_player_can_take_the_others_game(who: str) -> None:
    white, black = playing("d6")
    black = told(black.carry(1).play("b4", 1), white.revise().play("f4", 1))[0]
    white = told(white.revise().play("f4", 1), black)[0]
    if who == "white":
        white = take_theirs(white)
    else:
        black = take_theirs(black)
    white, black = agreed(white, black)
    assert white.trouble is black.trouble is None
    assert white.turns == black.turns == (("d6", "b4") if who == "white" else ("f4",))


def test_a_take_back_is_offered_accepted_and_followed() -> None:
    white, black = playing("d6", "f4", "d2")
    white, black = agreed(white.offer_take_back(0), black)
    assert black.theirs_to_answer is not None
    white, black = agreed(white, black.accept())
    assert white.turns == black.turns == ()
    assert white.offer is None


def test_a_declined_offer_ends() -> None:
    white, black = playing("d6")
    white, black = agreed(white.offer_draw(), black)
    white, black = agreed(white, black.decline())
    assert white.offer is None
    assert black.theirs_to_answer is None
    with pytest.raises(FarError):
        black.accept()


def test_a_reply_declines_an_offer_on_both_boards() -> None:
    white, black = playing("d6")
    white, black = agreed(white.offer_draw(), black)
    black = black.carry(1).play("f4", 1)
    assert black.theirs_to_answer is None
    assert told(white, black)[0].offer is None


def test_two_offers_of_a_draw_are_one_draw() -> None:
    white, black = playing("d6")
    white, black = agreed(white.offer_draw(), black)
    white, black = agreed(white, black.offer_draw())
    assert white.outcome == black.outcome == Outcome(Reason.AGREED, None)


def test_giving_up_ends_the_game_on_both_boards() -> None:
    white, black = playing("d6", "f4")
    white, black = agreed(white, black.resign())
    assert white.outcome == black.outcome == Outcome(Reason.RESIGNED, Player.WHITE)


def test_the_next_game_begins_once_both_know_the_end() -> None:
    white, black = playing("d6")
    black = black.resign()
    with pytest.raises(FarError, match="isn't over"):
        black.ready("11" * 16)
    white, black = agreed(white, black)
    black = black.ready("11" * 16)
    assert told(white, black)[1] is Judgement.AGREED
    white, black = agreed(white.ready("22" * 16), black)
    assert white.round == black.round == 2
    assert white.turns == black.turns == ()
    assert {white.player, black.player} == {Player.WHITE, Player.BLACK}


def test_a_power_cut_loses_nothing() -> None:
    white, _ = playing("d6", "f4", "d2")
    white = white.offer_draw()
    assert restored(kept(white), white.rules).record == white.record


def test_a_claim_counts_only_for_a_board_that_was_away() -> None:
    white, black = playing("d6")
    claimed = white.declare(Outcome(Reason.ABANDONED, Player.WHITE))
    assert told(black, claimed)[1] is Judgement.DISAGREE
    after, judgement = told(black, claimed, was_away=True)
    assert judgement is Judgement.ADOPTED
    assert after.outcome == claimed.outcome


def test_a_claim_is_named_where_nobody_knows_the_absence() -> None:
    white, black = playing("d6")
    claimed = white.declare(Outcome(Reason.ABANDONED, Player.WHITE))
    unsure, judgement = told(black, claimed, was_away=None)
    assert judgement is Judgement.DISAGREE
    assert unsure.trouble == Message("link.claim-undated")
    after, judgement = told(unsure, claimed, was_away=True)
    assert judgement is Judgement.ADOPTED
    assert (after.outcome, after.trouble) == (claimed.outcome, None)


# ---- cheats ------------------------------------------------------------------------------------------------


def refused(seat: FarSeat, raw: bytes, words: str) -> FarSeat:
    """Judge a message that is a cheat; return the seat, which keeps its game."""
    after, judgement = judge(seat, parse_record(raw, KEY))
    assert judgement is Judgement.DISAGREE
    assert after.turns == seat.turns
    assert after.record.refused
    assert words in str(FarError(after.trouble or ""))
    return after


def cheating(seat: FarSeat, *turns: str, **changes: Any) -> bytes:
    """Return the message of a seat with other turns, with a hash that fits."""
    record = replace(seat.record, turns=turns, used_ms=(0,) * len(turns), carried=0, **changes)
    return message(seat, **record.sealed_hash().as_dict())


def test_an_illegal_turn_is_refused() -> None:
    white, black = playing("d6", "f4")
    refused(black, cheating(white, "d6", "f4", "f4"), "f4, which isn't legal")
    refused(black, cheating(white, "d6", "f4", "g7xf4"), "isn't legal")
    refused(black, cheating(white, "d6", "f4", "nonsense"), "isn't legal")


def test_a_turn_out_of_turn_is_refused() -> None:
    white, black = playing("d6")
    refused(black, cheating(white, "d6", "f4"), "but it was your turn")


def test_another_game_is_refused() -> None:
    white, black = playing("d6")
    refused(black, cheating(white, "d6", game="GAMEGAME22"), "another game")
    refused(black, cheating(white, "d6", white=B, black=A), "another game")


def test_a_game_of_another_round_cannot_be_taken() -> None:
    white, black = playing("d6")
    after = refused(black, cheating(white, "d6", round=3, takes_back=2**53 - 1), "another game")
    with pytest.raises(FarError, match="nothing"):
        take_theirs(after)


def test_other_rules_are_refused() -> None:
    white, black = playing("d6")
    refused(black, cheating(white, "d6", rules="lasker"), "other rules: lasker")


def test_a_changed_history_is_refused_at_its_turn() -> None:
    white, black = playing("d6", "f4", "d2")
    refused(black, cheating(white, "d6", "b4", "d2"), "From turn 2 on")


def test_a_shorter_history_in_a_new_edition_is_refused() -> None:
    white, black = playing("d6", "f4", "d2")
    refused(black, cheating(white, "d6", takes_back=1), "took back f4")


def test_the_others_resignation_cannot_be_declared() -> None:
    white, black = playing("d6")
    lost = Outcome(Reason.RESIGNED, Player.WHITE)
    refused(black, cheating(white, "d6", declared=lost), "can't declare alone")
    refused(black, cheating(white, "d6", declared=Outcome(Reason.AGREED, None)), "can't declare alone")


def test_a_roll_that_opens_wrongly_is_refused() -> None:
    white, black = seats()
    white, black = white.ready(NONCES[A]), black.ready(NONCES[B])
    black = told(black, white)[0]
    white = told(white, black)[0]
    wrong = {**white.record.as_dict()["roll"], "nonce": "ff" * 16}
    refused(black, message(white, roll=wrong, game="", white="", black="", hash=""), "changed its number")
    other = {"commit": "ab" * 32, "nonce": ""}
    refused(black, message(white, roll=other, game="", white="", black="", hash=""), "changed its number")


def test_a_number_is_not_shown_before_the_other_is_committed() -> None:
    white, _ = seats()
    assert white.ready(NONCES[A]).record.roll.nonce == ""


def test_a_forged_message_is_refused() -> None:
    white, _ = playing("d6")
    raw = message(white)
    with pytest.raises(FarError, match="didn't come from the other board"):
        parse_record(raw.replace(b"d6", b"d2"), KEY)
    with pytest.raises(FarError, match="didn't come from the other board"):
        parse_record(raw, b"another key 1234")


def test_a_boards_own_record_sent_back_to_it_is_ignored() -> None:
    white, _ = playing("d6")
    assert told(white, white) == (white, Judgement.IGNORED)


def test_rules_of_every_family_can_be_played() -> None:
    white, _ = playing(rules="mitsudomoe")
    assert white.game is not None
    assert white.rules == rule_set("mitsudomoe")
