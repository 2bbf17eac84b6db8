"""A game with another board: sentences and requests for each status."""

from __future__ import annotations

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import RequestError
from firmware_host.far.board_link import BoardState
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import to_english
from firmware_host.play.controller import Controller
from firmware_host.play.requests import perform
from firmware_host.ports import NOTHING, WHITE_PIECE, Frame, SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.views.far import far_dict
from firmware_host.views.instructions import advice, instruction
from firmware_host.views.page_state import page_state

RULES = rule_set("standard")
EMPTY = (NOTHING,) * len(RULES.layout)
SECOND = 1_000_000


def with_piece(name: str) -> Frame:
    return tuple(WHITE_PIECE if point.name == name else NOTHING for point in RULES.layout.points)


@pytest.fixture
def board() -> Controller:
    """Return a board on which White has played d6 against another board."""
    found = build_controller(RULES, SensorKind.POLARITY, Config(), draw_lot=lambda: Player.WHITE)
    found.step(EMPTY, 0)
    perform(found, {"do": "seats", "black": "far"})
    for second in range(1, 4):
        found.step(with_piece("d6"), second * SECOND)
    assert found.session.game.turn_texts() == ("d6",)
    return found


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("sent", "It's the other board's turn. Your turn is on its way."),
        ("arrived", "It's the other board's turn. Your turn has arrived there."),
        ("stands", "It's the other board's turn. Your turn has been played there."),
        ("away", "It's the other board's turn, but it isn't connected."),
        ("asking", "It's the other board's turn. Its player is choosing"),
        ("disagree", "The two boards disagree about the game"),
    ],
)
def test_each_status_is_a_sentence(board: Controller, status: str, words: str) -> None:
    perform(board, {"do": "far", "status": status})
    assert to_english(instruction(board)).startswith(words)


def test_the_lot_is_drawn_by_both_boards_and_by_neither_alone() -> None:
    here = build_controller(RULES, SensorKind.POLARITY, Config(), draw_lot=lambda: Player.BLACK)
    here.step(EMPTY, 0)
    perform(here, {"do": "new-game", "rules": "the-mill"})
    assert str(here.session.game.position.to_move) == "black"
    perform(here, {"do": "new-game", "rules": "the-mill", "white": "here", "black": "far"})
    assert str(here.session.game.position.to_move) == "white"


def test_a_link_finds_its_number_in_the_state_that_shows_what_it_asked_for(board: Controller) -> None:
    assert far_dict(board) == {"status": "away"}
    perform(board, {"do": "far", "status": "stands"})
    perform(board, {"do": "far", "led": 3})
    assert far_dict(board) == {"status": "stands", "led": 3}


def test_a_chosen_turn_is_the_other_boards(board: Controller) -> None:
    perform(board, {"do": "choose", "turn": "f4"})
    assert to_english(instruction(board)) == "The other board played f4. Make this move here as well."


def test_a_link_sees_that_hands_are_changing_their_own_turn(board: Controller) -> None:
    for frame, second in ((EMPTY, 5.0), (with_piece("f4"), 5.5), (with_piece("f4"), 5.6)):
        board.step(frame, int(second * SECOND))
    shown = page_state(board, held=[], leds={}).as_dict()
    assert shown["moves"] == ["f4"]  # what they are changing it to, and nothing that was chosen
    assert not BoardState.of(shown).rests


def test_hands_that_play_for_the_other_board_are_corrected(board: Controller) -> None:
    both = tuple(max(pair) for pair in zip(with_piece("d6"), with_piece("d2"), strict=True))
    for second in range(5, 8):
        board.step(both, second * SECOND)
    assert to_english(instruction(board)).startswith("It's the other board's turn. To put this board right, ")


def test_nothing_is_reported_of_another_board_where_none_plays() -> None:
    here = build_controller(RULES, SensorKind.POLARITY, Config(), draw_lot=lambda: Player.WHITE)
    here.step(EMPTY, 0)
    for request in ({"status": "sent"}, {"turns": ["d6"]}):
        with pytest.raises(RequestError, match="no game with another board"):
            perform(here, {"do": "far", **request})
    with pytest.raises(RequestError, match="needs a status, turns, an end or a mark"):
        perform(here, {"do": "far"})


@pytest.mark.parametrize(
    "request_",
    [
        {"status": "disagree", "points": ["z9"]},
        {"status": ["sent"]},
        {"turns": ["nonsense"]},
        {"turns": 5},
    ],
)
def test_a_wrong_report_changes_nothing(board: Controller, request_: dict) -> None:
    with pytest.raises(RequestError):
        perform(board, {"do": "far", **request_})
    assert not board.controls.far.holds_game
    assert board.session.game.turn_texts() == ("d6",)


def test_hints_are_off_against_another_board() -> None:
    here = build_controller(RULES, SensorKind.POLARITY, Config(), draw_lot=lambda: Player.WHITE)
    here.step(EMPTY, 0)
    perform(here, {"do": "seats", "black": "far"})
    with pytest.raises(RequestError):
        perform(here, {"do": "hint"})


def test_only_the_link_ends_the_game_for_the_other_board(board: Controller) -> None:
    with pytest.raises(RequestError, match="only the player at the other board"):
        perform(board, {"do": "resign", "player": "black"})
    assert board.session.game.outcome is None
    perform(board, {"do": "far", "end": {"reason": "resigned", "winner": "white"}})
    assert board.session.game.outcome == Outcome(Reason.RESIGNED, Player.WHITE)


def test_an_end_that_the_other_board_did_not_agree_with_is_replaced(board: Controller) -> None:
    drawn = {"reason": "agreed", "winner": None}
    perform(board, {"do": "far", "end": drawn})
    for request in ({"end": {"reason": "resigned", "winner": "white"}}, {"turns": []}):
        with pytest.raises(RequestError):
            perform(board, {"do": "far", **request})
    with pytest.raises(RequestError):
        perform(board, {"do": "far", "turns": ["nonsense"], "undo": True})
    assert board.session.game.outcome == Outcome(Reason.AGREED, None)
    perform(board, {"do": "far", "turns": [], "undo": True})
    perform(board, {"do": "far", "end": {"reason": "resigned", "winner": "white"}})
    assert board.session.game.outcome == Outcome(Reason.RESIGNED, Player.WHITE)
    assert board.session.game.turn_texts() == ()


@pytest.mark.parametrize("mark", ["x", -1, 0, True, 1.5, [1]])
def test_a_mark_is_a_number(board: Controller, mark: object) -> None:
    with pytest.raises(RequestError, match='"led" must be'):
        perform(board, {"do": "far", "led": mark})


@pytest.mark.parametrize(
    "end",
    [
        {"reason": "blocked", "winner": "white"},
        {"reason": "agreed"},
        {"reason": [], "winner": None},
        "agreed",
    ],
)
def test_an_end_that_players_cannot_declare_is_refused(board: Controller, end: object) -> None:
    with pytest.raises(RequestError, match="an end that players declare"):
        perform(board, {"do": "far", "end": end})


def test_wishes_reach_the_link_by_their_numbers(board: Controller) -> None:
    with pytest.raises(RequestError, match="no other board is linked"):
        perform(board, {"do": "wish", "wish": "draw"})
    perform(board, {"do": "room", "stage": "playing", "question": "draw"})
    perform(board, {"do": "wish", "wish": "decline"})
    perform(board, {"do": "wish", "wish": "decline"})
    far = far_dict(board)
    assert far is not None
    assert far["room"]["question"] == "draw"
    assert far["wish"] == {"number": 2, "what": "decline"}
    perform(board, {"do": "room", "stage": None})
    assert far_dict(board) == {"status": "away"}


@pytest.mark.parametrize(
    "report", [{"stage": "asleep"}, {"stage": "over", "done": -1}, {"stage": "over", "refused": {"key": 1}}]
)
def test_a_report_of_another_form_is_refused(board: Controller, report: dict[str, object]) -> None:
    with pytest.raises(RequestError, match="must be"):
        perform(board, {"do": "room", **report})


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("over", " For another one with the other board, say you're ready. To play something else here,"),
        ("ready", " You're ready for another one. Clear the board: the game begins once the other player is"),
        ("unconnected", " Clear the board for the next game."),
        (None, " Clear the board for the next game."),
    ],
)
def test_after_the_end_the_sentence_says_what_the_room_waits_for(
    board: Controller, stage: str | None, words: str
) -> None:
    perform(board, {"do": "far", "end": {"reason": "resigned", "winner": "white"}})
    perform(board, {"do": "room", "stage": stage})
    assert to_english(instruction(board)).startswith("White wins: Black gave up." + words)


def test_a_board_that_is_cleared_after_a_far_game_is_free(board: Controller) -> None:
    perform(board, {"do": "names", "names": {"white": "Anna", "black": "Ben"}})
    perform(board, {"do": "set", "starts": "loser"})
    perform(board, {"do": "far", "end": {"reason": "resigned", "winner": "white"}})
    for second in range(5, 12):
        board.step(EMPTY, second * SECOND)
    assert board.session.game.ply == 0
    assert board.session.seats.as_dict() == {"white": "here", "black": "here"}
    assert board.session.sides.names.as_dict() == {"white": "Anna", "black": ""}
    assert board.session.game.outcome is None


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("waiting", "The other board is in the room. To play with it, say you're ready."),
        ("over", "The other board is in the room. To play with it, say you're ready."),
        ("ready", "You're ready to play with the other board. The game begins once its player is ready."),
    ],
)
def test_before_a_game_the_advice_says_what_the_room_waits_for(
    board: Controller, stage: str, words: str
) -> None:
    perform(board, {"do": "far", "end": {"reason": "resigned", "winner": "white"}})
    perform(board, {"do": "new-game"})
    board.step(EMPTY, 5 * SECOND)
    assert not board.session.seats.has_far
    perform(board, {"do": "room", "stage": stage})
    below = advice(board)
    assert below is not None
    assert to_english(below) == words
    perform(board, {"do": "room", "stage": None})
    assert advice(board) is None
