"""The games as readers see them: those in the file, merged with those that are not on disk yet.

Invariants: a reader gets the newest state of each game, and learns if the disk lacks part of it. A game that
is not in the file has the id that it would get there now; if somebody imports games first, it gets another
one. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Protocol

from firmware_host.errors import NoGameError
from firmware_host.i18n import Message
from firmware_host.store.database import GameId, StoredGame, common_length
from firmware_host.store.saved_game import SavedGame, SavedStep, UnixMs
from firmware_host.store.summaries import RuleSetStatistics, Summary, summary_of, with_games


class Archive(Protocol):
    """The saved games that readers can look up."""

    def last(self) -> StoredGame | None:
        """Return the game that was started last on the board, or None."""

    def game(self, row: GameId) -> StoredGame:
        """Return one game. Raise NoGameError if there is none, or StoreError."""

    def summaries(self, *, before: GameId | None, most: int, over: bool = False) -> list[Summary]:
        """Return at most `most` summaries, newest first.

        With `over`, only games that have ended. Raises StoreError.
        """

    def statistics(self, without: Collection[GameId] = ()) -> list[RuleSetStatistics]:
        """Return the statistics of the games that are over, `without` some. Raise StoreError."""


class ReadableGamesFile(Archive, Protocol):
    """The parts of a games file that can be read."""

    def settings(self) -> dict[str, str]:
        """Return the text of each setting by name. Raise StoreError."""

    def next_row(self) -> GameId:
        """Return the id that the next new game gets. Raise StoreError."""


class EmptyArchive:
    """The archive to read while there is no file yet."""

    def last(self) -> None:
        """Return None: there is no game."""

    def game(self, row: GameId) -> StoredGame:
        """Raise NoGameError."""
        raise NoGameError(Message("refused.no-game", {"count": row}))

    def summaries(self, *, before: GameId | None, most: int, over: bool = False) -> list[Summary]:  # noqa: ARG002
        """Return an empty list: there are no games."""
        return []

    def statistics(self, without: Collection[GameId] = ()) -> list[RuleSetStatistics]:  # noqa: ARG002
        """Return no statistics."""
        return []

    def settings(self) -> dict[str, str]:
        """Return no settings."""
        return {}

    def next_row(self) -> GameId:
        """Return the id of the first game."""
        return 1


class MergedArchive:
    """The games of a file, with the games that wait to be written laid over them."""

    def __init__(
        self, file: ReadableGamesFile, waiting: Mapping[int, SavedGame], rows: Mapping[int, GameId]
    ) -> None:
        """Merge `waiting` into `file`.

        The keys of `waiting` are in the order of the games; `rows` has the ids of those that were, or may
        have been, written before. Raises StoreError.
        """
        self._file = file
        self._waiting = _by_id(file, waiting, rows)

    def last(self) -> StoredGame | None:
        """Return the game that was started last on the board, or None."""
        return self.game(max(self._waiting)) if self._waiting else self._file.last()

    def game(self, row: GameId) -> StoredGame:
        """Return one game. Raise NoGameError if there is none, or StoreError."""
        saved = self._waiting.get(row)
        if saved is None:
            return self._file.game(row)
        kept = _game_or_none(self._file, row) or StoredGame(row, replace(saved, steps=(), outcome=None))
        newest = replace(saved, changed_ms=_changed_ms(kept.saved, saved))
        analysis = kept.analysis if kept.saved.steps == saved.steps else None
        return StoredGame(row, newest, _taken_back(kept, saved), on_disk=False, analysis=analysis)

    def summaries(self, *, before: GameId | None, most: int, over: bool = False) -> list[Summary]:
        """Return at most `most` summaries of games with ids below `before`, newest first.

        With `over`, only games that were played on the board and have ended.
        """
        kept = self._file.summaries(before=before, most=most + len(self._waiting), over=over)
        waiting = [
            replace(summary_of(row, saved), on_disk=False)
            for row, saved in self._waiting.items()
            if (before is None or row < before) and saved.steps and (saved.outcome or not over)
        ]
        found = waiting + [one for one in kept if one.row not in self._waiting]
        return sorted(found, key=lambda one: one.row, reverse=True)[:most]

    def statistics(self, without: Collection[GameId] = ()) -> list[RuleSetStatistics]:
        """Return the statistics of the games that are over, the rule set of most games first."""
        waiting = [saved for row, saved in self._waiting.items() if row not in without]
        return with_games(self._file.statistics({*self._waiting, *without}), waiting)


def _by_id(
    file: ReadableGamesFile, waiting: Mapping[int, SavedGame], rows: Mapping[int, GameId]
) -> dict[GameId, SavedGame]:
    """Return the waiting games by id: the one that the file has, or the next free one for a new game."""
    numbered = {}
    new = file.next_row() if waiting else 0
    for key, saved in sorted(waiting.items()):
        row = rows.get(key)
        kept = None if row is None else _game_or_none(file, row)
        if row is None or kept is None or not kept.saved.is_of(saved):
            row, new = new, new + 1
        numbered[row] = saved
    return numbered


def _game_or_none(file: ReadableGamesFile, row: GameId) -> StoredGame | None:
    try:
        return file.game(row)
    except NoGameError:
        return None


def _changed_ms(kept: SavedGame, saved: SavedGame) -> UnixMs:
    """Return when a game ended or, if it has not, when its last step was played."""
    if saved.outcome:
        return kept.changed_ms if kept.outcome == saved.outcome else saved.changed_ms
    return saved.steps[-1].at_ms if saved.steps else saved.began_ms


def _taken_back(kept: StoredGame, saved: SavedGame) -> tuple[tuple[int, SavedStep], ...]:
    """Return the steps that count as taken back once `saved` is written over `kept`."""
    steps = list(enumerate(kept.saved.steps))
    undone = (*kept.taken_back, *steps[common_length(kept.saved.steps, saved.steps) :])
    played = set(enumerate(saved.steps))
    return tuple(one for one in undone if one not in played)
