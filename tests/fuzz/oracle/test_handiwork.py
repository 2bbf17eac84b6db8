"""The runs of turns that frames show begun, on a position in the middle of a game."""

from __future__ import annotations

from tests.fuzz.oracle.handiwork import Way, begun
from tests.fuzz.oracle.plain_rules import BLACK, RULE_SETS, WHITE, MillMoment
from tests.fuzz.oracle.table import NOTHING, POINTS

BOARD = {**dict.fromkeys(("d1", "d2", "f6", "g7"), WHITE), **dict.fromkeys(("b2", "c5", "e4", "f2"), BLACK)}
"""White, to move, may go from d1 to a1, and then from d2 to d1 or d3; Black may go from c5 to c4."""


def found(*readings_of_d2: str) -> list[Way]:
    """The runs after which White stands on a1 and Black on c4, if the point d2 can have been read so."""
    moment = MillMoment(RULE_SETS["standard"], BOARD, {WHITE: 0, BLACK: 0}, WHITE, WHITE, placing=False)
    moved = {"d1": NOTHING, "a1": WHITE, "c5": NOTHING, "c4": BLACK}
    felt = [frozenset({moved.get(point, BOARD.get(point, NOTHING))}) for point in POINTS]
    felt[POINTS.index("d2")] = frozenset(readings_of_d2)
    return begun(moment, colours=True, felt=felt, changed=frozenset({*moved, "d2"}))


def test_begun_certain_frame_has_no_longer_runs() -> None:
    assert {way.turn for way in found(WHITE)} == {("d1-a1", "c5-c4")}


def test_begun_lifted_piece_may_go_where_a_turn_has_left() -> None:
    assert {way.next_cue() for way in found(NOTHING)} == {("d1", "destination"), ("d3", "destination")}


def test_begun_uncertain_point_is_read_both_ways() -> None:
    assert {way.turn for way in found(WHITE)} | {way.turn for way in found(NOTHING)} <= {
        way.turn for way in found(WHITE, NOTHING)
    }


def test_begun_board_that_may_be_unchanged_may_also_be_replied_on() -> None:
    moment = MillMoment(RULE_SETS["standard"], BOARD, {WHITE: 0, BLACK: 0}, WHITE, WHITE, placing=False)
    may_be = {"d1": WHITE, "a1": WHITE, "c5": BLACK, "c4": BLACK}
    felt = [
        frozenset({NOTHING, may_be[point]}) if point in may_be else frozenset({BOARD.get(point, NOTHING)})
        for point in POINTS
    ]
    turns = {way.turn for way in begun(moment, colours=True, felt=felt, changed=frozenset(may_be))}
    assert {("d1-a1",), ("d1-a1", "c5-c4")} <= turns
