"""Far games over a bad wire: both boards end with the same game, or both know that they disagree."""

from __future__ import annotations

import pytest

from tests.fuzz.far import FarPart, played_part


@pytest.mark.ci("games")
def test_boards_agree_or_both_disagree_over_a_bad_wire() -> None:
    ends = played_part(FarPart(2, 0, 40))["ends"]
    assert sum(ends.values()) == 40
    assert ends["over"] > 4
    assert ends["disagree"] < 12
