"""The games of a file at a glance, without their steps.

Rule kept here: a list is read a piece at a time, newest first, so that it costs the same however many
there are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.store.sheets import UnixMs

# A turn is a run of steps of one player. A game in which nothing was played tells nobody anything.
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


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list says of a game; `row` is its number."""

    row: int
    rules: str
    began_ms: UnixMs
    outcome: Outcome | None
    tags: Mapping[str, str]
    turns: int


def newest(connection: sqlite3.Connection, *, before: int | None, most: int, over: bool) -> list[Summary]:
    """At most so many games, the one that came last first; only those with smaller numbers than `before`.

    `over`: only those that were played on the board, and to an end.
    Raises ValueError where a game holds what no program of ours has written, and sqlite3.Error.
    """
    return [
        Summary(
            row,
            rules,
            began_ms,
            Outcome(Reason(reason), winner and Player(winner)) if reason else None,
            {str(name): str(value) for name, value in dict(json.loads(tags)).items()},
            turns,
        )
        for row, rules, began_ms, reason, winner, tags, turns in connection.execute(
            _NEWEST, (before, most, over)
        )
    ]
