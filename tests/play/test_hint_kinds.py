"""The kinds of hints: who is shown them, and when nobody is."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.play.hint_light import HintKind, hint_kinds, kind_now
from firmware_host.play.preferences import Preferences
from firmware_host.play.seats import HERE, SeatHolder, Seats
from firmware_host.settings import HINT_NAMES, Lights, Play
from tests.support.scripted_board import ScriptedBoard, after

OFF, ON_REQUEST, ALWAYS = HintKind.OFF, HintKind.ON_REQUEST, HintKind.ALWAYS
PEOPLE, AGAINST_BLACK, BOTH = Seats(), Seats(HERE, SeatHolder(3)), Seats(SeatHolder(1), SeatHolder(1))
WHITE_ALWAYS = Preferences.of(Lights(), Play(hint_white="always", hint_black="on-request")).effective


@pytest.mark.parametrize(
    ("setting", "seats", "white"),
    [
        ("auto", PEOPLE, OFF),
        ("auto", AGAINST_BLACK, ON_REQUEST),
        ("auto", BOTH, OFF),
        ("always", PEOPLE, ALWAYS),
        ("always", BOTH, OFF),
        ("off", AGAINST_BLACK, OFF),
        ("on-request", PEOPLE, ON_REQUEST),
    ],
)
def test_hints_follow_the_setting_and_the_seats(setting: str, seats: Seats, white: HintKind) -> None:
    values = Preferences.of(Lights(), Play(hint_white=setting)).effective
    assert hint_kinds(values, seats) == {Player.WHITE: white, Player.BLACK: OFF}


def test_the_settings_are_the_kinds_and_auto() -> None:
    assert {*HINT_NAMES} == {*map(str, HintKind), "auto"}


def test_the_player_to_move_has_the_own_hints() -> None:
    assert kind_now(ScriptedBoard().session, WHITE_ALWAYS) is ALWAYS
    assert kind_now(after("d6").session, WHITE_ALWAYS) is ON_REQUEST


def test_there_is_no_hint_in_the_turn_of_another() -> None:
    board = after("d6", seats=AGAINST_BLACK)
    assert kind_now(board.session, WHITE_ALWAYS) is OFF


@pytest.mark.parametrize("request_", [("pause",), ("resign",), ("choose", "d6")], ids=lambda one: one[0])
def test_there_is_no_hint_when_nothing_is_to_be_decided(request_: tuple[str, ...]) -> None:
    board = ScriptedBoard()
    board.ask(*request_)
    assert kind_now(board.session, WHITE_ALWAYS) is OFF


def test_there_is_no_hint_while_the_menu_of_light_is_open() -> None:
    board = ScriptedBoard()
    board.session.suspended = True
    assert kind_now(board.session, WHITE_ALWAYS) is OFF


def test_there_is_no_hint_before_the_board_is_cleared() -> None:
    board = ScriptedBoard(stands="+d6 +d7")
    assert kind_now(board.session, WHITE_ALWAYS) is OFF


def test_there_is_no_hint_in_the_lesson() -> None:
    assert kind_now(ScriptedBoard("lesson").session, WHITE_ALWAYS) is OFF
