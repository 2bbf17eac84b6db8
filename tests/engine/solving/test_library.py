"""The library in C beside its reference in Python."""

import random

import pytest

from firmware_host.engine import native
from firmware_host.engine.solving.library import open_space
from firmware_host.errors import TableError
from firmware_host.games.rulesets import MILL_SETS, rule_set
from tests.support.engine.stones import stones
from tests.support.matrix import CI, sampled

COUNTS = [(3, 9), (4, 3), (5, 5), (6, 4), (3, 3)]


@pytest.mark.parametrize("name", sampled(["six", "standard", "twelve"], others=CI))
@pytest.mark.parametrize("number", sampled([50, 100_000]))
def test_index_in_c_equals_that_in_python(library, name, number):
    rng = random.Random(number)
    with open_space(rule_set(name).options) as space:
        index = space.index
        for mine_count, theirs_count in COUNTS:
            found = index.representatives(mine_count)
            assert space.representatives(mine_count) == found
            for _ in range(number):
                mine, theirs = stones(rng, index.nodes, mine_count, theirs_count)
                assert space.place(mine, theirs) == index.index(mine, theirs, found)


def test_library_of_another_version_is_not_used(library, monkeypatch):
    monkeypatch.setattr(native, "ABI", native.ABI + 1)
    native._load.cache_clear()
    try:
        assert native.load() is None
    finally:
        native._load.cache_clear()


def test_library_that_is_missing_is_named_with_a_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "LIBRARY", tmp_path / "libmw.so")
    with (
        pytest.raises(TableError, match="install a C compiler"),
        open_space(MILL_SETS["standard"]),
    ):
        pass
