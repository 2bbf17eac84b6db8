"""The light of an open ask.

Invariants: exactly the options that can be touched are lit, and what ends a game is the only one once it has
been touched. Beside the question how the last game ended, the lights of the next one stay.
"""

from __future__ import annotations

from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play.asking.asking import Asking
from firmware_host.play.asking.options import RESULT, Option

_PLAYERS = {
    "white-won": Cue.WHITE,
    "black-won": Cue.BLACK,
    "white-moves": Cue.WHITE,
    "black-moves": Cue.BLACK,
    "white-clock": Cue.WHITE,
    "black-clock": Cue.BLACK,
}
"""The options that are about one player."""


def ask_scene(asking: Asking | None, under: Scene) -> Scene:
    """Return the scene of `asking`, or of None; `under` is that of the game."""
    if asking is None:
        return under
    cues = {point: frozenset({_cue(asking, option)}) for point, option in asking.lit.items()}
    if asking.question != RESULT:
        return Scene(cues)
    both = {point: under.cues.get(point, frozenset()) | cue for point, cue in cues.items()}
    return Scene({**under.cues, **both}, under.to_move)


def _cue(asking: Asking, option: Option) -> Cue:
    if asking.sure is not None:
        return Cue.SURE
    return _PLAYERS.get(option.does) or (Cue.ASKED if option.holds else Cue.ASK)
