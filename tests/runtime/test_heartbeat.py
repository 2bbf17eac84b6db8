"""The board is called alive while every part comes round, and never while one stands still."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.play.board import LoopCounters
from firmware_host.runtime.watchdog import Heartbeat

EVERY = 5_000_000
START = LoopCounters(sensors=10, strip=10, store=10)
ON = LoopCounters(sensors=11, strip=11, store=11)


def begun() -> Heartbeat:
    pulse = Heartbeat(EVERY)
    assert pulse.beats(START, 0)
    return pulse


def test_a_beat_is_given_when_all_have_come_round_and_it_is_time() -> None:
    pulse = begun()
    assert not pulse.beats(ON, EVERY - 1)
    assert pulse.beats(ON, EVERY)
    assert not pulse.beats(replace(ON, sensors=12, strip=12, store=12), EVERY + 1)


@pytest.mark.parametrize("still", ["sensors", "strip", "store"])
def test_no_beat_is_given_while_one_part_stands_still_and_the_next_as_soon_as_it_moves(still: str) -> None:
    pulse = begun()
    stuck = replace(ON, **{still: getattr(START, still)})
    assert not any(pulse.beats(stuck, EVERY * times) for times in range(1, 100))
    assert pulse.beats(ON, EVERY * 100)


def test_a_board_that_keeps_nothing_has_no_store_to_wait_for() -> None:
    pulse = Heartbeat(EVERY)
    assert pulse.beats(LoopCounters(1, 1), 0)
    assert pulse.beats(LoopCounters(2, 2), EVERY)


counts = st.integers(0, 2)
passes = st.lists(st.tuples(st.integers(0, EVERY), counts, counts, counts), max_size=60)


@given(passes)
def test_between_two_beats_every_part_has_come_round_and_the_time_is_up(
    steps: list[tuple[int, int, int, int]],
) -> None:
    pulse = begun()
    now, progress = 0, START
    given_at, given_for = now, progress
    for passed, sensors, strip, store in steps:
        now += passed
        progress = LoopCounters(
            progress.sensors + sensors, progress.strip + strip, (progress.store or 0) + store
        )
        moved = all(
            getattr(progress, part) > getattr(given_for, part) for part in ("sensors", "strip", "store")
        )
        due = moved and now - given_at >= EVERY
        assert pulse.beats(progress, now) == due
        if due:
            given_at, given_for = now, progress
