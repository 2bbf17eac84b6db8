"""The verdict on attacks: it names each limit that was passed, and tells a busy machine from a slow board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.attacks.__main__ import AttackResult, sentence, verdict
from tests.attacks.attacked_board import BoardSample, late_us
from tests.attacks.timed_board import BUCKETS

HELD = AttackResult(
    kind="garbage",
    attempts=100,
    late_us=4_900,
    left_out=0.009,
    rate_hz=199.0,
    slowest_visit_s=0.9,
    memory_kb=48_000,
    memory_growth=1.09,
    most_descriptors=140,
    log_bytes_an_hour=900_000,
    log_lines=3,
    lost=0,
)
SAMPLE = BoardSample(
    frames=0,
    missed=0,
    turns=0,
    late=(0,) * BUCKETS,
    memory_kb=1,
    descriptors=1,
    log_bytes=0,
    log_lines=0,
    faults={},
)


def test_verdict_names_nothing_while_limits_are_held() -> None:
    assert verdict([HELD], [100, 120, 109], 1.9, 0) == []
    assert sentence([HELD], []) == "All limits were held in 1 measurements."


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"late_us": 5_100}, "late frames"),
        ({"late_us": float("inf")}, "late frames"),
        ({"left_out": 0.011}, "frames left out"),
        ({"rate_hz": 150.0}, "a lower frame rate"),
        ({"slowest_visit_s": 1.1}, "honest visit"),
        ({"memory_growth": 1.2}, "memory"),
        ({"log_bytes_an_hour": 1_100_000}, "log"),
        ({"lost": 1}, "a piece that did not count"),
    ],
)
def test_verdict_names_each_limit_that_was_passed(change: dict[str, Any], named: str) -> None:
    assert verdict([replace(HELD, **change)], [100, 100], 1.0, 0) == [f"{named} (garbage)"]


def test_verdict_names_limits_of_the_whole() -> None:
    found = verdict([HELD], [100, 111], 2.1, 3)
    assert found == ["memory after all attacks x1.11", "2.1 s to stop", "3 placed pieces are not on disk"]


def test_sentence_says_that_a_machine_is_busy() -> None:
    busy = replace(HELD, kind="nobody", left_out=0.2)
    assert "too busy" in sentence([busy, HELD], verdict([busy, HELD], [1, 1], 1.0, 0))
    slow = replace(HELD, left_out=0.2)
    assert "too busy" not in sentence([replace(HELD, kind="nobody"), slow], verdict([slow], [1, 1], 1.0, 0))


def test_lateness_is_that_of_the_share_of_frames() -> None:
    late = [0] * BUCKETS
    late[3], late[49], late[70] = 980, 10, 10
    after = replace(SAMPLE, late=tuple(late))
    assert late_us(SAMPLE, after, 0.98) == 400
    assert late_us(SAMPLE, after, 0.99) == 5_000
    assert late_us(SAMPLE, after, 1.0) == 7_100
    assert late_us(SAMPLE, SAMPLE, 0.99) == float("inf")
