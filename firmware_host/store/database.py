"""The games file: an SQLite database with a write-ahead log, synced before a write returns.

Invariants: a write is one transaction that brings the file from any state to the one that is given, so that
repeating it is harmless. Steps that were taken back are kept beside their game, and so is an analysis of its
turns, until its steps change. A game is deleted only on request, or if it was started and never played. Other
programs may read, and add games, at the same time: SQLite's locks suffice for that.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from firmware_host.errors import DamagedStoreError, NoGameError, StoreError
from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.i18n import Message
from firmware_host.store import statements
from firmware_host.store.connection import connect, converted_errors, not_readable
from firmware_host.store.dates import Shift
from firmware_host.store.saved_game import SavedGame, SavedStep
from firmware_host.store.schema import check_is_current, check_is_ours, migrate
from firmware_host.store.statements import KnownGames
from firmware_host.store.summaries import RuleSetStatistics, Summary, newest_summaries, statistics_of

GameId = int
"""The number of a game in the file, by which people refer to it."""

BATCH_S = 0.05
"""About the longest time for which games from elsewhere keep other programs from writing."""

_NOTHING_SET: Mapping[str, str | None] = {}


@frozen
class StoredGame:
    """A game as it is stored in the file."""

    row: GameId
    saved: SavedGame
    taken_back: tuple[tuple[int, SavedStep], ...] = ()
    """The steps that were taken back, each with its ply, in the order in which they were taken back."""
    on_disk: bool = True
    """False if some of its steps, or its end, are not on disk yet."""
    analysis: str | None = None
    """The analysis of its turns as JSON (`exchange.py`); None if there is none."""


@frozen
class RemovedGame:
    """A game that was deleted, with all that is needed to put it back."""

    game: StoredGame
    source: str
    """Its source, `board` or `import`."""


class GamesFile:
    """An open games file, for one thread at a time; its methods raise StoreError if the disk fails."""

    def __init__(self, path: Path, *, only_read: bool = False, alone: bool = False) -> None:
        """Open `path` and migrate it, or create it.

        With `only_read`, nothing is created or changed: for use beside a running program, or on a disk that
        cannot be written. With `alone`, which promises that nobody else has the file open, its log is read
        without an index file, for which a full disk has no room. Raises DamagedStoreError for a damaged file.
        """
        self.path = path
        self._known: KnownGames | None = None
        """The games that the file has, once some were added: a file of many takes seconds to read."""
        with converted_errors(path):
            self._connection = connect(path, only_read=only_read, alone=alone)
        try:
            with converted_errors(path):
                self._prepare(only_read=only_read)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, *, only_read: bool) -> None:
        connection = self._connection
        connection.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        ((health,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if health != "ok":
            raise DamagedStoreError(Message("fault.store.check", {"text": health.replace("\n", " ")}))
        if only_read:
            check_is_current(connection)
            return
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self._make_sure()

    def _make_sure(self) -> None:
        """Sync everything that the log holds.

        After a failed write, or if the program was killed, the log can show more than was ever synced.
        """
        self._connection.execute("PRAGMA user_version").fetchall()  # the first reading opens the log
        ((busy, _, _),) = self._connection.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
        if busy:
            raise StoreError(Message("fault.store.held"))

    def close(self) -> None:
        """Close the file.

        May be called twice. Raises nothing: what was written is on disk.
        """
        try:
            self._connection.close()
        except sqlite3.Error:
            self._connection = sqlite3.connect(":memory:")  # lets go of the one that could not be closed

    # ---- writing ---------------------------------------------------------------------------------------

    def write(
        self,
        games: Mapping[int, SavedGame],
        rows: dict[int, GameId],
        settings: Mapping[str, str | None] = _NOTHING_SET,
    ) -> None:
        """Bring the file to the state of each game in `games`, and set `settings`.

        The keys of `games` are the caller's, in the order of the games. `rows` has the ids of those that
        were written before and receives those of new ones, even if the write fails, since nobody knows then
        whether it lasted; an id that turns out to be another game's is not touched. A setting of None is
        deleted; settings that are not named stay.
        """
        with self._transaction():
            for key, saved in games.items():
                self._write(key, saved, rows)
            for name, text in settings.items():
                statements.put_setting(self._connection, name, text)

    def add(
        self,
        games: Iterable[StoredGame],
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> Iterator[GameId | None]:
        """Add games from elsewhere, and yield the new id of each, or None if it is here already.

        An id is yielded when its game is on disk. The games are written in transactions of about `BATCH_S`
        seconds each, with pauses in which a running board can write. If one fails, those before it stay, and
        adding all again adds the rest. The ids that the games had elsewhere are ignored.
        """
        known, self._known = self._known or KnownGames(self._connection), None
        with self._reading():
            known.update()
        left, is_last = iter(games), False
        while not is_last:
            added, is_last = self._add_batch(left, known, clock)
            if is_last:
                self._known = known  # if a write fails, it knows of games that aren't there
            yield from added
            if not is_last:
                pause(BATCH_S)

    def _add_batch(
        self, games: Iterator[StoredGame], known: KnownGames, clock: Callable[[], float]
    ) -> tuple[list[GameId | None], bool]:
        """Add the next games, for about `BATCH_S`; return their ids, and whether no game is left."""
        added: list[GameId | None] = []
        with self._transaction():
            known.update()
            end = clock() + BATCH_S
            for one in games:
                added.append(self._adopt(one) if known.note(one.saved) else None)
                if clock() >= end:
                    return added, False
        return added, True

    def shift(self, shifts: Sequence[Shift]) -> None:
        """Shift moments, all or none of them."""
        with self._transaction():
            for one in shifts:
                statements.shift(self._connection, one)

    def delete(self, row: GameId) -> None:
        """Delete a game with all its steps; its id is not used again. Raise NoGameError if there is none."""
        self._known = None
        with self._transaction():
            if not self._connection.execute("DELETE FROM games WHERE id = ?", (row,)).rowcount:
                raise NoGameError(Message("refused.no-game", {"count": row}))

    def remove(self, row: GameId) -> RemovedGame:
        """Delete a game as `delete` does, and return it for `restore`. Raise NoGameError if there is none."""
        with self._reading():
            one = _stored_game(self._connection, row)
            (source,) = self._connection.execute("SELECT source FROM games WHERE id = ?", (row,)).fetchone()
        self.delete(row)
        return RemovedGame(one, source)

    def restore(self, removed: RemovedGame) -> None:
        """Put back a game that was removed, with its id."""
        self._known = None
        with self._transaction():
            self._adopt(removed.game, removed.source, removed.game.row)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Keep the `analysis` of a game; return False if its steps are not those of `one` any more."""
        with self._transaction():
            is_same = statements.is_game(self._connection, one.row, one.saved)
            if is_same and statements.steps(self._connection, one.row) == one.saved.steps:
                statements.put_analysis(self._connection, one.row, analysis)
                return True
        return False

    def _adopt(self, one: StoredGame, source: str = "import", own_row: GameId | None = None) -> GameId:
        row = statements.add_game(self._connection, one.saved, source, own_row)
        for ply, step in one.taken_back:
            statements.take_back(self._connection, row, ply, step, one.saved.changed_ms)
        if one.analysis is not None:
            statements.put_analysis(self._connection, row, one.analysis)
        return row

    def _write(self, key: int, saved: SavedGame, rows: dict[int, GameId]) -> None:
        connection, row = self._connection, rows.get(key)
        if row is None or not statements.is_game(connection, row, saved, "board"):
            statements.forget_unplayed(connection)
            rows[key] = statements.add_game(connection, saved, "board")
            return
        for later in [other for other in rows if other > key]:
            statements.forget_unplayed(connection)  # leaving this game for another was undone
            del rows[later]
        kept = statements.steps(connection, row)
        stays = common_length(kept, saved.steps)
        for ply, step in list(enumerate(kept))[stays:]:
            statements.take_back(connection, row, ply, step, saved.changed_ms)
        if stays < len(kept):
            connection.execute("DELETE FROM steps WHERE game = ? AND ply >= ?", (row, stays))
        statements.add_steps(connection, row, saved, stays)
        statements.put_tags(connection, row, saved)
        statements.end(connection, row, saved)

    # ---- reading ---------------------------------------------------------------------------------------

    def last(self) -> StoredGame | None:
        """Return the game that was started last on the board, ended or not."""
        with self._reading():
            (row,) = self._connection.execute("SELECT max(id) FROM games WHERE source = 'board'").fetchone()
            return None if row is None else _stored_game(self._connection, row)

    def next_row(self) -> GameId:
        """Return the id that the next new game gets; no id is used twice."""
        with self._reading():
            found = self._connection.execute(
                "SELECT seq FROM sqlite_sequence WHERE name = 'games'"
            ).fetchone()
        return int(found[0]) + 1 if found else 1

    def rows(self) -> list[GameId]:
        """Return the ids of all games, in the order in which they were added."""
        with self._reading():
            return [row for (row,) in self._connection.execute("SELECT id FROM games ORDER BY id")]

    def summaries(self, *, before: GameId | None, most: int, over: bool = False) -> list[Summary]:
        """Return at most `most` summaries of games with ids below `before`, newest first.

        With `over`, only games that were played on the board and have ended.
        """
        with self._reading():
            return newest_summaries(self._connection, before=before, most=most, over=over)

    def statistics(self, without: Collection[GameId] = ()) -> list[RuleSetStatistics]:
        """Return the statistics of the games that are over, `without` those with these ids."""
        with self._reading():
            return statistics_of(self._connection, without)

    def settings(self) -> dict[str, str]:
        """Return the text of each setting by name."""
        with self._reading():
            return dict(self._connection.execute("SELECT name, value FROM settings").fetchall())

    def game(self, row: GameId) -> StoredGame:
        """Return one game, or raise NoGameError."""
        with self._reading():
            return _stored_game(self._connection, row)

    # ---- transactions ----------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with converted_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:  # commits, or rolls back what failed
                yield

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with converted_errors(self.path):
            self._connection.execute("BEGIN")
            with self._connection:
                yield


def open_read_only(path: Path) -> GamesFile:
    """Open the existing file at `path` for reading, in the least intrusive way that works.

    Raises StoreError if there is none, or none of the ways works.
    """
    try:
        path.stat()
    except PermissionError as error:
        raise StoreError(not_readable(path, str(error.strerror))) from error
    except OSError as error:
        raise StoreError(Message("fault.store.none", {"path": str(path)})) from error
    check_is_ours(path)
    try:
        return GamesFile(path, only_read=True)
    except DamagedStoreError:
        raise
    except StoreError:
        pass  # it is tried in the ways that change something
    try:
        return GamesFile(path)  # one of an older version, or with a log that must be recovered
    except DamagedStoreError:
        raise
    except StoreError as error:
        try:
            return GamesFile(path, only_read=True, alone=True)  # on a full disk
        except StoreError:
            raise error from None


def common_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many leading items two sequences share."""
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length


def _stored_game(connection: sqlite3.Connection, row: GameId) -> StoredGame:
    found = connection.execute(
        "SELECT rules, start, first, began_ms, ended_ms, reason, winner, tags FROM games WHERE id = ?",
        (row,),
    ).fetchone()
    if found is None:
        raise NoGameError(Message("refused.no-game", {"count": row}))
    rules, start, first, began_ms, ended_ms, reason, winner, tags = found
    try:
        steps = statements.steps(connection, row)
        undone = statements.taken_back(connection, row)
        saved = SavedGame(
            rules=rules,
            start=start,
            first=Player(first),
            began_ms=began_ms,
            changed_ms=ended_ms or (steps[-1].at_ms if steps else began_ms),
            steps=steps,
            outcome=Outcome(Reason(reason), winner and Player(winner)) if reason else None,
            tags={str(name): str(value) for name, value in json.loads(tags).items()},
        )
    except (ValueError, AttributeError, RecursionError) as error:
        raise StoreError(Message("fault.store.unread", {"number": str(row), "why": str(error)})) from error
    return StoredGame(row, saved, undone, analysis=statements.analysis(connection, row))
