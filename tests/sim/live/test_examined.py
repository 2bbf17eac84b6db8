"""The doctor examines a simulated board from its page, and the game goes on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import MillwrightError
from firmware_host.maintenance.workshop import LEFT_AFTER
from sim.assembly import Blueprint
from sim.live.board import LiveBoard

FAULT = {"point": "d6", "kind": "stuck-off"}


class ExaminedSim(LiveBoard):
    """A board whose page keeps all that it gets."""

    def __init__(self, blueprint: Blueprint) -> None:
        super().__init__(blueprint)
        self.shown: list[Any] = []


def passed(board: ExaminedSim, seconds: float) -> list[Any]:
    """Let time pass, and return what the page gets in that time."""
    before = len(board.shown)
    for _ in range(round(seconds * 200)):
        board.tick(0)
        board.publish_changes(board.shown.append)
    return board.shown[before:]


def examined(board: ExaminedSim) -> None:
    """Play a1, and have the doctor come by two touches."""
    board.do({"put": "a1", "piece": "white"})
    passed(board, 2)
    board.do({"fault": FAULT})
    board.do({"do": "workshop", "kind": "doctor"})
    passed(board, 0.1)
    asking = board.life.play.controller.asks.asking
    assert asking is not None
    (point,) = asking.lit
    for _ in range(2):
        board.do({"put": point.name, "piece": "white"})
        passed(board, 0.4)
        board.do({"lift": point.name})
        board.do({"box": True})
        passed(board, 0.4)


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
def test_the_game_goes_on_after_an_examination(tmp_path: Path, kept: bool) -> None:
    store = tmp_path / "games" if kept else None
    with closing(ExaminedSim(Blueprint.of(sensors="polarity", store=store))) as board:
        examined(board)
        passed(board, 1)
        assert not board.life.powered
        with pytest.raises(MillwrightError):
            board.do({"answer": "blue"})
        board.do({"answer": "q"})
        assert passed(board, 1)[-1]["type"] == "setup"
        board.do({"answer": ""})
        assert "snapshot" in [message["type"] for message in passed(board, 6)]
        assert board.game.ply == 1
        assert [*board.life.faults] == ([FAULT] if kept else [])


def test_a_doctor_who_is_left_gives_the_board_back(tmp_path: Path) -> None:
    with closing(ExaminedSim(Blueprint.of(store=tmp_path / "games"))) as board:
        examined(board)
        passed(board, 5)
        assert not board.life.powered
        visit = board._visit
        assert visit is not None
        assert visit.publish_changes(lambda _: None, board.life.now + LEFT_AFTER)
