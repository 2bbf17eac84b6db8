"""The strength of the board, for pages: the players as whom its highest level is proved not to lose.

Tables of solved positions are opened when somebody asks for the first time, which takes modules that most
boards never need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import parse_rules

if TYPE_CHECKING:
    from firmware_host.engine.solving.promise import Promise


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
