"""Instructions for typical moments, as a first-time player reads them."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message, to_english
from firmware_host.play.seats import SeatHolder, Seats
from firmware_host.ports import SensorKind
from firmware_host.tracking.verdict import Settled, TakingBack, Undecided
from firmware_host.views.instructions import instruction
from tests.support.scripted_board import ScriptedBoard, after, controller_of

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
MAY = (*FOUR, "removal=may")


def said(board: ScriptedBoard, hands: str = "") -> str:
    """The sentence after `hands`."""
    board.hands(hands)
    return to_english(instruction(controller_of(board)))


@pytest.mark.parametrize(
    ("turns", "switches", "hands", "expected"),
    [
        ("", ("standard",), "", "White to play: place a piece on a free point (9 in hand)."),
        ("d6", ("standard",), "", "Black to play: place a piece on a free point (9 in hand)."),
        ("d6 f4", ("lasker",), "", "White to play: place a piece on a free point (9 in hand), or move one."),
        (PLACED, FOUR, "", "White to play: move one of your pieces."),
        (PLACED, FOUR, "-d6 50", "White has lifted the piece from d6: put it on a point it can reach."),
        (PLACED, FOUR, "-a1 50", "White takes the piece from a1: now close the mill that wins it."),
        (
            PLACED,
            FOUR,
            "-a1 50 -g4 50",
            "White has lifted the piece from g4: put it on a point it can reach.",
        ),
        (
            PLACED,
            FOUR,
            "-g4 +g7 50",
            "White closed a mill at g7: take one of the lit black pieces off the board.",
        ),
        (
            PLACED + " g4-g7",
            FOUR,
            "-g7 50",
            "Put it back on g7, then take a1, c4, f4 or g1.",
        ),
        (
            PLACED,
            MAY,
            "-g4 +g7 50",
            "White closed a mill at g7: "
            "take one of the lit black pieces off the board, or let Black play on.",
        ),
        (
            PLACED + " d6-d5",
            FOUR,
            "-d5 50",
            "White changes the move: put the piece from d5 where it can go, or back.",
        ),
        (
            "d6",
            ("standard",),
            "-d6 50",
            "White changes the move: put the piece from d6 where it can go, or back.",
        ),
        (
            "d6 f4 a1 f6 g7",
            ("standard",),
            "-g7 50",
            "The piece from g7 was lifted: White can still change the move, "
            "or Black takes it and closes a mill.",
        ),
        (
            PLACED,
            FOUR,
            "-d6 -g1 +b2 1000",
            "The board doesn't match the game: put a white piece back on d6, put a black piece back on g1, "
            "and clear b2.",
        ),
        (
            PLACED,
            FOUR,
            "-d6 -d7 1000",
            "The board doesn't match the game: put white pieces back on d6 and d7.",
        ),
    ],
)
def test_the_sentence_says_what_is_to_be_done_now(
    turns: str, switches: tuple[str, ...], hands: str, expected: str
) -> None:
    assert said(after(turns, *switches), hands) == expected


@pytest.mark.parametrize(
    ("names", "by", "expected"),
    [
        (
            ("g7", "d2"),
            None,
            "The board can't tell what was played. Where did the last turn end: d2 and g7? "
            "Lift what's there and set it down again, or put everything back.",
        ),
        (
            ("d2",),
            Player.BLACK,
            "The board can't tell what was played. Did Black's last turn end on d2? "
            "If so, lift what's there and set it down again. If not, put everything back.",
        ),
    ],
)
def test_undecided_asks_which_piece_moved_last(
    names: tuple[str, ...], by: Player | None, expected: str
) -> None:
    board = after(PLACED + " g4-g7", *FOUR)
    points = frozenset(MORRIS[name] for name in names)
    board.session.verdict = Undecided(points, frozenset({MORRIS["d6"]}), by)
    assert said(board) == expected


@pytest.mark.parametrize(("to", "turn"), [(0, "d6"), (7, "c4"), (8, "g4-g7xa1"), (9, "xa1"), (10, "c4-c5")])
def test_taking_back_names_the_turn_it_goes_back_before(to: int, turn: str) -> None:
    board = after(PLACED + " g4-g7xa1 c4-c5", *FOUR)
    board.session.verdict = TakingBack(to, frozenset({MORRIS["c4"]}))
    assert said(board) == (
        f"If you leave the board like this, the game goes back to before {turn}. "
        "To cancel, put everything back."
    )


def test_a_capture_is_taken_back_with_its_piece() -> None:
    board = after(PLACED + " g4-g7xa1", *FOUR)
    assert said(board, "-g7 200 +g4 1200") == (
        "To take back g4-g7xa1, also put the captured piece back on a1. "
        "To keep it, put everything back as it was."
    )


def test_taking_back_is_said_instead_of_the_end_that_it_undoes() -> None:
    board = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3")
    over = said(board)
    board.session.verdict = TakingBack(3, frozenset({MORRIS["d5"]}))
    assert said(board) == (
        "If you leave the board like this, the game goes back to before a1. To cancel, put everything back."
    )
    board.session.verdict = Settled()
    assert said(board) == over


def test_a_board_that_is_being_cleared_is_not_told_to_be_wrong() -> None:
    board = after("d6 f4", "standard")
    assert said(board, "-d6 -f4 1000") == (
        "The board is empty. Leave it like that to begin a new game, or put everything back."
    )


def test_it_asks_for_the_right_colours() -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    assert (
        said(board, "-d6 @d6 1000")
        == "The board doesn't match the game: swap the piece on d6 for the other colour."
    )


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (("resign", Player.BLACK), "White wins: black gave up. Clear the board for the next game."),
        (("agree_draw",), "Nobody wins: both players agreed. Clear the board for the next game."),
    ],
)
def test_it_says_why_a_game_ended(ending: tuple[object, ...], expected: str) -> None:
    board = after("d6 f4", "standard")
    board.ask(*ending)  # type: ignore[arg-type]
    assert said(board).lower() == expected.lower()


def test_it_says_why_the_rules_ended_a_game() -> None:
    board = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3")
    assert said(board).startswith("White wins: ")
    assert "fewer than three pieces" in said(board)


def test_it_asks_for_a_clear_board() -> None:
    board = ScriptedBoard(stands="+d6")
    assert said(board) == "Clear the board: the game begins once it's empty."


def test_it_says_that_the_game_is_paused() -> None:
    board = after("d6", "standard")
    board.ask("pause")
    assert said(board) == "The game is paused."


def test_it_says_which_turn_is_to_be_done_for_a_far_player() -> None:
    board = after("d6", "standard")
    board.ask("choose", "f4")
    assert said(board) == "Black plays f4: make this move for them."


MILL_DUE = "d6 a4 d7 b4 g1 c5 e3 f2 d7-g7"


@pytest.mark.parametrize(
    ("turns", "chosen", "hands", "expected"),
    [
        ("d6", None, "", "The board is thinking."),
        ("d6", "f4", "", "The board plays f4. Put a black piece there for it."),
        (
            MILL_DUE,
            "c5-c4xd6",
            "",
            "The board plays c5 to c4, taking d6. Move its black piece for it.",
        ),
        (
            MILL_DUE,
            "c5-c4xd6",
            "-c5 100",
            "The board plays c5 to c4, taking d6. Move its black piece for it.",
        ),
        (
            MILL_DUE,
            "c5-c4xd6",
            "-c5 @c4 1000",
            "The board takes the white piece from d6. Take it off the board for it.",
        ),
        (
            MILL_DUE,
            "c5-d5",
            "-f2 @d2 3000",
            "This is the board's turn: it plays c5 to d5. But first, put a black piece back on f2, "
            "and clear d2.",
        ),
        ("d6", "f4", "@f2 3000", "This is the board's turn: it plays f4. But first, clear f2."),
    ],
)
def test_it_leads_through_a_turn_of_the_board(
    turns: str, chosen: str | None, hands: str, expected: str
) -> None:
    rules = ("standard", "pieces=4") if turns == MILL_DUE else ("standard",)
    board = after(turns, *rules)
    board.session.take_seats(Seats(black=SeatHolder(4)))
    if chosen is not None:
        board.ask("choose", chosen)
    assert said(board, hands) == expected


def test_it_says_why_the_board_cannot_feel() -> None:
    controller = controller_of(after("d6", "standard"))
    controller.blind_step(Message("pin 17 is busy"), 0)
    assert to_english(instruction(controller)) == "The board has stopped: pin 17 is busy."


@pytest.mark.parametrize(
    ("point", "hands", "expected"),
    [
        ("d5", "", "White to play: move one of your pieces."),
        (
            "d5",
            "-d6 50",
            "White has lifted the piece from d6: put it on a point it can reach. "
            "The board can't see moves at d5, so confirm them on the page.",
        ),
        (
            "a1",
            "-g4 50 +g7 500",
            "White closed a mill at g7: take one of the lit black pieces off the board. "
            "The board can't see moves at a1, so confirm them on the page.",
        ),
    ],
)
def test_instruction_asks_to_confirm_invisible_moves(point: str, hands: str, expected: str) -> None:
    board = after(PLACED, *FOUR)
    board.mask(point)
    assert said(board, hands) == expected
