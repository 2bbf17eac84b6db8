"""Presence, and the times of turns."""

from __future__ import annotations

from firmware_host.far.linked_seat import is_doubtful, left_ms, may_claim_flag, used_ms
from firmware_host.games.time_control import TimeControl
from firmware_host.link.member import CLAIM_AFTER, CLOCK_RUNS_FOR, Presence

SECOND = 1_000_000


def test_a_board_is_away_until_it_is_seen_and_from_its_last_will_on() -> None:
    assert Presence().is_away
    there = Presence().seen(5 * SECOND, on=True)
    assert not there.is_away
    gone = there.seen(9 * SECOND, on=False).seen(20 * SECOND, on=False)
    assert gone == Presence(9 * SECOND)
    assert not gone.seen(30 * SECOND, on=True).is_away


def test_a_board_that_left_is_away_until_it_is_back() -> None:
    there = Presence().seen(5 * SECOND, on=True)
    left = there.read(9 * SECOND, has_left=True)
    assert left.away_since == 9 * SECOND
    assert left.seen(11 * SECOND, on=True).is_away  # connected, for the lobby
    assert not left.read(30 * SECOND, has_left=False).is_away
    assert left.seen(20 * SECOND, on=False).read(30 * SECOND, has_left=False).is_away


def test_clocks_stand_after_a_minute_and_a_claim_is_possible_after_ten() -> None:
    gone = Presence(0)
    assert not gone.clocks_stand(CLOCK_RUNS_FOR - 1)
    assert gone.clocks_stand(CLOCK_RUNS_FOR)
    assert not gone.may_claim(CLAIM_AFTER - 1)
    assert gone.may_claim(CLAIM_AFTER)
    assert not Presence(None).may_claim(CLAIM_AFTER)


def test_carrying_out_the_far_turn_is_free_for_ten_seconds() -> None:
    assert used_ms(lit=0, carried=4 * SECOND, landed=9 * SECOND) == 5_000
    assert used_ms(lit=0, carried=14 * SECOND, landed=20 * SECOND) == 10_000
    assert used_ms(lit=0, carried=0, landed=0) == 0


def test_a_time_longer_than_the_wait_is_doubtful() -> None:
    assert not is_doubtful(10_000, 8_000)
    assert is_doubtful(10_001, 8_000)


def test_increments_come_before_each_turn() -> None:
    assert left_ms(TimeControl(300, 3), ()) == 303_000
    assert left_ms(TimeControl(300, 3), (10_000, 5_000)) == 294_000
    assert left_ms(TimeControl(0, 30, is_per_turn=True), (29_000,)) == 30_000


def test_a_flag_is_claimed_only_beyond_doubt() -> None:
    assert not may_claim_flag(10_000, 14_999)
    assert may_claim_flag(10_000, 15_000)
