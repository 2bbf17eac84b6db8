"""Sessions with stacks: visible moves count at once, invisible ones are confirmed, none is guessed."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player, Position
from firmware_host.games.layout import SQUARES
from firmware_host.games.mitsudomoe.notation import BALLS, RINGS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import to_english
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import compose
from firmware_host.lights.themes import theme_named
from firmware_host.play.controller import Controller
from firmware_host.play.controls import GameControls
from firmware_host.play.session import Session
from firmware_host.ports import NOTHING, Reading, SensorKind
from firmware_host.settings import Lights, Play, Timing
from firmware_host.tracking.debounce import Debouncer
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import Mismatch
from firmware_host.views.instructions import instruction
from tests.support.games.mitsudomoe import at, following

SIGHT = SensorModel(SensorKind.PIECES)
SECOND = 1_000_000


def playing(position: Position, *steps: str) -> Session:
    game = Game.begin(position.rules, position)
    for step in steps:
        game = game.play(game.position.legal_step(step))
    session = Session(
        position.rules,
        SensorKind.PIECES,
        timing=Timing(),
        play=Play(),
        draw_lot=lambda: Player.WHITE,
        game=game,
    )
    session.observe(SIGHT.expected(game.position), 0)
    return session


def feel(session: Session, position: Position, now: int) -> None:
    """Have the board stand as `position` from `now` on, for a second and a half."""
    session.observe(SIGHT.expected(position), now)
    session.observe(SIGHT.expected(position), now + SECOND)
    session.observe(SIGHT.expected(position), now + 3 * SECOND // 2)


def said(session: Session) -> str:
    lights = Lights()
    renderer = Renderer(session.game.rules.layout, lights, theme_named(lights.theme))
    return to_english(instruction(Controller(session, Debouncer(0), renderer)))


def test_a_ring_that_is_not_felt_counts_when_it_is_confirmed():
    position = at("a2:wW b2:w d3:www c1:wW")
    session = playing(position)
    done = following(position, "+d3 a2-b2")
    feel(session, done, SECOND)
    assert session.game.ply == 0
    assert [*session.confirmable] == ["+d3"]
    GameControls(session).confirm("+d3")
    feel(session, done, 3 * SECOND)
    assert session.game.turn_texts() == ("+d3 a2-b2",)
    assert session.game.position.stacks == done.stacks


def test_a_ring_that_is_felt_counts_where_another_would_not_be():
    position = at("a2:wW b2:w d3:www c1:wW")
    session = playing(position)
    feel(session, following(position, "+d4 a2-b2"), SECOND)
    assert session.game.turn_texts() == ("+d4 a2-b2",)
    assert session.confirmable == {}


def test_a_turn_counts_though_its_ring_and_ball_were_misread_at_first():
    position = at("e5:bB d5:bB b5:b a2:wW b2:w c1:wW", "b")
    session = playing(position)
    before, done = SIGHT.expected(position), SIGHT.expected(following(position, "+d4 e5-d4"))
    d4, e5 = (SQUARES.by_name[name].index for name in ("d4", "e5"))
    lifted = tuple(done[index] if index == e5 else reading for index, reading in enumerate(before))
    misread = tuple(Reading.of_stack([2, 2, 4]) if index == d4 else done[index] for index in range(len(done)))
    for time, frame in ((0, lifted), (100_000, misread), (115_000, done), (SECOND, done)):
        session.observe(frame, SECOND + time)
    assert session.game.turn_texts() == ("+d4 e5-d4",)


def test_moving_back_stops_at_a_confirmed_invisible_ring():
    session = playing(at("a2:wW b2:w d3:www c1:wW e5:bB e4:b"))
    for number, turn in enumerate(("b2>b3 a2-b3", "+a5 e5-e4"), start=1):
        feel(session, following(session.game.position, turn), number * 2 * SECOND)
    done = following(session.game.position, "+d3 b3-a2")
    feel(session, done, 6 * SECOND)
    GameControls(session).confirm("+d3")
    feel(session, done, 8 * SECOND)
    told = ("b2>b3 a2-b3", "+a5 e5-e4", "+d3 b3-a2")
    assert session.game.turn_texts() == told
    feel(session, session.game.positions[0], 10 * SECOND)
    assert session.game.turn_texts() == told
    assert isinstance(session.verdict, Mismatch)
    feel(session, done, 12 * SECOND)
    feel(session, session.game.positions[4], 14 * SECOND)
    assert session.game.turn_texts() == (*told[:2], "+d3")


def swapping() -> Position:
    return at("d1:wbB b1:wW c1:wW a1:b d2:w b5:w", side="b", due="ball")


def on_the_way(position: Position, *changes: tuple[str, str]) -> tuple[int, ...]:
    """The frame after balls were lifted from points (`-`) or set on them (`+`), one after the other."""
    stacks = list(position.stacks)
    white = next(piece for piece in position.rules.box if str(piece) == "white-ball")
    for sign, name in changes:
        index = position.rules.layout[name].index
        stacks[index] = (*stacks[index], white) if sign == "+" else stacks[index][:-1]
    return tuple(SIGHT.reading(stack, index) for index, stack in enumerate(stacks))


def test_second_vaulted_ball_moved_at_once_counts():
    session = playing(swapping())
    feel(session, following(swapping(), "d1^a1"), SECOND)
    vaulted = session.game.position
    for number, way in enumerate(([("-", "c1")], [("-", "c1"), ("+", "d2")], [("+", "d2"), ("-", "b1")])):
        session.observe(on_the_way(vaulted, *way), 3 * SECOND + number * SECOND // 10)
    session.observe(on_the_way(vaulted, ("+", "d2"), ("-", "b1")), 5 * SECOND)
    assert session.game.turn_texts() == ("d1^a1/c1-d2/b1-c1",)


def test_untouched_vaulted_ball_still_has_to_move():
    session = playing(swapping())
    feel(session, following(swapping(), "d1^a1"), SECOND)
    vaulted = session.game.position
    session.observe(on_the_way(vaulted, ("-", "b1")), 3 * SECOND)
    session.observe(on_the_way(vaulted, ("-", "b1"), ("+", "d2")), 4 * SECOND)
    session.observe(on_the_way(vaulted, ("-", "b1"), ("+", "d2")), 6 * SECOND)
    assert session.game.turn_texts() == ("d1^a1/b1-d2",)


def test_nothing_is_to_be_confirmed_where_all_is_felt():
    position = at("a2:wW b2:w d3:bww c1:wW")
    session = playing(position)
    feel(session, following(position, "+d3"), SECOND)
    assert session.game.turn_texts() == ("+d3",)
    with pytest.raises(RequestError):
        GameControls(session).confirm("+d3")


def lit(session: Session, *, hints: bool = True) -> dict[str, str]:
    """The cues of each square by their names."""
    cues = compose(session.game, session.verdict, hints=hints).cues
    return {point.name: " ".join(sorted(map(str, cues[point]))) for point in cues}


def test_ring_step_lights_targets_and_movable_rings():
    session = playing(at("a2:wW b2:w c1:wW d1:wW e3:b e4:bB e5:bB"))
    squares = lit(session)
    assert squares["b2"] == "destination movable"
    assert squares["e3"] == "destination"
    assert squares["d5"] == "destination goal"
    assert {name for name, cues in squares.items() if cues == "goal"} == {"e4", "e5"}
    assert "a2" not in squares


def test_ball_step_lights_balls_then_targets_and_goal():
    session = playing(following(at("a2:wW c1:wW d1:wW b3:b"), "+b2"))
    goal = dict.fromkeys(("e5", "e4", "d5"), "goal")
    assert lit(session) == {"a2": "movable", "c1": "movable", **goal}
    session.observe(on_the_way(session.game.position, ("-", "a2")), SECOND)
    assert lit(session) == {"a2": "lifted", "b2": "destination", **goal}


def test_without_hints_neither_moves_nor_goals_are_lit():
    session = playing(following(at("a2:wW c1:wW d1:wW b3:b"), "+b2"))
    assert lit(session, hints=False) == {}


def test_the_goal_is_not_lit_where_something_stands_wrong():
    session = playing(at("a2:wW c1:wW d1:wW b3:b"))
    feel(session, at("a2:wW c1:wW d1:wW b3:b c3:w c4:w c5:b"), SECOND)
    assert lit(session) == {"c3": "extra", "c4": "extra", "c5": "extra"}


def test_the_end_lights_the_winners_pieces_and_no_goal():
    session = playing(at("d4:wW d5:bwW e5:bwW e4:bw a5:bB", due="ball"))
    feel(session, following(session.game.position, "d4-e4"), SECOND)
    assert session.game.outcome is not None
    assert {name for name, cues in lit(session).items() if "winner" in cues} == {"d4", "d5", "e4", "e5"}
    assert not any("goal" in cues for cues in lit(session).values())


def test_vaulted_balls_are_lit_and_then_their_targets():
    position = at("c1:wW c2:bB c3:w a4:b b4:b", due="ball")
    session = playing(position)
    feel(session, following(position, "c1^c3"), SECOND)
    assert lit(session)["c2"] == "relocatable"
    assert said(session) == "White vaulted: move each lit black ball to another open black ring."
    session.observe(on_the_way(session.game.position, ("-", "c2")), 3 * SECOND)
    squares = {name: cues for name, cues in lit(session).items() if "goal" not in cues}
    assert squares == {"c2": "lifted", "a4": "destination", "b4": "destination"}


def test_the_sentence_says_which_kind_of_piece_is_due():
    position = at("a2:wW b2:w c1:wW")
    session = playing(position)
    assert said(session).startswith("White to play: lay a ring (4 left)")
    feel(session, following(position, "+d3"), SECOND)
    assert said(session).startswith("White to play: now move a ball to a white ring")


PIECES = dict(zip("wbWB", (*RINGS, *BALLS), strict=True))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("a1:w", "put a white ball back on a1"),
        ("a1:", "put back on a1: white ball on a white ring"),
        ("a1: b1:", "put back on a1 and b1: white ball on a white ring"),
        ("c3:bw d4:b", "clear d4, and take the top piece off c3"),
        ("a2:wB", "a2 should hold: white ball on a white ring"),
    ],
)
def test_repair_of_stacks_names_kinds_from_the_bottom(changed: str, expected: str):
    session = playing(at("a1:wW b1:wW a2:wW c3:b e5:bB", "b"), "+d5")
    frame = list(SIGHT.expected(session.game.position))
    for name, marks in (part.split(":") for part in changed.split()):
        index = SQUARES[name].index
        frame[index] = SIGHT.reading(tuple(PIECES[mark] for mark in marks), index)
    for now in (SECOND, 2 * SECOND):
        session.observe(tuple(frame), now)
    assert said(session) == f"The board doesn't match the game: {expected}."


def test_instruction_before_the_first_turn_lays_pieces_out():
    start = rule_set("mitsudomoe").start(Player.WHITE)
    session = playing(start)
    session.observe((NOTHING,) * len(SQUARES), 4 * SECOND)
    white, black = "white ball on a white ring at", "black ball on a black ring at"
    assert said(session) == f"To begin, set up: {white} a1, a2 and b1, and {black} d5, e4 and e5."
    frame = list(SIGHT.expected(start))
    frame[SQUARES["e4"].index] = NOTHING
    session.observe(tuple(frame), 10 * SECOND)
    session.observe(tuple(frame), 11 * SECOND)
    assert said(session) == f"To begin, set up: {black} e4."
