"""Positions, and what steps change for the sensors, as the search looks them up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.game import Player, Position, Step
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import NOTHING, SOMETHING, SensorKind
from firmware_host.tracking import moves as cache
from firmware_host.tracking.moves import Action, Moves, Permission
from firmware_host.tracking.sensor_model import SensorModel
from tests.support.observed_script import game_of

A1, D6 = MORRIS["a1"].index, MORRIS["d6"].index


def presence(*masked: int) -> SensorModel:
    """Sensors of which some are masked."""
    return SensorModel(SensorKind.PRESENCE, frozenset(masked))


def played(moves: Moves, position: Position, texts: str) -> Position:
    """Return the position after steps."""
    for text in texts.split():
        position = moves.play(position, step(moves, position, text))
    return position


def step(moves: Moves, position: Position, text: str) -> Step:
    return next(step for step in moves.steps(position) if step.text == text)


def test_equal_positions_are_one_in_whatever_order_they_were_reached() -> None:
    moves, start = Moves(presence()), game_of("").position
    one, other = played(moves, start, "d6 f4 a1 g1"), played(moves, start, "a1 g1 d6 f4")
    assert one is other
    assert moves.steps(one) is moves.steps(other)


def test_actions_are_the_readings_around_each_lift_and_landing() -> None:
    moves, game = Moves(presence()), game_of("d6 f4 d7 a1 d5")
    removal = step(moves, game.position, "xa1")
    assert moves.actions(game.position, removal) == (
        Action(A1, is_lift=True, before=SOMETHING, after=NOTHING),
    )
    start = game_of("").position
    assert moves.actions(start, step(moves, start, "d6")) == (
        Action(D6, is_lift=False, before=NOTHING, after=SOMETHING),
    )


def test_actions_follow_the_sensors_that_are_masked() -> None:
    moves, start = Moves(presence()), game_of("").position
    first = step(moves, start, "d6")
    assert moves.actions(start, first)[0].after == SOMETHING
    moves.use_sensors(presence(D6))
    assert moves.actions(start, first)[0].after == NOTHING


def test_trim_leaves_a_cache_that_is_small() -> None:
    moves, start = Moves(presence()), game_of("").position
    after = played(moves, start, "d6")
    moves.trim()
    assert played(moves, start, "d6") is after


def test_trim_empties_a_cache_that_has_grown_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_CACHE_SIZE", 1)
    moves, start = Moves(presence()), game_of("").position
    after = played(moves, start, "d6 f4")
    moves.trim()
    again = played(moves, start, "d6 f4")
    assert again == after
    assert again is not after


def test_a_removal_may_be_lifted_before_the_mill_is_closed() -> None:
    game, moves = game_of("d6 f4 d7 a1"), Moves(presence())
    assert moves.may_have_lifted(game.position, frozenset({A1}))
    assert not moves.may_have_lifted(game.position, frozenset({D6}))


def test_a_piece_that_is_spared_may_go_where_its_owner_may_move() -> None:
    moves = Moves(presence())
    due = game_of("d6 f4 d7 a1 d5", "lasker").position
    assert due.removal_due
    assert moves.targets_if_spared(due, A1) == {MORRIS["a4"].index, MORRIS["d1"].index}
    placing = game_of("d6 f4 d7 a1 d5").position
    assert moves.targets_if_spared(placing, A1) == frozenset()


def test_a_reply_may_be_a_placement_where_players_move_meanwhile() -> None:
    moves, mine, landed = Moves(presence()), D6, MORRIS["g4"].index
    lasker, standard = game_of("d6 f4", "lasker").position, game_of("d6 f4").position
    reply = moves.reply(lasker, mine, None, landed)
    assert reply is not None
    assert reply.text == "g4"
    assert moves.reply(standard, mine, None, landed) is None


def test_nobody_lifts_the_opponents_ring_where_nothing_is_removed() -> None:
    rules = rule_set("mitsudomoe")
    start = rules.start(Player.WHITE)
    moves = Moves(SensorModel(SensorKind.PIECES))
    theirs = [i for i, stack in enumerate(start.stacks) if stack and stack[-1].owner is Player.BLACK]
    assert theirs
    assert not rules.has_removals
    assert not moves.may_have_lifted(start, frozenset(theirs[:1]))


def test_a_chosen_turn_is_awaited_where_it_lands_once_its_piece_may_have_been_lifted() -> None:
    moves, game = Moves(presence()), game_of("d6 f4 a1 g1")
    chosen = Permission(line=game.steps, turn=(step(moves, game.position, "d3"),))
    assert moves.awaited(chosen, game.ply - 1, set()) == {MORRIS["d3"].index}
    assert moves.awaited(chosen, game.ply, set()) == frozenset(), "its own turn"
    moving = replace(chosen, turn=(replace(chosen.turn[0], origin=MORRIS["d2"]),))
    assert moves.awaited(moving, game.ply - 1, set()) == frozenset(), "not lifted yet"
    assert moves.awaited(moving, game.ply - 1, {MORRIS["d2"].index}) == {MORRIS["d3"].index}


def test_nothing_is_awaited_where_sensors_tell_whose_piece_it_is() -> None:
    moves, game = Moves(SensorModel(SensorKind.POLARITY)), game_of("d6 f4 a1 g1")
    chosen = Permission(line=game.steps, turn=(step(moves, game.position, "d3"),))
    assert moves.awaited(chosen, game.ply - 1, set()) == frozenset()
