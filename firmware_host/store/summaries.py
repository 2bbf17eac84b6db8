"""Summaries of games, without their steps, for lists; and statistics of them.

Invariants: a list is read in pages, newest first, so that a page costs the same however many games there are.
A public form is accepted only if this program could have written it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.records import one_line
from firmware_host.games.rulesets import LESSONS
from firmware_host.ports import date_of
from firmware_host.store.saved_game import SavedGame, UnixMs

MAX_SHOWN = 100
"""The characters of a player's name that a list shows; an imported one may be longer."""
_SIDES = ("White", "Black")

# A turn is a run of steps of one player. A game without a step is not worth listing.
_NEWEST = """
SELECT id, rules, began_ms, reason, winner, tags, (
    SELECT count(*) FROM (
        SELECT by, lag(by) OVER (ORDER BY ply) AS last FROM steps WHERE game = games.id
    ) WHERE last IS NOT by
) FROM games
WHERE (?1 IS NULL OR id < ?1) AND id IN (SELECT game FROM steps)
AND (NOT ?3 OR (source = 'board' AND reason IS NOT NULL))
ORDER BY id DESC LIMIT ?2
"""


@frozen
class Summary:
    """One game in a list; `row` is its id."""

    row: int
    rules: str
    began_ms: UnixMs
    outcome: Outcome | None
    tags: Mapping[str, str]
    turns: int
    on_disk: bool = True
    """False if some of the game is not on disk yet."""

    def as_dict(self) -> dict[str, Any]:
        """Return the public form, which `parse_summary` reads."""
        return {
            "game": self.row,
            "began_ms": date_of(self.began_ms),
            "rules": self.rules,
            "players": {side.lower(): one_line(self.tags.get(side, ""))[:MAX_SHOWN] for side in _SIDES},
            "outcome": self.outcome and self.outcome.as_dict(),
            "turns": self.turns,
            "on_disk": self.on_disk,
        }


def summary_of(row: int, saved: SavedGame) -> Summary:
    """Return the summary of a saved game."""
    turns = sum(1 for _ in groupby(saved.steps, key=lambda step: step.by))
    return Summary(row, saved.rules, saved.began_ms, saved.outcome, saved.tags, turns)


def parse_summary(described: Any) -> Summary:
    """Return the summary of a public form. Raise NotationError if it is not one."""
    try:
        outcome, players = described["outcome"], described["players"]
        winner = outcome and outcome["winner"]
        return Summary(
            row=_count(described["game"]),
            rules=_text(described["rules"]),
            began_ms=_time(described["began_ms"]),
            outcome=outcome and Outcome(Reason(outcome["reason"]), winner and Player(winner)),
            tags={side: _text(players[side.lower()]) for side in _SIDES},
            turns=_count(described["turns"]),
            on_disk=described["on_disk"] is not False,
        )
    except (LookupError, TypeError, ValueError) as error:
        raise NotationError(f"this is not a game of a list: {error!r}") from error


def _count(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError(f"{number!r} counts nothing")
    return number


def _time(at_ms: Any) -> UnixMs:
    if not isinstance(at_ms, int) or isinstance(at_ms, bool):
        raise ValueError(f"{at_ms!r} is not a time in milliseconds")
    return at_ms


def _text(text: Any) -> str:
    if not isinstance(text, str) or not text.isprintable():
        raise ValueError(f"{text!r} is not a single line of text")
    return text


def newest_summaries(
    connection: sqlite3.Connection, *, before: int | None, most: int, over: bool
) -> list[Summary]:
    """Return at most `most` summaries of games with ids below `before`, newest first.

    With `over`, only games that were played on the board and have ended. Raises sqlite3.Error.
    """
    return [
        Summary(row, rules, began_ms, _outcome(reason, winner), _tags(tags), turns)
        for row, rules, began_ms, reason, winner, tags, turns in connection.execute(
            _NEWEST, (before, most, over)
        )
    ]


def _outcome(reason: str | None, winner: str | None) -> Outcome | None:
    """Return an outcome; None for one that no version of this program wrote; the game reports it."""
    try:
        return Outcome(Reason(reason), Player(winner) if winner else None) if reason else None
    except ValueError:
        return None


def _tags(text: str) -> dict[str, str]:
    """Return the tags in their stored form; none for a text that no version of this program wrote."""
    try:
        return {str(name): str(value) for name, value in dict(json.loads(text)).items()}
    except (ValueError, TypeError, RecursionError):
        return {}


# ---- statistics -----------------------------------------------------------------------------------------
# Statistics of the saved games: who won how often, and after how many turns, by rule set.
#
# Invariants: only games count that were played to their end, and no lessons; one query reads the file,
# however many games it has.


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
