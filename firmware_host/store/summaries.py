"""The games of a file at a glance, without their steps.

Rules kept here: a list is read a piece at a time, newest first, so that it costs the same however many
there are; what a program says of a game is taken in only where it could have been said here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.store.saved_game import Sheet, UnixMs

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
    on_disk: bool = True
    """Whether the file has all of it."""

    def as_dict(self) -> dict[str, Any]:
        """The public form, which `summary_from` reads."""
        return {
            "game": self.row,
            "began_ms": self.began_ms,
            "rules": self.rules,
            "players": {"white": self.tags.get("White", ""), "black": self.tags.get("Black", "")},
            "outcome": self.outcome and self.outcome.as_dict(),
            "turns": self.turns,
            "on_disk": self.on_disk,
        }


def summary_of(row: int, sheet: Sheet) -> Summary:
    """What a list says of the game of a sheet."""
    turns = sum(1 for _ in groupby(sheet.steps, key=lambda step: step.by))
    return Summary(row, sheet.rules, sheet.began_ms, sheet.outcome, sheet.tags, turns)


def summary_from(described: Any) -> Summary:
    """What a public form says; raises NotationError for what is none."""
    try:
        outcome, players = described["outcome"], described["players"]
        winner = outcome and outcome["winner"]
        return Summary(
            row=_count(described["game"]),
            rules=_text(described["rules"]),
            began_ms=_count(described["began_ms"]),
            outcome=outcome and Outcome(Reason(outcome["reason"]), winner and Player(winner)),
            tags={name: _text(players[name.lower()]) for name in ("White", "Black")},
            turns=_count(described["turns"]),
            on_disk=described["on_disk"] is not False,
        )
    except (LookupError, TypeError, ValueError) as error:
        raise NotationError(f"this is no game of a list: {error!r}") from error


def _count(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError(f"{number!r} counts nothing")
    return number


def _text(text: Any) -> str:
    if not isinstance(text, str) or not text.isprintable():
        raise ValueError(f"{text!r} is no text of one line")
    return text


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
