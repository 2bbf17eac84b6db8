"""What becomes of games is told in order, and every state that they went through can be taken and kept."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.play.events import (
    Event,
    GameBegun,
    GameContinued,
    GameOver,
    StepPlayed,
    TakenBack,
    TurnPlayed,
)
from firmware_host.play.timeline import Course
from tests.support.random_games import begun


def retold(game: Game, events: tuple[Event, ...]) -> Game:
    """The game as it stands after what was told of it."""
    for event in events:
        match event:
            case StepPlayed():
                (step,) = (step for step in game.position.legal_steps() if step.text == event.text)
                assert game.position.to_move is event.by
                game = game.play(step)
            case TakenBack():
                game = game.back_to(event.ply)
            case TurnPlayed():
                assert not game.mid_turn
                assert game.turn_texts()[-1] == event.text
    return game


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_what_is_told_leads_to_the_same_game_and_the_last_state_is_the_game(
    luck: Random, changes: int
) -> None:
    course, start = Course(), begun(luck)
    course.go_on(start)
    for _ in range(changes):
        steps = course.game.position.legal_steps()
        if course.game.ply and (luck.random() < 0.2 or not steps):
            course.go_back(luck.choice(course.game.turn_starts))
        elif steps:
            course.play([luck.choice(steps)])
    events, states = course.take_events(), course.take_states()
    assert isinstance(events[0], GameContinued)
    assert retold(start, events[1:]).positions == course.game.positions
    assert states[0] is start
    assert states[-1] is course.game
    assert course.take_events() == course.take_states() == ()


def test_each_state_on_the_way_can_be_taken() -> None:
    course = Course()
    course.begin(rule_set("standard"), Player.BLACK)
    for _ in range(3):
        course.play([course.game.position.legal_steps()[0]])
    course.go_back(1)
    assert [state.ply for state in course.take_states()] == [0, 1, 2, 3, 1]
    told = course.take_events()
    assert told[0] == GameBegun("standard", Player.BLACK)
    assert [event.name for event in told[1:]] == ["step", "turn"] * 3 + ["taken-back"]


def test_an_ending_is_told_once_and_a_cleared_board_abandons_only_what_is_not_over() -> None:
    course = Course()
    course.begin(rule_set("standard"), Player.WHITE)
    course.play([course.game.position.legal_steps()[0]])
    played = course.game
    course.go_back(0)
    course.take_events()
    course.clear(played)
    assert course.take_events() == (GameOver(None, Reason.ABANDONED, 1),)
    assert course.game.steps == played.steps

    course.begin(rule_set("standard"), Player.WHITE)
    course.declare(Reason.RESIGNED, Player.BLACK)
    course.take_events()
    course.clear(course.game)
    assert course.take_events() == ()
    assert course.game.outcome is not None
    assert course.game.outcome.reason is Reason.RESIGNED


def test_clearing_after_undone_win_reports_the_win_again() -> None:
    course = Course()
    course.begin(rule_set("standard", ["pieces=3"]), Player.WHITE)
    for text in ("d6", "f4", "d7", "a1", "d5", "xa1"):
        course.play([course.game.position.legal_step(text)])
    won = course.game
    assert won.outcome is not None
    course.go_back(5)
    course.take_events()
    course.clear(won)
    assert course.take_events() == (GameOver(Player.WHITE, won.outcome.reason, 6),)
