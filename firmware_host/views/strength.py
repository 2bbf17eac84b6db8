"""The knowledge of the board, for pages: as whom its highest level can't lose, and how positions end.

Tables of solved positions are opened when somebody asks for the first time, which takes modules that most
boards never need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_host.games.game import Game, Player, Position
from firmware_host.games.rulesets import parse_rules
from firmware_host.games.values import proved

if TYPE_CHECKING:
    from firmware_host.engine.solving.promise import Promise
    from firmware_host.engine.tables import Tables


class Strength:
    """Answers the query `strength`; only one thread may use it."""

    def __init__(self) -> None:
        self._promise: Promise | None = None

    def result(self, game: Game, rules: str | None) -> dict[str, Any]:
        """Return the players who cannot lose `game` from here on, or a new game by `rules`.

        Raises NotationError if there are no such rules.
        """
        if self._promise is None:
            from firmware_host.engine.solving.promise import Promise

            self._promise = Promise()
        if rules is None:
            players = self._promise.players(game)
        else:
            players = list(Player) if self._promise.from_the_start(parse_rules(rules)) else []
        return {"cannot_lose": [str(player) for player in players]}


class PositionValues:
    """Answers the query `values`, from the shipped tables and a short search; only one thread may use it."""

    def __init__(self) -> None:
        self._tables: Tables | None = None

    def result(self, position: Position) -> dict[str, Any]:
        """Return how a position ends by best play, seen by the player to move, and so each step."""
        from firmware_host.engine.analysis import position_value, quick_values

        if self._tables is None:
            from firmware_host.engine.solving.folder import shipped_tables

            self._tables = shipped_tables()
        found = quick_values(position, self._tables)
        value, steps = position_value(found), dict[str, str]()
        for one in found:  # the best turn first
            steps.setdefault(position.rules.parse_turn(one.turn)[0].text, str(proved(one.value)))
        best = found[0].turn if found and value.exact else None
        return {"result": str(proved(value)), "distance": value.distance, "best": best, "steps": steps}
