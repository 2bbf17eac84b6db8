"""Statistics of the saved games: who won how often, and after how many turns, by rule set.

Invariants: only games count that were played to their end, and no lessons; one query reads the file, however
many games it has.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.game import Player, Reason
from firmware_host.games.rulesets import LESSONS
from firmware_host.store.saved_game import SavedGame
from firmware_host.store.summaries import summary_of

# The rules of a game are its rule set and, after a space, what was changed in it.
_COUNTED = """
SELECT substr(rules, 1, instr(rules || ' ', ' ') - 1) AS rule_set,
    sum(winner IS 'white'), sum(winner IS 'black'), sum(winner IS NULL), sum(turns), max(turns)
FROM games JOIN (
    SELECT game, count(*) AS turns FROM (
        SELECT game, by, lag(by) OVER (PARTITION BY game ORDER BY ply) AS last FROM steps
    ) WHERE last IS NOT by GROUP BY game
) AS played ON played.game = games.id
WHERE reason IS NOT NULL AND reason <> ?1 AND games.id NOT IN (SELECT value FROM json_each(?2))
GROUP BY rule_set HAVING rule_set NOT IN (SELECT value FROM json_each(?3))
"""


@frozen
class RuleSetStatistics:
    """The finished games by one rule set, with any options."""

    rules: str
    white: int
    """The number of games that White won."""
    black: int
    draws: int
    turns: int
    """The number of turns in all games together."""
    longest: int
    """The number of turns in the longest game."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.white + self.black + self.draws

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "rules": self.rules,
            "white": self.white,
            "black": self.black,
            "draws": self.draws,
            "mean_turns": round(self.turns / self.games),
            "longest": self.longest,
        }


def statistics_of(connection: sqlite3.Connection, without: Collection[int]) -> list[RuleSetStatistics]:
    """Return the statistics of the games in a file, `without` those with these ids. Raise sqlite3.Error."""
    values = (Reason.ABANDONED.value, json.dumps(sorted(without)), json.dumps(LESSONS))
    return [RuleSetStatistics(*row) for row in connection.execute(_COUNTED, values)]


def with_games(counted: Iterable[RuleSetStatistics], games: Iterable[SavedGame]) -> list[RuleSetStatistics]:
    """Return statistics with those of `games` added, the rule set of most games first."""
    added = [one for game in games for one in _alone(game)]
    together: dict[str, RuleSetStatistics] = {}
    for one in (*counted, *added):
        together[one.rules] = _sum(together[one.rules], one) if one.rules in together else one
    return sorted(together.values(), key=lambda one: (-one.games, one.rules))


def _alone(saved: SavedGame) -> list[RuleSetStatistics]:
    """Return the statistics of one game; none if it doesn't count."""
    outcome, rules = saved.outcome, saved.rules.split(" ")[0]
    if outcome is None or outcome.reason is Reason.ABANDONED or rules in LESSONS or not saved.steps:
        return []
    turns = summary_of(0, saved).turns
    white, black, draws = (int(outcome.winner is winner) for winner in (Player.WHITE, Player.BLACK, None))
    return [RuleSetStatistics(rules, white, black, draws, turns, turns)]


def _sum(one: RuleSetStatistics, other: RuleSetStatistics) -> RuleSetStatistics:
    return RuleSetStatistics(
        one.rules,
        one.white + other.white,
        one.black + other.black,
        one.draws + other.draws,
        one.turns + other.turns,
        max(one.longest, other.longest),
    )
