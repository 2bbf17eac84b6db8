"""Power cuts between the parts of a turn at a board of stacks; times are seconds."""

from __future__ import annotations

from tests.fuzz.actors.deeds import HabitualHand, Script, hand
from tests.fuzz.actors.stacks.habits import StackScene, act, actions_of_turn


def power_within_turn(scene: StackScene) -> HabitualHand | None:
    """The power is cut between two actions of a turn, which goes on 0.2 to 1.5 s after the start."""
    turn = scene.turn(scene.moment)
    if turn is None:
        return None
    actions = actions_of_turn(turn, scene.moment)
    count = scene.luck.randrange(1, len(actions)) if len(actions) > 1 else 0
    script = Script()
    for number, action in enumerate(actions):
        if number == count:
            script.wait(scene.between(0.02, 0.4))
            script.do(power="off")
            script.wait(scene.between(0.0, 1.0))
            script.do(power="on")
            script.wait(scene.between(0.2, 1.5))
        elif number:
            script.wait(scene.between(0.12, 0.8))
        act(script, action)
    return hand(script, (turn,))
