"""Known results of turns: at each point, before a turn, within one, and for a removal."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from firmware_host.games.game import Game
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result, TurnResults
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Knowledge, better, compose
from tests.support.scripted_board import ScriptedBoard

WIN, DRAW, LOSS, UNKNOWN = Result.WIN, Result.DRAW, Result.LOSS, Result.UNKNOWN
ENDGAME = "*@@***O*/O*****O*/*****O*@ w m s 4 0 3 0 0 0 0 0 0 0 0 0 14"
"""White has a1, b4, c4 and d6; a1-a4 closes a mill."""
RESULTS: TurnResults = (
    ("a1-a4xe5", WIN),
    ("a1-a4xe4", DRAW),
    ("d6-d5", DRAW),
    ("d6-d7", LOSS),
    ("d6-f6", UNKNOWN),
    ("b4-b2", LOSS),
    ("c4-c3", UNKNOWN),
)
STANDS = "+a1 +b4 +c4 +d6 @e5 @e4 @a7"


def game() -> Game:
    rules = rule_set()
    return Game.begin(rules, rules.position(ENDGAME))


def named(results: Iterable[tuple[object, Result]]) -> dict[str, Result]:
    return {str(point): result for point, result in results}


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [(None, LOSS, LOSS), (LOSS, DRAW, DRAW), (DRAW, UNKNOWN, UNKNOWN), (UNKNOWN, WIN, WIN), (WIN, LOSS, WIN)],
)
def test_the_better_result_is_never_surer_than_it_is(
    one: Result | None, other: Result, found: Result
) -> None:
    assert better(one, other) is found


def test_a_piece_has_the_best_result_that_it_can_reach() -> None:
    known = Knowledge(game(), RESULTS)
    assert named(known.at_rest.items()) == {"a1": WIN, "d6": UNKNOWN, "b4": LOSS, "c4": UNKNOWN}
    assert not known.is_empty


def test_a_point_that_begins_no_legal_turn_has_no_result() -> None:
    known = Knowledge(game(), (("e5-d5", WIN), ("g7", WIN), ("z9", WIN), ("", WIN)))
    assert named(known.at_rest.items()) == {"a1": UNKNOWN, "b4": UNKNOWN, "c4": UNKNOWN, "d6": UNKNOWN}


def test_removals_in_another_order_are_the_same_turn() -> None:
    known = Knowledge(game(), (("a1-a4xe5xe4", WIN),))
    steps = tuple(map(rule_set().parse_step, ("a1-a4", "xe4", "xe5")))
    assert known.of_turn(steps) is WIN
    assert known.of_turn(steps[:2]) is UNKNOWN


def scene(board: ScriptedBoard, results: TurnResults = RESULTS) -> dict[str, set[str]]:
    now = board.session.game
    shown = compose(now, board.session.verdict, hints=True, known=Knowledge(now, results))
    return {point.name: set(map(str, cues)) for point, cues in shown.cues.items()}


def test_what_is_unknown_is_dark_beside_what_is_known() -> None:
    shown = scene(ScriptedBoard(game=game(), stands=STANDS))
    assert shown == {"a1": {"hint-wins"}, "b4": {"hint-loses"}}


def test_a_lifted_piece_shows_where_it_leads() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-d6 500")
    assert scene(board) == {"d6": {"lifted"}, "d5": {"hint-draws"}, "d7": {"hint-loses"}}


def test_a_lifted_piece_of_which_nothing_is_known_is_lit_as_always() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-c4 500")
    assert scene(board)["c3"] == {"destination"}


def test_pieces_to_take_show_results_and_stay_lit_without() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-a1 +a4 1500")
    shown = scene(board, (("xe5", WIN), ("xe4", LOSS), ("xa7", UNKNOWN)))
    assert shown["e5"] == {"removable", "hint-wins"}
    assert shown["e4"] == {"removable", "hint-loses"}
    assert shown["a7"] == {"removable"}


def test_knowing_nothing_changes_no_light() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    now = board.session.game
    plain = compose(now, board.session.verdict, hints=True)
    assert compose(now, board.session.verdict, hints=True, known=Knowledge(now, ())) == plain


GUESSED: TurnResults = (("a1-a4xe5", UNKNOWN), ("a1-a4xe4", UNKNOWN), ("d6-d5", UNKNOWN))


def test_the_first_turn_is_suggested_where_nothing_is_proved() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    shown = scene(board, GUESSED)
    assert shown["a1"] == {"movable", "suggested"}
    assert [point for point, cues in shown.items() if "suggested" in cues] == ["a1"]
    assert shown["d6"] == {"movable"}  # other moves stay lit


def test_a_suggestion_is_followed_through_its_turn() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-a1 500")
    assert scene(board, GUESSED)["a4"] == {"destination", "suggested"}
    board.hands("+a4 1500")
    removal = scene(board, (("xe5", UNKNOWN), ("xe4", UNKNOWN), ("xa7", UNKNOWN)))
    assert removal["e5"] == {"removable", "suggested"}
    assert removal["e4"] == {"removable"}


def test_a_suggestion_ends_when_another_turn_has_begun() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-c4 500")
    assert not any("suggested" in cues for cues in scene(board, GUESSED).values())


@pytest.mark.parametrize("proved", [WIN, DRAW, LOSS])
def test_nothing_is_suggested_beside_a_proof(proved: Result) -> None:
    known = Knowledge(game(), (*GUESSED, ("b4-b2", proved)))
    assert not known.suggests
    assert not known.suggested_at_rest
    board = ScriptedBoard(game=game(), stands=STANDS)
    shown = scene(board, (*GUESSED, ("b4-b2", proved)))
    assert not any("suggested" in cues for cues in shown.values())


def test_a_turn_is_suggested_where_each_piece_may_still_do_better() -> None:
    results = (("c4-c3", UNKNOWN), ("d6-d5", LOSS), ("d6-f6", UNKNOWN), ("b4-b2", UNKNOWN))
    board = ScriptedBoard(game=game(), stands=STANDS)
    assert scene(board, results)["c4"] == {"movable", "suggested"}
    board.hands("-d6 500")
    assert scene(board, results) == {"d6": {"lifted"}, "d5": {"hint-loses"}}
    board.hands("+d6 500 -c4 500")
    assert scene(board, results)["c3"] == {"destination", "suggested"}


def test_results_of_another_position_are_not_lit() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    now = board.session.game
    old = Knowledge(game(), RESULTS)
    plain = compose(now, board.session.verdict, hints=True)
    assert compose(now, board.session.verdict, hints=True, known=old) == plain


def test_an_error_stands_alone() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    board.hands("-e4 -e5 3000")
    assert {cue for cues in scene(board).values() for cue in cues} == {str(Cue.MISSING)}


def test_results_are_lit_where_legal_moves_are_not() -> None:
    board = ScriptedBoard(game=game(), stands=STANDS)
    now = board.session.game
    shown = compose(now, board.session.verdict, hints=False, known=Knowledge(now, RESULTS))
    assert {point.name for point in shown.cues} == {"a1", "b4"}
