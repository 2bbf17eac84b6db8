"""Habits of people who correct an error and go on at the same moment; times are seconds."""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    TRIES,
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    has_capture,
    play_in_order,
    some_turn,
)
from tests.fuzz.actors.incidents.shared import Turn, done, quiet_turn, reply_to
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends

AT_ONCE_S = 0.08


def corrected_capture(scene: SharedScene) -> HabitualHand | None:
    """A piece lands where it may not, then on its mill, whose capture is taken within 80 ms of that."""
    for _ in range(TRIES):
        turn = some_turn(scene.moment, scene.luck, step=lambda text: "-" in text)
        if turn is None or not has_capture(turn) or len(turn) != 2:
            return None
        script = _erred(scene, turn)
        if script is None:
            continue
        landed = script.at
        script.at += scene.between(-0.05, AT_ONCE_S)
        script.act(LiftOrPut(turn[1][1:]))
        return done(script, turn, due=(max(landed, script.at),))
    return None


def corrected_reply(scene: SharedScene) -> HabitualHand | None:
    """A piece lands where it may not, then right, and the opponent replies within 80 ms of that."""
    for _ in range(TRIES):
        turn = quiet_turn(scene)
        reply = None if turn is None or "-" not in turn[0] else reply_to(scene, turn)
        if turn is None or reply is None:
            continue
        script = _erred(scene, turn)
        if script is None or set(ends(reply[0])) & set(ends(turn[0])):
            continue
        landed = script.at
        script.wait(scene.between(0.005, AT_ONCE_S))
        play_in_order(scene, script, actions_of(reply, plain.OTHER[scene.moment.to_move]))
        return done(script, turn, reply, due=(landed, script.at))
    return None


def _erred(scene: SharedScene, turn: Turn) -> Script | None:
    """The first step of a turn, after its piece landed where it may not; None where it may go anywhere."""
    origin, target = ends(turn[0])
    legal = plain.legal_steps(scene.moment)
    barred = [point for point in plain.empty(scene.moment) if f"{origin}-{point}" not in legal]
    if not barred or target is None:
        return None
    mover, script = scene.moment.to_move, Script()
    wrong = scene.luck.choice(barred)
    play_in_order(scene, script, [LiftOrPut(str(origin)), LiftOrPut(wrong, mover)])
    script.wait(scene.between(0.4, 2.0))
    play_in_order(scene, script, [LiftOrPut(wrong), LiftOrPut(target, mover)])
    return script
