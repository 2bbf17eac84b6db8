"""Frames of turns that were taken back: which are matched, and which are on the way."""

from __future__ import annotations

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import NOTHING, SOMETHING, Frame, SensorKind
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.take_backs import UndoneLine

RULES = rule_set("standard")
LINE = "d6 f4 d7 a1 d5 xa1 g1"


def game_of(texts: str) -> Game:
    game = Game.begin(RULES, RULES.start(Player.WHITE))
    for text in texts.split():
        game = game.play(game.position.legal_step(text))
    return game


def line(ply: int, masked: str = "") -> UndoneLine:
    """The line that is undone back to `ply`."""
    furthest = game_of(LINE)
    points = frozenset(RULES.layout[name].index for name in masked.split())
    return UndoneLine(furthest.back_to(ply), furthest, SensorModel(SensorKind.PRESENCE, points))


def frame(points: str) -> Frame:
    standing = points.split()
    return tuple(SOMETHING if point.name in standing else NOTHING for point in RULES.layout.points)


def test_only_positions_after_the_next_turn_are_matched() -> None:
    undone = line(2)
    assert undone.match(frame("d6 f4 d7")) is None
    assert undone.match(frame("d6 f4 d7 a1")) == 4
    assert undone.match(frame("d6 f4 d7 a1 d5")) == 5
    assert undone.match(frame("d6 f4 d7 d5")) == 6
    assert undone.match(frame("d6 f4 d7 d5 g1")) == 7
    assert undone.match(frame("d6 f4 d7 g1")) is None


def test_the_rest_of_a_turn_is_the_next_turn() -> None:
    undone = line(5)
    assert undone.match(frame("d6 f4 d7 d5")) is None
    assert undone.match(frame("d6 f4 d7 d5 g1")) == 7


def test_a_landing_of_a_later_turn_is_on_the_way() -> None:
    undone = line(2)
    assert undone.is_on_the_way(frame("d6 f4 a1"))
    assert undone.is_on_the_way(frame("d6 f4 d7 g1"))
    assert not undone.is_on_the_way(frame("d6 f4 d7")), "that is the next turn"
    assert not undone.is_on_the_way(frame("d6 f4 a1 g1")), "they never stood together"
    assert not undone.is_on_the_way(frame("d6 f4 c3"))
    assert not undone.is_on_the_way(frame("d6"))


def test_nothing_is_on_the_way_beyond_a_single_turn() -> None:
    undone = line(6)
    assert undone.match(frame("d6 f4 d7 d5 g1")) is None
    assert not undone.is_on_the_way(frame("d6 f4 d7 d5 g1"))


def test_positions_after_more_steps_than_hands_redo_are_not_matched() -> None:
    rules = rule_set("standard", ["pieces=3", "repetition=0"])
    game = Game.begin(rules, rules.start(Player.WHITE))
    texts = ["d6", "f4", "b2", "a1", "g7", "c3", *["d6-d5", "f4-e4", "d5-d6", "e4-f4"] * 20, "g7-d7", "f4-e4"]
    for text in texts:
        game = game.play(game.position.legal_step(text))
    last = SensorModel(SensorKind.PRESENCE).expected(game.position)
    assert UndoneLine(game.back_to(28), game, SensorModel(SensorKind.PRESENCE)).match(last) == 88
    assert UndoneLine(game.back_to(27), game, SensorModel(SensorKind.PRESENCE)).match(last) is None


def test_nothing_after_a_step_that_was_not_seen_is_matched() -> None:
    undone = line(2, masked="d5")
    assert undone.match(frame("d6 f4 d7 a1")) == 4
    assert undone.match(frame("d6 f4 d7 g1")) is None


def test_of_equal_positions_the_last_is_matched() -> None:
    rules = rule_set("standard", ["pieces=3"])
    game = Game.begin(rules, rules.start(Player.WHITE))
    for text in ["d6", "f4", "b2", "a1", "g7", "c3", "d6-d5", "f4-e4", "d5-d6", "e4-f4", "d6-d5"]:
        game = game.play(game.position.legal_step(text))
    sensors = SensorModel(SensorKind.PRESENCE)
    frames = [sensors.expected(position) for position in game.positions]
    assert frames[6] == frames[10]
    assert frames[7] == frames[11]
    undone = UndoneLine(game.back_to(5), game, sensors)
    assert undone.match(frames[7]) == 11
    assert undone.match(frames[6]) is None, "the next turn alone gives that"
