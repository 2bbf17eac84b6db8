"""The statements on the rows of one game, inside a transaction of the games file.

Invariants: nothing here begins or ends a transaction; each function raises sqlite3.Error. An analysis belongs
to the steps that are stored: the schema's triggers delete it as soon as one of them changes.
"""

from __future__ import annotations

import json
import sqlite3

from firmware_host.games.game import Player
from firmware_host.store.dates import Shift
from firmware_host.store.saved_game import SavedGame, SavedStep, UnixMs


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
