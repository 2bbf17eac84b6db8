"""A simulated board that carries out the turns chosen for it, and leaves them to people where it should."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import HandsError
from sim.assembly import Blueprint
from sim.live.board import LiveBoard
from sim.live.own_hands import PAUSE

SECOND = 200
"""Frames."""
TO_MILL = ("d6", "a1", "f4", "d1", "b2")
"""Turns after which Black can close a mill with g1."""


class AgainstBoard:
    """A game against a board whose turns are chosen by the test, and the last snapshot of its page."""

    def __init__(self, store: Path | None = None, **options: Any) -> None:
        self.board = LiveBoard(Blueprint.of(black="engine:1", engine=False, store=store, **options))
        self.page: dict[str, Any] = {}
        self.pass_frames(20)

    def pass_frames(self, count: int) -> None:
        for _ in range(count):
            self.board.tick(0)
            self.board.publish_changes(self._publish)

    def _publish(self, message: Any) -> None:
        if message["type"] == "snapshot":
            self.page = json.loads(json.dumps(message))
        elif message["type"] == "table":
            self.page["table"] = message["table"]

    def play(self, *turns: str) -> None:
        """White's turns by hands, Black's chosen, and carried out by the board."""
        for number, turn in enumerate(turns):
            if number % 2:
                self.board.do({"do": "choose", "turn": turn})
                self.pass_frames(3 * SECOND)
            else:
                self.board.do({"put": turn, "piece": "white"})
                self.pass_frames(SECOND)
        assert self.turns == list(turns)

    @property
    def turns(self) -> list[str]:
        return list(self.page["state"]["turns"])

    @property
    def standing(self) -> dict[str, str]:
        return {piece["at"]: piece["piece"] for piece in self.page["table"]["pieces"] if "at" in piece}


def test_board_carries_out_its_turn_after_a_pause() -> None:
    game = AgainstBoard()
    game.play("d6")
    game.board.do({"do": "choose", "turn": "f4"})
    game.pass_frames(PAUSE * SECOND // 1_000_000 - 20)
    assert game.standing == {"d6": "white"}, "people see first what is lit"
    assert game.page["state"]["sentence"] == "The board plays f4."
    game.pass_frames(SECOND)
    assert game.standing == {"d6": "white", "f4": "black"}
    assert game.turns == ["d6", "f4"]


def test_board_takes_a_piece_one_action_later() -> None:
    game = AgainstBoard()
    game.play(*TO_MILL)
    game.board.do({"do": "choose", "turn": "g1xd6"})
    seen = [game.standing]
    for _ in range(4 * SECOND):
        game.pass_frames(1)
        if game.standing != seen[-1]:
            seen.append(game.standing)
    placed, taken = seen[1:]
    assert placed == seen[0] | {"g1": "black"}
    assert taken == {point: piece for point, piece in placed.items() if point != "d6"}
    assert game.turns[-1] == "g1xd6"
    assert game.page["table"]["held"] == []


@pytest.mark.parametrize("hands", [{"lift": "d6"}, {"push": "d6", "to": [100, 200]}], ids=["held", "off"])
def test_board_waits_while_pieces_are_elsewhere(hands: dict[str, Any]) -> None:
    game = AgainstBoard()
    game.play("d6")
    game.board.do({"do": "choose", "turn": "f4"})
    game.board.do(hands)
    game.pass_frames(4 * SECOND)
    assert "f4" not in game.standing
    game.board.do({"put": "d6"} if "lift" in hands else {"push": 1, "to": "d6"})
    game.pass_frames(4 * SECOND)
    assert game.standing == {"d6": "white", "f4": "black"}


def test_board_asks_for_its_piece_that_a_hand_has_lifted() -> None:
    game = AgainstBoard(switches=["pieces=3"])
    game.play("d6", "f4", "a1", "g1", "b2", "c5")
    game.board.do({"lift": "b2"})
    game.board.do({"put": "b4"})
    game.pass_frames(SECOND)
    game.board.do({"do": "choose", "turn": "f4-g4"})
    game.board.do({"lift": "f4"})
    game.pass_frames(4 * SECOND)
    assert game.page["state"]["sentence"] == "The board plays f4 to g4. Move its black piece for it."
    game.board.do({"put": "g4"})
    game.pass_frames(SECOND)
    assert game.turns[-1] == "f4-g4"


def test_board_with_own_hands_off_leaves_its_turn_to_people() -> None:
    game = AgainstBoard()
    game.play("d6")
    game.board.do({"carry": False})
    game.board.do({"do": "choose", "turn": "f4"})
    game.pass_frames(4 * SECOND)
    assert game.standing == {"d6": "white"}
    assert game.page["simulated"]["carries_out"] is False
    assert game.page["state"]["sentence"] == "The board plays f4. Put a black piece there for it."
    game.board.do({"put": "f4", "piece": "black"})
    game.pass_frames(SECOND)
    assert game.turns == ["d6", "f4"]


def test_own_hands_stay_off_after_a_power_cut_and_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    game = AgainstBoard(store)
    game.board.do({"carry": False})
    game.pass_frames(SECOND)
    game.board.do({"power": "off"})
    game.board.do({"power": "on"})
    game.pass_frames(SECOND)
    assert game.page["simulated"]["carries_out"] is False
    game.board.close()
    again = AgainstBoard(store)
    with closing(again.board):
        assert again.page["simulated"]["carries_out"] is False


def test_turn_carried_out_is_taken_back_like_any_other() -> None:
    game = AgainstBoard()
    game.play("d6", "f4")
    game.board.do({"do": "take-back"})
    for point in ("f4", "d6"):
        game.board.do({"lift": point})
        game.board.do({"box": True})
        game.pass_frames(SECOND)
    assert game.turns == []
    game.pass_frames(4 * SECOND)
    assert game.standing == {}
    assert game.page["state"]["to_move"] == "white"


def test_recording_has_what_own_hands_did() -> None:
    game = AgainstBoard()
    game.play("d6", "f4")
    answer = game.board.do({"script": True})
    assert answer is not None
    done = [json.loads(line) for line in answer["script"].splitlines()]
    assert {"put": "f4", "piece": "black"} in done
    assert not any("carry" in line for line in done)


def test_carry_refuses_what_is_no_choice() -> None:
    with pytest.raises(HandsError, match="true or false"):
        AgainstBoard().board.do({"carry": "yes"})


def test_lifted_piece_of_the_board_is_asked_back_or_taken() -> None:
    game = AgainstBoard()
    game.play("d6", "f4")
    game.board.do({"lift": "f4"})
    game.pass_frames(SECOND)
    assert game.page["state"]["sentence"] == (
        "The piece from f4 isn't yours: put it back, or close a mill and take it."
    )


def test_mill_that_is_lifted_is_asked_back_before_the_capture() -> None:
    game = AgainstBoard()
    game.play("a1", "d6", "d1", "f4")
    game.board.do({"put": "g1", "piece": "white"})
    game.pass_frames(SECOND)
    game.board.do({"lift": "g1"})
    game.pass_frames(SECOND)
    assert game.page["state"]["sentence"] == "Put it back on g1, then take d6 or f4."
