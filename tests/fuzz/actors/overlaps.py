"""Habits of two people whose hands are on the board at the same time; times are seconds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from tests.fuzz.actors.deeds import (
    TRIES,
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    can_be_done,
    hand,
    play_in_order,
    two_turns,
)
from tests.fuzz.oracle import plain_rules as plain

Turn = tuple[str, ...]
APART_S = 0.15
"""The least time in which hands touch one point again, if they mean to."""
CARRIED_S = 0.08
"""The least time in which a hand carries a piece to another point."""


def reply_at_once(scene: SharedScene) -> HabitualHand | None:
    """The opponent begins 5 ms after the turn is done."""
    return _replied(scene, 0.005)


def reply_soon(scene: SharedScene) -> HabitualHand | None:
    """The opponent begins 5 to 800 ms after the turn is done."""
    return _replied(scene, scene.between(0.005, 0.8))


def reply_onto_captured(scene: SharedScene) -> HabitualHand | None:
    """The opponent's piece lands where one was captured less than a second ago."""
    for _ in range(TRIES):
        pair = two_turns(scene, captures=True, reply="captured")
        if pair is None or len(pair[0]) != 2:
            continue
        script, mover = Script(), scene.moment.to_move
        play_in_order(scene, script, actions_of(pair[0], mover))
        *lifted, landing = actions_of(pair[1][:1], plain.OTHER[mover])
        left = scene.between(0.15, 0.97)
        for action in lifted:
            script.at += (share := scene.luck.uniform(0.2, 0.8) * left)
            script.act(action)
            left -= share
        script.wait(left)
        play_in_order(scene, script, [landing, *actions_of(pair[1][1:], plain.OTHER[mover])])
        return hand(script, *pair)
    return None


def lift_before(scene: SharedScene) -> HabitualHand | None:
    """The opponent lifts a piece while one is in the air, and lands after it."""
    return _overlapped(scene, lambda text: "-" in text, _lifts_before, captures=False)


def land_before(scene: SharedScene) -> HabitualHand | None:
    """The opponent lands while a piece is in the air."""
    return _overlapped(scene, lambda text: "-" in text, _lands_before, captures=False)


def lift_before_capture(scene: SharedScene) -> HabitualHand | None:
    """The opponent lifts a piece before the captured one is taken, and lands after that."""
    return _overlapped(scene, lambda _: True, _lifts_before, captures=True)


def land_before_capture(scene: SharedScene) -> HabitualHand | None:
    """The opponent lands before the captured piece is taken."""
    return _overlapped(scene, lambda _: True, _lands_before, captures=True)


def _replied(scene: SharedScene, gap: float) -> HabitualHand | None:
    for captures in (scene.luck.random() < 0.5, False, True):
        pair = two_turns(scene, captures=captures)
        if pair is not None and not _onto_captured(*pair):
            break
    else:
        return None
    script, mover = Script(), scene.moment.to_move
    play_in_order(scene, script, actions_of(pair[0], mover))
    script.wait(gap)
    play_in_order(scene, script, actions_of(pair[1], plain.OTHER[mover]))
    return hand(script, *pair) if _can_be_reached(script) else None


Merge = Callable[[SharedScene, list[LiftOrPut], list[LiftOrPut]], list[LiftOrPut] | None]


def _overlapped(
    scene: SharedScene, step: Callable[[str], bool], merge: Merge, *, captures: bool
) -> HabitualHand | None:
    for _ in range(TRIES):
        pair = two_turns(scene, captures=captures, step=step)
        if pair is None or _onto_captured(*pair):
            continue
        mover = scene.moment.to_move
        one, two = actions_of(pair[0], mover), actions_of(pair[1], plain.OTHER[mover])
        merged = merge(scene, one, two)
        if merged is None or not can_be_done(scene.moment, merged):
            continue
        script = Script()
        for action, following in zip_longest(merged, merged[1:]):
            script.act(action)
            quick = scene.luck.random() < 0.3 and not _is_carried(action, following)
            script.wait(scene.between(0.005, 0.04) if quick else scene.between(CARRIED_S, 0.6))
        if _can_be_reached(script):
            return hand(script, *pair)
    return None


def _is_carried(lifted: LiftOrPut, landing: LiftOrPut | None) -> bool:
    """Return whether a piece may go from one hand's lift to the landing that follows at once."""
    return lifted.colour is None and landing is not None and landing.colour is not None


def _onto_captured(one: Turn, two: Turn) -> bool:
    """Return whether a reply ends where the turn before it took a piece."""
    return two[0][-2:] in {step[1:] for step in one if step[0] == "x"}


def _can_be_reached(script: Script) -> bool:
    """Return whether no point is touched twice in a time too short for hands."""
    touched: dict[str, float] = {}
    for deed in script.deeds:
        point = deed.line.get("lift") or deed.line["put"]
        if deed.at - touched.get(point, -1.0) < APART_S:
            return False
        touched[point] = deed.at
    return True


def _lifts_before(scene: SharedScene, one: list[LiftOrPut], two: list[LiftOrPut]) -> list[LiftOrPut] | None:
    """Both turns' actions, the other's first, a lift, before the last one of the first turn."""
    if two[0].colour is not None or len(one) < 2:
        return None
    index = scene.luck.randrange(1, len(one))
    return [*one[:index], two[0], *one[index:], *two[1:]]


def _lands_before(scene: SharedScene, one: list[LiftOrPut], two: list[LiftOrPut]) -> list[LiftOrPut] | None:
    """Both turns' actions, the other's piece set down before the last one of the first turn."""
    if len(one) < 2:
        return None
    landing = next(number for number, action in enumerate(two) if action.colour is not None)
    begun = two[: landing + 1]
    merged = one[:-1]
    index = 1
    for action in begun:
        index = scene.luck.randint(index, len(merged))
        merged.insert(index, action)
        index += 1
    return [*merged, one[-1], *two[landing + 1 :]]
