"""A board that is undecided: the hands that put everything back piece by piece play no turn on the way."""

from __future__ import annotations

import itertools

import pytest

from firmware_host.games.game import Player
from firmware_host.tracking.verdict import Settled, Undecided
from tests.support.matrix import CI, sampled
from tests.support.scripted_board import after

WHITES, BLACKS = ("-{white} {gap}", "+d6 {gap}"), ("-{black} {gap}", "@f4 {gap}")


def orders() -> list[tuple[str, ...]]:
    """Every order of putting two pieces back, each lifted before it is set down."""
    every = itertools.permutations((*WHITES, *BLACKS))
    return [
        o
        for o in every
        if o.index(WHITES[0]) < o.index(WHITES[1]) and o.index(BLACKS[0]) < o.index(BLACKS[1])
    ]


@pytest.mark.parametrize("gap", sampled([150, 500, 1300], others=CI))
@pytest.mark.parametrize("white", sampled(["d3", "b4"], others=CI))
def test_undecided_board_put_back_in_any_order_stays(white: str, gap: int) -> None:
    black = "b4" if white == "d3" else "d3"
    for order in orders():
        board = after("d6 f4 a1 g1 g7 b2", "standard", "pieces=3")
        before = board.session.game
        board.hands("-d6 200 -f4 200 +d3 200 @b4 2000")
        assert isinstance(board.session.verdict, Undecided)
        script = " ".join(order).format(white=white, black=black, gap=gap)
        board.hands(f"{script} 2000")
        assert isinstance(board.session.verdict, Settled), script
        assert board.session.game is before, script


@pytest.mark.parametrize("gap", [350, 600])
def test_undecided_board_takes_nothing_as_all_is_put_back(gap: int) -> None:
    board = after("a1 d5 a4 f6 d3 b2 a7xb2 e3 g7", "lasker")
    before = board.session.game
    board.session.suspended = True  # Black's d5 may have moved to c5, or been captured by the mill of d7
    board.hands("@c5 900 +d7 400 -d5 2000")
    board.session.suspended = False
    board.observe()
    board.hands("2000")
    assert isinstance(board.session.verdict, Undecided)
    board.hands(f"-c5 {gap} -d7 300 @d5 2000")
    assert isinstance(board.session.verdict, Settled)
    assert board.session.game is before


@pytest.mark.parametrize("black", ["d3", "b4"])
@pytest.mark.parametrize("gap", sampled([150, 500, 1300], others=CI))
@pytest.mark.parametrize("more", ["", "-g1 200 +d1 1500"])
def test_piece_touched_is_the_one_that_black_played(black: str, gap: int, more: str) -> None:
    white = "b4" if black == "d3" else "d3"
    for lifts in ("-d6 200 -f4", "-f4 200 -d6"):
        for landings in ("+d3 200 @b4", "+b4 200 @d3"):
            board = after("d6 f4 a1 g7 g1 b2", "standard", "pieces=3")
            board.hands(f"{lifts} 200 {landings} 2000 {more}")
            assert isinstance(board.session.verdict, Undecided)
            board.hands(f"-{black} {gap} @{black} 3000")
            assert "d6-" + white in board.texts, (lifts, landings)
            assert more or board.texts.endswith(f"d6-{white} f4-{black}"), (lifts, landings)


def test_of_one_point_it_asks_for_the_turn_that_touching_means() -> None:
    board = after("e3 a7 g1 d6 d1 a4")
    board.hands("-a4 350 +a1 3000")  # taken first by the mill of a1, or thought over
    assert isinstance(board.session.verdict, Undecided)
    assert ([str(point) for point in board.session.verdict.points], board.session.verdict.by) == (
        ["a1"],
        Player.BLACK,
    )
    board.hands("-a1 400 +a1 3000")
    assert board.texts.endswith("d1 a1")
