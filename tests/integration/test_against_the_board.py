"""Whole games against the board, by hands that follow the state of the headless board."""

from __future__ import annotations

import json
import re
from io import StringIO
from random import Random
from typing import Any

import pytest

from sim.assembly import Blueprint
from sim.headless import HeadlessBoard
from tests.support.matrix import CI, sampled

STEP = re.compile(r"x?[a-g]\d(?:-[a-g]\d)?")
MAX_TURNS = 300


class EngineTable:
    """Hands that play any legal turn, and all turns that an engine chooses."""

    def __init__(self, luck: int, **options: Any) -> None:
        self._out = StringIO()
        self._luck = Random(luck)
        self._board = HeadlessBoard(Blueprint.of(**options), self._out)

    def close(self) -> None:
        self._board.close()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._out.getvalue().splitlines()]

    def ask(self, command: dict[str, Any]) -> None:
        self._board.obey(json.dumps(command))

    def state(self) -> dict[str, Any]:
        self.ask({"show": True})
        found: dict[str, Any] = self.lines[-1]["state"]
        return found

    def play(self) -> dict[str, Any]:
        """Play to the end and return the last state."""
        for _ in range(MAX_TURNS):
            state = self.state()
            if state["outcome"] is not None:
                return state
            if not state["moves"]:
                self.ask({"wait": 0.75})
                state = self.state()
            self._turn(self._luck.choice(state["moves"]), state["to_move"])
        return self.state()

    def _turn(self, text: str, player: str) -> None:
        for step in STEP.findall(text):
            if step[0] == "x":
                self.ask({"lift": step[1:]})
                self.ask({"box": True})
                self.ask({"wait": 1})  # a piece that is back on the point sooner was put back
            elif "-" in step:
                origin, target = step.split("-")
                self.ask({"lift": origin})
                self.ask({"wait": 0.2})
                self.ask({"put": target})
            else:
                self.ask({"put": step, "piece": player})
            self.ask({"wait": 0.6})


@pytest.mark.parametrize(
    "options",
    sampled(
        [
            {"black": "engine:3"},
            {"white": "engine:2", "sensors": "polarity", "rules": "six"},
            {"white": "engine:1", "black": "engine:4", "sensors": "polarity"},
            {"black": "engine:2", "rules": "arena"},
        ],
        others=CI,
    ),
    ids=lambda options: " ".join(options.values()),
)
def test_a_game_against_the_board_is_played_to_its_end(options: dict[str, str]) -> None:
    table = EngineTable(3, **options)
    try:
        state = table.play()
    finally:
        table.close()
    assert state["outcome"] is not None
    chosen = [line["text"] for line in table.lines if line.get("event") == "chosen"]
    by_engine = {side for side in ("white", "black") if side in options}
    turns = [line["text"] for line in table.lines if line.get("event") == "turn" and line["by"] in by_engine]
    assert len(turns) > 3
    assert turns == chosen[: len(turns)]
    assert not [line for line in table.lines if line.get("event") in ("mismatch", "fault")]
