"""The ask as a value: what a touch makes of it."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from firmware_host.play.asking.asking import ASK_TIMEOUT, SURE_TIMEOUT, Asking
from firmware_host.play.asking.options import TWICE, Option

D5, C4, E5, A1 = (MORRIS[name] for name in ("d5", "c4", "e5", "a1"))
TAKE_BACK = Option("take-back", {"do": "take-back"})
WHITE_WON = Option("white-won", {"do": "resign", "player": "black"}, touches=TWICE)
RULES = Option("rules", leads_to="rules")
HOLDS = Option("people", {"do": "seats"}, leads_to="game", holds=True)
ASKING = Asking("game", {D5: TAKE_BACK, C4: WHITE_WON, E5: RULES}, ASK_TIMEOUT, frozenset({A1}))


def test_touched_option_closes_the_ask_and_is_chosen() -> None:
    assert ASKING.touched(D5, 5) == (None, TAKE_BACK)


def test_touched_group_leads_on_and_waits_again() -> None:
    after, option = ASKING.touched(E5, 5)
    assert option == RULES
    assert after is not None
    assert (after.question, after.until, set(after.opened_by)) == ("rules", 5 + ASK_TIMEOUT, {A1})


def test_unlit_point_is_ignored() -> None:
    assert ASKING.touched(MORRIS["g7"], 5) == (ASKING, None)


def test_the_point_it_was_opened_on_closes_it() -> None:
    assert ASKING.touched(A1, 5) == (None, None)


def test_one_of_the_two_held_pieces_does_not_close_it() -> None:
    asking = Asking("game", ASKING.options, ASK_TIMEOUT, frozenset({A1, MORRIS["d1"]}))
    assert asking.touched(A1, 5) == (asking, None)


def test_an_option_where_it_was_opened_is_chosen() -> None:
    asking = Asking("game", ASKING.options, ASK_TIMEOUT, frozenset({D5}))
    assert asking.touched(D5, 5) == (None, TAKE_BACK)


def test_what_ends_a_game_has_to_be_touched_twice() -> None:
    sure, option = ASKING.touched(C4, 5)
    assert option is None
    assert sure is not None
    assert (sure.sure, sure.lit, sure.until) == (C4, {C4: WHITE_WON}, 5 + SURE_TIMEOUT)
    assert sure.touched(D5, 6) == (sure, None)
    assert sure.touched(C4, 6) == (None, WHITE_WON)


def test_offering_the_same_is_the_same_ask() -> None:
    assert ASKING.offering(dict(ASKING.options)) is ASKING


def test_offering_nothing_ends_it() -> None:
    assert ASKING.offering({}) is None


def test_what_is_to_be_confirmed_stays_while_it_is_offered() -> None:
    sure, _ = ASKING.touched(C4, 5)
    assert sure is not None
    fewer = sure.offering({C4: WHITE_WON})
    assert fewer is not None
    assert fewer.sure == C4
    without = sure.offering({D5: TAKE_BACK})
    assert without is not None
    assert without.sure is None


def test_chosen_are_the_options_in_force() -> None:
    assert Asking("game", {D5: HOLDS, C4: WHITE_WON}, 1).chosen == {D5}
