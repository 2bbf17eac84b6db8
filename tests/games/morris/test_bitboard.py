"""Mills and neighbours found by shifts against the lines of the layout."""

from __future__ import annotations

import random

import pytest

from firmware_host.games.morris.bitboard import bits, board_graph


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("outer", [False, True])
def test_mills_and_completing_are_those_of_the_lines(diagonals: bool, outer: bool) -> None:
    graph, rng = board_graph(diagonals, outer), random.Random(4)
    closed = 0
    for _ in range(400):
        own = rng.getrandbits(24) & graph.usable
        standing = [line for line in graph.mill_lines if line & own == line]
        assert set(bits(graph.mills(own))) == {one for line in standing for one in bits(line)}
        pairs = [line & ~own for line in graph.mill_lines if (line & own).bit_count() == 2]
        assert set(bits(graph.completing(own) & graph.usable & ~own)) == set(pairs)
        around = {next_to for one in bits(own) for next_to in bits(graph.neighbours[one])}
        assert set(bits(graph.reach(own) & graph.usable)) == around
        closed += bool(standing)
    assert closed > 50
