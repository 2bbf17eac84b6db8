"""The timeline: its events replay to the game, and no state is left out."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, Reason, Step
from firmware_host.games.rulesets import rule_set
from firmware_host.play.events import (
    Event,
    GameBegun,
    GameContinued,
    GameOver,
    Redone,
    StepPlayed,
    TakenBack,
    TurnPlayed,
)
from firmware_host.play.timeline import GameTimeline
from tests.support.examples import few
from tests.support.games.random_games import begun


def retold(game: Game, events: tuple[Event, ...]) -> Game:
    """Return the game after the events."""
    undone: list[Step] = []
    for event in events:
        match event:
            case StepPlayed():
                (step,) = (step for step in game.position.legal_steps() if step.text == event.text)
                assert game.position.to_move is event.by
                game = game.play(step)
                undone = undone[1:] if undone[:1] == [step] else []
            case TakenBack():
                undone = [*game.steps[event.ply :], *undone]
                game = game.back_to(event.ply)
            case Redone():
                count = event.ply - game.ply
                game, undone = game.play(*undone[:count]), undone[count:]
            case TurnPlayed():
                assert not game.mid_turn
                assert game.turn_texts()[-1] == event.text
    return game


@few(30)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_events_replay_to_the_game_and_its_last_state(luck: Random, changes: int) -> None:
    timeline, start = GameTimeline(), begun(luck)
    timeline.go_on(start)
    for _ in range(changes):
        steps = timeline.game.position.legal_steps()
        if timeline.game.ply and (luck.random() < 0.2 or not steps):
            timeline.go_back(luck.choice(timeline.game.turn_starts))
        elif timeline.can_redo and luck.random() < 0.5:
            plies = range(timeline.game.ply + 1, timeline.furthest.ply + 1)
            timeline.redo(luck.choice([None, *plies]))
        elif steps:
            timeline.play([luck.choice(steps)])
    events, states = timeline.take_events(), timeline.take_states()
    assert isinstance(events[0], GameContinued)
    assert retold(start, events[1:]).positions == timeline.game.positions
    assert timeline.furthest.positions[: timeline.game.ply + 1] == timeline.game.positions
    assert states[0] is start
    assert states[-1] is timeline.game
    assert timeline.take_events() == timeline.take_states() == ()


def test_each_state_on_the_way_can_be_taken() -> None:
    timeline = GameTimeline()
    timeline.begin(rule_set("standard"), Player.BLACK)
    for _ in range(3):
        timeline.play([timeline.game.position.legal_steps()[0]])
    timeline.go_back(1)
    assert [state.ply for state in timeline.take_states()] == [0, 1, 2, 3, 1]
    told = timeline.take_events()
    assert told[0] == GameBegun("standard", Player.BLACK)
    assert [event.name for event in told[1:]] == ["step", "turn"] * 3 + ["taken-back"]


def test_clear_abandons_only_unfinished_games() -> None:
    timeline = GameTimeline()
    timeline.begin(rule_set("standard"), Player.WHITE)
    timeline.play([timeline.game.position.legal_steps()[0]])
    played = timeline.game
    timeline.go_back(0)
    timeline.take_events()
    timeline.clear(played)
    assert timeline.take_events() == (GameOver(None, Reason.ABANDONED, 1),)
    assert timeline.game.steps == played.steps

    timeline.begin(rule_set("standard"), Player.WHITE)
    timeline.declare(Reason.RESIGNED, Player.BLACK)
    timeline.take_events()
    timeline.clear(timeline.game)
    assert timeline.take_events() == ()
    assert timeline.game.outcome is not None
    assert timeline.game.outcome.reason is Reason.RESIGNED


def test_clearing_after_undone_win_reports_the_win_again() -> None:
    timeline = GameTimeline()
    timeline.begin(rule_set("standard", ["pieces=3"]), Player.WHITE)
    for text in ("d6", "f4", "d7", "a1", "d5", "xa1"):
        timeline.play([timeline.game.position.legal_step(text)])
    won = timeline.game
    assert won.outcome is not None
    timeline.go_back(5)
    timeline.take_events()
    timeline.clear(won)
    assert timeline.take_events() == (GameOver(Player.WHITE, won.outcome.reason, 6),)


def playing(*texts: str) -> GameTimeline:
    timeline = GameTimeline()
    timeline.begin(rule_set("standard"), Player.WHITE)
    play(timeline, *texts)
    timeline.take_events()
    return timeline


def play(timeline: GameTimeline, *texts: str) -> None:
    for text in texts:
        timeline.play([timeline.game.position.legal_step(text)])


MILL = ("d6", "f4", "d7", "a1", "d5", "xa1", "g1")


def test_redo_goes_forward_turn_by_turn_to_the_same_game() -> None:
    timeline = playing(*MILL)
    furthest = timeline.game
    timeline.go_back(4)
    assert timeline.undone_turns == ("d5xa1", "g1")
    timeline.redo()
    assert timeline.undone_turns == ("g1",)
    timeline.redo()
    assert timeline.take_events() == (TakenBack(4), Redone(6), Redone(7))
    assert all(one is other for one, other in zip(timeline.game.positions, furthest.positions, strict=True))
    assert not timeline.can_redo


def test_redo_within_a_turn_completes_the_turn() -> None:
    timeline = playing(*MILL)
    timeline.go_back(5)
    assert timeline.undone_turns == ("xa1", "g1")
    timeline.redo()
    assert timeline.game.ply == 6


def test_undone_steps_stay_while_the_same_are_played() -> None:
    timeline = playing(*MILL)
    timeline.go_back(2)
    play(timeline, "d7", "a1", "d5")
    assert timeline.undone_turns == ("xa1", "g1")
    assert timeline.game.positions[5] is timeline.furthest.positions[5]
    play(timeline, "xf4")
    assert timeline.undone_turns == ()


def test_undone_steps_end_with_the_game() -> None:
    timeline = playing(*MILL)
    timeline.go_back(4)
    timeline.declare(Reason.RESIGNED, Player.WHITE)
    assert not timeline.can_redo
    timeline = playing(*MILL)
    timeline.go_back(4)
    timeline.begin(rule_set("standard"), Player.WHITE)
    assert not timeline.can_redo


def test_redo_of_the_winning_turn_ends_the_game() -> None:
    timeline = GameTimeline()
    timeline.begin(rule_set("standard", ["pieces=3"]), Player.WHITE)
    play(timeline, "d6", "f4", "d7", "a1", "d5", "xa1")
    timeline.go_back(4)
    timeline.take_events()
    timeline.redo()
    assert [event.name for event in timeline.take_events()] == ["redone", "over"]


def test_a_continued_game_has_only_its_own_undone_steps() -> None:
    game = playing(*MILL).game
    for furthest, undone in (
        (MILL, ("g1",)),
        ((), ()),
        (MILL[:6], ()),
        (("d6", "f4", "d7", "a1", "d5", "xf4", "g1"), ()),
        ((*MILL[:6], "d6"), ()),
        ((*MILL[:6], "nonsense"), ()),
    ):
        timeline = GameTimeline()
        timeline.go_on(game.back_to(6), furthest)
        assert timeline.undone_turns == undone
