"""The parts that incidents have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.fuzz.actors.deeds import HabitualHand, Script, SharedScene, hand, played, some_turn
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import MillMoment

Turn = tuple[str, ...]


def done(script: Script, *turns: Turn, **fields: Any) -> HabitualHand:
    """The hand of a script in which something happened beside the turns that were meant."""
    return replace(hand(script, *turns), lenient=True, **fields)


def reply_to(scene: SharedScene, turn: Turn, *, captures: bool = False) -> Turn | None:
    """A turn of the opponent after `turn`; None where the game is over."""
    after = played(scene.moment, turn)
    if plain.outcome(after) is not None:
        return None
    return some_turn(after, scene.luck, captures=captures)


def has_spare(moment: MillMoment, colour: str) -> bool:
    """Return whether the box holds a piece of this colour beside the one that a hand may take for a turn."""
    standing = sum(owner == colour for owner in moment.board.values())
    return moment.rules.pieces - standing >= 2


def quiet_turn(scene: SharedScene) -> Turn | None:
    """A turn that closes no mill and after which play goes on."""
    turn = some_turn(scene.moment, scene.luck, captures=False)
    if turn is None or len(turn) != 1:
        return None
    after = played(scene.moment, turn)
    return None if after.due or plain.outcome(after) is not None else turn


def landed_at(script: Script) -> float:
    """The time of the last landing so far."""
    return max(deed.at for deed in script.deeds if "put" in deed.line)
