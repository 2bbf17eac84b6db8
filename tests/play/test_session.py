"""Games of a session: how they begin, go on and end, by moves and by request."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.tracking.verdict import InProgress, Mismatch, Settled
from tests.support.scripted_board import ScriptedBoard, after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
THREE = ("standard", "pieces=3")
WON = "d6 f4 d7 a1 d5xa1"
"""With three pieces each, Black has two left and has lost."""
FULL = "c5 g1 g4 d3 b2 d1 e4 b4 d5 f2 f6 a4 d6 c3 a7 d7 a1 g7 c4 b6 e3 e5 d2 f4"
"""A draw of `twelve`: the board is full, and no mill was closed."""

ABANDONED = ["over None abandoned {ply}", "game {rules} white"]


def four(turns: str = PLACED, **options: object) -> ScriptedBoard:
    return after(turns, *FOUR, **options)


def ending(ply: int, rules: str = "standard pieces=4 flying=never") -> list[str]:
    """Return the events if a game is abandoned after `ply` steps and the next begins."""
    return [text.format(ply=ply, rules=rules) for text in ABANDONED]


# ---- a game begins ------------------------------------------------------------------------------------


def test_a_game_begins_at_the_start_when_the_board_is_clear() -> None:
    board = ScriptedBoard()
    assert board.hands("") == ["game standard white"]
    assert not board.session.must_clear


def test_at_the_start_pieces_on_the_board_must_be_cleared_first() -> None:
    board = ScriptedBoard(stands="+d6 @f4")
    assert board.session.must_clear
    assert board.hands("60000 -d6 60000 +a1 1000") == ["game standard white"]
    assert board.hands("-a1 -f4 +d6 240") == ["step d6 white", "turn d6 white"]


def test_the_lot_says_who_starts() -> None:
    board = ScriptedBoard("the-mill", lot=Player.BLACK)
    assert board.hands("") == ["game the-mill black"]
    assert board.turns("d6") == ["step d6 black", "turn d6 black"]


# ---- the cleared board --------------------------------------------------------------------------------

CLEAR = "-d6 -f4 -d7 -a1 -a7 -g1 -g4 -c4"


def test_board_empty_for_three_seconds_begins_the_next_game() -> None:
    board = four()
    board.hands(CLEAR)
    assert ending(8)[0] not in board.hands("2999")
    assert board.hands("1") == ["restored", *ending(8)]


def test_a_cleared_board_begins_the_next_game_once() -> None:
    board = four()
    board.hands(CLEAR + " 3000")
    assert board.hands("3600000") == []


def test_a_board_where_no_step_is_committed_never_ends_a_game() -> None:
    board = ScriptedBoard()
    board.hands("+d6 100 -d6 60000")
    assert board.hands("+d6 100 -d6 60000") == []


def test_board_empty_for_a_shorter_time_ends_nothing() -> None:
    board = four()
    assert "over None abandoned 8" not in board.hands(f"{CLEAR} 2999 +d6 60000")


def test_clearing_undoes_the_take_backs_on_its_way() -> None:
    board = after("d6 f4 d7")
    assert [event for event in board.hands("-d7 1000 -f4 3000") if event.startswith("taken")] == [
        "taken-back 2",
        "taken-back 1",
    ]
    assert board.hands("-d6 3000")[-2:] == ending(3, "standard")


def test_the_only_turn_is_taken_back_by_clearing_it() -> None:
    board = after("d6")
    assert board.hands("-d6 60000")[-1] == "taken-back 0"


def test_clearing_without_a_rest_undoes_take_backs_long_ago() -> None:
    board = after("d6 f4 d7")
    board.hands("-d7 1500" + 5 * " -f4 900 @f4 1000" + " -f4 100 -d6")
    assert board.hands("3000")[-2:] == ending(3, "standard")


@pytest.mark.parametrize(("rested", "left"), [(2500, 3), (3500, 2)])
def test_a_take_back_after_which_the_board_rested_stays(rested: int, left: int) -> None:
    board = after("d6 f4 d7")
    board.hands(f"-d7 1020 {rested} -f4 100 -d6")
    assert board.hands("3000")[-2:] == ending(left, "standard")


def test_a_take_back_before_a_turn_that_went_on_stays() -> None:
    board = after("d6 f4 d7")
    board.hands("-d7 1000 +a7 300 -a7 -f4 -d6")
    assert board.hands("3000")[-2:] == ending(3, "standard")
    assert board.hands("") == []


def test_clearing_keeps_take_backs_before_a_requested_one() -> None:
    board = after("d6 f4 b2 a1")
    assert board.hands("-a1 1000")[-1] == "taken-back 3"
    assert board.ask("take_back")[0] == "taken-back 2"
    assert "over None abandoned 2" in board.hands("-b2 -f4 -d6 3000")


def test_a_game_that_was_over_is_not_ended_again_by_clearing() -> None:
    board = after(WON, *THREE)
    assert board.hands("-d7 -d6 -d5 -f4 3000") == ["game standard pieces=3 white"]


def test_an_end_that_clearing_seemed_to_take_back_is_told_again() -> None:
    board = after(WON, *THREE)
    assert board.hands("@a1 1000") == ["taken-back 5"]
    cleared = board.hands("-a1 -d7 -d6 -d5 -f4 3000")
    assert cleared[-2:] == ["over white few-pieces 6", "game standard pieces=3 white"]


# ---- the end of a game --------------------------------------------------------------------------------


def test_the_end_is_told_with_its_reason_and_winner() -> None:
    board = after("d6 f4 d7 a1 d5", *THREE)
    assert board.hands("-a1 300")[-1] == "over white few-pieces 6"


def test_after_the_end_nothing_turns_red() -> None:
    board = after(WON, *THREE)
    assert board.hands("-d7 +g1 +g4 -f4 10000") == []
    assert board.session.verdict == Settled()


def test_after_the_end_a_lift_alone_takes_nothing_back() -> None:
    board = ScriptedBoard("twelve")
    board.turns(FULL)
    assert board.hands("-f4 5000 -d6 5000 -a1 5000") == []
    assert board.session.game.outcome is not None
    cleared = board.hands(" ".join(f"-{point}" for point in FULL.split()) + " 3000")
    assert cleared == ["game twelve white"]


def test_after_the_end_the_last_turn_can_be_thought_over() -> None:
    board = after(WON, *THREE)
    assert board.hands("@a1 1000") == ["taken-back 5"]
    assert board.session.game.outcome is None
    assert board.hands("-f4 300")[-1] == "over white few-pieces 6"


def test_after_the_end_older_turns_stay() -> None:
    board = after(WON, *THREE)
    assert board.hands("@a1 -d5 -d7 60000") == ["lifted d5"]
    assert board.texts == WON


def test_declared_end_is_never_taken_back() -> None:
    board = four()
    assert board.ask("resign", Player.BLACK) == ["over white resigned 8"]
    assert board.hands("-c4 60000") == []
    assert board.hands("-d6 -f4 -d7 -a1 -a7 -g1 -g4 3000") == ["game standard pieces=4 flying=never white"]


# ---- requests -----------------------------------------------------------------------------------------


def test_a_player_resigns_by_default_the_one_to_move() -> None:
    assert four().ask("resign") == ["over black resigned 8"]


def test_players_agree_to_a_draw() -> None:
    assert four().ask("agree_draw") == ["over None agreed 8"]


def test_new_game_abandons_the_old_and_needs_a_clear_board() -> None:
    board = four()
    assert board.ask("new_game", rule_set("six")) == ["over None abandoned 8", "game six white"]
    assert board.session.must_clear
    assert board.hands(CLEAR + " +d7 240") == ["step d7 white", "turn d7 white"]


def test_a_new_game_where_nothing_was_played_abandons_nothing() -> None:
    assert ScriptedBoard().ask("new_game", rule_set("six"))[1:] == ["game six white"]


def test_take_back_counts_nothing_while_pieces_move_back() -> None:
    board = four(PLACED + " g4-g7xa1")
    assert board.ask("take_back") == ["taken-back 8", "mismatch a1 g4 g7"]
    assert board.hands("@a1 1000 -g7 1000") == ["mismatch g4 g7", "mismatch g4"]
    assert board.hands("+g4") == ["restored"]
    assert board.texts == PLACED


def test_take_backs_go_on_turn_by_turn() -> None:
    board = after("d6 f4 d7")
    for ply in (2, 1, 0):
        assert f"taken-back {ply}" in board.ask("take_back")
    assert board.hands("-d6 1000 -d7 1000 -f4 1000")[-1] == "restored"
    assert board.texts == ""
    with pytest.raises(RequestError, match="no turn to take back"):
        board.ask("take_back")


def test_another_turn_may_follow_a_take_back_at_once() -> None:
    board = after("d6 f4 d7")
    board.ask("take_back")
    assert board.hands("-d7 +a7 240")[-1] == "turn a7 white"


def test_take_back_within_a_turn_goes_to_its_beginning() -> None:
    board = four(PLACED + " g4-g7")
    assert board.ask("take_back") == ["taken-back 8", "mismatch g4 g7"]


def test_taking_back_can_be_switched_off() -> None:
    with pytest.raises(RequestError, match="switched off"):
        four(take_back=False).ask("take_back")


def test_a_removal_is_declined_where_the_rules_let_it() -> None:
    board = after(PLACED + " g4-g7", "standard", "pieces=4", "flying=never", "removal=may")
    assert board.ask("decline") == ["step x- white", "turn g4-g7x- white"]
    with pytest.raises(RequestError, match="no capture to decline"):
        board.ask("decline")


def test_moves_during_a_pause_count_on_resuming() -> None:
    board = four()
    assert board.ask("pause") == ["paused"]
    assert board.hands("-d6 1000 +d5 60000") == []
    assert board.ask("resume") == ["resumed", "lifted d6"]
    assert board.hands("240") == ["step d6-d5 white", "turn d6-d5 white"]


def test_an_empty_board_counts_as_cleared_only_from_resuming_on() -> None:
    board = four()
    board.hands(CLEAR + " 2000")
    board.ask("pause")
    board.hands("60000")
    board.ask("resume")
    assert board.hands("2999") == []
    assert board.hands("1") == ["restored", *ending(8)]


def test_pausing_and_resuming_twice_is_refused() -> None:
    board = ScriptedBoard()
    board.ask("pause")
    with pytest.raises(RequestError, match="already paused"):
        board.ask("pause")
    board.ask("resume")
    with pytest.raises(RequestError, match="not paused"):
        board.ask("resume")


@pytest.mark.parametrize("request_name", ["resign", "agree_draw", "decline", "choose", "take_back"])
def test_after_a_declared_end_only_a_new_game_can_be_asked_for(request_name: str) -> None:
    board = four()
    board.ask("resign")
    values = ("d6-d5",) if request_name == "choose" else ()
    with pytest.raises(RequestError, match="the game is over"):
        board.ask(request_name, *values)


# ---- a chosen turn ------------------------------------------------------------------------------------


def test_a_chosen_turn_narrows_the_legal_turns_to_that_one() -> None:
    board = four()
    board.ask("choose", "g4-g7xa1")
    assert board.hands("-d6 +d5 250")[-1] == "mismatch d6 d5"
    assert board.hands("-d5 +d6 -g4 +g7 400")[-1] == "step g4-g7 white"
    board.hands("-g1 1000")
    assert isinstance(board.session.verdict, Mismatch)
    assert board.hands("@g1 -a1 300")[-1] == "turn g4-g7xa1 white"


def test_a_chosen_turn_can_be_moved_back_but_to_no_other() -> None:
    board = four()
    board.ask("choose", "d6-d5")
    board.turns("d6-d5")
    assert board.hands("-d5 +f6 1000")[-1] == "mismatch d5 f6"
    assert board.hands("-f6 100 +d6 1000")[-1] == "taken-back 8"
    assert [str(step) for step in board.session.chosen or ()] == ["d6-d5"]


def test_any_turn_may_be_done_again_when_none_is_chosen_any_more() -> None:
    board = four()
    board.ask("choose", "g4-g7xa1")
    board.ask("choose", None)
    assert board.hands("-d6 +d5 240")[-1] == "turn d6-d5 white"


def test_only_a_legal_turn_can_be_chosen() -> None:
    with pytest.raises(RequestError, match="'d6-a1' is not a legal turn"):
        four().ask("choose", "d6-a1")


def test_lifting_is_told_for_each_point_and_putting_back_too() -> None:
    board = four()
    assert board.hands("-g4 -a1 +g4 +a1") == ["lifted g4", "lifted a1", "put-back g4", "put-back a1"]
    assert isinstance(board.session.verdict, Settled | InProgress)


def test_a_chosen_removal_is_not_declined_by_the_opponents_turn() -> None:
    board = after(PLACED + " g4-g7", "standard", "pieces=4", "flying=never", "removal=may")
    board.ask("choose", "xa1")
    assert board.hands("-f4 +e4 1000")[-1] == "mismatch f4 e4"


# ---- which buttons can be pressed ---------------------------------------------------------------------

BUTTONS = {
    "take-back": "take_back",
    "redo": "redo",
    "decline": "decline",
    "pause": "pause",
    "resume": "resume",
    "draw": "agree_draw",
    "resign": "resign",
}


@pytest.mark.parametrize(
    ("turns", "asked", "possible"),
    [
        ("", (), {"pause", "draw", "resign"}),
        (PLACED, (), {"take-back", "pause", "draw", "resign"}),
        (PLACED, ("pause",), {"take-back", "resume", "draw", "resign"}),
        (PLACED, ("resign",), set()),
        (PLACED, ("take_back",), {"take-back", "redo", "pause", "draw", "resign"}),
        (PLACED, ("take_back", "redo"), {"take-back", "pause", "draw", "resign"}),
        (PLACED, ("take_back", "resign"), set()),
        (PLACED + " g4-g7", (), {"take-back", "decline", "pause", "draw", "resign"}),
    ],
)
def test_what_a_button_would_be_refused_is_known_before(
    turns: str, asked: tuple[str, ...], possible: set[str]
) -> None:
    def board() -> ScriptedBoard:
        board = after(turns, *FOUR, "removal=may")
        for request in asked:
            board.ask(request)
        return board

    assert {name for name in BUTTONS if board().controls.unavailable_reason(name) is None} == possible
    for name, request in BUTTONS.items():
        if name in possible:
            board().ask(request)
        else:
            with pytest.raises(RequestError):
                board().ask(request)


def test_finished_game_can_be_taken_back_if_allowed() -> None:
    assert after(WON, *THREE).controls.unavailable_reason("take-back") is None
    assert after(WON, *THREE).controls.unavailable_reason("pause") == Message("refused.over")
    forbidden = after(WON, *THREE, take_back=False)
    assert forbidden.controls.unavailable_reason("take-back") == Message("refused.no-take-back")


# ---- a board that stands wrong while something is asked for ----------------------------------------------


def test_a_take_back_restores_no_board_but_one_that_stands_so() -> None:
    board = four()
    assert board.hands("+g7 600")[-1].startswith("mismatch")
    happened = board.ask("take_back") + board.hands("1000")
    assert "restored" not in happened
    assert happened[0].startswith("taken-back")
    assert "mismatch" in happened[-1]
    assert board.hands("-g7 1000")[-1].startswith("mismatch"), "the piece that was played still stands"
    game = board.session.game
    last = set(board.session.verdict.extra)  # type: ignore[union-attr]
    assert len(last) == 1
    assert board.hands(f"-{next(iter(last))} 1000") == ["restored"]
    assert board.session.game is game


def test_resigning_during_a_mismatch_ends_the_mismatch() -> None:
    board = four()
    assert board.hands("+g7 600")[-1].startswith("mismatch")
    assert board.ask("resign")[0] == "restored"
    assert board.hands("2000") == []
