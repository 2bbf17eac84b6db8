"""Habits of people to whom something fails in the middle of a turn: a chip, magnets, the power.

Times are seconds. Once the board reads again, the turn counts that leads to where it stands.
"""

from __future__ import annotations

from typing import Any

from tests.fuzz.actors.deeds import HabitualHand, Script, SharedScene, actions_of, play_in_order, some_turn
from tests.fuzz.actors.incidents.shared import Turn, done, reply_to
from tests.fuzz.actors.mishaps import CHIPS
from tests.fuzz.oracle import plain_rules as plain

NOTICED_S = 2.5
"""Longer than a board waits before it trusts sensors again that are back."""


def chip_while_landing(scene: SharedScene) -> HabitualHand | None:
    """A multiplexer drops out for 50 ms to a second around the landing."""
    fault = {"mux": scene.luck.randrange(CHIPS), "kind": "dead"}
    return _while_landing(scene, fault, scene.between(0.05, 1.0))


def magnets_while_landing(scene: SharedScene) -> HabitualHand | None:
    """A strong magnet comes near for 20 to 300 ms around the landing."""
    return _while_landing(scene, {"magnets": "strong"}, scene.between(0.02, 0.3))


def power_within_turn(scene: SharedScene) -> HabitualHand | None:
    """The power is cut between two parts of a turn."""
    turn = some_turn(scene.moment, scene.luck)
    actions = [] if turn is None else actions_of(turn, scene.moment.to_move)
    if turn is None or len(actions) < 2:
        return None
    script, count = Script(), scene.luck.randrange(1, len(actions))
    play_in_order(scene, script, actions[:count])
    _cut(scene, script)
    play_in_order(scene, script, actions[count:])
    return done(script, turn, blind=True)


def power_before_reply(scene: SharedScene) -> HabitualHand | None:
    """The power is cut as a turn has just been played, and the opponent replies soon after the start."""
    turn, mover = some_turn(scene.moment, scene.luck), scene.moment.to_move
    reply = None if turn is None else reply_to(scene, turn)
    if turn is None or reply is None:
        return None
    script, turns = Script(), (turn, reply)
    for number, (player, part) in enumerate(zip((mover, plain.OTHER[mover]), turns, strict=True)):
        if number:
            _cut(scene, script)
        play_in_order(scene, script, actions_of(part, player))
    return done(script, *turns, blind=True)


def _while_landing(scene: SharedScene, fault: dict[str, Any], seconds: float) -> HabitualHand | None:
    turn: Turn | None = some_turn(scene.moment, scene.luck)
    if turn is None:
        return None
    script = Script(at=0.5)
    play_in_order(scene, script, actions_of(turn, scene.moment.to_move))
    landed = next(deed.at for deed in script.deeds if "put" in deed.line)
    script.at = begun = max(0.0, landed + scene.between(-seconds, 0.05))
    script.do(fault=fault)
    script.at = begun + seconds
    script.do(repair=True)
    script.at = max(deed.at for deed in script.deeds)
    script.wait(NOTICED_S)
    return done(script, turn, blind=True, due=(script.at,))


def _cut(scene: SharedScene, script: Script) -> None:
    script.wait(scene.between(0.02, 0.6))
    script.do(power="off")
    script.wait(scene.between(0.0, 1.0))
    script.do(power="on")
    script.wait(scene.between(0.2, 1.5))
