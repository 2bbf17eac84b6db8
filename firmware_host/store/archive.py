"""The games as who looks finds them: those of the file, and those that the disk has not taken yet.

Rules kept here: of each game its newest state is told, and whether the disk has it so; a game that is not in
the file has the number that it would be given there now, which will be another where somebody adds games
before it is written; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from firmware_host.errors import NoGameError
from firmware_host.i18n import Message
from firmware_host.store.database import KeptGame, Row, common
from firmware_host.store.saved_game import Sheet, SheetStep, UnixMs
from firmware_host.store.summaries import Summary, summary_of


class Shelf(Protocol):
    """What games can be looked for on."""

    def last(self) -> KeptGame | None:
        """The game that was begun last on the board."""

    def game(self, row: Row) -> KeptGame:
        """The game of that number; raises StoreError where there is none."""

    def summaries(self, *, before: Row | None, most: int, over: bool = False) -> list[Summary]:
        """At most so many games (`over`: ended ones) at a glance, the newest first; raises StoreError."""


class FileToRead(Shelf, Protocol):
    """What can be read of a file of games."""

    def settings(self) -> dict[str, str]:
        """The text of each setting, by its name; raises StoreError."""

    def next_row(self) -> Row:
        """The number that the next new game is given; raises StoreError."""


class NoFile:
    """What is read where there is no file yet."""

    def last(self) -> None:
        """There is no game."""

    def game(self, row: Row) -> KeptGame:
        """Raise NoGameError."""
        raise NoGameError(Message("refused.no-game", {"count": row}))

    def summaries(self, *, before: Row | None, most: int, over: bool = False) -> list[Summary]:  # noqa: ARG002
        """There are no games."""
        return []

    def settings(self) -> dict[str, str]:
        """Nothing was set."""
        return {}

    def next_row(self) -> Row:
        """The number of the first game."""
        return 1


class WholeShelf:
    """The games of a file, with what waits to be written over them."""

    def __init__(self, file: FileToRead, waiting: Mapping[int, Sheet], rows: Mapping[int, Row]) -> None:
        """The keys of `waiting` are in the order of the games, and `rows` has the numbers of those that were
        written before, or may have been. Raises StoreError.
        """
        self._file = file
        self._waiting = _numbered(file, waiting, rows)

    def last(self) -> KeptGame | None:
        """The game that was begun last on the board."""
        return self.game(max(self._waiting)) if self._waiting else self._file.last()

    def game(self, row: Row) -> KeptGame:
        """The game of that number; raises StoreError where there is none."""
        sheet = self._waiting.get(row)
        if sheet is None:
            return self._file.game(row)
        kept = _found(self._file, row) or KeptGame(row, replace(sheet, steps=(), outcome=None))
        told = replace(sheet, changed_ms=_changed_ms(kept.sheet, sheet))
        return KeptGame(row, told, _taken_back(kept, sheet), on_disk=False)

    def summaries(self, *, before: Row | None, most: int, over: bool = False) -> list[Summary]:
        """At most so many games at a glance, newest first, of those with smaller numbers than `before`.

        `over`: only those that were played on the board, and to an end.
        """
        kept = self._file.summaries(before=before, most=most + len(self._waiting), over=over)
        waiting = [
            replace(summary_of(row, sheet), on_disk=False)
            for row, sheet in self._waiting.items()
            if (before is None or row < before) and sheet.steps and (sheet.outcome or not over)
        ]
        found = waiting + [one for one in kept if one.row not in self._waiting]
        return sorted(found, key=lambda one: one.row, reverse=True)[:most]


def _numbered(file: FileToRead, waiting: Mapping[int, Sheet], rows: Mapping[int, Row]) -> dict[Row, Sheet]:
    """What waits, by the numbers in the file: those that it has, and for new games those that come next."""
    numbered = {}
    new = file.next_row() if waiting else 0
    for key, sheet in sorted(waiting.items()):
        row = rows.get(key)
        kept = None if row is None else _found(file, row)
        if row is None or kept is None or not kept.sheet.is_of(sheet):
            row, new = new, new + 1
        numbered[row] = sheet
    return numbered


def _found(file: FileToRead, row: Row) -> KeptGame | None:
    try:
        return file.game(row)
    except NoGameError:
        return None


def _changed_ms(kept: Sheet, sheet: Sheet) -> UnixMs:
    """When a game was over or, while it is not, when it was played on last."""
    if sheet.outcome:
        return kept.changed_ms if kept.outcome == sheet.outcome else sheet.changed_ms
    return sheet.steps[-1].at_ms if sheet.steps else sheet.began_ms


def _taken_back(kept: KeptGame, sheet: Sheet) -> tuple[tuple[int, SheetStep], ...]:
    """What will have been taken back when `sheet` is written over what is kept of its game."""
    steps = list(enumerate(kept.sheet.steps))
    undone = (*kept.taken_back, *steps[common(kept.sheet.steps, sheet.steps) :])
    played = set(enumerate(sheet.steps))
    return tuple(one for one in undone if one not in played)
