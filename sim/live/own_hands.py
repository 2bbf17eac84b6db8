"""The hands by which a simulated board carries out the turns that it, or another board, has chosen.

Invariants: one step is carried out at a time, after a pause in which people see what is lit, and only while
all pieces are where the game has them, and none is held. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firmware_host.games.game import Step
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import Settled
from sim.world import SimulatedWorld

PAUSE: Microseconds = 900_000
"""The time from when a step is lit until it is carried out."""


class OwnHands:
    """The hands of a simulated board, as long as they are `on`."""

    def __init__(self, *, on: bool) -> None:
        self.on = on
        self._step: tuple[int, tuple[Step, ...]] | None = None
        self._since: Microseconds = 0

    def due(self, life: SimulatedWorld) -> Sequence[dict[str, Any]]:
        """Return the requests that carry out the next step, once it is time for them."""
        step = self._next(life)
        if step is None or step != self._step:
            self._step, self._since = step, life.now
        if step is None or life.now < self._since + PAUSE:
            return ()
        self._step = None  # and if the board didn't notice, it is carried out again after another pause
        _, (first, *_) = step
        return _actions(first)

    def _next(self, life: SimulatedWorld) -> tuple[int, tuple[Step, ...]] | None:
        """Return the number of steps so far and the rest of the chosen turn; None while hands are to rest."""
        session = life.play.controller.session
        may_move = self.on and life.powered and session.is_others_turn and session.chosen
        if not may_move or session.paused or session.suspended:
            return None
        is_still = session.verdict == Settled() and not life.play.hands.held
        if not is_still or not life.play.stands_right(life.now):
            return None
        return session.game.ply, session.chosen or ()


def _actions(step: Step) -> list[dict[str, Any]]:
    """Return the requests of hands that carry out one step."""
    lift = [] if step.origin is None else [{"lift": step.origin.name}]
    if step.target is None:
        return [*lift, {"box": True}]
    placed = {"piece": str(step.piece)} if step.origin is None else {}
    return [*lift, {"put": step.target.name, **placed}]


def in_own_words(message: Mapping[str, Any]) -> Message | None:
    """Return what the board does itself where `message` asks hands to do it, or None."""
    key, args = message["key"], Message.of(message).args
    if key == "far.plays":
        return Message("own-hands.far.plays", {"what": args["what"]})
    if key == "far.takes":
        return Message("own-hands.far.takes", {"points": args["points"]})
    if not key.startswith("board-plays."):
        return None
    if "points" in args:
        return Message("own-hands.takes", {"points": args["points"]})
    return Message("own-hands.plays", {"what": args["what"]})
