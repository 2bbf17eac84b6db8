"""Habits of people who play on while the board ignores them: a menu opened by accident, or a pause.

Times are seconds. Once the board follows again, the only turns that lead to where it stands have been played.
"""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    play_in_order,
    some_turn,
)
from tests.fuzz.actors.incidents.shared import Turn, done, reply_to
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends

HELD_UP_S = 2.3
"""Longer than two pieces are held up until a menu opens."""
CLOSED_S = 16.0
"""Longer than a menu stays open that nobody touches."""


def while_asking(scene: SharedScene) -> HabitualHand | None:
    """The button is pressed by accident, and a turn is played."""
    return _unfollowed(scene, {"do": "ask"}, {}, replied=False)


def while_asking_replied(scene: SharedScene) -> HabitualHand | None:
    """The button is pressed by accident, and a turn and its reply are played."""
    return _unfollowed(scene, {"do": "ask"}, {}, replied=True)


def while_paused(scene: SharedScene) -> HabitualHand | None:
    """A turn is played while the game is paused."""
    return _unfollowed(scene, {"do": "pause"}, {"do": "resume"}, replied=False)


def while_paused_replied(scene: SharedScene) -> HabitualHand | None:
    """A turn and its reply are played while the game is paused."""
    return _unfollowed(scene, {"do": "pause"}, {"do": "resume"}, replied=True)


def weighed(scene: SharedScene) -> HabitualHand | None:
    """Two own pieces are weighed in the hands, which opens the menu, and one of them is played."""
    turn = some_turn(scene.moment, scene.luck, step=lambda text: "-" in text)
    if turn is None:
        return None
    mover, script = scene.moment.to_move, Script()
    origin = ends(turn[0])[0]
    others = [point for point in plain.on_board(scene.moment, mover) if point != origin]
    if not others:
        return None
    other = scene.luck.choice(others)
    lifted, *rest = actions_of(turn, mover)
    both = [lifted, LiftOrPut(other)]
    scene.luck.shuffle(both)
    script.act(both[0])
    script.wait(scene.between(0.1, 0.6))
    script.act(both[1])
    script.wait(scene.between(HELD_UP_S, 2 * HELD_UP_S))
    play_in_order(scene, script, [LiftOrPut(other, mover), *rest])
    script.wait(CLOSED_S)
    return done(script, turn, blind=True, due=(script.at,))


def _unfollowed(
    scene: SharedScene, begin: dict[str, str], end: dict[str, str], *, replied: bool
) -> HabitualHand | None:
    turn, mover = some_turn(scene.moment, scene.luck), scene.moment.to_move
    reply = reply_to(scene, turn, captures=True) if turn and replied else None
    if turn is None or (replied and reply is None):
        return None
    turns: list[Turn] = [turn, *([reply] if reply else [])]
    script = Script()
    script.do(**begin)
    script.wait(scene.between(0.1, 1.0))
    for player, part in zip((mover, plain.OTHER[mover]), turns, strict=False):
        play_in_order(scene, script, actions_of(part, player))
        script.wait(scene.between(0.3, 1.5))
    if end:
        script.do(**end)
    else:
        script.wait(CLOSED_S)
    return done(script, *turns, blind=True, due=(script.at,) * len(turns))
