"""Between a change and the next deadline nothing happens: feeling the board more often tells nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.ports import SensorKind
from tests.support.examples import few
from tests.support.scripted_board import ScriptedBoard

points = st.sampled_from(["d5", "d6", "d7", "a7", "g7", "f4"])
words = st.one_of(
    st.builds("{}{}".format, st.sampled_from("+@-"), points),
    st.sampled_from(["15", "35", "100", "240", "300", "1000", "3000"]),
)
scripts = st.lists(words, max_size=30).map(" ".join)
games = st.sampled_from(
    [
        ("standard", "pieces=3"),
        ("standard", "pieces=3", "removal=may"),
        ("lasker", "pieces=4", "captures=per-mill"),
    ]
)


class Restless(ScriptedBoard):
    """Feels the board every 5 ms."""

    def hands(self, script: str) -> list[str]:
        happened = super().hands("")
        for word in script.split():
            for part in ["5"] * (int(word) // 5) if word.isdigit() else [word]:
                happened += super().hands(part)
                self.observe()
        return happened


@pytest.mark.ci("examples")
@few(14)
@given(scripts, games, st.sampled_from(SensorKind), st.booleans())
def test_feeling_a_board_that_does_not_change_tells_nothing(
    script: str, game: tuple[str, ...], alphabet: SensorKind, take_back: bool
) -> None:
    calm = ScriptedBoard(*game, alphabet=alphabet, take_back=take_back)
    restless = Restless(*game, alphabet=alphabet, take_back=take_back)
    assert calm.hands(script) == restless.hands(script)
    assert calm.session.verdict == restless.session.verdict
    assert calm.texts == restless.texts
