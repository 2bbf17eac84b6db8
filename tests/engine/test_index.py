"""The index of positions in their sectors, in Python and in C."""

import random
from math import comb

import pytest

from firmware_host.engine.tables import sector_index
from tests.support.engine.stones import stones
from tests.support.matrix import sampled

ORBITS = {3: 158, 4: 757, 5: 2830, 6: 8774}
ALL_ORBITS = ORBITS | {7: 22188, 8: 46879, 9: 82880}
BOARDS = {"plain": (False, False), "diagonals": (True, False), "outer": (False, True)}


@pytest.mark.parametrize("board", sampled(BOARDS, 3))
def test_symmetries_of_each_board_are_sixteen(board):
    index = sector_index(*BOARDS[board])
    assert len(index.symmetries) == 16
    assert len(set(index.symmetries)) == 16
    assert index.symmetries[0] == tuple(range(index.nodes))


@pytest.mark.parametrize("count", sampled(ALL_ORBITS, 2))
def test_representatives_are_one_for_each_orbit(count):
    assert len(sector_index(*BOARDS["plain"]).representatives(count)) == ALL_ORBITS[count]


@pytest.mark.parametrize("board", BOARDS)
def test_position_of_an_index_has_that_index_or_a_copy(board):
    index, rng = sector_index(*BOARDS[board]), random.Random(1)
    found = index.representatives(4)
    size = len(found) * comb(index.nodes - 4, 3)
    for at in (0, size - 1, *(rng.randrange(size) for _ in range(300))):
        mine, theirs = index.position(at, 4, 3, found)
        assert (mine.bit_count(), theirs.bit_count(), mine & theirs) == (4, 3, 0)
        # A representative is led to itself first of all by the symmetry that changes nothing.
        assert index.index(mine, theirs, found) == at


@pytest.mark.parametrize("board", BOARDS)
def test_index_of_symmetric_positions_belongs_to_one_orbit(board):
    index, rng = sector_index(*BOARDS[board]), random.Random(2)
    found = index.representatives(4)
    room = comb(index.nodes - 4, 5)
    for _ in range(50):
        mine, theirs = stones(rng, index.nodes, 4, 5)
        images = set(zip(index.images(mine), index.images(theirs), strict=True))
        assert len({index.index(*one, found) // room for one in images}) == 1
        assert len({index.index(*one, found) for one in images}) <= 16 // len(images) * 16


@pytest.mark.parametrize("board", BOARDS)
def test_index_tells_all_positions_of_an_orbit_apart(board):
    index = sector_index(*BOARDS[board])
    found = index.representatives(3)
    mine = found[7]
    free = [node for node in range(index.nodes) if not mine >> node & 1]
    pairs = [1 << a | 1 << b for i, a in enumerate(free) for b in free[:i]]
    places = [index.index(mine, theirs, found) for theirs in pairs]
    assert sorted(places) == list(range(7 * len(pairs), 8 * len(pairs)))
