"""The file of games: SQLite through one connection, with a write-ahead log, synced before a write returns.

Rules kept here: a write is one transaction and brings the file from whatever it holds to what the sheets say,
so that writing the same again is harmless; steps that were taken back are kept beside the game; games are
never deleted but for one that was begun and not played. Others may read, and add games of their own, at the
same time: SQLite's locks are enough for that.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_host.errors import DamagedStoreError, NoGameError, StoreError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.i18n import Message
from firmware_host.store.connection import barred, connected, telling
from firmware_host.store.saved_game import Sheet, SheetStep, UnixMs
from firmware_host.store.schema import bring_up, must_be_current, must_be_ours
from firmware_host.store.summaries import Summary, newest

Row = int
"""The number of a game in the file, by which people name it."""

_NOTHING_SET: Mapping[str, str | None] = {}


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as the file has it."""

    row: Row
    sheet: Sheet
    taken_back: tuple[tuple[int, SheetStep], ...] = ()
    """Steps that were played and taken back, each with the ply it had, in the order of taking back."""
    on_disk: bool = True
    """Whether the file has all of it; else its steps and its end are those that are yet to be written."""


class GamesFile:
    """An open file of games, for one thread at a time. All it does raises StoreError where the disk fails."""

    def __init__(self, path: Path, *, only_read: bool = False, alone: bool = False) -> None:
        """Open `path` and bring it up to date, or create it; raises DamagedStoreError if it is damaged.

        `only_read`: nothing is created or changed, beside a running program or on a disk that takes nothing.
        `alone`: what is in a log is read without a file beside it, for which a full disk has no room; nobody
        else can have the file open then.
        """
        self.path = path
        with telling(path):
            self._connection = connected(path, only_read=only_read, alone=alone)
        try:
            with telling(path):
                self._prepare(only_read=only_read)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, *, only_read: bool) -> None:
        connection = self._connection
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        ((health,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if health != "ok":
            raise DamagedStoreError(Message("fault.store.check", {"text": health.replace("\n", " ")}))
        if only_read:
            must_be_current(connection)
            return
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        bring_up(connection)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self._make_sure()

    def _make_sure(self) -> None:
        """Have all that was found in the log on the disk.

        After a write that failed, or a program that was killed, the log can show more than was ever synced.
        """
        self._connection.execute("PRAGMA user_version").fetchall()  # the first reading opens the log
        ((busy, _, _),) = self._connection.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
        if busy:
            raise StoreError(Message("fault.store.held"))

    def close(self) -> None:
        """Close the file; may be called twice, and raises nothing: what was written is on the disk."""
        try:
            self._connection.close()
        except sqlite3.Error:
            self._connection = sqlite3.connect(":memory:")  # lets go of the one that could not be closed

    # ---- writing ---------------------------------------------------------------------------------------

    def write(
        self,
        sheets: Mapping[int, Sheet],
        rows: dict[int, Row],
        settings: Mapping[str, str | None] = _NOTHING_SET,
    ) -> None:
        """Have the file say what each sheet says; the keys are the caller's, in the order of the games.

        `settings` are texts by their names, None for one that is forgotten; the others stay.

        `rows` has the row of each game that was written before, and is given that of each new one; also where
        the write fails, since nobody knows then whether it lasted. A row that turns out to be another game's
        is not touched.
        """
        with self._transaction():
            for key, sheet in sheets.items():
                self._write(key, sheet, rows)
            for name, text in settings.items():
                self._set(name, text)

    def add(self, games: Sequence[KeptGame]) -> list[Row | None]:
        """Add games from elsewhere, but for those that are here already: None in place of their numbers.

        The numbers that they had there do not count.
        """
        with self._transaction():
            return [None if self._has(one.sheet) else self._adopt(one) for one in games]

    def _adopt(self, one: KeptGame) -> Row:
        row = self._new(one.sheet, "import")
        for ply, step in one.taken_back:
            self._take_back(row, ply, step, one.sheet.changed_ms)
        return row

    def _write(self, key: int, sheet: Sheet, rows: dict[int, Row]) -> None:
        row = rows.get(key)
        if row is None or not self._is(row, sheet):
            self._forget_unplayed()
            rows[key] = self._new(sheet, "board")
            return
        kept = self._steps(row)
        stays = common(kept, sheet.steps)
        for ply, step in list(enumerate(kept))[stays:]:
            self._take_back(row, ply, step, sheet.changed_ms)
        if stays < len(kept):
            self._connection.execute("DELETE FROM steps WHERE game = ? AND ply >= ?", (row, stays))
        self._add_steps(row, sheet, stays)
        self._end(row, sheet)

    def _take_back(self, row: Row, ply: int, step: SheetStep, at_ms: UnixMs) -> None:
        self._connection.execute(
            "INSERT INTO taken_back (game, ply, text, by, at_ms, taken_back_ms) VALUES (?, ?, ?, ?, ?, ?)",
            (row, ply, step.text, str(step.by), step.at_ms, at_ms),
        )

    def _set(self, name: str, text: str | None) -> None:
        self._connection.execute("DELETE FROM settings WHERE name = ?", (name,))
        if text is not None:
            self._connection.execute("INSERT INTO settings VALUES (?, ?)", (name, text))

    def _is(self, row: Row, sheet: Sheet) -> bool:
        found = self._connection.execute(
            "SELECT rules, start, first, began_ms FROM games WHERE id = ? AND source = 'board'", (row,)
        ).fetchone()
        return bool(found == (sheet.rules, sheet.start, str(sheet.first), sheet.began_ms))

    def _forget_unplayed(self) -> None:
        """Forget the game that was begun last if nothing was ever done in it."""
        self._connection.execute(
            "DELETE FROM games WHERE source = 'board' AND reason IS NULL"
            " AND id NOT IN (SELECT game FROM steps) AND id NOT IN (SELECT game FROM taken_back)"
        )

    def _new(self, sheet: Sheet, source: str) -> Row:
        cursor = self._connection.execute(
            "INSERT INTO games (source, rules, start, first, began_ms, tags) VALUES (?, ?, ?, ?, ?, ?)",
            (
                source,
                sheet.rules,
                sheet.start,
                str(sheet.first),
                sheet.began_ms,
                json.dumps(dict(sheet.tags), ensure_ascii=False),
            ),
        )
        row = int(cursor.lastrowid or 0)
        self._add_steps(row, sheet, 0)
        self._end(row, sheet)
        return row

    def _add_steps(self, row: Row, sheet: Sheet, since: int) -> None:
        for ply, step in list(enumerate(sheet.steps))[since:]:
            values = (row, ply, step.text, str(step.by), step.at_ms)
            self._connection.execute(
                "DELETE FROM taken_back WHERE game = ? AND ply = ? AND text = ? AND by = ? AND at_ms = ?",
                values,
            )
            self._connection.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", values)

    def _end(self, row: Row, sheet: Sheet) -> None:
        """Note whether and how the game ended; the time of an end that is known already stays."""
        outcome = sheet.outcome
        reason = outcome and str(outcome.reason)
        winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
        self._connection.execute(
            "UPDATE games SET reason = ?1, winner = ?2, ended_ms = ?3"
            " WHERE id = ?4 AND (reason IS NOT ?1 OR winner IS NOT ?2)",
            (reason, winner, sheet.changed_ms if outcome else None, row),
        )

    def _has(self, sheet: Sheet) -> bool:
        """Whether the same game is here: begun in the same second, since records have no finer times."""
        rows = self._connection.execute(
            "SELECT id FROM games WHERE rules = ? AND start = ? AND began_ms / 1000 = ? / 1000",
            (sheet.rules, sheet.start, sheet.began_ms),
        ).fetchall()
        return any(_same_play(self._game(row).sheet, sheet) for (row,) in rows)

    # ---- reading ---------------------------------------------------------------------------------------

    def last(self) -> KeptGame | None:
        """The game that was begun last on the board, over or not."""
        with self._reading():
            (row,) = self._connection.execute("SELECT max(id) FROM games WHERE source = 'board'").fetchone()
            return None if row is None else self._game(row)

    def next_row(self) -> Row:
        """The number that the next new game is given, as none is given twice."""
        with self._reading():
            found = self._connection.execute(
                "SELECT seq FROM sqlite_sequence WHERE name = 'games'"
            ).fetchone()
        return int(found[0]) + 1 if found else 1

    def rows(self) -> list[Row]:
        """The numbers of all games, in the order in which they came here."""
        with self._reading():
            return [row for (row,) in self._connection.execute("SELECT id FROM games ORDER BY id")]

    def summaries(self, *, before: Row | None, most: int, over: bool = False) -> list[Summary]:
        """At most so many games at a glance, newest first, of those with smaller numbers than `before`.

        `over`: only those that were played on the board, and to an end.
        """
        with self._reading():
            try:
                return newest(self._connection, before=before, most=most, over=over)
            except (ValueError, TypeError) as error:
                raise StoreError(Message("fault.store.unlisted", {"why": str(error)})) from error

    def settings(self) -> dict[str, str]:
        """The text of each setting, by its name."""
        with self._reading():
            return dict(self._connection.execute("SELECT name, value FROM settings").fetchall())

    def game(self, row: Row) -> KeptGame:
        """The game of that number; raises StoreError where there is none."""
        with self._reading():
            return self._game(row)

    def _game(self, row: Row) -> KeptGame:
        found = self._connection.execute(
            "SELECT rules, start, first, began_ms, ended_ms, reason, winner, tags FROM games WHERE id = ?",
            (row,),
        ).fetchone()
        if found is None:
            raise NoGameError(Message("refused.no-game", {"count": row}))
        rules, start, first, began_ms, ended_ms, reason, winner, tags = found
        try:
            steps = self._steps(row)
            undone = self._taken_back(row)
            sheet = Sheet(
                rules=rules,
                start=start,
                first=Player(first),
                began_ms=began_ms,
                changed_ms=ended_ms or (steps[-1].at_ms if steps else began_ms),
                steps=steps,
                outcome=Outcome(Reason(reason), winner and Player(winner)) if reason else None,
                tags={str(name): str(value) for name, value in json.loads(tags).items()},
            )
        except (ValueError, AttributeError) as error:
            raise StoreError(
                Message("fault.store.unread", {"number": str(row), "why": str(error)})
            ) from error
        return KeptGame(row, sheet, undone)

    def _steps(self, row: Row) -> tuple[SheetStep, ...]:
        found = self._connection.execute(
            "SELECT text, by, at_ms FROM steps WHERE game = ? ORDER BY ply", (row,)
        ).fetchall()
        return tuple(SheetStep(text, Player(by), at_ms) for text, by, at_ms in found)

    def _taken_back(self, row: Row) -> tuple[tuple[int, SheetStep], ...]:
        found = self._connection.execute(
            "SELECT ply, text, by, at_ms FROM taken_back WHERE game = ? ORDER BY id", (row,)
        ).fetchall()
        return tuple((ply, SheetStep(text, Player(by), at_ms)) for ply, text, by, at_ms in found)

    # ---- transactions ----------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with telling(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:  # commits, or rolls back what failed
                yield

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with telling(self.path):
            self._connection.execute("BEGIN")
            with self._connection:
                yield


def open_to_read(path: Path) -> GamesFile:
    """The file at `path`, which must exist, as well as it can be opened; raises StoreError if it cannot."""
    try:
        path.stat()
    except PermissionError as error:
        raise StoreError(barred(path, str(error.strerror))) from error
    except OSError as error:
        raise StoreError(Message("fault.store.none", {"path": str(path)})) from error
    must_be_ours(path)
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


def _same_play(one: Sheet, other: Sheet) -> bool:
    texts = [[step.text for step in sheet.steps] for sheet in (one, other)]
    return texts[0] == texts[1] and one.outcome == other.outcome


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """With how many equal members two rows begin."""
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length
