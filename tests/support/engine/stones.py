"""Stones on random points."""

from __future__ import annotations

from random import Random


def stones(rng: Random, nodes: int, mine: int, theirs: int) -> tuple[int, int]:
    places = rng.sample(range(nodes), mine + theirs)
    return sum(1 << node for node in places[:mine]), sum(1 << node for node in places[mine:])
