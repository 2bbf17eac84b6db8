"""Pieces that are pushed and flicked: their distance, the obstacles that stop them, and their sensors."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import HandsError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SOMETHING, SensorKind
from firmware_host.settings import Microseconds
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.hands import TableHands
from sim.table.table import PIECE_MM, Spot, TablePiece

A_HAIR = 1e-6


class MovingWood:
    """A board with pieces and electronics, whose time passes on request."""

    def __init__(self, alphabet: SensorKind = SensorKind.PRESENCE) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(MORRIS, alphabet, self.clock)
        self.table = self.board.table
        self.table.stock({"white": 2, "black": 2})
        self.hands = TableHands(self.table, self.board)

    def do(self, **command: Any) -> None:
        self.wait(self.hands.do(command, self.clock.now()))

    def wait(self, microseconds: Microseconds) -> None:
        self.clock.reach(self.clock.now() + microseconds)
        self.board.next_change(self.clock.now())

    def rest(self) -> None:
        self.wait(max(0, self.table.rests_from() - self.clock.now()))

    def at(self, number: int) -> Spot:
        piece = self.table.numbered(number)
        assert piece is not None
        return self.table.wood[piece].at(self.clock.now())

    def piece(self, number: int) -> TablePiece:
        piece = self.table.numbered(number)
        assert piece is not None
        return piece

    def felt(self) -> set[str]:
        """Return the points whose sensors have detected something once bounces are over."""
        self.wait(5000)
        with self.board.open_sensors() as sensors:
            frame = sensors.read()
        return {
            point.name for point, reading in zip(MORRIS.points, frame, strict=True) if reading == SOMETHING
        }


@pytest.fixture
def wood() -> MovingWood:
    """A white piece on d6, which is number 1, and a black one on f4."""
    wood = MovingWood()
    wood.do(put="d6", piece="white")
    wood.do(put="f4", piece="black")
    return wood


def test_a_push_goes_straight_in_its_time(wood: MovingWood) -> None:
    wood.do(push=1, to=[100, 160], seconds=0.1)
    wood.wait(50_000)
    assert wood.at(1).to(Spot(110, 180)) < A_HAIR
    wood.wait(50_000)
    assert wood.at(1) == Spot(100, 160)


def test_a_piece_is_pushed_by_its_number_its_point_or_what_it_covers(wood: MovingWood) -> None:
    for named in (1, "d6", [110, 195]):
        wood.do(push=named, to=[112, 192])
        wood.rest()
        assert wood.at(1) == Spot(112, 192)
        wood.do(push=1, to="d6")
        wood.rest()


def test_a_push_that_is_said_again_changes_nothing(wood: MovingWood) -> None:
    for _ in range(3):
        wood.do(push=1, to=[100, 160], seconds=0)
        assert wood.at(1) == Spot(100, 160)


def test_the_last_of_several_pushes_counts_from_where_the_piece_is_then(wood: MovingWood) -> None:
    wood.do(push=1, to=[120, 100], seconds=1)
    wood.wait(500_000)
    wood.do(push=1, to=[60, 150], seconds=0.1)
    wood.wait(50_000)
    assert wood.at(1).to(Spot(90, 150)) < A_HAIR
    wood.wait(10_000_000)
    assert wood.at(1) == Spot(60, 150)


def test_two_pieces_are_pushed_at_once(wood: MovingWood) -> None:
    wood.do(push=1, to=[80, 200], seconds=0.2)
    wood.do(push=2, to=[200, 80], seconds=0.2)
    wood.wait(100_000)
    assert (wood.at(1), wood.at(2)) == (Spot(100, 200), Spot(200, 100))


def test_a_push_ends_where_it_touches_another_piece(wood: MovingWood) -> None:
    wood.do(push=1, to="f4")
    wood.rest()
    assert PIECE_MM <= wood.at(1).to(wood.at(2)) < PIECE_MM + 0.02
    before = wood.at(1)
    wood.do(push=1, to="f2")
    wood.rest()
    assert wood.at(1).to(before) < A_HAIR, "it must not creep past"
    wood.do(push=1, to="d6")
    wood.rest()
    assert wood.at(1) == Spot(120, 200), "what touched can go away again"


def test_a_push_ends_before_the_way_that_another_still_goes(wood: MovingWood) -> None:
    wood.do(push=2, to="f6", seconds=1)
    wood.do(push=1, to=[220, 200], seconds=0.01)
    wood.rest()
    assert wood.at(2) == Spot(200, 200)
    assert wood.at(1).to(wood.at(2)) >= PIECE_MM


def test_a_push_stops_at_the_rim(wood: MovingWood) -> None:
    wood.do(push=1, to=[120, 999])
    wood.rest()
    assert wood.at(1).to(Spot(120, 260.4)) < A_HAIR


def test_sensors_on_the_way_feel_a_piece_that_is_pushed(wood: MovingWood) -> None:
    assert wood.felt() == {"d6", "f4"}
    wood.do(push=1, to=[120, 189])
    wood.rest()
    assert wood.felt() == {"d6", "f4"}, "a magnet holds a contact further than it closes it"
    wood.do(push=1, to=[120, 180])
    wood.rest()
    assert wood.felt() == {"f4"}
    wood.do(push=1, to=[120, 169])
    wood.rest()
    assert wood.felt() == {"d5", "f4"}
    wood.do(lift=1)
    assert wood.felt() == {"f4"}


def test_a_piece_can_be_set_down_beside_the_points(wood: MovingWood) -> None:
    wood.do(put=[100, 100], piece="white")
    assert wood.felt() == {"d6", "f4"}
    wood.do(lift=[95, 110])
    assert wood.hands.held == ["white"]
    wood.do(put=[80, 88.5], piece=3)
    assert wood.felt() == {"c3", "d6", "f4"}


def test_a_gentle_flick_slides_out_on_the_board(wood: MovingWood) -> None:
    wood.do(flick=1, speed=[-600, 0])
    wood.rest()
    assert wood.at(1).to(Spot(60, 200)) < A_HAIR, "0.6 m/s squared by twice 3 m/s2 are 60 mm"
    assert not wood.piece(1).turned


def test_a_flicked_piece_slows_on_its_way(wood: MovingWood) -> None:
    wood.do(flick=1, speed=[-600, 0])
    wood.wait(100_000)
    assert wood.at(1).to(Spot(75, 200)) < 0.5, "half of the time is three quarters of the way"


def test_a_fast_flick_turns_a_piece_over_until_it_is_lifted() -> None:
    wood = MovingWood(SensorKind.POLARITY)
    wood.do(put="d6", piece="white")
    wood.do(put=[120, 171.9], piece="black")
    wood.do(flick=1, speed=[0, -900])
    assert wood.piece(1).turned
    wood.wait(5000)
    with wood.board.open_sensors() as sensors:
        assert sensors.read()[MORRIS["d6"].index] == TablePiece("black").pole
    wood.do(lift=1)
    assert not wood.piece(1).turned


def test_a_fast_piece_goes_over_the_rim_into_the_box_when_it_comes_there(wood: MovingWood) -> None:
    wood.do(flick=2, speed=[1000, 0])
    wood.wait(1000)
    assert wood.piece(2) in wood.table.wood
    wood.rest()
    assert wood.piece(2) in wood.table.box
    assert not wood.piece(2).turned
    assert wood.felt() == {"d6"}


def test_a_slow_piece_stays_at_the_rim(wood: MovingWood) -> None:
    wood.do(flick=1, speed=[0, 620])
    wood.rest()
    assert wood.at(1).to(Spot(120, 260.4)) < A_HAIR
    assert wood.at(1).y <= 260.4


def test_a_piece_that_would_fall_can_be_caught(wood: MovingWood) -> None:
    wood.do(flick=2, speed=[1000, 0])
    wood.wait(1000)
    wood.do(push=2, to="f4", seconds=0)
    wood.wait(10_000_000)
    assert wood.at(2) == Spot(200, 120)


def test_a_flick_is_stopped_by_another_piece(wood: MovingWood) -> None:
    wood.do(put="d5", piece="black")
    wood.do(flick=1, speed=[0, -700])
    wood.rest()
    assert PIECE_MM <= wood.at(1).to(wood.at(3)) < PIECE_MM + 0.02


def test_all_is_swept_into_the_box(wood: MovingWood) -> None:
    wood.do(put=[20, 20], piece="white")
    wood.do(lift="f4")
    wood.do(sweep=True)
    assert Counter(piece.kind for piece in wood.table.box) == {"white": 2, "black": 2}
    assert wood.felt() == set()
    wood.do(sweep=True)


MEASURES = st.floats(-60, 300).map(lambda mm: round(mm, 2))
POINTS = st.sampled_from(["d6", "d5", "e5", "f6"])
PLACES = POINTS | st.lists(MEASURES, min_size=2, max_size=2)
PIECES = st.integers(1, 4) | PLACES
SECONDS = st.sampled_from([0, 0.01, 0.1, 1])
SPEEDS = st.lists(st.floats(-2000, 2000), min_size=2, max_size=2)
COMMANDS = st.one_of(
    st.builds(lambda p, k: {"put": p, "piece": k}, PLACES, st.sampled_from(["white", "black", 1, 2, 3])),
    st.builds(lambda p: {"lift": p}, PIECES),
    st.builds(lambda p, to, s: {"push": p, "to": to, "seconds": s}, PIECES, PLACES, SECONDS),
    st.builds(lambda p, v: {"flick": p, "speed": v}, PIECES, SPEEDS),
    st.builds(lambda p, q, s: {"slide": [p, q], "seconds": s}, PLACES, PLACES, SECONDS),
    st.builds(
        lambda jumps: {"knock": jumps}, st.dictionaries(POINTS, POINTS | st.none(), min_size=1, max_size=3)
    ),
    st.sampled_from([{"box": True}, {"sweep": True}]),
)


@given(st.lists(st.tuples(COMMANDS, st.integers(0, 300_000)), max_size=25))
def test_whatever_hands_do_no_piece_is_lost_and_no_two_are_in_one_place(
    life: list[tuple[dict[str, Any], Microseconds]],
) -> None:
    wood = MovingWood()
    table, rim = wood.table, 20.4 + A_HAIR
    for number, point in enumerate(["d6", "d5", "f6"]):
        wood.do(put=point, piece=["white", "black"][number % 2])
    for command, wait in life:
        before = (list(table.box), list(table.hands), dict(table.wood))
        began = wood.clock.now()
        try:
            # A lasting action may be met by the next, as when several pages play.
            wood.hands.do(command, began)
        except HandsError:
            assert (table.box, table.hands, table.wood) == before
        for part in (0, wait // 2, wait):
            wood.clock.reach(began + part)
            wood.board.next_change(began + part)
            everywhere = [*table.box, *table.hands, *table.air, *table.wood]
            assert Counter(piece.kind for piece in everywhere) == {"white": 2, "black": 2}
            assert len(set(everywhere)) == 4
            spots = [track.at(began + part) for track in table.wood.values()]
            assert all(a.to(b) >= PIECE_MM - A_HAIR for a, b in combinations(spots, 2))
            assert all(-rim <= at.x <= 240 + rim and -rim <= at.y <= 240 + rim for at in spots)
