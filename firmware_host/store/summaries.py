"""Summaries of games, without their steps, for lists.

Invariants: a list is read in pages, newest first, so that a page costs the same however many games there are.
A public form is accepted only if this program could have written it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.records import one_line
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
