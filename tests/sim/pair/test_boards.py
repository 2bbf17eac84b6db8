"""Two headless boards and a wire: whole games arrive on both, and everything can be repeated exactly."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.games.game import legal_turns
from sim.assembly import Blueprint
from sim.pair.boards import LinkedBoard, PairedBoards, run_pair
from tests.fuzz.link.machines import on_the_wood
from tests.fuzz.link.pairs import BREAKAGE


class PairOfPlayers:
    """Two players with random wishes, each at a board, and a wire that breaks."""

    def __init__(self, pair: PairedBoards, seed: int) -> None:
        self.pair, self.luck = pair, Random(seed)

    def tell(self, **command: Any) -> None:
        self.pair.obey(json.dumps(command))

    def play(self, board: LinkedBoard) -> None:
        """Carry out the turn that was chosen, or play one's own."""
        session = board.life.play.controller.session
        position = session.game.position
        if not board.life.powered or session.game.outcome is not None or board.link.seat.game is None:
            return
        if session.is_others_turn:
            turn = session.chosen or ()
        else:
            turn = self.luck.choice(legal_turns(position)).steps
        for step in turn:
            for command in on_the_wood(step):
                self.tell(board=board.name, **command)
                self.tell(wait=0.5)

    def play_game(self) -> None:
        self.tell(ready=True)
        self.tell(wait=2)
        for _ in range(600):
            for command in (
                self.luck.choice(([], [{"wire": "good"}], *BREAKAGE)) if self.luck.random() < 0.2 else []
            ):
                self.tell(**command)
            for board in self.pair.boards.values():
                self.play(board)
            self.tell(wait=self.luck.choice((1, 2, 5)))
            if all(board.life.play.controller.session.game.outcome for board in self.pair.boards.values()):
                break
        self.tell(wire="good")
        self.tell(wait=30)


@pytest.mark.ci("games")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_is_the_same_on_both_boards(seed: int, tmp_path: Path) -> None:
    out = StringIO()
    blueprint = replace(Blueprint.of(rules="six", sensors="polarity", seed=seed), store=tmp_path / "games.db")
    pair = PairedBoards(blueprint, out)
    try:
        PairOfPlayers(pair, seed).play_game()
        games = [board.life.play.controller.session.game for board in pair.boards.values()]
    finally:
        pair.close()
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line for line in lines if "error" in line] == []
    assert games[0].turn_texts() == games[1].turn_texts()
    assert games[0].outcome is not None
    assert games[0].outcome == games[1].outcome
    assert len(games[0].turn_texts()) > 10


def test_a_turn_is_taken_back_before_it_is_carried_out_and_another_is_played() -> None:
    lines = [
        {"ready": True},
        {"wait": 3},
        {"board": "b", "put": "d6", "piece": "white"},
        {"wait": 3},
        {"board": "a", "show": True},
        {"board": "b", "lift": "d6"},
        {"board": "b", "box": True},
        {"wait": 5},
        {"board": "a", "show": True},
        {"board": "b", "put": "f4", "piece": "white"},
        {"wait": 5},
        {"board": "a", "show": True},
    ]
    out = StringIO()
    assert run_pair(map(json.dumps, lines), out, Blueprint()) == 0
    shown = [line["state"] for line in map(json.loads, out.getvalue().splitlines()) if "state" in line]
    assert [state["moves"] for state in shown] == [["d6"], [], ["f4"]]


@pytest.mark.ci("games")
def test_the_same_lines_and_seed_give_the_same_output() -> None:
    lines = [
        '{"wire": "reorder"}',
        '{"ready": true}',
        '{"wait": 30}',
        '{"board": "b", "put": "d6", "piece": "white"}',
        '{"wait": 30}',
        '{"board": "a", "show": true}',
    ]
    outputs = []
    for _ in range(2):
        out = StringIO()
        assert run_pair(lines, out, Blueprint.of(seed=0)) == 0
        outputs.append(out.getvalue())
    assert outputs[0] == outputs[1]


def test_wrong_lines_are_answered_and_the_boards_go_on() -> None:
    lines = [
        "nonsense",
        '{"board": "a"}',
        '{"accept": true}',
        '{"board": "b", "offer": "peace"}',
        '{"take": true}',
        '{"board": "a", "power": "off"}',
        '{"board": "a", "put": "d6", "piece": "white"}',
        '{"wait": 1}',
        '{"board": "b", "show": true}',
    ]
    out = StringIO()
    assert run_pair(lines, out, Blueprint.of()) == 1
    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["error"].partition(":")[0] for line in printed if "error" in line] == [
        *("line 1", "line 2", "line 3", "line 4", "line 5"),
    ]
    assert "state" in printed[-1]
