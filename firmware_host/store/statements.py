"""The statements on the rows of games, inside a transaction of the games file.

Invariants: nothing here begins or ends a transaction; each function raises sqlite3.Error. An analysis belongs
to the steps that are stored: the schema's triggers delete it as soon as one of them changes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from hashlib import blake2b
from itertools import groupby
from typing import Any

from firmware_host.games.game import Player
from firmware_host.ports import date_of
from firmware_host.store.dates import Shift
from firmware_host.store.saved_game import FAR_GAME_TAG, SavedGame, SavedStep, UnixMs

# ---- games that the file has already --------------------------------------------------------------------
# The games that a file has already, so that a game from elsewhere is added once.
#
# Invariants: the file is read once from its start to its end, and later only what was added since, so that
# the cost of an import grows with the number of games and not with its square. Two games are the same if
# their rules, starts, steps and ends are, and both began in the same second: records have no finer times. Of
# games without a time, those with other players, or of another day or event, are others. A game of two
# boards far apart has a name of its own, by which it is known whenever it began; a file may claim any name,
# so that a game with the name of another one is still another game.


_GAMES = """
SELECT games.id, CASE WHEN json_valid(tags) THEN json_extract(tags, :far_game) END,
    rules, start, began_ms, reason, winner, tags, steps.text
FROM games LEFT JOIN steps ON steps.game = games.id
WHERE games.id > :last ORDER BY games.id, steps.ply
"""
_NAMING_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Time")
_DIGEST_BYTES = 16


class KnownGames:
    """The games behind a connection, each as a digest."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._digests: set[bytes] = set()
        self._last = 0

    def update(self) -> None:
        """Read the games that were added since the last call; inside a transaction. Raise sqlite3.Error."""
        rows = self._connection.execute(_GAMES, {"last": self._last, "far_game": f"$.{FAR_GAME_TAG}"})
        for game, steps in groupby(rows, key=lambda found: found[:8]):
            self._last, far_name, *head, tags = game
            texts = [text for *_, text in steps if text is not None]
            self._digests.add(_digest(far_name, *head, _tags(tags), texts))

    def note(self, saved: SavedGame) -> bool:
        """Return whether a game is new, and know it from then on."""
        outcome = saved.outcome
        reason = None if outcome is None else str(outcome.reason)
        winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
        texts = [step.text for step in saved.steps]
        far_name = saved.tags.get(FAR_GAME_TAG)
        digest = _digest(
            far_name, saved.rules, saved.start, saved.began_ms, reason, winner, saved.tags, texts
        )
        is_new = digest not in self._digests
        self._digests.add(digest)
        return is_new


def _tags(text: str) -> Mapping[str, Any]:
    """Return the tags of a stored game; none if they are damaged."""
    try:
        tags = json.loads(text)
    except ValueError:
        return {}
    return tags if isinstance(tags, dict) else {}


def _digest(*parts: Any) -> bytes:
    """Return a digest of a game's parts.

    They are the name of a game of two boards, or None, its rules, start, beginning, reason and winner, or
    None, tags, and a list of steps.
    """
    far_name, rules, start, began_ms, reason, winner, tags, steps = parts
    seconds = date_of(began_ms) // 1000
    lines = (rules, start, "" if far_name else str(seconds), reason or "", winner or "", *steps)
    if far_name:
        named = [f"{FAR_GAME_TAG} {json.dumps(far_name)}"]
    else:
        named = [] if seconds else [f"{tag} {json.dumps(tags[tag])}" for tag in _NAMING_TAGS if tag in tags]
    return blake2b("\n".join((*lines, *named)).encode(errors="replace"), digest_size=_DIGEST_BYTES).digest()


# ---- the rows of one game -------------------------------------------------------------------------------


def add_game(connection: sqlite3.Connection, saved: SavedGame, source: str, row: int | None = None) -> int:
    """Add a game from this `source`, `board` or `import`, and return its id: a new one, or `row`."""
    cursor = connection.execute(
        "INSERT INTO games (id, source, rules, start, first, began_ms, tags) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            row,
            source,
            saved.rules,
            saved.start,
            str(saved.first),
            saved.began_ms,
            _tags_text(saved),
        ),
    )
    row = int(cursor.lastrowid or 0)
    add_steps(connection, row, saved, 0)
    end(connection, row, saved)
    return row


def add_steps(connection: sqlite3.Connection, row: int, saved: SavedGame, since: int) -> None:
    """Add the steps of a game from ply `since` on; those that were taken back before are so no longer."""
    for ply, step in list(enumerate(saved.steps))[since:]:
        values = (row, ply, step.text, str(step.by), step.at_ms)
        connection.execute(
            "DELETE FROM taken_back WHERE game = ? AND ply = ? AND text = ? AND by = ? AND at_ms = ?",
            values,
        )
        connection.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", values)


def put_tags(connection: sqlite3.Connection, row: int, saved: SavedGame) -> None:
    """Write the tags of a game, if they have changed."""
    connection.execute(
        "UPDATE games SET tags = ?1 WHERE id = ?2 AND tags IS NOT ?1", (_tags_text(saved), row)
    )


def _tags_text(saved: SavedGame) -> str:
    return json.dumps(dict(saved.tags), ensure_ascii=False)


def take_back(connection: sqlite3.Connection, row: int, ply: int, step: SavedStep, at_ms: UnixMs) -> None:
    """Note that a step was taken back."""
    connection.execute(
        "INSERT INTO taken_back (game, ply, text, by, at_ms, taken_back_ms) VALUES (?, ?, ?, ?, ?, ?)",
        (row, ply, step.text, str(step.by), step.at_ms, at_ms),
    )


def end(connection: sqlite3.Connection, row: int, saved: SavedGame) -> None:
    """Record how the game ended, if it did; the time of an end that is recorded already stays."""
    outcome = saved.outcome
    reason = outcome and str(outcome.reason)
    winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
    connection.execute(
        "UPDATE games SET reason = ?1, winner = ?2, ended_ms = ?3"
        " WHERE id = ?4 AND (reason IS NOT ?1 OR winner IS NOT ?2)",
        (reason, winner, saved.changed_ms if outcome else None, row),
    )


def put_analysis(connection: sqlite3.Connection, row: int, analysis: str) -> None:
    """Keep the analysis of a game, in place of an older one."""
    connection.execute("INSERT OR REPLACE INTO analyses (game, turns) VALUES (?, ?)", (row, analysis))


def put_setting(connection: sqlite3.Connection, name: str, text: str | None) -> None:
    """Set a setting, or delete it with None."""
    connection.execute("DELETE FROM settings WHERE name = ?", (name,))
    if text is not None:
        connection.execute("INSERT INTO settings VALUES (?, ?)", (name, text))


def forget_unplayed(connection: sqlite3.Connection) -> None:
    """Delete the game that was started last if nothing was ever played in it."""
    connection.execute(
        "DELETE FROM games WHERE source = 'board' AND reason IS NULL"
        " AND id NOT IN (SELECT game FROM steps) AND id NOT IN (SELECT game FROM taken_back)"
    )


def is_game(connection: sqlite3.Connection, row: int, saved: SavedGame, source: str | None = None) -> bool:
    """Return whether `row` is the game, of that `source` if it is given, that `saved` is a state of."""
    found = connection.execute(
        "SELECT rules, start, first, began_ms FROM games WHERE id = ?1 AND source = ifnull(?2, source)",
        (row, source),
    ).fetchone()
    return bool(found == (saved.rules, saved.start, str(saved.first), saved.began_ms))


def steps(connection: sqlite3.Connection, row: int) -> tuple[SavedStep, ...]:
    """Return the steps of a game. Raise ValueError for a player that there isn't."""
    found = connection.execute(
        "SELECT text, by, at_ms FROM steps WHERE game = ? ORDER BY ply", (row,)
    ).fetchall()
    return tuple(SavedStep(text, Player(by), at_ms) for text, by, at_ms in found)


def taken_back(connection: sqlite3.Connection, row: int) -> tuple[tuple[int, SavedStep], ...]:
    """Return the steps that were taken back, each with its ply. Raise ValueError, as `steps` does."""
    found = connection.execute(
        "SELECT ply, text, by, at_ms FROM taken_back WHERE game = ? ORDER BY id", (row,)
    ).fetchall()
    return tuple((ply, SavedStep(text, Player(by), at_ms)) for ply, text, by, at_ms in found)


def analysis(connection: sqlite3.Connection, row: int) -> str | None:
    """Return the analysis of a game as it was kept; None if there is none."""
    found = connection.execute("SELECT turns FROM analyses WHERE game = ?", (row,)).fetchone()
    return None if found is None else str(found[0])


_MOMENTS = (
    ("games", "id", "began_ms"),
    ("games", "id", "ended_ms"),
    ("steps", "game", "at_ms"),
    ("taken_back", "game", "at_ms"),
    ("taken_back", "game", "taken_back_ms"),
)
"""The columns with moments, and beside each the one with the number of its game."""


def shift(connection: sqlite3.Connection, by: Shift) -> None:
    """Shift moments; an analysis stays, since the steps that it belongs to are the same."""
    rows = None if by.rows is None else json.dumps(by.rows)
    meant = "BETWEEN ?1 AND ?2 AND (?3 IS NULL OR {game} IN (SELECT value FROM json_each(?3)))"
    analyses = connection.execute(
        "SELECT game, turns FROM analyses"  # noqa: S608 - `meant` is ours
        f" WHERE game IN (SELECT game FROM steps WHERE at_ms {meant.format(game='game')})",
        (by.first, by.last, rows),
    ).fetchall()
    for table, game, column in _MOMENTS:
        connection.execute(
            f"UPDATE {table} SET {column} = {column} + ?4 WHERE {column} {meant.format(game=game)}",  # noqa: S608
            (by.first, by.last, rows, by.by),
        )
    for game, turns in analyses:
        put_analysis(connection, game, turns)
