"""Habits of people who play with one hand and straighten a piece with the other; times are seconds."""

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
from tests.fuzz.actors.incidents.shared import Turn, done
from tests.fuzz.oracle.handiwork import ends

TOGETHER_S = 0.15
"""Two hands that act together do so within this time."""


def straighten_while_landing(scene: SharedScene) -> HabitualHand | None:
    """A piece is straightened by one hand as the other sets one down."""
    return _with_both(scene, at_landing=True)


def straighten_while_lifting(scene: SharedScene) -> HabitualHand | None:
    """Two pieces are lifted together, of which one is moved and the other put back, in any order."""
    return _with_both(scene, at_landing=False)


def _with_both(scene: SharedScene, *, at_landing: bool) -> HabitualHand | None:
    turn = some_turn(scene.moment, scene.luck, step=lambda text: at_landing or "-" in text)
    if turn is None:
        return None
    script, mover = Script(at=TOGETHER_S), scene.moment.to_move
    play_in_order(scene, script, actions_of(turn, mover))
    still = _still(scene, turn)
    if not still:
        return None
    point = scene.luck.choice(still)
    together = next(d.at for d in script.deeds if ("put" if at_landing else "lift") in d.line)
    script.at = together + scene.between(-TOGETHER_S, TOGETHER_S)
    script.act(LiftOrPut(point))
    script.wait(scene.between(0.15, 0.95))
    script.act(LiftOrPut(point, scene.moment.board[point]))
    return done(script, turn)


def _still(scene: SharedScene, turn: Turn) -> list[str]:
    """The pieces that the turn leaves alone, mostly those of the player, who has them in reach."""
    touched = {point for step in turn for point in ends(step) if point}
    still = sorted(set(scene.moment.board) - touched)
    own = [point for point in still if scene.moment.board[point] == scene.moment.to_move]
    return own if own and scene.luck.random() < 0.7 else still
