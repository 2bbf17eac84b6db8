"""The referee's table, as games begin."""

from __future__ import annotations

from tests.fuzz.oracle.judging.referee import Referee
from tests.fuzz.oracle.plain_rules import WHITE
from tests.fuzz.oracle.table import OracleTable
from tests.fuzz.oracle.wishes import Wishes

GAME = {"t": 0.0, "event": "game", "rules": "standard pieces=3", "first": WHITE}


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
