"""Episodes: each habit applies somewhere, and a seed gives the same lines each time."""

from __future__ import annotations

import pytest

from tests.fuzz.actors.seat import STACKS
from tests.fuzz.episodes.catalogue import INCIDENTS, can_be_played
from tests.fuzz.episodes.episode import Episode, play_episode
from tests.support.matrix import CI, sampled

SEEDS = range(6)


@pytest.mark.parametrize("habit", sampled(sorted(INCIDENTS), 4, others=CI))
def test_incident_applies_and_is_judged(habit: str) -> None:
    sensors = ("presence", "polarity")[len(habit) % 2]
    for seed in SEEDS:
        result = play_episode(Episode(habit, sensors, "standard", seed))
        assert not result.broken
        if result.judgement is not None:
            return
    pytest.fail(f"{habit} applied in none of {len(SEEDS)} episodes")


@pytest.mark.ci("games")
def test_power_cut_at_stacks_is_judged() -> None:
    result = play_episode(Episode("power-turn", "pieces", STACKS, 5))
    assert not result.broken
    assert any('"power": "off"' in line for line in result.script)


def test_episode_is_the_same_by_its_seed() -> None:
    episode = Episode("plain", "polarity", "standard", 3)
    assert play_episode(episode) == play_episode(episode)


def test_habits_are_played_on_sensors_that_can_see_them() -> None:
    assert can_be_played("power-turn", "pieces", STACKS)
    assert not can_be_played("regret", "pieces", STACKS)
    assert not can_be_played("regret", "pieces", "standard")
    assert not can_be_played("next-game-won", "polarity", "the-mill")
    assert not can_be_played("solo", "polarity", "arena")
    assert not can_be_played("swapped-colours", "presence", "standard")
