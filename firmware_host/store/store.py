"""What is to be kept, what is kept, and what keeps it from being kept: between the board's loop and the file.

Rules kept here: the board's side never touches the disk and never waits for it; of each game only its newest
state waits, so that a disk that takes nothing costs no more memory than the games themselves; what could not
be written is written when it can be, and who looks meanwhile is told of it as well; a file that is found
damaged is set aside, and the game goes into a new one, but a file that was never ours is left as it is.

Who writes calls `begin` and then `finish` with what that gave: a thread in real time, the simulated disk in
virtual time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

from firmware_host.errors import DamagedStoreError, NoGameError, StoreError, reason_of
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import DISK
from firmware_host.store.archive import FileToRead, NoFile, Shelf, WholeShelf
from firmware_host.store.connection import set_aside
from firmware_host.store.database import GamesFile, KeptGame, Row, open_to_read
from firmware_host.store.saved_game import Scribe, Sheet, UnixMs, game_of
from firmware_host.store.schema import is_ours, must_be_ours

_T = TypeVar("_T")

FILE = "games"
"""The part whose fault says what became of a file or a game that could not be gone on with."""


class File(FileToRead, Protocol):
    """What the store needs of a file of games."""

    def write(
        self, sheets: Mapping[int, Sheet], rows: dict[int, Row], settings: Mapping[str, str | None]
    ) -> None:
        """Have the file say what sheets and settings say, and note the rows; raises StoreError."""

    def close(self) -> None:
        """Close the file; raises nothing."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is written at once: the newest sheet of each game that waits, the settings that do (None: to be
    forgotten), and what is kept once they are."""

    upto: int
    sheets: Mapping[int, Sheet]
    settings: Mapping[str, str | None]


class Store:
    """The games of one board, and what was set on it while it ran.

    `keep`, `kept`, `settings`, `put` and `troubles` are the board's; `begin`, `finish`, `read` and `close`
    are the writer's; `last` is asked before either begins.
    """

    def __init__(
        self,
        path: Path,
        *,
        wall_ms: Callable[[], UnixMs],
        wake: Callable[[], object] = lambda: None,
        open_file: Callable[[Path], File] = GamesFile,
        named: bool = True,
    ) -> None:
        """Keep games at `path`, with the times that `wall_ms` tells; `wake` is called when some wait.

        `named`: whether somebody gave the name, and may have meant another file, so that what does not look
        like one of ours is left as it is.
        """
        self.path = path
        self.wake = wake
        self.kept = 0
        """All that `keep` was given up to this number is on the disk."""
        self.troubles: Mapping[str, Message] = {}
        """The parts that do not work as they should, each with what is wrong; replaced, never changed."""
        self.settings: Mapping[str, Any] = {}
        """What was put last under each name, as JSON has it; replaced, never changed.

        Those of the file are there once `last` was asked.
        """
        self._named = named
        self._wall_ms = wall_ms
        self._open_file = open_file
        self._file: File | None = None
        self._scribe = Scribe()
        self._lock = Lock()
        self._asked = 0
        self._waiting: dict[int, Sheet] = {}
        self._unset: dict[str, str | None] = {}
        self._newest: tuple[int, Sheet] | None = None
        self._rows: dict[int, Row] = {}

    def last(self) -> Game | None:
        """The game that was begun last, to be gone on with; None where there is none or it cannot be read.

        From then on `settings` are those of the file.
        """
        try:
            kept = self._looked(self._read)
            if kept is None:
                return None
            game = game_of(kept.sheet)
        except DamagedStoreError as error:
            self._save_if_possible(error)
            return None
        except StoreError as error:
            self._tell(FILE, Message("fault.store.not-gone-on", {"why": error.said}))
            return None
        self._scribe.take_up(game, kept.sheet)
        self._rows[self._scribe.number] = kept.row
        return game

    def _read(self, file: FileToRead) -> KeptGame | None:
        settings = {}
        for name, text in file.settings().items():
            try:
                settings[name] = json.loads(text)
            except ValueError:
                self._tell(FILE, Message("fault.store.setting", {"text": name}))
        self.settings = settings
        return file.last()

    # ---- the board's side ------------------------------------------------------------------------------

    def keep(self, game: Game) -> int:
        """Have `game` kept as it stands now; the number that `kept` reaches once it is."""
        sheet = self._scribe.follow(game, self._wall_ms())
        with self._lock:
            self._asked += 1
            self._newest = self._scribe.number, sheet
            self._waiting[self._scribe.number] = sheet
            asked = self._asked
        self.wake()
        return asked

    def put(self, name: str, value: Any) -> int:
        """Have `value`, which JSON can say, kept under `name` (None: forgotten); a number as `keep`'s.

        `settings` has it at once, whatever the disk does.
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
        """Whether there is anything to be written."""
        return bool(self._waiting or self._unset)

    def begin(self) -> Batch:
        """What waits now."""
        with self._lock:
            return Batch(self._asked, dict(self._waiting), dict(self._unset))

    def finish(self, batch: Batch) -> bool:
        """Write `batch`; whether all that waited when it began is on the disk."""
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
            for number, sheet in batch.sheets.items():
                if self._waiting.get(number) is sheet:
                    del self._waiting[number]
            for name, text in batch.settings.items():
                if name in self._unset and self._unset[name] == text:
                    del self._unset[name]
        self.kept = batch.upto
        self._tell(DISK, None)
        return True

    def read(self, work: Callable[[Shelf], _T]) -> _T:
        """What `work` finds in the file and in what waits; raises StoreError, which names no folder."""
        waiting = self.begin().sheets
        try:
            return self._looked(lambda file: work(WholeShelf(file, waiting, self._rows)))
        except StoreError as error:
            raise type(error)(self._without_folder(error.said)) from error

    def fail(self, error: Exception) -> None:
        """Tell that nothing is kept because of `error`; the file is opened anew for the next writing."""
        self._tell(DISK, Message("fault.unkept", {"why": reason_of(error)}))
        self.close()

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _looked(self, work: Callable[[FileToRead], _T]) -> _T:
        """What `work` finds in the file, also where that cannot be written; raises StoreError."""
        try:
            return work(self._opened())
        except (DamagedStoreError, NoGameError):
            raise
        except StoreError:
            self.close()
        if not self._has_file():
            return work(NoFile())  # what is wrong is told when something is to be written
        file = open_to_read(self.path)
        try:
            return work(file)
        finally:
            file.close()

    def _has_file(self) -> bool:
        """Whether there is anything to be read; a disk that was always full has a file with nothing in it."""
        try:
            size = self.path.stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True  # it will be told by who opens it
        return size > 0 and (is_ours(self.path) or not self._named)

    def _opened(self) -> File:
        if self._file is None:
            if self._named:
                must_be_ours(self.path)
            self._file = self._open_file(self.path)
        return self._file

    def _write(self, batch: Batch) -> None:
        file = self._opened()
        if not (batch.sheets or batch.settings):
            return
        file.write(dict(sorted(batch.sheets.items())), self._rows, batch.settings)
        if batch.sheets:
            last = max(batch.sheets)
            self._rows = {last: self._rows[last]}  # a game that was left behind is never written again

    def _save(self, damage: DamagedStoreError) -> None:
        """Set the damaged file aside; raises StoreError where that cannot be done."""
        self.close()
        aside = set_aside(self.path, self._wall_ms())
        self._rows = {}
        self._tell(FILE, Message("fault.store.aside", {"path": str(aside), "why": damage.said}))

    def _save_if_possible(self, damage: DamagedStoreError) -> None:
        try:
            self._save(damage)
        except StoreError as error:
            self.fail(error)

    def _with_newest(self, batch: Batch) -> Batch:
        """`batch` with the game that is played and all that is set, which the damaged file had."""
        settings = {name: json.dumps(value) for name, value in self.settings.items()}
        with self._lock:
            newest = {} if self._newest is None else dict([self._newest])
        return Batch(batch.upto, {**newest, **batch.sheets}, {**batch.settings, **settings})

    def _tell(self, part: str, what: Message | None) -> None:
        if what is not None:  # pages and status show it, and no folders
            what = self._without_folder(what)
        if self.troubles.get(part) != what:
            others = {name: told for name, told in self.troubles.items() if name != part}
            self.troubles = others if what is None else {**others, part: what}

    def _without_folder(self, said: Message) -> Message:
        folder = f"{self.path.parent}/"
        return said.map_texts(lambda text: text.replace(folder, ""))
