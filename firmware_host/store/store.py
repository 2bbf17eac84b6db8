"""The store between the board's loop and the games file: it queues, writes, and reports failures.

Invariants: the board's side never touches the disk and never waits for it. Of each game only the newest state
is queued, so that a disk that cannot be written costs no more memory than the games themselves. A write that
failed is repeated until it succeeds, and readers see the queued games in the meantime. A damaged file is set
aside and the current game goes into a new one, but a file that was never ours is left alone. A file in which
another program plays is read, and nothing of it is continued; once it is free, what was played here is added.
Games that began while nobody knew the date get theirs as soon as it is known, in the file and in the queue.

A writer calls `begin`, and then `finish` with its result: a thread in real time, the simulated disk in
virtual time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from itertools import chain, count
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from firmware_host.errors import DamagedStoreError, NoGameError, StoreError, StoreInUseError, reason_of
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.games.records import BOARD_TAGS
from firmware_host.i18n import Message
from firmware_host.play.durability import DISK
from firmware_host.play.preferences import PREFERENCES_KEY, valid_preferences
from firmware_host.play.stored_settings import KINDS, TAGS_KEY
from firmware_host.ports import Dating, Moment
from firmware_host.store.archive import Archive, EmptyArchive, MergedArchive, ReadableGamesFile
from firmware_host.store.connection import set_aside
from firmware_host.store.database import GameId, GamesFile, StoredGame, open_read_only
from firmware_host.store.dates import FileDates
from firmware_host.store.lock import StoreLock
from firmware_host.store.saved_game import GameRecorder, SavedGame, game_of
from firmware_host.store.schema import check_is_ours, is_ours

_T = TypeVar("_T")

_ASIDE = ".damaged"
GAMES_PART = "games"
"""The part whose fault means that a file or a game could not be continued."""


@frozen
class Batch:
    """One write: the newest state of each queued game, the queued settings, and the number it completes.

    A setting of None is deleted. Once the batch is written, everything up to number `upto` is on disk.
    """

    upto: int
    games: Mapping[int, SavedGame]
    settings: Mapping[str, str | None]


class SqliteStore:
    """The games of one board, and the settings that were changed while it ran.

    `keep`, `kept`, `settings`, `put` and `troubles` belong to the board; `begin`, `finish`, `read`,
    `keep_analysis` and `close` belong to the writer; `last` is called before either starts.
    """

    def __init__(
        self,
        path: Path,
        *,
        wall_ms: Callable[[], Moment],
        dating: Callable[[], Dating | None] = lambda: None,
        wake: Callable[[], object] = lambda: None,
        open_file: Callable[[Path], GamesFile] = GamesFile,
        named: bool = True,
    ) -> None:
        """Keep games at `path`, with times from `wall_ms`, and call `wake` when something is queued.

        `wall_ms` may return moments without a date; `dating` returns what gives them one, once it is known.
        `named` means that a person chose the path and may have mistyped it: a file that does not look like
        ours is left alone then.
        """
        self.path = path
        self.wake = wake
        self.kept = 0
        """The highest number returned by `keep` or `put` that is on disk, with all before it."""
        self.troubles: Mapping[str, Message] = {}
        """The faults by part; replaced as a whole, never changed in place."""
        self.settings: Mapping[str, Any] = {}
        """The settings by name, as JSON values; replaced as a whole, never changed in place.

        They include those of the file once `last` has been called.
        """
        self._named = named
        self._dates = FileDates(wall_ms, dating)
        self._file_lock = StoreLock(path)
        self._open_file = open_file
        self._file: GamesFile | None = None
        self._recorder = GameRecorder()
        self._lock = Lock()
        self._asked = 0
        self._waiting: dict[int, SavedGame] = {}
        self._unset: dict[str, str | None] = {}
        self._newest: tuple[int, SavedGame] | None = None
        self._rows: dict[int, GameId] = {}

    def last(self) -> Game | None:
        """Return the game that was started last, or None if there is none that can be continued.

        Afterwards `settings` holds those of the file.
        """
        try:
            kept = self._looked(self._read, shared=False)
            if kept is None:
                return None
            game = game_of(kept.saved)
        except DamagedStoreError as error:
            self._save_if_possible(error)
            return None
        except StoreInUseError as error:  # its games are the other program's
            self.fail(error)
            return None
        except StoreError as error:
            self._tell(GAMES_PART, Message("fault.store.not-gone-on", {"why": error.message}))
            return None
        self._recorder.take_up(game, kept.saved)
        self._rows[self._recorder.number] = kept.row
        return game

    def _read(self, file: ReadableGamesFile) -> StoredGame | None:
        texts = file.settings()
        settings = {}
        for name, text in texts.items():
            try:
                found = json.loads(text)
                valid = _valid_part(name, found)
            except (ValueError, RecursionError):
                found, valid = text, None
            if valid is not None:
                settings[name] = valid
            if valid != found:
                self._set_setting_aside(name, text, valid, texts)
        self.settings = settings
        return file.last()

    def _set_setting_aside(self, name: str, text: str, valid: object, known: Collection[str]) -> None:
        """Keep the text of a setting of which only a part is `valid`, under a name that says so."""
        self._tell(GAMES_PART, Message("fault.store.setting", {"text": name}))
        if _ASIDE not in name:
            numbers = chain([""], (f"-{number}" for number in count(2)))
            aside = next(one for number in numbers if (one := f"{name}{_ASIDE}{number}") not in known)
            self._unset |= {aside: json.dumps(text), name: None if valid is None else json.dumps(valid)}
            self._asked += 1

    # ---- the board's side ------------------------------------------------------------------------------

    def keep(self, game: Game) -> int:
        """Queue the current state of `game` and return the number that `kept` reaches once it is on disk."""
        saved = self._recorder.follow(game, self._dates.now(), self._tags)
        with self._lock:
            self._asked += 1
            self._newest = self._recorder.number, saved
            self._waiting = {
                number: one for number, one in self._waiting.items() if number <= self._recorder.number
            }
            self._waiting[self._recorder.number] = saved
            asked = self._asked
        self.wake()
        return asked

    @property
    def _tags(self) -> Mapping[str, str]:
        tags = self.settings.get(TAGS_KEY)
        known = tags if isinstance(tags, Mapping) else {}
        return {tag: str(known[tag]) for tag in BOARD_TAGS if tag in known}

    def put(self, name: str, value: Any) -> int:
        """Queue `value` under `name` and return a number, as `keep` does.

        `value` is anything that JSON can express; None deletes the setting. `settings` has it at once.
        """
        text = None if value is None else json.dumps(value)
        others = {other: what for other, what in self.settings.items() if other != name}
        self.settings = others if value is None else {**others, name: value}
        with self._lock:
            self._asked += 1
            self._unset[name] = text
            asked = self._asked
        self.wake()
        return asked

    # ---- the writer's side -----------------------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """True if something is queued."""
        return bool(self._waiting or self._unset)

    @property
    def awaits_dates(self) -> bool:
        """True if dates have become known that the open file lacks; the next write brings them there."""
        return self._file is not None and self._dates.are_new

    def begin(self) -> Batch:
        """Return the batch that is queued now."""
        with self._lock:
            return Batch(self._asked, dict(self._waiting), dict(self._unset))

    def finish(self, batch: Batch) -> bool:
        """Write `batch` and return whether it is on disk."""
        try:
            try:
                self._write(batch)
            except DamagedStoreError as error:
                self._save(error)
                self._write(self._with_newest(batch))
        except StoreError as error:
            self.fail(error)
            return False
        with self._lock:
            for number, saved in batch.games.items():
                if self._waiting.get(number) is saved:
                    del self._waiting[number]
            for name, text in batch.settings.items():
                if name in self._unset and self._unset[name] == text:
                    del self._unset[name]
        self.kept = batch.upto
        self._tell(DISK, None)
        return True

    def read(self, work: Callable[[Archive], _T]) -> _T:
        """Return the result of `work` on the file and the queue. Raise StoreError, without the folder."""
        waiting = self.begin().games
        try:
            return self._looked(lambda file: work(MergedArchive(file, self._dates.of(waiting), self._rows)))
        except StoreError as error:
            raise type(error)(self._without_folder(error.message)) from error

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Keep the `analysis` of a game; return False if that was impossible, or the game has changed.

        It can be computed again, so a failure is neither a fault of the disk nor tried again.
        """
        try:
            return self._opened().keep_analysis(one, analysis)
        except StoreError:
            self._close_file()
            return False

    def fail(self, error: Exception) -> None:
        """Report that nothing is saved because of `error`, and reopen the file for the next write."""
        self._tell(DISK, Message("fault.unkept", {"why": reason_of(error)}))
        self._close_file()

    def close(self) -> None:
        """Close the file and leave it to other programs; it is reopened when it is needed."""
        self._close_file()
        self._file_lock.release()

    def _close_file(self) -> None:
        """Close the file, in which no other program may play yet: what is queued belongs there."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _looked(self, work: Callable[[ReadableGamesFile], _T], *, shared: bool = True) -> _T:
        """Return the result of `work` on the file, even if that cannot be written. Raise StoreError.

        If the file is not `shared`, that is a StoreInUseError if another program plays in it.
        """
        try:
            return work(self._opened())
        except (DamagedStoreError, NoGameError):
            raise
        except StoreError as error:
            if isinstance(error, StoreInUseError) and not shared:
                raise
            self._close_file()
        if not self._has_file():
            return work(EmptyArchive())  # the fault is reported when something is to be written
        file = open_read_only(self.path)
        try:
            return work(file)
        finally:
            file.close()

    def _has_file(self) -> bool:
        """Return whether there is anything to read; a disk that was always full has an empty file."""
        try:
            size = self.path.stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True  # whoever opens the file reports it
        return size > 0 and (is_ours(self.path) or not self._named)

    def _opened(self) -> GamesFile:
        if self._file is None:
            if self._named:
                check_is_ours(self.path)
            self._file_lock.acquire()
            self._file = self._open_file(self.path)
            self._dates.forget_file()
        self._dates.bring_to(self._file)
        return self._file

    def _write(self, batch: Batch) -> None:
        file = self._opened()
        if not (batch.games or batch.settings):
            return
        file.write(self._dates.of(batch.games), self._rows, batch.settings)
        self._dates.note_written(self._rows.values())
        if batch.games:
            # Of the games left behind only the last may be written again, if leaving it is undone.
            self._rows = dict(sorted(self._rows.items())[-2:])

    def _save(self, damage: DamagedStoreError) -> None:
        """Set the damaged file aside. Raise StoreError if that fails."""
        self._close_file()
        aside = set_aside(self.path, self._dates.today_ms())
        self._rows = {}
        self._tell(GAMES_PART, Message("fault.store.aside", {"path": str(aside), "why": damage.message}))

    def _save_if_possible(self, damage: DamagedStoreError) -> None:
        try:
            self._save(damage)
        except StoreError as error:
            self.fail(error)

    def _with_newest(self, batch: Batch) -> Batch:
        """Return `batch` with the current game and all settings, which the damaged file had."""
        settings = {name: json.dumps(value) for name, value in self.settings.items()}
        with self._lock:
            newest = {} if self._newest is None else dict([self._newest])
        return Batch(batch.upto, {**newest, **batch.games}, {**batch.settings, **settings})

    def _tell(self, part: str, what: Message | None) -> None:
        if what is not None:  # pages and status show it, and no folders
            what = self._without_folder(what)
        if self.troubles.get(part) != what:
            others = {name: text for name, text in self.troubles.items() if name != part}
            self.troubles = others if what is None else {**others, part: what}

    def _without_folder(self, message: Message) -> Message:
        folder = f"{self.path.parent}/"
        return message.map_texts(lambda text: text.replace(folder, ""))


def _valid_part(name: str, value: object) -> object:
    """Return the part of a setting that can be used; None if nothing of it can."""
    if name == PREFERENCES_KEY:
        return valid_preferences(value) or None
    return value if isinstance(value, KINDS.get(name, object)) else None
