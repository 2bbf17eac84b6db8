"""The gesture that ends a game: the board is cleared, or the next game's pieces stand instead."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.ports import SensorKind
from tests.support.scripted_board import ScriptedBoard, after

KINDS = pytest.mark.parametrize("kind", [SensorKind.PRESENCE, SensorKind.POLARITY])


def given_up(kind: SensorKind = SensorKind.POLARITY) -> ScriptedBoard:
    """Return a board with pieces on a7, g7 and d6, whose game White gave up."""
    board = after("a7 g7 d6", alphabet=kind)
    board.ask("resign", Player.WHITE)
    return board


@KINDS
@pytest.mark.parametrize("gap", [50, 400, 5000])
def test_next_game_begins_once_the_last_old_piece_is_off(kind: SensorKind, gap: int) -> None:
    board = given_up(kind)
    board.hands(f"-a7 300 -g7 300 +f4 {gap} -d6 2000")
    assert board.texts == "f4"
    board.turns("d2 b4")
    assert board.texts == "f4 d2 b4"


@KINDS
def test_next_game_keeps_the_order_of_its_first_pieces(kind: SensorKind) -> None:
    board = given_up(kind)
    board.hands("-a7 300 -g7 300 +f4 600 @d2 600 -d6 2000")
    assert board.texts == "f4 d2"


def test_next_game_does_not_begin_as_old_pieces_are_straightened() -> None:
    board = given_up()
    board.hands("-a7 300 +a7 300 -g7 300 @g7 300 -d6 300 +d6 4000")
    assert board.texts == "a7 g7 d6"


def test_many_new_pieces_after_the_end_have_to_be_cleared() -> None:
    board = given_up()
    board.hands("+f4 300 @d2 300 +b4 300 @f2 300 +b2 300 -a7 300 -g7 300 -d6 3000")
    assert board.session.must_clear


@KINDS
@pytest.mark.parametrize("gap", [100, 900])
def test_next_game_begins_though_a_new_piece_came_at_once_where_an_old_one_had_stood(
    kind: SensorKind, gap: int
) -> None:
    board = given_up(kind)
    board.hands(f"-a7 {gap} +a7 300 -g7 300 @d2 300 -d6 2000")
    assert board.texts == "a7 d2"


@KINDS
def test_next_game_begins_though_its_first_piece_took_the_place_of_the_only_old_one(kind: SensorKind) -> None:
    board = after("a7", alphabet=kind)
    board.ask("resign", Player.WHITE)
    board.hands("-a7 300 +a7 300 @d2 2000")
    assert board.texts == "a7 d2"
