"""The options of each question: where they are, what they request, and when they are left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, SQUARES, Layout
from firmware_host.games.rulesets import LEVELS, MILL_SETS
from firmware_host.play.asking.options import (
    BACK_AT,
    BEGIN,
    BLACK_CLOCK,
    BOARD,
    BRIGHTNESS_STEPS,
    CLOCK,
    CLOCK_CONTROLS,
    GAME,
    OFFER,
    OPPONENT,
    PLACES,
    RESULT,
    ROOM,
    RULES,
    STARTING,
    TWICE,
    WHITE_CLOCK,
    Situation,
    options,
    places,
)
from firmware_host.play.other_board import RoomReport
from firmware_host.settings import MIN_BRIGHTNESS, Lights, Play, Sound

GOING_ON = Situation(
    possible=frozenset({"take-back", "redo", "pause", "draw"}),
    is_begun=True,
    is_over=False,
    rules="standard",
    rule_sets=tuple(MILL_SETS),
    levels=tuple(LEVELS),
    white="here",
    black="here",
    lights=Lights(),
    play=Play(),
    sound=Sound(),
    switches={},
    odds="even",
    plays_sounds=True,
    speaks=False,
    room=None,
)
BEFORE = replace(GOING_ON, possible=frozenset({"pause", "draw"}), is_begun=False)
OVER = replace(GOING_ON, possible=frozenset({"take-back"}), is_over=True)


def does(question: str, now: Situation) -> dict[str, str]:
    return {place: option.does for place, option in options(question, now).items()}


def test_a_game_with_another_board_is_neither_left_nor_given_up_for_the_other() -> None:
    far = replace(GOING_ON, possible=frozenset({"pause"}), white="far")
    assert set(does(GAME, GOING_ON).values()) - set(does(GAME, far).values()) == {
        *("take-back", "redo", "draw", "black-won"),
        *("rules", "opponent"),
    }
    assert "rules" in does(GAME, replace(far, is_over=True)).values()


def test_first_question_of_a_game_has_what_is_needed_most() -> None:
    assert does(GAME, GOING_ON) == {
        "inner-n": "take-back",
        "inner-ne": "redo",
        "inner-e": "black-won",
        "inner-se": "pause",
        "inner-s": "draw",
        "inner-sw": "brightness",
        "middle-w": "sound",
        "inner-w": "white-won",
        "middle-nw": "rules",
        "middle-ne": "opponent",
        "middle-sw": "board",
        "middle-se": "clock",
        "middle-s": "back",
    }


def test_before_a_game_there_is_nothing_to_take_back_or_to_end() -> None:
    left = {"brightness", "sound", "rules", "opponent", "board", "clock", "back"}
    assert set(does(GAME, BEFORE).values()) == left


def test_after_a_game_its_end_can_be_taken_back() -> None:
    assert does(GAME, OVER)["inner-n"] == "take-back"
    undo = replace(OVER, possible=frozenset({"undo"}))
    assert does(GAME, undo)["inner-n"] == "undo"
    assert not set(does(GAME, undo).values()) & {"white-won", "black-won", "draw"}


def test_a_hint_is_offered_where_hints_are_on() -> None:
    assert "hint" not in does(GAME, GOING_ON).values()
    assert does(GAME, replace(GOING_ON, possible=frozenset({"hint"})))["inner-nw"] == "hint"


def test_paused_game_offers_to_go_on() -> None:
    paused = replace(GOING_ON, possible=frozenset({"resume"}), is_begun=False)
    assert does(GAME, paused)["inner-se"] == "resume"


def test_there_is_no_draw_against_the_board() -> None:
    against = replace(GOING_ON, possible=frozenset({"take-back"}), black="engine:3")
    assert "draw" not in does(GAME, against).values()
    assert "draw" not in does(RESULT, against).values()


@pytest.mark.parametrize("now", [GOING_ON, BEFORE, OVER])
def test_back_is_at_the_same_place_in_each_menu(now: Situation) -> None:
    for question in (GAME, OPPONENT, RULES, BOARD, CLOCK, WHITE_CLOCK, BLACK_CLOCK, STARTING):
        assert options(question, now)[BACK_AT].does == "back"
        assert options(question, now)[BACK_AT].leads_to == (None if question == GAME else GAME)
    assert BACK_AT not in options(RESULT, now)


@pytest.mark.parametrize("question", [GAME, OPPONENT, RULES, BOARD, CLOCK, STARTING, RESULT])
def test_every_place_exists_on_every_board(question: str) -> None:
    for layout in (MORRIS, DIAGONAL_MORRIS, SQUARES):
        at = places(layout)
        assert len(set(at.values())) == len(PLACES) == 24
        assert set(options(question, GOING_ON)) <= set(at)


AWAY = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}


@pytest.mark.parametrize(("layout", "middle"), [(MORRIS, 3), (SQUARES, 2)], ids=str)
def test_places_lie_in_their_direction(layout: Layout, middle: int) -> None:
    for distance, ring in enumerate(("inner", "middle"), start=1):
        for direction, (x, y) in AWAY.items():
            point = places(layout)[f"{ring}-{direction}"]
            assert (point.x - middle, point.y - middle) == (x * distance, y * distance)


@pytest.mark.parametrize(("now", "touches"), [(GOING_ON, TWICE), (BEFORE, 1), (OVER, 1)])
def test_new_game_has_to_be_confirmed_if_it_ends_one(now: Situation, touches: int) -> None:
    found = options(RULES, now)
    assert {option.touches for option in found.values() if option.leads_to is None} == {touches}
    assert [option.does for option in found.values()][:3] == ["again", "rules:standard", "rules:molendinum"]
    assert len(found) == len(MILL_SETS) + 6
    assert [option.does for option in found.values() if option.holds] == ["rules:standard"]


def test_a_lesson_is_not_played_again() -> None:
    assert "again" not in does(RULES, replace(BEFORE, rules="lesson")).values()


def requests(question: str, now: Situation) -> dict[str, object]:
    return {option.does: dict(option.request or {}) for option in options(question, now).values()}


def test_levels_are_those_of_the_boards_side() -> None:
    black = {"do": "seats", "white": "here", "black": "engine:5"}
    assert requests(OPPONENT, GOING_ON)["engine:5"] == black
    assert requests(OPPONENT, replace(GOING_ON, black="engine:2"))["engine:5"] == black
    white = {"do": "seats", "white": "engine:5", "black": "here"}
    assert requests(OPPONENT, replace(GOING_ON, white="engine:2"))["engine:5"] == white
    both = replace(GOING_ON, white="engine:2", black="engine:2")
    assert requests(OPPONENT, both)["engine:5"] == {"do": "seats", "white": "engine:5", "black": "engine:5"}


def test_sides_keep_the_level_of_the_board() -> None:
    black = {"do": "seats", "white": "here", "black": "engine:7"}
    assert requests(OPPONENT, replace(GOING_ON, white="engine:7"))["board-black"] == black
    assert requests(OPPONENT, GOING_ON)["board-black"] == {**black, "black": "engine:3"}
    two_levels = replace(GOING_ON, levels=(1, 2))
    assert requests(OPPONENT, two_levels)["board-black"] == {**black, "black": "engine:2"}
    assert "engine:3" not in requests(OPPONENT, two_levels)


@pytest.mark.parametrize(
    ("white", "black", "holds"),
    [
        ("here", "here", {"people"}),
        ("here", "engine:4", {"board-black", "engine:4"}),
        ("engine:1", "here", {"board-white", "engine:1"}),
        ("engine:8", "engine:8", {"board-both", "engine:8"}),
        ("engine:8", "engine:1", set()),
    ],
)
def test_opponent_shows_who_plays_now(white: str, black: str, holds: set[str]) -> None:
    found = options(OPPONENT, replace(GOING_ON, white=white, black=black)).values()
    assert {option.does for option in found if option.holds} == holds


@pytest.mark.parametrize(
    ("now", "following"), [(0.05, 0.15), (0.15, 0.3), (0.5, 0.6), (0.6, 1.0), (1.0, 0.15)]
)
def test_brightness_goes_round(now: float, following: float) -> None:
    asked = requests(GAME, replace(GOING_ON, lights=Lights(brightness=now)))["brightness"]
    assert asked == {"do": "set", "brightness": following}


def test_the_sounds_go_round_and_are_offered_where_something_plays_them() -> None:
    following = {"off": "few", "few": "all", "all": "off"}
    for now, level in following.items():
        asked = requests(GAME, replace(GOING_ON, sound=Sound(level=now)))["sound"]
        assert asked == {"do": "set", "sound": level}
    assert "sound" not in requests(GAME, replace(GOING_ON, plays_sounds=False))


def test_brightness_steps_can_be_set() -> None:
    assert all(MIN_BRIGHTNESS <= step <= 1 for step in BRIGHTNESS_STEPS)


def test_board_shows_its_settings() -> None:
    found = options(BOARD, GOING_ON).values()
    assert {option.does for option in found if option.holds} == {"theme:harbour", "hints", "brightness:60%"}
    assert requests(BOARD, GOING_ON)["hints"] == {"do": "set", "hints": False}


def test_clock_shows_what_is_agreed_for_the_next_game() -> None:
    found = options(CLOCK, replace(GOING_ON, play=Play(clock="5+3", clock_flag="strict"))).values()
    assert {option.does for option in found if option.holds} == {"clock:5+3", "clock-strict"}
    asked = requests(CLOCK, GOING_ON)
    assert [asked[f"clock:{control}"] for control in CLOCK_CONTROLS] == [
        {"do": "set", "clock": control} for control in CLOCK_CONTROLS
    ]
    assert asked["clock-strict"] == {"do": "set", "clock_flag": "strict"}


@pytest.mark.parametrize(("clock", "white", "black"), [("5+3", "5+3", "5+3"), ("10+5/none", "10+5", "none")])
def test_each_player_can_have_another_clock(clock: str, white: str, black: str) -> None:
    now = replace(GOING_ON, play=Play(clock=clock))
    assert options(CLOCK, now)["middle-w"].leads_to == WHITE_CLOCK
    assert options(CLOCK, now)["middle-e"].leads_to == BLACK_CLOCK
    for question, own in ((WHITE_CLOCK, white), (BLACK_CLOCK, black)):
        (chosen,) = (option.does for option in options(question, now).values() if option.holds)
        assert chosen == f"{question}:{own}"
    assert requests(WHITE_CLOCK, now)["white-clock:3+2"] == {"do": "set", "clock": f"3+2/{black}"}
    assert requests(BLACK_CLOCK, now)["black-clock:move:30"] == {"do": "set", "clock": f"{white}/move:30"}


def test_results_of_a_cleared_game_are_where_they_are_in_a_game() -> None:
    in_game = does(GAME, GOING_ON)
    assert does(RESULT, BEFORE) == {place: in_game[place] for place in ("inner-w", "inner-e", "inner-s")}


IN_ROOM = {"inner-sw": "leave", "middle-s": "back"}
PHRASES = {
    "outer-nw": "say:good-game",
    "outer-n": "say:wait",
    "outer-ne": "say:your-turn",
    "outer-se": "say:again",
    "outer-s": "say:thanks",
    "outer-sw": "say:bye",
}


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (RoomReport("outside"), {"inner-n": "meet", "middle-s": "back"}),
        (RoomReport("unconnected"), IN_ROOM),
        (RoomReport("alone"), IN_ROOM),
        (RoomReport("waiting"), {**IN_ROOM, **PHRASES, "inner-n": "ready"}),
        (RoomReport("ready"), {**IN_ROOM, **PHRASES}),
        (RoomReport("over"), {**IN_ROOM, **PHRASES, "inner-n": "ready"}),
        (RoomReport("playing"), {**IN_ROOM, **PHRASES}),
        (
            RoomReport("playing", "draw", may_claim=True, trouble={"key": "link.differs", "slots": {}}),
            {
                **IN_ROOM,
                **PHRASES,
                "inner-n": "accept",
                "inner-s": "decline",
                "inner-w": "claim-win",
                "inner-e": "claim-draw",
                "inner-nw": "take-theirs",
            },
        ),
    ],
)
def test_the_room_has_what_its_stage_allows(room: RoomReport, expected: dict[str, str]) -> None:
    assert does(ROOM, replace(GOING_ON, room=room)) == expected


def test_what_ends_a_game_between_two_boards_has_to_be_confirmed() -> None:
    room = RoomReport("playing", "draw", may_claim=True, trouble={"key": "link.differs", "slots": {}})
    found = options(ROOM, replace(GOING_ON, room=room)).values()
    sure = {option.does for option in found if option.touches == TWICE}
    assert sure == {"accept", "claim-win", "claim-draw", "take-theirs", "leave"}
    back = replace(GOING_ON, room=RoomReport("playing", "take-back"))
    assert options(OFFER, back)["inner-n"].touches == 1


def test_a_question_of_the_room_is_empty_once_it_is_answered() -> None:
    for question in (OFFER, BEGIN):
        assert options(question, replace(GOING_ON, room=RoomReport("playing"))) == {}
        assert options(question, GOING_ON) == {}
