"""The table: where pieces are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import HandsError
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.ports import BLACK_PIECE, WHITE_PIECE
from sim.table.table import Make, Spot, Table, TablePiece

ROUTES = st.lists(st.sampled_from(MORRIS.points), min_size=1, max_size=5)


def table_with(kind: str, name: str) -> tuple[Table, TablePiece]:
    table = Table(MORRIS)
    piece = TablePiece(kind)
    table.put(piece, table.spots[MORRIS[name].index], 0)
    return table, piece


def test_the_board_is_240_mm_from_corner_to_corner():
    spots = Table(MORRIS).spots
    assert spots[MORRIS["a1"].index] == Spot(0, 0)
    assert spots[MORRIS["g7"].index] == Spot(240, 240)


def test_a_piece_shows_its_owners_pole():
    assert (TablePiece("white").pole, TablePiece("black").pole) == (WHITE_PIECE, BLACK_PIECE)
    assert TablePiece("black-ring").pole == BLACK_PIECE


def test_a_piece_is_in_one_place_at_a_time():
    table = Table(MORRIS)
    table.stock({"white": 1})
    (piece,) = table.box
    table.put(piece, table.spots[0], 0)
    assert (table.box, table.hands, list(table.wood)) == ([], [], [piece])
    table.take(piece, 1)
    assert (table.box, table.hands, list(table.wood)) == ([], [piece], [])
    table.stow(piece, 2)
    assert (table.box, table.hands, list(table.wood)) == ([piece], [], [])


def test_what_was_lifted_last_is_held_last():
    table, first = table_with("white", "a1")
    second = TablePiece("black")
    table.put(second, table.spots[3], 0)
    table.take(first, 1)
    table.take(second, 2)
    table.take(first, 3)
    assert table.hands == [second, first]


def test_a_piece_beside_a_point_does_not_stand_on_it():
    table, piece = table_with("white", "a1")
    table.put(piece, Spot(9, 0), 0)
    assert table.standing(MORRIS["a1"], 0) is piece
    assert table.point_of(piece, 0) is MORRIS["a1"]
    table.put(piece, Spot(20, 0), 0)
    assert table.standing(MORRIS["a1"], 0) is None
    assert table.point_of(piece, 0) is None


def test_a_piece_in_the_hands_is_on_no_point():
    table, piece = table_with("white", "a1")
    table.take(piece, 0)
    assert table.point_of(piece, 0) is None
    assert table.standing(MORRIS["a1"], 0) is None


@given(ROUTES, st.integers(100_000, 2_000_000), st.floats(0, 1))
def test_a_push_goes_evenly_along_its_route(route, lasts, part):
    table, piece = table_with("white", "d6")
    spots = [table.spots[MORRIS["d6"].index], *(table.spots[point.index] for point in route)]
    table.push(piece, spots[1:], 1000, 1000 + lasts)
    left = part * sum(a.to(b) for a, b in pairwise(spots))
    there = spots[-1]
    for a, b in pairwise(spots):
        if left < a.to(b):
            there = Spot(a.x + (b.x - a.x) * left / a.to(b), a.y + (b.y - a.y) * left / a.to(b))
            break
        left -= a.to(b)
    assert table.wood[piece].at(1000 + round(part * lasts)).to(there) < 0.1


@given(ROUTES, st.integers(0, 100))
def test_a_push_ends_at_the_end_of_its_route_in_time(route, lasts):
    table, piece = table_with("white", "d6")
    table.push(piece, [table.spots[point.index] for point in route], 1000, 1000 + lasts)
    assert table.wood[piece].at(1000 + lasts) == table.spots[route[-1].index]


def test_a_push_begins_where_the_piece_lies_now():
    table, piece = table_with("white", "a1")
    table.push(piece, [Spot(100, 0)], 0, 1000)
    table.push(piece, [Spot(50, 100)], 500, 1000)
    assert table.wood[piece].at(500) == Spot(50, 0)


def test_what_is_not_on_the_board_cannot_be_pushed():
    table, piece = table_with("white", "a1")
    table.take(piece, 0)
    with pytest.raises(HandsError, match="cannot be pushed"):
        table.push(piece, [Spot(0, 40)], 0, 100)


def test_watchers_are_told_of_what_changes_on_the_wood_and_of_nothing_else():
    table, told = Table(MORRIS), []
    table.watch(lambda piece, track, now: told.append((piece.kind, track and track.spots, now)))
    table.stock({"white": 1})
    (piece,) = table.box
    table.take(piece, 1)
    table.put(piece, Spot(1, 2), 2)
    table.push(piece, [Spot(3, 4)], 3, 4)
    table.take(piece, 5)
    table.stow(piece, 6)
    assert told == [
        ("white", (Spot(1, 2),), 2),
        ("white", (Spot(1, 2), Spot(3, 4)), 3),
        ("white", None, 5),
    ]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 3))
def test_stocking_counts_what_is_on_the_board_and_takes_only_from_the_box(before, after, played):
    table = Table(MORRIS)
    table.stock({"white": before, "black": 3})
    for n in range(min(played, before)):
        table.put(next(piece for piece in table.box if piece.kind == "white"), table.spots[n], 0)
    out = len(table.wood)
    table.stock({"white": after})
    assert [piece.kind for piece in table.box] == ["white"] * max(0, after - out)
    assert len(table.wood) == out


# ---- stacks ----------------------------------------------------------------------------------------------

RING = Make(flat=True)


@pytest.fixture
def set_of_rings():
    table = Table(SQUARES)
    table.stock({"white-ring": 2, "black-ball": 1}, {"white-ring": RING, "black-ball": Make(magnet=1)})
    return table


def test_a_board_of_fewer_rows_has_them_further_apart(set_of_rings):
    assert set_of_rings.pitch == 60
    assert Table(MORRIS).pitch == 40


def test_what_was_set_down_last_stands_uppermost(set_of_rings):
    point, (ring, other, ball) = SQUARES["c3"], set_of_rings.box
    for now, piece in enumerate((ring, ball)):
        set_of_rings.put(piece, set_of_rings.spots[point.index], now)
    assert set_of_rings.standing(point, 1) is ball
    assert set_of_rings.upon(ring, 1) is ball
    assert set_of_rings.upon(ball, 1) is None
    set_of_rings.take(ball, 2)
    assert set_of_rings.standing(point, 2) is ring
    assert other in set_of_rings.box


def test_pieces_are_made_as_their_kind_is(set_of_rings):
    assert [piece.make for piece in set_of_rings.box] == [RING, RING, Make(magnet=1)]
