"""The hint in words: what the light says about the moves, or why it says nothing.

**Invariants:** the sentence names points that are lit now, and says nothing that the light doesn't show.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Literal

from firmware_host.games.game import Player
from firmware_host.games.values import Result
from firmware_host.i18n import Message
from firmware_host.lights.cues import VALUES, Cue
from firmware_host.play.controller import Controller
from firmware_host.play.events import ENGINE
from firmware_host.play.hint_light import HintKind, hint_kinds
from firmware_host.tracking.verdict import InProgress, Settled

NO_HINTS: Mapping[str, str | None] = {"white": "off", "black": "off", "now": None}
"""The public form for a board that gives no hints."""
MAX_NAMED = 4
"""The points of one result that are named; of more, only the number is."""


def hint_state(controller: Controller) -> str | None:
    """Return how far the hint is that the player to move is due; None if none is wanted.

    It is `wanted`, `shown`, `suggested` if no piece or point has a proved result, `unknown` if nothing is,
    `late` if no answer came in time, or `missing` if the engine has failed.
    """
    hints = controller.hints
    if hints.wanted is None:
        return None
    if hints.known is not None:
        if hints.known.suggests:
            return "suggested"
        return "unknown" if hints.known.is_empty else "shown"
    if ENGINE in controller.faults:
        return "missing"
    return "late" if hints.is_late else "wanted"


def hint_dict(controller: Controller) -> dict[str, str | None]:
    """Return the public form: the hints of both players, and the state of the present one."""
    session = controller.session
    kinds = hint_kinds(controller.preferences.effective, session.seats.under(session.game.rules))
    return {**{str(player): str(kinds[player]) for player in Player}, "now": hint_state(controller)}


def can_hint(controller: Controller) -> bool:
    """Return whether the player to move can ask for a hint now; one that comes by itself, if it was late."""
    return controller.hints.kind is HintKind.ON_REQUEST or controller.hints.is_late


def hint_advice(controller: Controller) -> Message | None:
    """Return what the light shows of the results, or why it shows nothing; None if no hint is wanted."""
    state = hint_state(controller)
    if state is None or state == "wanted":
        return None
    if not isinstance(controller.session.verdict, Settled | InProgress):
        return None
    if state in {"shown", "suggested"}:
        return _suggestion(controller) or _results(controller)
    return Message(f"hint.{state}")


def _suggestion(controller: Controller) -> Message | None:
    """Return where the suggested turn begins or goes on, if the light shows that."""
    lit = controller.scene.cues.items()
    names = tuple(sorted(point.name for point, cues in lit if Cue.SUGGESTED in cues))
    return Message("hint.suggested", {"points": names}) if names else None


def beside(what: Message | None, hint: Message | None) -> Message | None:
    """Return a hint after the advice `what`, if there is any; None without a hint."""
    return Message("hint.besides", {"what": what, "hint": hint}) if what and hint else hint


def _results(controller: Controller) -> Message:
    """Return the results that are lit, the best first."""
    points: dict[Cue, list[str]] = {cue: [] for cue in VALUES}
    for point, cues in controller.scene.cues.items():
        for cue in cues & points.keys():
            points[cue].append(point.name)
    parts = [_result(_WORDS[cue], tuple(sorted(names))) for cue, names in points.items() if names]
    if not parts:
        return Message("hint.unknown")
    what = reduce(lambda one, other: Message("hint.then", {"first": one, "second": other}), parts)
    known = controller.hints.known
    rests = isinstance(controller.session.verdict, Settled)
    if rests and known is not None and Result.UNKNOWN in known.at_rest.values():
        return Message("hint.partly", {"what": what})
    return Message("hint.shown", {"what": what})


_WORDS: Mapping[Cue, Literal["wins", "draws", "loses"]] = {
    Cue.HINT_WINS: "wins",
    Cue.HINT_DRAWS: "draws",
    Cue.HINT_LOSES: "loses",
}


def _result(value: Literal["wins", "draws", "loses"], names: tuple[str, ...]) -> Message:
    if len(names) > MAX_NAMED:
        return Message(f"hint.{value}.lots", {"count": len(names)})
    if len(names) == 1:
        return Message(f"hint.{value}.one", {"points": names})
    return Message(f"hint.{value}.many", {"points": names})
