"""A board writes little to its card, and nothing while nobody plays; `writes.py` has the whole days."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.lives import disk_layer
from tests.soak.writes import Writes, measure

pytestmark = pytest.mark.ci("games")

A_TURN = Writes(turns=1, writes=6, written_bytes=16_384, syncs=3)
"""The bound for a turn, with its share of new games, power cuts and faults of the disk."""
HOUR_S = 3600
SHORT_DAY_S = 0.8 * HOUR_S


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = disk_layer(tmp_path_factory.mktemp("layer"))
    if built is None:
        pytest.skip("there is no C compiler (cc), which builds the layer under the disk")
    return built


def test_a_turn_costs_few_writes(layer: Path) -> None:
    day = measure("play", 7, SHORT_DAY_S, layer)
    assert day.turns > 100
    assert day.writes <= A_TURN.writes * day.turns
    assert day.written_bytes <= A_TURN.written_bytes * day.turns
    assert day.turns <= day.syncs <= A_TURN.syncs * day.turns


def test_a_board_on_which_nobody_plays_writes_nothing(layer: Path) -> None:
    assert measure("idle", 7, 24 * HOUR_S, layer) == Writes(0, 0, 0, 0)


def test_a_clock_that_nobody_stops_writes_until_its_time_is_up(layer: Path) -> None:
    hour = measure("clock", 7, HOUR_S, layer)
    assert 700 < hour.syncs < 750
    assert hour.written_bytes <= 4352 * hour.syncs
    assert measure("clock", 7, 5 * HOUR_S, layer).syncs - hour.syncs < 20
