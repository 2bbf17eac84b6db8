"""The cues of the light for each state of a board."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.rulesets import rule_set
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene, clear_board_scene, compose
from firmware_host.play.seats import SeatHolder, Seats
from firmware_host.ports import SensorKind
from firmware_host.tracking.verdict import Mismatch, Settled, TakingBack, Undecided
from tests.support.scripted_board import ScriptedBoard, after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
ERRORS = {Cue.MISSING, Cue.EXTRA, Cue.WRONG}


def scene(board: ScriptedBoard, *, hints: bool = True) -> Scene:
    session = board.session
    return compose(session.game, session.verdict, hints=hints, chosen=session.chosen)


def lit(board: ScriptedBoard, hands: str = "", *, hints: bool = True) -> dict[str, str]:
    """The cues of each point by their names, after `hands`."""
    board.hands(hands)
    return named(scene(board, hints=hints))


def named(scene: Scene) -> dict[str, str]:
    """The cues of each point by their names."""
    return {point.name: " ".join(sorted(map(str, cues))) for point, cues in scene.cues.items()}


def on(*names: str) -> frozenset[Point]:
    return frozenset(MORRIS[name] for name in names)


def test_the_start_lights_every_free_point() -> None:
    cues = lit(ScriptedBoard())
    assert len(cues) == 24
    assert set(cues.values()) == {"destination"}


def test_a_settled_board_lights_what_can_move_and_what_moved_last() -> None:
    board = after(PLACED, *FOUR)
    assert lit(board) == {
        "a7": "movable",
        "d6": "movable",
        "d7": "movable",
        "g4": "movable",
        "c4": "last-move",
    }


def test_a_lifted_piece_lights_where_it_can_go() -> None:
    board = after(PLACED, *FOUR)
    assert lit(board, "-d6") == {
        "d6": "lifted",
        "d5": "destination",
        "b6": "destination",
        "f6": "destination",
    }


def test_a_captured_piece_taken_first_lights_how_its_mill_is_closed() -> None:
    board = after(PLACED, *FOUR)
    assert lit(board, "-a1") == {"a1": "lifted", "g4": "movable"}
    assert lit(board, "-g4") == {"a1": "lifted", "g4": "lifted", "g7": "destination"}


def test_a_board_that_has_all_its_pieces_stays_lit_while_a_take_back_waits() -> None:
    board = after(PLACED + " g4-g7xa1", *FOUR)
    before = lit(board)
    assert "movable" in before["c4"]
    assert lit(board, "@a1") == before
    assert board.hands("1000") == ["taken-back 9"]


def test_a_mill_lights_itself_and_what_may_be_taken() -> None:
    board = after(PLACED + " g4-g7", *FOUR)
    assert lit(board) == {
        "a7": "mill",
        "d7": "mill",
        "g7": "last-move mill",
        "a1": "removable",
        "c4": "removable",
        "f4": "removable",
        "g1": "removable",
    }


PROTECTED = "a1 a7 d1 d7 c5 g7xc5 g1"
"""Black's three pieces are a mill when White closes one."""


def test_who_replies_to_a_removal_that_is_declined_by_that_moves_an_own_piece() -> None:
    """Black takes what the reply will capture first: d2-d1 closes a mill, and d6 is taken."""
    board = after("d6 d2 d7 a1 a7 g1 g4 c4 g4-g7", *FOUR, "removal=may")
    assert board.session.game.position.removal_due
    cues = lit(board, "-d6")
    assert cues["d6"] == "lifted"
    assert "movable" in cues["d2"].split()
    assert "relocatable" not in " ".join(cues.values())


def test_a_mill_that_earns_nothing_is_lit_until_the_other_player_begins() -> None:
    board = after(PROTECTED, "pounding")
    assert board.session.game.position.to_move is Player.BLACK
    cues = lit(board)
    assert {point: cue for point, cue in cues.items() if cue != "destination"} == {
        "a1": "mill",
        "d1": "mill",
        "g1": "last-move mill",
    }
    waiting = compose(
        board.session.game, board.session.verdict, hints=True, accepted=board.session.game.back_to(6)
    )
    assert not any(Cue.MILL in those for those in waiting.cues.values()), "it is not kept yet"
    assert "mill" not in " ".join(lit(board, "+b2 500").values())


def test_a_mill_that_earned_something_is_not_lit_after_its_turn() -> None:
    board = after("a1 a7 d1 d7 g1xa7", "pounding")
    assert "mill" not in " ".join(lit(board).values())


def test_what_stands_wrong_is_all_that_is_lit() -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    assert lit(board, "-d6 +e3 -f4 +f4 500") == {"d6": "missing", "e3": "extra", "f4": "wrong"}


@pytest.mark.parametrize("hints", [True, False])
def test_undecided_lights_what_tells_and_what_was_lifted(hints: bool) -> None:
    game = after(PLACED, *FOUR).session.game
    verdict = Undecided(on("d2", "g7"), on("d6", "g7"))
    assert named(compose(game, verdict, hints=hints)) == {
        "d2": "unclear",
        "d6": "lifted",
        "g7": "lifted unclear",
    }


@pytest.mark.parametrize("hints", [True, False])
def test_taking_back_lights_only_what_differs(hints: bool) -> None:
    board = after(PLACED + " g4-g7", *FOUR)
    scene = compose(board.session.game, TakingBack(6, on("c4", "g7")), hints=hints)
    assert named(scene) == {"c4": "take-back", "g7": "take-back"}


def test_after_the_end_only_a_take_back_is_lit() -> None:
    game = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3").session.game
    undecided = compose(game, Undecided(on("d2"), on("d6")), hints=True)
    assert undecided == compose(game, Settled(), hints=True)
    assert named(compose(game, TakingBack(2, on("d7")), hints=True)) == {"d7": "take-back"}


def test_the_winner_is_lit_and_nothing_as_an_error() -> None:
    board = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3")
    assert lit(board, "-d7 +g1 5000") == {"d5": "last-move winner", "d6": "winner", "d7": "winner"}
    assert scene(board).to_move is None


def test_without_hints_only_legal_moves_are_not_lit() -> None:
    assert lit(after(PLACED, *FOUR), hints=False) == {"c4": "last-move"}
    assert "removable" in lit(after(PLACED + " g4-g7", *FOUR), hints=False).values()


def test_a_chosen_turn_is_lit_and_what_it_takes_when_due() -> None:
    board = after(PLACED, *FOUR)
    board.ask("choose", "g4-g7xa1")
    assert lit(board) == {"g4": "hint movable", "g7": "hint", "c4": "last-move"}
    board.hands("-g4 100 +g7 1000")
    assert scene(board).cues[MORRIS["a1"]] == {Cue.REMOVABLE}


def test_of_a_chosen_turn_only_the_next_step_is_lit() -> None:
    rules = rule_set("mitsudomoe")
    game = Game.begin(rules, rules.start(Player.WHITE))
    turn = next(turn for turn in legal_turns(game.position) if rules.turn_text(turn.steps) == "+b2 a1-b2")
    shown = compose(game, Settled(), hints=True, chosen=turn.steps)
    assert {point.name for point, cues in shown.cues.items() if Cue.HINT in cues} == {"b2"}


@pytest.mark.parametrize("hints", [True, False])
@pytest.mark.parametrize(
    ("hands", "lit"),
    [
        ("", {"c5": {Cue.MOVABLE}, "c4": {Cue.HINT}, "d6": {Cue.HINT}}),
        ("-c5 100", {"c5": {Cue.LIFTED}, "c4": {Cue.DESTINATION}, "d6": {Cue.HINT}}),
        ("-c5 100 +c4 1000", {"d6": {Cue.REMOVABLE}}),
    ],
)
def test_light_leads_through_a_turn_of_the_board(
    hands: str, lit: dict[str, set[Cue]], *, hints: bool
) -> None:
    board = after("d6 a4 d7 b4 g1 c5 e3 f2 d7-g7", "standard", "pieces=4")
    board.session.take_seats(Seats(black=SeatHolder(4)))
    board.ask("choose", "c5-c4xd6")
    board.hands(hands)
    session = board.session
    scene = compose(session.game, session.verdict, hints=hints, chosen=session.chosen, leads=True)
    ignored = {Cue.MILL, Cue.LAST_MOVE}
    found = {point.name: set(cues) - ignored for point, cues in scene.cues.items()}
    assert {point: cues for point, cues in found.items() if cues} == lit


def test_nothing_is_lit_while_the_board_is_thinking() -> None:
    board = after("d6", seats=Seats(black=SeatHolder(4)))
    assert compose(board.session.game, Settled(), hints=True, chosen=()).cues == {
        MORRIS["d6"]: frozenset({Cue.LAST_MOVE})
    }


def test_a_scene_knows_whose_turn_it_is() -> None:
    assert scene(after("d6", "standard")).to_move is Player.BLACK


def test_pieces_that_must_go_are_lit() -> None:
    board = ScriptedBoard(stands="+d6 @f4")
    cues = clear_board_scene(board.rules.layout, board.session.frame).cues
    assert {point.name for point in cues} == {"d6", "f4"}
    assert set(cues.values()) == {frozenset({Cue.CLEAR})}


points = st.sampled_from(["d5", "d6", "d7", "a7", "g7", "f4", "a1"])
words = st.one_of(
    st.builds("{}{}".format, st.sampled_from("+@-"), points), st.sampled_from(["50", "240", "500", "1500"])
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(words, max_size=25).map(" ".join),
    st.sampled_from(SensorKind),
    st.sampled_from([("standard", "pieces=3"), ("lasker", "pieces=4", "removal=may")]),
)
def test_light_says_what_is_wrong_or_else_what_is_possible(
    script: str, alphabet: SensorKind, game: tuple[str, ...]
) -> None:
    board = ScriptedBoard(*game, alphabet=alphabet)
    board.hands(script)
    session, cues = board.session, scene(board).cues
    steps = session.game.position.legal_steps()
    if session.game.outcome is not None:
        assert not ERRORS & set().union(*cues.values())
    elif isinstance(session.verdict, Mismatch):
        assert cues, "a board that stands wrong is never dark"
        assert all(meanings <= ERRORS and len(meanings) == 1 for meanings in cues.values())
    elif isinstance(session.verdict, Settled):
        assert points_with(Cue.MOVABLE, cues) == {s.origin for s in steps if s.origin and s.target}
        assert points_with(Cue.DESTINATION, cues) == {s.target for s in steps if s.target and not s.origin}
        assert points_with(Cue.REMOVABLE, cues) == {s.origin for s in steps if s.origin and not s.target}


def points_with(cue: Cue, cues: Mapping[Point, frozenset[Cue]]) -> set[Point]:
    return {point for point, meanings in cues.items() if cue in meanings}
