"""The table of all cues: the meanings that a light can have, their priority, and which are lit together.

**Invariants:** every cue has a place in PRIORITY. Whatever the board shows is part of one of the groups of
TOGETHER; so themes need to tell apart only the cues of each group.
"""

from __future__ import annotations

import enum
from collections.abc import Collection


class Cue(enum.Enum):
    """A meaning that one point's light can have."""

    MOVABLE = "movable"
    DESTINATION = "destination"
    MILL = "mill"
    REMOVABLE = "removable"
    RELOCATABLE = "relocatable"
    LIFTED = "lifted"
    LAST_MOVE = "last-move"
    GOAL = "goal"
    MISSING = "missing"
    EXTRA = "extra"
    WRONG = "wrong"
    UNCLEAR = "unclear"
    TAKE_BACK = "take-back"
    HINT = "hint"
    HINT_WINS = "hint-wins"
    HINT_DRAWS = "hint-draws"
    HINT_LOSES = "hint-loses"
    SUGGESTED = "suggested"
    WINNER = "winner"
    CLEAR = "clear"
    ASK = "ask"
    ASKED = "asked"
    SURE = "sure"
    WHITE = "white"
    BLACK = "black"
    GOING_OFF = "going-off"
    OWN_WIFI = "own-wifi"
    RESTING = "resting"
    BROKEN = "broken"

    def __str__(self) -> str:
        return self.value


class Both(enum.Enum):
    """Two cues of one point that a player may want to see at once."""

    EITHER = (Cue.MOVABLE, Cue.DESTINATION)


DisplayedCue = Cue | Both

PRIORITY = (
    Cue.BROKEN,
    Cue.GOING_OFF,
    Cue.OWN_WIFI,
    Cue.SURE,
    Cue.WHITE,
    Cue.BLACK,
    Cue.ASKED,
    Cue.ASK,
    Cue.WRONG,
    Cue.EXTRA,
    Cue.MISSING,
    Cue.UNCLEAR,
    Cue.TAKE_BACK,
    Cue.CLEAR,
    Cue.HINT,
    Cue.HINT_WINS,
    Cue.HINT_DRAWS,
    Cue.HINT_LOSES,
    Cue.SUGGESTED,
    Cue.REMOVABLE,
    Cue.RELOCATABLE,
    Cue.LIFTED,
    Cue.MILL,
    Cue.DESTINATION,
    Cue.MOVABLE,
    Cue.WINNER,
    Cue.LAST_MOVE,
    Cue.GOAL,
    Cue.RESTING,
)
"""The cues by priority: a point with several shows the first of them, except for `Both`."""

_RANK = {cue: rank for rank, cue in enumerate(PRIORITY)}


def displayed_cue(cues: Collection[Cue]) -> DisplayedCue:
    """Return the cue to show for a point with these cues, one or more."""
    first = min(cues, key=_RANK.__getitem__)
    return Both.EITHER if first is Cue.DESTINATION and Cue.MOVABLE in cues else first


VALUES = (Cue.HINT_WINS, Cue.HINT_DRAWS, Cue.HINT_LOSES)
"""The cues of the light that knows. They take the place of those of legal moves."""

_STEPS: tuple[DisplayedCue, ...] = (Cue.MOVABLE, Cue.DESTINATION)
_STACKED: tuple[DisplayedCue, ...] = (*_STEPS, Both.EITHER, Cue.GOAL)

TOGETHER: dict[str, frozenset[DisplayedCue]] = {
    "ready": frozenset((*_STEPS, Cue.MILL, Cue.LAST_MOVE, Cue.HINT)),
    "ready to begin": frozenset((Cue.DESTINATION, Cue.WHITE)),
    "lifted": frozenset((Cue.LIFTED, Cue.DESTINATION, Cue.REMOVABLE, Cue.MILL, Cue.HINT)),
    "lifted early": frozenset((Cue.LIFTED, *_STEPS, Cue.MILL, Cue.HINT)),
    "removal": frozenset((Cue.MILL, Cue.REMOVABLE, Cue.LAST_MOVE, Cue.HINT)),
    "stacks": frozenset((*_STACKED, Cue.LAST_MOVE, Cue.HINT)),
    "pieces missing to begin": frozenset((Cue.MISSING, Cue.WHITE)),
    "stacks lifted": frozenset((*_STACKED, Cue.LIFTED, Cue.HINT)),
    "stacks vaulted": frozenset((Cue.RELOCATABLE, Cue.DESTINATION, Cue.LIFTED, Cue.GOAL, Cue.HINT)),
    "relocation due": frozenset((Cue.RELOCATABLE, Cue.LAST_MOVE, Cue.GOAL, Cue.HINT)),
    "values": frozenset((*VALUES, Cue.MILL, Cue.LAST_MOVE, Cue.GOAL)),
    "values lifted": frozenset((*VALUES, Cue.LIFTED, Cue.MILL, Cue.REMOVABLE, Cue.GOAL)),
    "values of removals": frozenset((*VALUES, Cue.MILL, Cue.REMOVABLE, Cue.LAST_MOVE)),
    "values of relocations": frozenset((*VALUES, Cue.RELOCATABLE, Cue.LIFTED, Cue.GOAL)),
    "values of relocations due": frozenset((*VALUES, Cue.RELOCATABLE, Cue.LAST_MOVE, Cue.GOAL)),
    "suggestion": frozenset((*_STEPS, Cue.MILL, Cue.LAST_MOVE, Cue.SUGGESTED)),
    "suggestion lifted": frozenset((Cue.LIFTED, Cue.DESTINATION, Cue.REMOVABLE, Cue.MILL, Cue.SUGGESTED)),
    "suggestion lifted early": frozenset((Cue.LIFTED, *_STEPS, Cue.MILL, Cue.SUGGESTED)),
    "suggested removal": frozenset((Cue.MILL, Cue.REMOVABLE, Cue.LAST_MOVE, Cue.SUGGESTED)),
    "suggestion with stacks": frozenset((*_STACKED, Cue.LAST_MOVE, Cue.SUGGESTED)),
    "suggestion with stacks lifted": frozenset((*_STACKED, Cue.LIFTED, Cue.SUGGESTED)),
    "suggested relocation": frozenset(
        (Cue.RELOCATABLE, Cue.DESTINATION, Cue.LIFTED, Cue.GOAL, Cue.SUGGESTED)
    ),
    "suggested relocation due": frozenset((Cue.RELOCATABLE, Cue.LAST_MOVE, Cue.GOAL, Cue.SUGGESTED)),
    "mismatch": frozenset((Cue.MISSING, Cue.EXTRA, Cue.WRONG)),
    "undecided": frozenset((Cue.UNCLEAR, Cue.LIFTED)),
    "asking": frozenset((Cue.ASK, Cue.ASKED, Cue.WHITE, Cue.BLACK)),
    "setting up": frozenset((Cue.ASK, Cue.WHITE, Cue.BLACK)),
    "setting up wrong": frozenset((Cue.WRONG,)),
    "result": frozenset((Cue.DESTINATION, Cue.LAST_MOVE, Cue.ASK, Cue.WHITE, Cue.BLACK)),
    "result while pieces are set up": frozenset((Cue.MISSING, Cue.ASK, Cue.WHITE, Cue.BLACK)),
    "result sure while pieces are set up": frozenset((Cue.MISSING, Cue.SURE)),
    "result sure": frozenset((Cue.DESTINATION, Cue.LAST_MOVE, Cue.SURE)),
    "taking back": frozenset((Cue.TAKE_BACK,)),
    "over": frozenset((Cue.WINNER, Cue.MILL, Cue.LAST_MOVE)),
    "clear": frozenset((Cue.CLEAR,)),
    "going off": frozenset((Cue.GOING_OFF,)),
    "own Wi-Fi": frozenset((Cue.OWN_WIFI,)),
    "resting": frozenset((Cue.RESTING,)),
    "waiting for another board": frozenset((Cue.RESTING, Cue.MILL)),
    "a phrase on a paused board": frozenset((Cue.RESTING, Cue.ASK)),
    "broken": frozenset((Cue.BROKEN,)),
}
"""The cues that can be lit together, by situation. Cues of one group differ in pattern in every theme."""
