"""The referee's table, as games begin."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.judging.referee import Referee
from tests.fuzz.oracle.plain_rules import BLACK, WHITE
from tests.fuzz.oracle.table import Command, OracleTable
from tests.fuzz.oracle.wishes import Wishes

GAME = {"t": 0.0, "event": "game", "rules": "standard pieces=3", "first": WHITE}

BACK = [
    {"t": 5.215, "event": "fault", "part": "sensors", "text": "mux 2"},
    {"t": 5.215, "event": "fault-cleared", "part": "sensors"},
    {"t": 5.215, "event": "end-undone", "rules": "standard pieces=3", "ply": 2},
]
"""The board's words when a chip works again that had all pieces."""


def test_referee_game_that_begins_by_itself_fills_the_box() -> None:
    table = OracleTable("presence", 9)
    referee = Referee(table, Wishes(), colours=False)
    standing = ["a1", "a4", "d1", "d7"]
    for point in standing:
        assert table.do({"put": point, "piece": WHITE})
    referee.judge({}, [GAME])
    assert table.box[WHITE] == 0
    for point in standing:
        assert table.do({"lift": point})
    assert table.do({"box": True})
    referee.judge({"wait": 3.2}, [GAME])
    assert table.box[WHITE] == 3


@pytest.mark.parametrize(("colour", "answers"), [(WHITE, True), (BLACK, True), (None, False)])
def test_referee_any_piece_at_a_lit_point_is_an_answer(colour: str | None, answers: bool) -> None:
    table = OracleTable("polarity", 9)
    referee = Referee(table, Wishes(), colours=True)
    referee.judge({}, [GAME])
    table.do({"put": "a1", "piece": WHITE})
    table.do({"wait": 1.0})
    referee.case.score.step({"event": "step", "text": "a1", "by": WHITE})
    table.do({"lift": "a1"})
    table.do({"wait": 2.0})
    missing = {"event": "mismatch", "missing": ["a1"], "extra": [], "wrong": []}
    referee.judge({"wait": 2.0}, [{"t": 2.2, **missing}])
    assert not referee.case.answered
    if colour is not None:
        assert table.do({"put": "a1", "piece": colour})
    referee.judge({"put": "a1"}, [])
    assert referee.case.answered == answers


def cleared(*deeds: Command) -> Referee:
    """The referee of a game whose two pieces were away, after `deeds`; it goes on at 5.215."""
    table = OracleTable("presence", 9)
    referee = Referee(table, Wishes(), colours=False)
    referee.judge({}, [GAME])
    for point, colour in (("a1", WHITE), ("d1", BLACK)):
        table.do({"put": point, "piece": colour})
        table.do({"wait": 1.0})
        referee.case.score.step({"event": "step", "text": point, "by": colour})
    table.do({"fault": {"mux": 2, "kind": "dead"}})
    table.do({"wait": 3.2})
    over = {"t": 5.0, "event": "over", "winner": None, "reason": "abandoned", "ply": 2}
    referee.judge({"wait": 3.2}, [over, {**GAME, "t": 5.0}])
    for deed in deeds:
        assert table.do(deed)
    return referee


def test_referee_pieces_that_come_back_as_one_go_on_with_the_game() -> None:
    referee = cleared({"repair": True}, {"wait": 1.0})
    referee.judge({"wait": 1.0}, BACK)
    assert (referee.score.steps, referee.over) == (["a1", "d1"], False)


def test_referee_game_that_goes_on_without_a_fault_is_broken() -> None:
    referee = cleared({"repair": True}, {"wait": 1.0})
    with pytest.raises(AssertionError, match="hands"):
        referee.judge({"wait": 1.0}, [{**event, "t": 6.1} for event in BACK])
