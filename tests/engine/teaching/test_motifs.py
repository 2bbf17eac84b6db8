"""The things that a person sees on a board, in positions whose reading is beyond doubt."""

from __future__ import annotations

from firmware_host.engine.remarks import (
    can_land,
    fork,
    mill_points,
    moves_left,
    opened_mill,
    other_side,
    swing_mills,
)
from firmware_host.engine.searching.mill_bits import MillBits, Node, mill_bits
from firmware_host.games.morris.bitboard import points_of
from firmware_host.games.morris.position import MorrisPosition
from tests.support.games.morris import at


def seen(position: MorrisPosition) -> tuple[MillBits, Node]:
    mine, theirs, my_hand, their_hand = position.state[:4]
    return mill_bits(position.rules.options), (mine, theirs, my_hand, their_hand)


def names(points: int) -> set[str]:
    return {str(point) for point in points_of(points)}


def test_mill_points_are_where_two_stand_in_a_line() -> None:
    assert names(mill_points(*seen(at("a1 d1 a4", "f4 b4", hands=(6, 7))))) == {"g1", "a7"}
    assert names(mill_points(*seen(at("a1 d1", "g1 b4", hands=(7, 7))))) == set()


def test_mill_points_of_moves_need_a_neighbour() -> None:
    assert names(mill_points(*seen(at("a1 d1 g4 b6", "f4 b4 e5 d3")))) == {"g1"}
    assert names(mill_points(*seen(at("a1 d1 g7 b6", "f4 b4 e5 d3")))) == set()


def test_fork_is_two_mills_that_no_turn_stops() -> None:
    assert names(fork(*seen(at("a1 d1 a4", "f4 b4 d6", hands=(6, 6))))) == {"g1", "a7"}


def test_fork_that_one_piece_stops_is_none() -> None:
    # Two lines that meet at one empty point are one mill to stop.
    assert fork(*seen(at("a1 d1 g4 g7", "f4 b4 d6 b2", hands=(5, 5)))) == 0
    assert fork(*seen(at("a1 d1 a4", "f4 b4 a7", hands=(6, 6)))) == 0


def test_fork_is_none_while_the_opponent_closes_first() -> None:
    assert fork(*seen(at("a1 d1 a4", "d6 f6 e5", hands=(6, 6)))) == 0


def test_swing_mill_is_a_piece_between_two_mills() -> None:
    rules, node = seen(at("a1 d1 g1 b4 c4", "f4 d6 e5 d3"))
    assert [names(pair) for pair in swing_mills(rules, node)] == [{"a1", "a4"}]
    for white, black in [("a1 d1 g1 b4 c4", "a4 d6 e5 d3"), ("a1 d1 g1 b4 e5", "f4 d6 e4 d3")]:
        assert not swing_mills(*seen(at(white, black)))


def test_moves_left_count_for_pieces_that_slide_only() -> None:
    assert moves_left(*seen(at("a1 a7 g1 g7", "d1 g4 d7 b2"))) == 2
    assert moves_left(*seen(at("a1 a7 g1", "d1 g4 d7 b2"))) is None
    assert moves_left(*seen(at("a1 a7 g1 g7", "d1 g4 d7 b2", hands=(1, 1)))) is None


def test_opened_mill_is_the_point_that_was_left() -> None:
    position = at("a4 b4 c4 g7", "b2 f4 d6 e5")
    rules, before = seen(position)
    moved = position.play(position.legal_step("b4-b6")).state.theirs
    assert names(opened_mill(rules, before, moved)) == {"b4"}
    other = position.play(position.legal_step("g7-g4")).state.theirs
    assert opened_mill(rules, before, other) == 0


def test_can_land_asks_for_a_neighbour_or_a_hand() -> None:
    rules, node = seen(at("a4 b6 c4 g7", "b2 f4 d6 e5"))
    (b4,) = (1 << point.index for point in at("", "", hands=(9, 9)).rules.layout.points if point.name == "b4")
    assert can_land(rules, other_side(node), b4)
    rules, node = seen(at("a4 b6 c4 g7", "f2 f4 d6 e5"))
    assert not can_land(rules, other_side(node), b4)
    rules, node = seen(at("a4 b6 c4 g7", "f2 f4 d6 e5", hands=(1, 1)))
    assert can_land(rules, other_side(node), b4)
