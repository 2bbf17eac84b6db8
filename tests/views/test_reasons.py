"""Reasons why a board doesn't match its game, and the way on, as players read them."""

from __future__ import annotations

import pytest

from firmware_host.i18n import to_english
from firmware_host.ports import SensorKind
from firmware_host.views.instructions import advice, instruction
from tests.support.scripted_board import ScriptedBoard, after, controller_of

FOUR = ("standard", "pieces=4", "flying=never")
FLYING = ("standard", "pieces=4")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
BLOCKED = "a7 d7 d6 a4 f2 g1 b4 c3"
"""White's piece on a7 has a black one on each side."""
MILL = "d6 f4 d7 f2 a1 f6xa1 g1 a7 d5"
"""White has closed a mill; Black has one on f2, f4 and f6, and a piece on a7."""
COLOURS = SensorKind.POLARITY


def read(board: ScriptedBoard, hands: str) -> tuple[str, str]:
    """The sentence and the line below it, after `hands`."""
    board.hands(hands + " 1500")
    controller = controller_of(board)
    below = advice(controller)
    return to_english(instruction(controller)), "" if below is None else to_english(below)


@pytest.mark.parametrize(
    ("turns", "switches", "hands", "why", "then"),
    [
        (MILL, ("standard",), "-f4", "f4 is in a mill and safe.", "Put it back on f4, then take a7."),
        (MILL, ("standard",), "+c3", "First take a black piece.", "Clear c3, then take a7."),
        (
            MILL,
            ("standard",),
            "-g1",
            "White takes a black piece, not one of its own.",
            "Put it back on g1, then take a7.",
        ),
        (
            "d6 f4 a1 g1",
            ("standard",),
            "-f4",
            "Nothing may be taken now.",
            "Put the piece back on f4: only a new mill takes one.",
        ),
        (
            "d6 f4 a1 g1",
            ("standard",),
            "-f4 +f2",
            "Black has moved already.",
            "Put the piece from f2 back on f4, then White plays.",
        ),
        (
            "d6 f4",
            ("standard",),
            "-d6 +d5",
            "White places all its pieces before it moves one.",
            "Put the piece from d5 back on d6, then place a piece from the box.",
        ),
        (
            "d6 f4",
            ("standard",),
            "-d6",
            "The board doesn't match the game: put a white piece back on d6.",
            "First place all your pieces. If nobody lifted this one, its sensor may be broken: see More.",
        ),
        (
            BLOCKED,
            FOUR,
            "-a7",
            "The board doesn't match the game: put a white piece back on a7.",
            "That piece is blocked. If nobody lifted it, its sensor may be broken: see More.",
        ),
        (
            PLACED,
            FOUR,
            "-d6 +a4",
            "a4 isn't next to d6.",
            "Put the piece back on d6, or move it to b6, d5 or f6.",
        ),
        (
            PLACED,
            FOUR,
            "+e3",
            "White has no pieces left to place.",
            "Clear e3, then move a piece along a line.",
        ),
    ],
)
def test_simple_error_says_why_and_what_next(
    turns: str, switches: tuple[str, ...], hands: str, why: str, then: str
) -> None:
    assert read(after(turns, *switches), hands) == (why, then)


def test_second_placement_is_named_where_sensors_tell_colours() -> None:
    board = after("d6", "standard", alphabet=COLOURS)
    assert read(board, "+a1") == ("White has moved already.", "Clear a1, then Black plays.")


def test_piece_of_another_colour_has_not_moved_there() -> None:
    board = after("d6 f4 d7 a1", "standard", alphabet=COLOURS)
    assert read(board, "-a1 300 +c3") == (
        "The board doesn't match the game: put a black piece back on a1, and clear c3.",
        "",
    )


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, COLOURS])
def test_captured_piece_back_after_the_reply_is_named(alphabet: SensorKind) -> None:
    board = after(PLACED + " g4-g7xa1 c4-c5", *FOUR, alphabet=alphabet)
    assert read(board, "@a1") == (
        "The piece from a1 was captured.",
        "Clear a1 again, or take another piece instead.",
    )


def test_a_turn_other_than_the_chosen_one_is_not_against_the_rules() -> None:
    board = after("d6 a1 d7 g1", "standard")
    board.controls.choose("d5xa1")
    assert read(board, "+d5 800 -g1") == ("Another turn was chosen.", "Put it back on g1, then take a1.")
    board = after(PLACED, *FOUR)
    board.controls.choose("d6-d5")
    assert read(board, "-d6 +b6") == (
        "Another turn was chosen.",
        "Put the piece back on d6, or move it to d5.",
    )


def test_many_removable_pieces_are_not_listed() -> None:
    board = after("a1 b2 d1 b4 a7 c5 f4 e3 e4 d6 g1", "standard")
    assert read(board, "")[1] == ""  # the sentence says already that they are lit


def test_removable_pieces_are_named_below_the_sentence() -> None:
    assert read(after(MILL, "standard"), "")[1] == (
        "Take a7: pieces in a mill are safe while there are others."
    )


def test_take_back_by_request_says_how_to_set_the_pieces() -> None:
    board = after("d6 f4", "standard")
    board.controls.take_back()
    assert read(board, "") == (
        "Now put the pieces where they belong.",
        "To match the game: clear f4.",
    )


def test_several_errors_at_once_are_described_point_by_point() -> None:
    why, then = read(after("d6 f4", "standard"), "-d6 -f4 +a1 +g1 +b2")
    assert why.startswith("The board doesn't match the game")
    assert then == ""
