"""Habits of people who begin the next game while pieces of the last one still stand; times are seconds."""

from __future__ import annotations

from dataclasses import replace

from tests.fuzz.actors.deeds import (
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    hand,
    play_in_order,
)
from tests.fuzz.actors.deeds import played as position_after
from tests.fuzz.oracle import plain_rules as plain

MAX_LEFT = 3
"""The most old pieces that still stand as the first new one is set down."""


def after_resignation(scene: SharedScene) -> HabitualHand | None:
    """A player resigns, and the next game begins too early."""
    script = Script()
    script.do(do="resign")
    return _begun(scene, script, dict(scene.moment.board))


def after_draw(scene: SharedScene) -> HabitualHand | None:
    """The players agree to a draw, and the next game begins too early."""
    script = Script()
    script.do(do="draw")
    return _begun(scene, script, dict(scene.moment.board))


def after_win(scene: SharedScene) -> HabitualHand | None:
    """A turn wins, and the next game begins too early."""
    winning = [
        turn for turn in plain.whole_turns(scene.moment) if plain.outcome(position_after(scene.moment, turn))
    ]
    if not winning:
        return None
    turn, script = scene.luck.choice(winning), Script()
    play_in_order(scene, script, actions_of(turn, scene.moment.to_move))
    script.wait(0.6)
    return _begun(scene, script, dict(position_after(scene.moment, turn).board))


def _begun(scene: SharedScene, script: Script, board: dict[str, str]) -> HabitualHand | None:
    rules = scene.moment.rules
    if len(board) < 2 or rules.first != plain.WHITE:
        return None
    points = scene.luck.sample(sorted(board), len(board))
    left = scene.luck.randint(1, min(MAX_LEFT, len(points) - 1))
    script.wait(scene.between(0.5, 2.0))
    for number, point in enumerate(points):
        if number == len(points) - left:
            script.do(box=True)
            first = scene.luck.choice([p for p in plain.points(rules) if p not in points[number:]])
            script.act(LiftOrPut(first, plain.WHITE))
            script.wait(scene.between(0.2, 1.5))
        script.act(LiftOrPut(point))
        script.wait(scene.between(0.15, 0.6))
    script.do(box=True)
    return replace(hand(script, (first,)), ends_game=True)
