"""Far games over a bad wire: both boards end with the same game, or both know that they disagree."""

from __future__ import annotations

from tests.fuzz.far import play_games


def test_boards_agree_or_both_disagree_over_a_bad_wire() -> None:
    found = play_games(200, seed=2)
    assert sum(found.ends.values()) == 200
    assert found.ends["over"] > 10
    assert found.ends["disagree"] < 60
