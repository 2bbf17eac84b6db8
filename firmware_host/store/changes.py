"""Changes of the saved games by pages: games from elsewhere are added, others deleted and put back.

Invariants: a text is read by the same code as `millwright games import`, within limits of size and time, and
nothing of it is added unless all can be read, or that is wished. The game that the board would go on with is
never deleted. A deleted game can be put back, under its number, until the program ends or many others were
deleted since.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import NotationError, RequestError
from firmware_host.games.file_text import decode_file
from firmware_host.i18n import Message
from firmware_host.store.database import GameId, GamesFile, RemovedGame, StoredGame
from firmware_host.store.exchange import ReadGame, parse_games

_T = TypeVar("_T")
Result = dict[str, Any]

MAX_REMOVED = 50
"""The number of deleted games that can be put back."""
READ_S = 6.0
"""The longest that the games of one text are read for."""
_MAX_ERRORS = 20
"""The number of errors that are named; the others are only counted."""


class GameChanges:
    """Changes saved games; its methods may be called from any thread."""

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Change the games in the file at `path`; None if no games are kept."""
        self._path = path
        self._clock = clock
        self._removed: dict[GameId, RemovedGame] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="games")

    def add(self, content: bytes, *, skip: bool) -> Future[Result]:
        """Add the games in the content of a file, with `skip` those that can be read.

        The result has the numbers of those `added`, how many were `known`, how many can be read (`good`) and
        can't (`bad`), and the first `errors`.
        """
        return self._thread.submit(self._add, content, skip=skip)

    def remove(self, number: GameId) -> Future[Result]:
        """Delete a game. The future fails with NoGameError, RequestError or StoreError."""
        return self._thread.submit(self._remove, number)

    def restore(self, number: GameId) -> Future[Result]:
        """Put back a game that was deleted. The future fails with RequestError or StoreError."""
        return self._thread.submit(self._restore, number)

    def close(self) -> None:
        """Change nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _add(self, content: bytes, *, skip: bool) -> Result:
        read = self._read(content)
        good = [one for one in read if isinstance(one, StoredGame)]
        errors = [str(one) for one in read if not isinstance(one, StoredGame)]
        rows: list[GameId | None] = []
        if good and (skip or not errors):
            rows = self._change(lambda file: [*file.add(good)])
        return {
            "added": [row for row in rows if row is not None],
            "known": rows.count(None),
            "good": len(good),
            "bad": len(errors),
            "errors": errors[:_MAX_ERRORS],
        }

    def _read(self, content: bytes) -> list[ReadGame]:
        """Return the games in the content of a file. Raise RequestError if that takes too long."""
        end = self._clock() + READ_S
        try:
            text = decode_file(content).text
            if not text.strip():
                return []
            read: list[ReadGame] = []
            for one in parse_games(text).games:
                read.append(one)
                if self._clock() > end:
                    raise RequestError(Message("study.too-much"))
        except NotationError as error:
            return [error]
        return read

    def _remove(self, number: GameId) -> Result:
        removed = self._change(lambda file: _removed(file, number))
        self._removed[number] = removed
        self._removed = dict([*self._removed.items()][-MAX_REMOVED:])
        return {"removed": number}

    def _restore(self, number: GameId) -> Result:
        removed = self._removed.get(number)
        if removed is None:
            raise RequestError(Message("study.gone", {"count": number}))
        self._change(lambda file: file.restore(removed))
        del self._removed[number]
        return {"restored": number}

    def _change(self, work: Callable[[GamesFile], _T]) -> _T:
        """Return the result of `work` on the file, beside the board that plays in it. Raise StoreError."""
        if self._path is None:
            raise RequestError(Message("refused.nothing-kept"))
        with closing(GamesFile(self._path)) as file:
            return work(file)


def _removed(file: GamesFile, number: GameId) -> RemovedGame:
    last = file.last()
    if last is not None and last.row == number and last.saved.outcome is None:
        raise RequestError(Message("study.goes-on"))
    return file.remove(number)
