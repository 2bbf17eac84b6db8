"""Habits of people who regret a capture and put the piece back, soon or after seconds; times are seconds."""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    TRIES,
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    can_be_done,
    has_capture,
    play_in_order,
    played,
    some_turn,
)
from tests.fuzz.actors.incidents.shared import Turn, done, reply_to
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends

TAKEN_BACK_S = 1.8
"""The rest that, with that of every hand, is longer than a board waits before it takes turns back."""


def other_capture(scene: SharedScene) -> HabitualHand | None:
    """The captured piece is put back after 0.3 to 5 s, and then another is taken."""
    return _other_capture(scene, lifted_first=False, replied=False)


def other_capture_first(scene: SharedScene) -> HabitualHand | None:
    """Another piece is taken, and then the captured one put back."""
    return _other_capture(scene, lifted_first=True, replied=False)


def other_capture_replied(scene: SharedScene) -> HabitualHand | None:
    """The captured piece is put back, another is taken, and the opponent plays on."""
    return _other_capture(scene, lifted_first=False, replied=True)


def capture_withdrawn(scene: SharedScene) -> HabitualHand | None:
    """The whole turn is taken back, the captured piece first, after 0.3 to 5 s."""
    turn = _capturing(scene)
    if turn is None:
        return None
    mover, script = scene.moment.to_move, Script()
    taken, (origin, landed) = turn[-1][1:], ends(turn[0])
    play_in_order(scene, script, actions_of(turn, mover))
    script.wait(scene.between(0.3, 5.0))
    script.act(LiftOrPut(taken, plain.OTHER[mover]))
    script.wait(scene.between(0.2, 1.5))
    back = [LiftOrPut(str(landed)), *([LiftOrPut(origin, mover)] if origin else [])]
    play_in_order(scene, script, back)
    script.wait(TAKEN_BACK_S)
    return done(script, (), via=_on_the_way(scene, turn))


def _other_capture(scene: SharedScene, *, lifted_first: bool, replied: bool) -> HabitualHand | None:
    turn = _capturing(scene)
    if turn is None:
        return None
    mover, script = scene.moment.to_move, Script()
    closed = played(scene.moment, turn[:-1])
    others = sorted(plain.legal_steps(closed) - {"x-", turn[-1]})
    if not others:
        return None
    meant = (*turn[:-1], scene.luck.choice(others))
    play_in_order(scene, script, actions_of(turn, mover))
    script.wait(scene.between(0.3, 5.0))
    changed = [LiftOrPut(turn[-1][1:], plain.OTHER[mover]), LiftOrPut(meant[-1][1:])]
    script.act(changed[lifted_first])
    script.wait(scene.between(0.1, 1.5))
    script.act(changed[not lifted_first])
    turns: list[Turn] = [meant]
    due = [script.at]
    if replied:
        reply = reply_to(scene, meant)
        if reply is None:
            return None
        script.wait(scene.between(0.4, 2.0))
        play_in_order(scene, script, actions_of(reply, plain.OTHER[mover]))
        turns.append(reply)
        due.append(script.at)
    elif _may_be_next(scene, turn, meant[-1]):
        return None
    if not can_be_done(scene.moment, [_action(deed.line) for deed in script.deeds]):
        return None
    return done(script, *turns, via=_on_the_way(scene, turn), due=tuple(due))


def _capturing(scene: SharedScene) -> Turn | None:
    """A turn that takes one piece and does not end the game."""
    for _ in range(TRIES):
        turn = some_turn(scene.moment, scene.luck)
        if turn is None or not has_capture(turn):
            return None
        if len(turn) == 2 and plain.outcome(played(scene.moment, turn)) is None:
            return turn
    return None


def _on_the_way(scene: SharedScene, turn: Turn) -> tuple[Turn, ...]:
    """The runs that may count before the change of mind shows: the turn, and its captured piece as placed."""
    after, returned = played(scene.moment, turn), turn[-1][1:]
    may_be_placed = returned in plain.legal_steps(after)
    return (turn, *([(*turn, returned)] if may_be_placed else []))


def _may_be_next(scene: SharedScene, turn: Turn, removal: str) -> bool:
    """Return whether a removal may begin the next turn, if the piece of the first one counts as placed.

    Until the opponent plays on, nothing tells a capture that comes before its mill from one that was changed.
    """
    after, returned = played(scene.moment, turn), turn[-1][1:]
    if returned not in plain.legal_steps(after):
        return False
    replied = played(after, (returned,))
    return any(removal in plain.legal_steps(played(replied, (step,))) for step in plain.legal_steps(replied))


def _action(line: dict[str, str]) -> LiftOrPut:
    return LiftOrPut(line["lift"]) if "lift" in line else LiftOrPut(line["put"], line["piece"])
