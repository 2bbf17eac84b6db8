"""Snapshots: the status that applies first, and the possible moves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.ports import SensorKind
from firmware_host.tracking.verdict import TakingBack, Unchanged, Undecided
from firmware_host.views.snapshot import Snapshot, take, taken, top_pieces
from tests.support.scripted_board import ScriptedBoard, after, controller_of

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
MILL = PLACED + " g4-g7"
CAPTURES = ("g4-g7xa1", "g4-g7xc4", "g4-g7xf4", "g4-g7xg1")


def seen(board: ScriptedBoard, hands: str = "", **known: Any) -> Snapshot:
    board.hands(hands)
    controller = controller_of(board)
    controller.step(board.frame, board.now)
    return take(controller, **known)


@pytest.mark.parametrize(
    ("turns", "hands", "status"),
    [
        (PLACED, "", "ready"),
        (PLACED, "-d6", "lifted"),
        (PLACED, "-d6 +d5 239", "lifted"),
        (PLACED, "-d6 +b2 250", "mismatch"),
        (MILL, "", "remove"),
        (MILL, "-a1", "lifted"),
        (MILL, "-a1 -d6 1000", "mismatch"),
        ("d6", "+f4 100", "ready"),
    ],
)
def test_the_status_says_how_the_board_stands(turns: str, hands: str, status: str) -> None:
    assert seen(after(turns, *FOUR), hands).status == status


D6 = frozenset({MORRIS["d6"]})


@pytest.mark.parametrize(
    ("verdict", "status"), [(Undecided(D6, D6), "undecided"), (TakingBack(3, D6), "taking-back")]
)
@pytest.mark.parametrize("turns", [PLACED, MILL])
def test_undecided_and_taking_back_have_a_status(turns: str, verdict: Unchanged, status: str) -> None:
    board = after(turns, *FOUR)
    controller = controller_of(board)
    board.session.verdict = verdict
    found = take(controller)
    assert found.status == status
    assert (found.missing, found.extra, found.wrong) == ((), (), ())
    board.session.paused = True
    assert take(controller).status == "paused"


def test_the_status_is_the_first_that_applies() -> None:
    board = ScriptedBoard(*FOUR, stands="+a4")
    assert seen(board).status == "clear"
    board.ask("pause")
    assert seen(board).status == "paused"
    board = after(PLACED, *FOUR)
    board.hands("-d6 +b2 500")
    board.ask("resign")
    assert seen(board).status == "over"
    controller = controller_of(board)
    controller.blind_step(Message("pin 17 is busy"), board.now)
    assert take(controller).status == "fault"


@pytest.mark.parametrize(
    ("turns", "hands", "moves"),
    [
        (PLACED, "", ("a7-a4", "d6-b6", "d6-d5", "d6-f6", "d7-g7", *CAPTURES)),
        (PLACED, "-d6", ("d6-b6", "d6-d5", "d6-f6")),
        (PLACED, "-a1", ("g4-g7xa1",)),
        (PLACED, "-g4", CAPTURES),
        (PLACED, "-g4 +g7 39", CAPTURES),
        (MILL, "", ("xa1", "xc4", "xf4", "xg1")),
        (MILL, "-a1", ("xa1",)),
        (MILL, "-g7", CAPTURES),
    ],
)
def test_the_moves_are_what_can_still_be_done(turns: str, hands: str, moves: tuple[str, ...]) -> None:
    assert seen(after(turns, *FOUR), hands).moves == moves


def test_where_a_removal_may_be_declined_that_is_among_the_moves() -> None:
    board = after(MILL, *FOUR, "removal=may")
    assert seen(board).moves == ("x-", "xa1", "xc4", "xf4", "xg1")


def test_moves_of_a_chosen_turn_are_the_rest_of_it() -> None:
    board = after(PLACED, *FOUR)
    board.ask("choose", "g4-g7xa1")
    assert seen(board).moves == ("g4-g7xa1",)
    assert seen(board, "-g4 +g7 40").moves == ("xa1",)


def test_what_stands_wrong_is_told_sorted_and_only_in_a_mismatch() -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    wrong = seen(board, "-g1 -d6 +e3 +d5 -f4 +f4 500")
    assert (wrong.missing, wrong.extra, wrong.wrong) == (("d6", "g1"), ("d5", "e3"), ("f4",))
    board.ask("pause")
    paused = seen(board)
    assert (paused.missing, paused.extra, paused.wrong) == ((), (), ())


def test_the_outcome_has_winner_and_reason() -> None:
    board = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3")
    assert seen(board).outcome == {"winner": "white", "reason": "few-pieces"}
    assert seen(board).moves == ()
    assert seen(after(PLACED, *FOUR)).outcome is None


def test_the_public_form_is_json_with_sorted_points() -> None:
    public = seen(after(PLACED, *FOUR), held=["white"], leds={"d6": "#000001"}).as_dict()
    assert json.loads(json.dumps(public)) == public
    assert list(public["cues"]) == sorted(public["cues"])
    assert public["held"] == ["white"]
    assert public["rules"] == "standard pieces=4 flying=never"


def test_move_text_leaves_the_opponents_declining_out() -> None:
    board = after(MILL + "xf4", *FOUR, "removal=may")
    assert seen(board, "@e4 50").moves == ("f4-e4",)
    assert board.hands("1000")[-2:] == ["step f4-e4 black", "turn f4-e4 black"]


@pytest.mark.parametrize(
    ("hands", "changed"),
    [
        ("", {}),
        ("-d6 1000", {"d6": None}),
        ("-d6 +d5 300", {"d6": None, "d5": "white"}),
        ("-d6 +b2 1000", {"d6": None, "b2": "white"}),
        ("-a1 1000", {"a1": None}),
    ],
)
def test_standing_takes_owners_from_the_game(hands: str, changed: dict[str, str | None]) -> None:
    board = after(PLACED, *FOUR)
    before = top_pieces(board.session)
    assert before == {
        **dict.fromkeys(("a7", "d6", "d7", "g4"), "white"),
        **dict.fromkeys(("a1", "c4", "f4", "g1"), "black"),
    }
    board.hands(hands)
    found = top_pieces(board.session)
    assert {name: found.get(name) for name in found.keys() | before.keys()} == {**before, **changed}


def test_where_sensors_tell_colours_those_are_what_stands() -> None:
    board = after("d6 f4", alphabet=SensorKind.POLARITY)
    board.hands("-d6 @d6 1000 @a1 1000")
    assert top_pieces(board.session) == {"a1": "black", "d6": "black", "f4": "black"}


def test_a_masked_sensor_has_the_game_speak_for_it() -> None:
    board = after("d6 f4")
    board.controls.mask("d6")
    board.hands("-d6 1000")
    assert top_pieces(board.session) == {"d6": "white", "f4": "black"}


def test_before_anything_was_felt_nothing_stands() -> None:
    board = ScriptedBoard()
    board.session.frame = ()
    assert top_pieces(board.session) == {}


@pytest.mark.parametrize(
    ("turns", "points"),
    [("", []), (PLACED, []), (MILL, []), (MILL + "xa1", ["a1"]), (MILL + "xa1 f4-f6", [])],
)
def test_what_the_last_turn_took_is_told_by_its_points(turns: str, points: list[str]) -> None:
    assert taken(after(turns, *FOUR).session.game) == points


def test_turns_to_redo_are_named_where_there_are_any() -> None:
    board = after(MILL + "xa1", *FOUR)
    assert "redo" not in seen(board).as_dict()
    board.ask("take_back")
    assert seen(board).as_dict()["redo"] == ["g4-g7xa1"]
    board.ask("take_back")
    assert seen(board).redo == ("c4", "g4-g7xa1")
