"""Boards drawn in text: every mark where its point is, and what stands there."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player
from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, SQUARES, Layout, Point
from firmware_host.games.textboard import piece_marks, render
from tests.support.games.random_games import played

EMPTY = """\
  7  +-----------+-----------+
  6  |   +-------+-------+   |
  5  |   |   +---+---+   |   |
  4  +---+---+       +---+---+
  3  |   |   +---+---+   |   |
  2  |   +-------+-------+   |
  1  +-----------+-----------+
     a   b   c   d   e   f   g"""


@pytest.mark.parametrize("layout", [MORRIS, DIAGONAL_MORRIS])
def test_render_without_marks_draws_lines_and_crossings(layout: Layout) -> None:
    assert render(layout, {}) == EMPTY


@given(st.sets(st.sampled_from(MORRIS.points)), st.sampled_from([MORRIS, DIAGONAL_MORRIS]))
def test_render_puts_each_mark_where_its_point_is(marked: set[Point], layout: Layout) -> None:
    rows = render(layout, {point.name: "@" for point in marked}).splitlines()
    seen = {(column, row) for row, text in enumerate(rows) for column, mark in enumerate(text) if mark == "@"}
    assert seen == {(5 + 4 * point.x, 6 - point.y) for point in marked}


def test_render_long_mark_hides_the_line_behind_it() -> None:
    assert render(SQUARES, {"a5": "@2", "e5": "O3"}).splitlines()[0] == "  5  @2--+---+---+---O3"


def test_piece_marks_are_those_of_the_position() -> None:
    game = played(Random(3), 6, "standard")
    marks = piece_marks(game.rules.layout, game.position)
    for point, piece in zip(game.rules.layout.points, game.position.standing, strict=True):
        assert (
            marks[point.name]
            == {None: ".", Player.WHITE: "O", Player.BLACK: "@"}[piece.owner if piece else None]
        )


def test_piece_marks_tell_heights_and_flat_pieces() -> None:
    marks = set()
    for seed in range(8):
        game = played(Random(seed), 40, "mitsudomoe")
        for position in game.positions:
            for point, stack in zip(game.rules.layout.points, position.stacks, strict=True):
                mark = piece_marks(game.rules.layout, position)[point.name]
                marks.add(mark)
                assert mark[1:] == (str(len(stack)) if len(stack) > 1 else "")
                if stack:
                    assert mark[0].lower() in ("o" if stack[-1].owner is Player.WHITE else "@a")
                    assert mark[0].islower() == stack[-1].flat
    assert {".", "o", "a"} <= marks
    assert any(len(mark) == 2 for mark in marks)
