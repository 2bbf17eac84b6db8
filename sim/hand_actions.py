"""A game as the requests by which hands play it again on the headless board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_host.games.game import Game, Step

_SETTLE_S = 1.5
_CARRY_S = 0.1


def hand_actions(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the requests that play `game` on the headless board, as sim/README.md describes them.

    Each step is followed by a pause that is long enough for it to count.
    """
    name, *options = game.rules.describe().split()
    yield {"do": "new-game", "rules": name, "set": dict(option.split("=", 1) for option in options)}
    for step in game.steps:
        yield from _step_actions(step)
        yield {"wait": _SETTLE_S}


def _step_actions(step: Step) -> Iterator[dict[str, Any]]:
    if step.origin is None and step.target is None:
        yield {"do": "decline"}
    elif step.origin is None:
        yield {"put": str(step.target), "piece": str(step.piece)}
    else:
        yield {"lift": str(step.origin)}
        yield {"wait": _CARRY_S}
        yield {"box": True} if step.target is None else {"put": str(step.target)}
