"""Dates for what was saved while nobody knew them, once they are known.

Invariants: a moment is shifted with all others of its boot, so that the times between them stay. In the file
this happens in one transaction, together with the correction of a clock that was set again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from firmware_host.frozen import frozen
from firmware_host.ports import Dating, Moment, date_of
from firmware_host.store.saved_game import SavedGame


@frozen
class Shift:
    """A shift of the moments from `first` to `last`, in these `rows`, or in all without any."""

    first: Moment
    last: Moment
    by: int
    rows: tuple[int, ...] | None = None


def dating_shift(dating: Dating) -> Shift:
    """Return the shift that gives the moments of a boot their dates."""
    boot = dating.boot
    return Shift(boot.first, boot.last, dating.began_ms - boot.first)


def correction(
    before: Dating, after: Dating, began: Moment, now: Moment, rows: Collection[int]
) -> list[Shift]:
    """Return the shift of `rows` once a clock was set again; none for moments that never lacked a date.

    `began` and `now` are the moments between which a program has written them by the clock `before`.
    """
    since, until = after.boot.since(began), after.boot.since(now)
    if since is None or until is None:
        return []
    by = after.began_ms - before.began_ms
    return [Shift(before.began_ms + since, before.began_ms + until, by, tuple(rows))]


def dated_game(saved: SavedGame, dating: Dating | None) -> SavedGame:
    """Return a game whose moments have their dates, as far as `dating` knows them."""
    if dating is None:
        return saved
    return replace(
        saved,
        began_ms=dating.dated(saved.began_ms),
        changed_ms=dating.dated(saved.changed_ms),
        steps=tuple(replace(step, at_ms=dating.dated(step.at_ms)) for step in saved.steps),
    )


class ShiftableFile(Protocol):
    """A file whose moments can be shifted."""

    def shift(self, shifts: Sequence[Shift]) -> None:
        """Shift moments, all or none of them. Raise StoreError."""


class FileDates:
    """The dates that a file of games has, and those that it gets as they become known.

    `now` belongs to the board; all else to the writer.
    """

    def __init__(self, now: Callable[[], Moment], dating: Callable[[], Dating | None]) -> None:
        """Take moments from `now`, and what gives them a date, once that is known, from `dating`."""
        self._now, self._known = now, dating
        self._dating: Dating | None = None
        """The source of the dates of the moments in the file; None while some have none."""
        self._is_current = False
        """True if the file that is open agrees with that."""
        self._began: Moment | None = None
        """The moment of the first change; None before it."""
        self._written: set[int] = set()

    def now(self) -> Moment:
        """Return the moment of a change."""
        now = self._now()
        self._began = now if self._began is None else self._began
        return now

    def today_ms(self) -> Moment:
        """Return this moment as milliseconds since 1970; 0 if its date is unknown."""
        dating, now = self._known(), self._now()
        return date_of(now if dating is None else dating.dated(now))

    @property
    def are_new(self) -> bool:
        """True if dates have become known that the file lacks."""
        return self._known() != self._dating

    def note_written(self, rows: Iterable[int]) -> None:
        """Note that games were written, which are corrected if the clock is set again."""
        self._written |= set(rows)

    def forget_file(self) -> None:
        """Note that a file was opened, which may lack dates."""
        self._is_current = False

    def bring_to(self, file: ShiftableFile) -> None:
        """Bring the moments in the file to what is known now. Raise StoreError."""
        before, dating = self._dating, self._known()
        if dating is None or (self._is_current and dating == before):
            return
        shifts = [dating_shift(dating)]
        if before is not None and before != dating and self._began is not None:  # the clock was set again
            shifts += correction(before, dating, self._began, self._now(), self._written)
        file.shift(shifts)
        self._dating, self._is_current = dating, True

    def of(self, games: Mapping[int, SavedGame]) -> dict[int, SavedGame]:
        """Return games by their numbers, with the dates that the file has."""
        return {number: dated_game(saved, self._dating) for number, saved in sorted(games.items())}
