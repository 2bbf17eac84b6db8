"""The knowledge behind the light that knows: the result of each turn of one position.

**Invariants:** a point has the best result of the turns that begin or go on there, for the player to move. A
turn of which nothing is proved could win: unless another turn there wins, the point's result is unknown too.
A turn is suggested only if nothing is proved of any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.games.values import Result, TurnResults
from firmware_host.lights.cues import Cue
from firmware_host.tracking.verdict import PartialTurn

CUES: Mapping[Result, Cue] = {
    Result.WIN: Cue.HINT_WINS,
    Result.DRAW: Cue.HINT_DRAWS,
    Result.LOSS: Cue.HINT_LOSES,
}
"""The cue of each result; an unknown one has none."""

_ORDER = {Result.LOSS: 0, Result.DRAW: 1, Result.UNKNOWN: 2, Result.WIN: 3}
_POINT = re.compile("[a-g][1-7]")


class Knowledge:
    """The result of every turn, or rest of one, of a position; it never changes."""

    def __init__(self, game: Game, results: TurnResults) -> None:
        """Keep the `results` of the turns from the position of `game`."""
        self.position: Position = game.position
        self._rules = game.rules
        steps = self.position.legal_steps()
        points = (step.origin or step.target for step in steps)
        self._points = {point.name: point for point in points if point is not None}
        self._results = {_in_order(text): result for text, result in results}
        self.at_rest: Mapping[Point, Result] = self._first_points(results)
        """The result of each point while no turn has begun."""
        self._suggested = _in_order(results[0][0]) if results and self.is_empty else None
        self.suggested_at_rest = self._beginning(results[0][0]) if self._suggested else frozenset()
        """The points where the suggested turn begins."""

    @property
    def is_empty(self) -> bool:
        """True if no turn has a known result."""
        return all(result is Result.UNKNOWN for result in self._results.values())

    @property
    def suggests(self) -> bool:
        """True if no turn has a known result, but one is suggested: the first that the engine named."""
        return self._suggested is not None

    def is_suggested(self, steps: tuple[Step, ...]) -> bool:
        """Return whether this turn is suggested; removals in another order are the same turn."""
        return self._suggested is not None and self._suggested == _in_order(self._rules.turn_text(steps))

    def of_turn(self, steps: tuple[Step, ...]) -> Result:
        """Return the result of a turn; removals in another order are the same turn."""
        return self._results.get(_in_order(self._rules.turn_text(steps)), Result.UNKNOWN)

    def explains(self, fits: Iterable[PartialTurn]) -> bool:
        """Return True if all of these are turns of this position, played by its player."""
        return all(
            fit.turn.begun_at == self.position and (len(fit.turn.steps) == 1 or _is_action(fit.turn.steps[0]))
            for fit in fits
        )

    def _first_points(self, results: TurnResults) -> dict[Point, Result]:
        found: dict[Point, Result] = {}
        for text, result in results:
            for point in self._beginning(text):
                found[point] = better(found.get(point), result)
        return {point: found.get(point, Result.UNKNOWN) for point in self._points.values()}

    def _beginning(self, turn: str) -> frozenset[Point]:
        """Return the points where a turn can begin."""
        names = _POINT.findall(turn)
        # Removals can be done in any order; of any other turn the first action comes first.
        first = names if turn.startswith("x") else names[:1]
        return frozenset(self._points[name] for name in first if name in self._points)


def better(one: Result | None, other: Result) -> Result:
    """Return the better of two results for the player who can choose."""
    return other if one is None else max(one, other, key=_ORDER.__getitem__)


def _in_order(turn: str) -> str:
    """Return the text of a turn with its removals sorted."""
    landing, *removed = turn.split("x")
    return "x".join((landing, *sorted(removed))) if len(removed) > 1 else turn


def _is_action(step: Step) -> bool:
    return step.origin is not None or step.target is not None
