"""Standings of an evening, and who has yet to play whom."""

from __future__ import annotations

from itertools import combinations

import pytest

from firmware_host.club.standings import ClubResult, rounds, standings, still_to_play
from firmware_host.games.game import Player


def won(white: str, black: str) -> ClubResult:
    return ClubResult(white, black, Player.WHITE)


def drawn(white: str, black: str) -> ClubResult:
    return ClubResult(white, black, None)


def test_wins_draws_and_losses_give_points() -> None:
    found = standings([won("Anna", "Ben"), drawn("Cleo", "Anna"), ClubResult("Ben", "Cleo", Player.BLACK)])
    assert [(one.board, one.played, one.won, one.points) for one in found] == [
        ("Anna", 2, 1, 1.5),
        ("Cleo", 2, 1, 1.5),
        ("Ben", 2, 0, 0),
    ]


def test_equal_points_are_parted_by_the_beaten_players_points() -> None:
    results = [won("Anna", "Ben"), won("Dan", "Cleo"), won("Ben", "Cleo"), won("Cleo", "Anna")]
    found = standings(results)
    points = {one.board: one.points for one in found}
    assert points == {"Anna": 1, "Ben": 1, "Cleo": 1, "Dan": 1}
    assert [one.berger for one in found] == [1, 1, 1, 1]
    assert [one.board for one in found] == ["Anna", "Ben", "Cleo", "Dan"]
    stronger = standings([*results, won("Ben", "Eva"), won("Ben", "Dan")])
    assert [(one.board, one.berger) for one in stronger][1:4] == [("Anna", 3.0), ("Cleo", 1.0), ("Dan", 1.0)]


def test_only_the_first_game_of_two_players_counts() -> None:
    found = standings([won("Anna", "Ben"), won("Ben", "Anna")])
    assert [(one.board, one.played, one.points) for one in found] == [("Anna", 1, 1), ("Ben", 1, 0)]


@pytest.mark.parametrize("count", range(2, 12))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(count: int) -> None:
    names = [f"P{number}" for number in range(count)]
    schedule = list(rounds(names))
    met = [frozenset(pair) for pairs in schedule for pair in pairs]
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(names, 2)))
    for pairs in schedule:
        assert len({name for pair in pairs for name in pair}) == 2 * len(pairs)
    assert len(schedule) == count - 1 + count % 2


def test_the_next_round_has_the_pairs_who_have_not_met() -> None:
    names = ["Anna", "Ben", "Cleo", "Dan"]
    first = still_to_play(names, [])
    assert len(first) == 2
    results = [won(*first[0])]
    assert still_to_play(names, results) == first[1:]
    everything = [won(*sorted(pair)) for pair in combinations(names, 2)]
    assert still_to_play(names, everything) == []
    assert still_to_play([], []) == still_to_play(["Anna"], []) == []
