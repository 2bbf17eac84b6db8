"""A capture that hands think over: it is given up only with its piece back on the board."""

from __future__ import annotations

import pytest

from firmware_host.ports import SensorKind
from tests.support.matrix import sampled
from tests.support.scripted_board import after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 b6 a7 g1 g4 c4"


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
@pytest.mark.parametrize("taken", sampled([400, 1500], others=pytest.mark.ci))
def test_captured_piece_in_the_box_moves_nowhere(alphabet: SensorKind, taken: int) -> None:
    for back in (50, 300, 1200):
        for gap in (50, 500):
            board = after(PLACED, *FOUR, alphabet=alphabet)
            board.hands(f"-g4 200 +g7 600 -c4 {taken} -g7 200 +g4 {back} -d6 200 +d5 {gap}")
            board.hands("-b6 200 @b4 4000")
            assert board.texts == f"{PLACED} g4-g7xc4", (back, gap)
            board.hands("@c4 2000")
            assert board.texts == f"{PLACED} d6-d5 b6-b4", (back, gap)


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
@pytest.mark.parametrize("back", sampled([500, 700, 950], others=pytest.mark.ci))
def test_captured_piece_back_at_once_is_nobodys_reply(alphabet: SensorKind, back: int) -> None:
    for reply in (100, 300, back - 100):
        board = after("d6 f4 d7 a1", alphabet=alphabet)
        board.hands(f"+d5 500 -f4 {reply} @c3 {back - reply} @f4 4000")
        assert not board.texts.endswith(" f4"), reply
        board.hands("-a1 4000")
        assert board.texts == "d6 f4 d7 a1 d5xa1 c3", reply


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
@pytest.mark.parametrize("back", sampled([300, 1500], others=pytest.mark.ci))
@pytest.mark.parametrize("hands", ["@c4 1500 -f4", "-f4 1500 @c4"])
def test_capture_regretted_after_the_reply_is_another(alphabet: SensorKind, back: int, hands: str) -> None:
    board = after(PLACED + " g4-g7xc4", *FOUR, alphabet=alphabet)
    board.hands(f"-b6 200 @b4 {back} {hands} 4000")
    assert board.texts == f"{PLACED} g4-g7xf4 b6-b4"
