"""A board with stacks: what is felt counts at once, what is not is confirmed, and nothing is guessed."""

from __future__ import annotations

import pytest
from games.mitsudomoe_games import at, following

from firmware_host.controller import Controller
from firmware_host.debounce import Debouncer
from firmware_host.english import english
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player, Position
from firmware_host.ports import Alphabet
from firmware_host.renderer import Renderer
from firmware_host.scene import Cue, compose
from firmware_host.sentence import sentence
from firmware_host.session import Session
from firmware_host.settings import Lights, Play, Timing
from firmware_host.sight import Sight
from firmware_host.themes import theme_named
from firmware_host.verdict import Mismatch

SIGHT = Sight(Alphabet.PIECES)
SECOND = 1_000_000


def playing(position: Position) -> Session:
    game = Game.begin(position.rules, position)
    session = Session(
        position.rules,
        Alphabet.PIECES,
        timing=Timing(),
        play=Play(),
        draw_lot=lambda: Player.WHITE,
        game=game,
    )
    session.felt(SIGHT.expected(position), 0)
    return session


def feel(session: Session, position: Position, now: int) -> None:
    """Have the board stand as `position` from `now` on, for a second."""
    session.felt(SIGHT.expected(position), now)
    session.felt(SIGHT.expected(position), now + SECOND)


def said(session: Session) -> str:
    lights = Lights()
    renderer = Renderer(session.game.rules.layout, lights, theme_named(lights.theme))
    return english(sentence(Controller(session, Debouncer(0), renderer)))


def test_a_ring_that_is_not_felt_counts_when_it_is_confirmed():
    position = at("a2:wW b2:w d3:www c1:wW")
    session = playing(position)
    done = following(position, "+d3 a2-b2")
    feel(session, done, SECOND)
    assert session.game.ply == 0
    assert [*session.confirmable] == ["+d3"]
    session.confirm("+d3")
    feel(session, done, 3 * SECOND)
    assert session.game.turn_texts() == ("+d3 a2-b2",)
    assert session.game.position.stacks == done.stacks


def test_a_ring_that_is_felt_counts_where_another_would_not_be():
    position = at("a2:wW b2:w d3:www c1:wW")
    session = playing(position)
    feel(session, following(position, "+d4 a2-b2"), SECOND)
    assert session.game.turn_texts() == ("+d4 a2-b2",)
    assert session.confirmable == {}


def test_hands_go_back_to_a_confirmed_ring_that_is_not_felt_and_not_past_it():
    session = playing(at("a2:wW b2:w d3:www c1:wW e5:bB e4:b"))
    for number, turn in enumerate(("b2>b3 a2-b3", "+a5 e5-e4"), start=1):
        feel(session, following(session.game.position, turn), number * 2 * SECOND)
    done = following(session.game.position, "+d3 b3-a2")
    feel(session, done, 6 * SECOND)
    session.confirm("+d3")
    feel(session, done, 8 * SECOND)
    told = ("b2>b3 a2-b3", "+a5 e5-e4", "+d3 b3-a2")
    assert session.game.turn_texts() == told
    feel(session, session.game.positions[0], 10 * SECOND)
    assert session.game.turn_texts() == told
    assert isinstance(session.verdict, Mismatch)
    feel(session, session.game.positions[4], 12 * SECOND)
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


def test_a_vaulted_ball_that_follows_another_at_once_is_moved_as_well():
    session = playing(swapping())
    feel(session, following(swapping(), "d1^a1"), SECOND)
    vaulted = session.game.position
    for number, way in enumerate(([("-", "c1")], [("-", "c1"), ("+", "d2")], [("+", "d2"), ("-", "b1")])):
        session.felt(on_the_way(vaulted, *way), 3 * SECOND + number * SECOND // 10)
    session.felt(on_the_way(vaulted, ("+", "d2"), ("-", "b1")), 5 * SECOND)
    assert session.game.turn_texts() == ("d1^a1/c1-d2/b1-c1",)


def test_a_vaulted_ball_that_nobody_touched_has_still_to_be_moved():
    session = playing(swapping())
    feel(session, following(swapping(), "d1^a1"), SECOND)
    vaulted = session.game.position
    session.felt(on_the_way(vaulted, ("-", "b1")), 3 * SECOND)
    session.felt(on_the_way(vaulted, ("-", "b1"), ("+", "d2")), 4 * SECOND)
    session.felt(on_the_way(vaulted, ("-", "b1"), ("+", "d2")), 6 * SECOND)
    assert session.game.turn_texts() == ("d1^a1/b1-d2",)


def test_nothing_is_to_be_confirmed_where_all_is_felt():
    position = at("a2:wW b2:w d3:bww c1:wW")
    session = playing(position)
    feel(session, following(position, "+d3"), SECOND)
    assert session.game.turn_texts() == ("+d3",)
    with pytest.raises(RequestError):
        session.confirm("+d3")


def test_vaulted_balls_are_lit_as_what_has_to_leave_and_then_where_they_may_go():
    position = at("c1:wW c2:bB c3:w a4:b b4:b", due="ball")
    layout = position.rules.layout
    session = playing(position)
    feel(session, following(position, "c1^c3"), SECOND)
    cues = compose(session.game, session.verdict, hints=True).cues
    assert Cue.REMOVABLE in cues[layout["c2"]]
    assert said(session) == "White vaulted: move each lit black ball to another open black ring."


def test_the_sentence_says_which_kind_of_piece_is_due():
    position = at("a2:wW b2:w c1:wW")
    session = playing(position)
    assert said(session).startswith("White to play: lay a ring (4 left)")
    feel(session, following(position, "+d3"), SECOND)
    assert said(session).startswith("White to play: now move a ball to a white ring")
