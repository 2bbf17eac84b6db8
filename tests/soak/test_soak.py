"""Weeks of play in virtual time, with things that break and are repaired: nothing is missed, and nothing
grows.

`people.py` and `book.py` say what must hold, and check it at every step; measurements.md has what a
month was like, which `make soak` lives through again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.month import Month, live

pytestmark = pytest.mark.ci("games")

MEMORY_GROWS_KIB = 2048
"""At most, from the second evening to the last: what Python's own memory goes up and down by."""


def must_be_as_expected(month: Month) -> None:
    counts = month.counts
    came = sum(number for what, number in counts.items() if what.startswith("turns accepted"))
    again = counts["turns done again, since a broken board had shown others"]
    assert came + again == counts["turns completed by hands"]
    assert again < 0.01 * came
    # SQLite keeps pages that rows moved out of, and takes some at a time.
    assert month.store_bytes < 1.25 * month.at_least_bytes + 65_536


SHORT_DAY_S = 0.8 * 3600


def test_a_day_of_play_is_kept_whole(tmp_path: Path) -> None:
    day = live(1, 7, tmp_path, until_s=SHORT_DAY_S)
    must_be_as_expected(day)
    assert day.counts["turns completed by hands"] > 70
    assert sum(day.broken.values()) > 2
    assert day.games > 1


@pytest.mark.long  # the random hands also check this, for minutes of play
def test_a_day_of_play_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    said = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        said.append(live(1, 7, folder, until_s=SHORT_DAY_S).said)
    assert said[0] == said[1]


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
def test_a_week_of_play_leaves_memory_as_it_was(tmp_path: Path, seed: int) -> None:
    week = live(7, seed, tmp_path)
    must_be_as_expected(week)
    assert week.evenings[-1].memory_kib - week.evenings[1].memory_kib < MEMORY_GROWS_KIB
