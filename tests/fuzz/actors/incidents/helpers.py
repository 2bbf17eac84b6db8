"""Habits of people beside whom a helper, a child or an eager opponent does something; times are seconds.

The honest turn counts in its time, and only the rest is wrong.
"""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    play_in_order,
    played,
)
from tests.fuzz.actors.incidents.shared import Turn, done, has_spare, landed_at, quiet_turn
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends


def second_piece(scene: SharedScene) -> HabitualHand | None:
    """A child puts a second piece of the same player down, 50 ms to a second after the first."""
    turn, mover = quiet_turn(scene), scene.moment.to_move
    if turn is None or not has_spare(scene.moment, mover):
        return None
    after = played(scene.moment, turn)
    if not scene.colours and after.hand[after.to_move]:
        return None  # without colours that is the reply
    free = [point for point in plain.empty(after) if point not in ends(turn[0])]
    script = _played(scene, turn)
    script.wait(scene.between(0.05, 1.0))
    point = scene.luck.choice(free)
    script.act(LiftOrPut(point, mover))
    return done(script, turn, wrong=(point,), due=(landed_at(Script(deeds=script.deeds[:-1])),))


def illegal_reply(scene: SharedScene) -> HabitualHand | None:
    """A beginner moves a piece to where it may not go, from 50 ms to a second after the turn."""
    turn = quiet_turn(scene)
    if turn is None:
        return None
    after = played(scene.moment, turn)
    legal = plain.legal_steps(after)
    moves = [
        (origin, target)
        for origin in plain.on_board(after, after.to_move)
        for target in plain.empty(after)
        if f"{origin}-{target}" not in legal and target not in ends(turn[0])
    ]
    if not moves:
        return None
    origin, target = scene.luck.choice(moves)
    script = _played(scene, turn)
    due = landed_at(script)
    script.wait(scene.between(0.05, 1.0))
    script.act(LiftOrPut(origin))
    script.wait(scene.between(0.2, 0.8))
    script.act(LiftOrPut(target, after.to_move))
    return done(script, turn, wrong=(origin, target), due=(due,))


def early_lift(scene: SharedScene) -> HabitualHand | None:
    """The opponent lifts a piece that may not be lifted, from 50 ms to a second after the turn."""
    turn = quiet_turn(scene)
    if turn is None:
        return None
    after = played(scene.moment, turn)
    origins = {ends(step)[0] for step in plain.legal_steps(after)}
    stuck = sorted(set(after.board) - origins - {ends(turn[0])[1]})
    if not stuck:
        return None
    point = scene.luck.choice(stuck)
    script = _played(scene, turn)
    due = landed_at(script)
    script.wait(scene.between(0.05, 1.0))
    script.act(LiftOrPut(point))
    return done(script, turn, wrong=(point,), due=(due,))


def _played(scene: SharedScene, turn: Turn) -> Script:
    script = Script()
    play_in_order(scene, script, actions_of(turn, scene.moment.to_move))
    return script
