"""The program is killed at random moments and at every boundary of a step's life, and loses nothing it has
reported.

Real processes, with their store's thread, on a real file; all lives of a test go on with the same games.
`player.py` plays, `lives.py` knows what was promised.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.crash.lives import Lives, Promises, at_random, disk_layer, opened
from tests.crash.player import BOUNDARIES

pytestmark = pytest.mark.ci("programs")

KILLED = -9
STACKS = "mitsudomoe"
"""A game whose turns are several steps of several pieces."""


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    lives = Lives()
    yield lives
    lives.close()


@pytest.fixture(scope="module")
def lives_on_layer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    layer = disk_layer(tmp_path_factory.mktemp("layer"))
    if layer is None:
        pytest.skip("there is no C compiler (cc), which builds the layer under the disk")
    lives = Lives(layer)
    yield lives
    lives.close()


def killed_at_random(lives: Lives, path: Path, times: int, seed: int, rules: str = "") -> Promises:
    promises, luck = Promises(), Random(seed)
    for number in range(times):
        told, end = lives.live(path, luck.randrange(10**6), at_random(luck, 30), rules=rules)
        promises.hear(told)
        assert end in (KILLED, 0), f"life {number} of seed {seed}"
        if path.exists():
            with opened(path) as file:
                promises.check(file)
    return promises


def test_killed_at_random_twenty_times(lives: Lives, tmp_path: Path) -> None:
    promises = killed_at_random(lives, tmp_path / "games.db", 20, seed=1)
    assert promises.steps_told > 20


def test_killed_at_random_in_a_game_of_stacks(lives: Lives, tmp_path: Path) -> None:
    promises = killed_at_random(lives, tmp_path / "games.db", 10, seed=3, rules=STACKS)
    assert promises.steps_told > 10


@pytest.mark.long
def test_killed_at_random_in_a_game_of_stacks_five_hundred_times(lives: Lives, tmp_path: Path) -> None:
    promises = killed_at_random(lives, tmp_path / "games.db", 500, seed=4, rules=STACKS)
    assert promises.steps_told > 500


@pytest.mark.long
def test_killed_at_random_a_thousand_times(lives: Lives, tmp_path: Path) -> None:
    promises = killed_at_random(lives, tmp_path / "games.db", 1000, seed=2)
    assert promises.steps_told > 1000


@pytest.mark.parametrize("rules", ["", pytest.param(STACKS, marks=pytest.mark.long)], ids=["mills", "stacks"])
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_killed_at_a_boundary_of_a_steps_life(
    lives: Lives, tmp_path: Path, boundary: str, rules: str
) -> None:
    promises = Promises()
    for times in (1, 2, 3, 5, 8):
        told, end = lives.live(tmp_path / "games.db", times, boundary=boundary, times=times, rules=rules)
        assert end == KILLED
        promises.hear(told)
        with opened(tmp_path / "games.db") as file:
            promises.check(file)
    told, end = lives.live(tmp_path / "games.db", 9, rules=rules, actions=10)
    assert end == 0
    promises.hear(told)


def killed_before_operations(lives: Lives, path: Path, operations: range) -> None:
    promises = Promises()
    for operation in operations:
        told, end = lives.live(path, operation, operation=operation)
        assert end == KILLED
        promises.hear(told)
        if path.exists():
            with opened(path) as file:
                promises.check(file)


def test_killed_before_anything_that_is_done_to_the_disk(lives_on_layer: Lives, tmp_path: Path) -> None:
    """First with a file that is new in each life, then with one that is gone on with."""
    for operation in range(1, 46, 4):
        path = tmp_path / str(operation) / "games.db"
        killed_before_operations(lives_on_layer, path, range(operation, operation + 1))
    killed_before_operations(lives_on_layer, tmp_path / "games.db", range(1, 30, 4))


@pytest.mark.long
def test_killed_before_each_of_very_many_things(lives_on_layer: Lives, tmp_path: Path) -> None:
    for operation in range(1, 120):
        path = tmp_path / str(operation) / "games.db"
        killed_before_operations(lives_on_layer, path, range(operation, operation + 1))
    killed_before_operations(lives_on_layer, tmp_path / "games.db", range(1, 120))
