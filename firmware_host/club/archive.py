"""The archive: verified games of rooms, in a games file as every board has one.

Invariants: a game is added once it is over on both boards and verified, and never twice, whatever the broker
repeats: it is known by its room, its name, its boards, its turns and its end, since others can copy the rest.
A record has no date, so the times of a game are those at which the archive learned of it, and have no date
either until the machine knows the time. Boards add games no faster than hands could play them; one that came
too soon waits until its boards have time for it.

Two boards can agree on any game in a moment. A board has as much time as passes, and some in advance, for
what a broker has kept in the meantime; each game uses up what hands need at the least for it. A game counts
if one of its two boards has time left, so that nobody's games are lost by playing somebody whose time is
used up. All boards together never have more games than their times allow.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

from firmware_host.club.standings import ClubResult, KeptResult
from firmware_host.errors import DamagedStoreError, FarError
from firmware_host.far.verifying import FarGame
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.link.published import MAX_BOARDS, MAX_SEATS, Rooms
from firmware_host.ports import Dating, Moment, before, date_of
from firmware_host.runtime.clock import MachineClock
from firmware_host.store.connection import set_aside
from firmware_host.store.database import GameId, GamesFile, StoredGame
from firmware_host.store.dates import Shift, dating_shift
from firmware_host.store.saved_game import FAR_GAME_TAG, SavedGame, SavedStep, UnixMs, saved_game_of

SETTING_UP_S = 120.0
"""The least time for a game beside its turns: the board is cleared, and both players are ready."""
TURN_S = 2.0
"""The least time for a turn: it is carried out on both boards."""
IN_ADVANCE_S = 8 * 3600.0
"""The time that a board has before any has passed."""


class PlayTime:
    """The time that each board has left."""

    def __init__(self) -> None:
        """Begin with all boards' time in advance."""
        self._used_until: dict[str, float] = {}
        """The moments up to which boards have used their time, the one that was used last at the end."""

    def has_time(self, boards: tuple[str, str], now: float) -> bool:
        """Return whether one of two boards has time left."""
        return any(self._used_until.get(board, now) - now < IN_ADVANCE_S for board in boards)

    def use(self, boards: tuple[str, str], turns: int, now: float) -> None:
        """Use up the time for a game of that number of turns, of each of its boards as far as it has any."""
        for board in boards:
            used = max(self._used_until.pop(board, now), now) + SETTING_UP_S + TURN_S * turns
            self._used_until[board] = min(used, now + IN_ADVANCE_S + SETTING_UP_S + TURN_S * turns)
        while len(self._used_until) > MAX_BOARDS:
            del self._used_until[next(iter(self._used_until))]


SEAL_TAG = "Seal"
"""The tag that says whether the seals of both records were checked."""
BOARDS_TAG = "Boards"
"""The tag with the names of both boards, White's first: names on cards change, and others may take them."""

_K = TypeVar("_K")
_T = TypeVar("_T")
_MAX_TURN_MS = 86_400_000
"""The most that counts of the time of a turn: a record may claim anything."""

Add = Callable[[StoredGame], GameId | None]
"""Adds a game to the file; returns its new number, or None if it was there already."""
_Table = tuple[str, frozenset[str]]
"""A room, and the two boards that play there."""


@frozen
class ArchivedGame:
    """A game that was added to the file."""

    row: GameId
    saved: SavedGame

    def __str__(self) -> str:
        """Return a line about it, such as `12: Kitchen - Attic, white won (resigned)`."""
        outcome, tags = self.saved.outcome, self.saved.tags
        who = "nobody" if outcome is None or outcome.winner is None else str(outcome.winner)
        reason = "" if outcome is None else f" ({outcome.reason})"
        return f"{self.row}: {tags['White']} - {tags['Black']}, {who} won{reason}"


def recent_results(file: GamesFile, age_ms: Callable[[UnixMs], int | None], most_ms: int) -> list[KeptResult]:
    """Return the results of the games that were archived not longer ago, the oldest first.

    `age_ms` returns the time since a moment, None for one whose date is unknown: such a game is passed over.
    Raises StoreError.
    """
    found: list[KeptResult] = []
    for row in reversed(file.rows()):
        saved = file.game(row).saved
        age = age_ms(saved.changed_ms)
        if age is None or age > most_ms:  # it may have been added later, or by a wrong clock
            continue
        if saved.outcome is not None and saved.tags.keys() >= {FAR_GAME_TAG, "White", "Black"}:
            names = saved.tags["White"], saved.tags["Black"]
            boards = saved.tags.get(BOARDS_TAG, "").split()
            white, black = boards if len(boards) == len(names) else names  # an older archive has names alone
            found.append(KeptResult(ClubResult(white, black, saved.outcome.winner), names))
    return found[::-1]


class Archivist:
    """Adds the games of rooms to a file when they are over."""

    def __init__(self, rooms: Rooms, add: Add, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with no game; `now` returns the seconds that have passed."""
        self._rooms = rooms
        self._add = add
        self._now = now
        self._play_time = PlayTime()
        self._archived: dict[_Table, str] = {}
        """The unique name of the last game of each room, and of the boards that play there."""
        self._waiting: dict[frozenset[str], FarGame] = {}
        """The newest game of any two boards that came too soon."""

    def receive(self, topic: str, message: bytes, now_ms: UnixMs) -> ArchivedGame | None:
        """Take over a message; return the game that it completes.

        Raises FarError for a message, or a game, that is refused, and StoreError.
        """
        news = self._rooms.receive(topic, message)
        if news is None:
            return None
        try:
            game = news.room.verified(news.board)
        except FarError as error:
            raise FarError(f"room {news.room.name}: {error}") from error
        return None if game is None else self._archive(game, now_ms)

    def add_waiting(self, now_ms: UnixMs) -> list[ArchivedGame]:
        """Return the games that came too soon, and were added now; raise StoreError."""
        found = []
        for boards, game in list(self._waiting.items()):
            if self._play_time.has_time(_boards(game), self._now()):
                del self._waiting[boards]
                found.append(self._archive(game, now_ms))
        return [one for one in found if one is not None]

    def _archive(self, game: FarGame, now_ms: UnixMs) -> ArchivedGame | None:
        boards, now = _boards(game), self._now()
        table = game.room, frozenset(boards)
        if self._archived.get(table) == game.unique_name:
            return None
        if not self._play_time.has_time(boards, now):
            _put(self._waiting, frozenset(boards), game)
            raise FarError(
                f"room {game.room}: its boards have ended more games than hands can play in that time; the "
                "newest waits"
            )
        saved = self._saved(game, now_ms)
        row = self._add(StoredGame(0, saved))
        _put(self._archived, table, game.unique_name)
        if row is None:
            return None
        self._play_time.use(boards, len(game.used_ms), now)
        return ArchivedGame(row, saved)

    def _saved(self, one: FarGame, now_ms: UnixMs) -> SavedGame:
        used_ms = [min(used, _MAX_TURN_MS) for used in one.used_ms]
        times_ms = [before(now_ms, sum(used_ms) - done) for done in accumulate(used_ms, initial=0)]
        names = {"White": self._rooms.name_of(one.white), "Black": self._rooms.name_of(one.black)}
        seal = "checked" if self._rooms.has_key(one.room) else "unknown"
        tags = {**names, FAR_GAME_TAG: one.unique_name, SEAL_TAG: seal}
        tags[BOARDS_TAG] = f"{one.white} {one.black}"
        steps = tuple(_steps(one.game, iter(times_ms)))
        return saved_game_of(one.game, steps, began_ms=times_ms[0], changed_ms=now_ms, tags=tags)


def _steps(game: Game, times_ms: Iterator[UnixMs]) -> Iterator[SavedStep]:
    """Yield the steps of a game whose turns began at these times, each at the end of its turn."""
    next(times_ms)
    ends = (*game.turn_starts[1:], game.ply)
    for start, end, at_ms in zip(game.turn_starts, ends, times_ms, strict=False):
        for ply in range(start, end):
            yield SavedStep(game.steps[ply].text, game.positions[ply].to_move, at_ms)


def _boards(game: FarGame) -> tuple[str, str]:
    return game.white, game.black


def _put(kept: dict[_K, _T], key: _K, value: _T) -> None:
    """Put a value at the end of a table, which forgets the oldest beyond its limit."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > MAX_SEATS:
        del kept[next(iter(kept))]


# ---- the file -------------------------------------------------------------------------------------------
# The file of an archive, which goes on in a new one if it is damaged.
#
# Invariants: a damaged file is set aside under a name that says so, and reported; it is never removed. All
# moments of this program are by one date of the boot, and are shifted with it when the machine's clock is
# set.

_FIRST_DATED, _LAST_DATED = 1, 2**62


class ArchiveFile:
    """An archive's file of games; its methods raise StoreError if the disk fails."""

    def __init__(self, path: Path, report: Callable[[Message], object], clock: MachineClock) -> None:
        """Open the file at `path`, or begin one; `report` gets a message if it was damaged."""
        self._path, self._report, self._clock = path, report, clock
        self._dating: Dating | None = None
        """The date of the boot by which the moments are that this program has written."""
        self._added: list[GameId] = []
        self._file = self._opened()

    def now(self) -> Moment:
        """Return this moment, by the date that the games in the file have."""
        stamp = self._clock.stamp()
        return stamp if self._dating is None else self._dating.dated(stamp)

    def add(self, one: StoredGame) -> GameId | None:
        """Add a game whose moments are by `now`; return its number, or None if it was there already."""
        row = self._done(lambda file: next(iter(file.add([one]))))
        if row is not None:
            self._added.append(row)
        return row

    def bring_dates(self) -> None:
        """Give the moments of this boot the date that is known now, also if another one was before."""
        before, dating = self._dating, self._clock.dating()
        if dating is None or dating == before:
            return
        shifts = [dating_shift(dating)]
        if before is not None and self._added:
            by = dating.began_ms - before.began_ms
            shifts.insert(0, Shift(_FIRST_DATED, _LAST_DATED, by, tuple(self._added)))
        self._done(lambda file: file.shift(shifts))
        self._dating = dating

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _done(self, what: Callable[[GamesFile], _T]) -> _T:
        """Return what `what` returns for the file; if that is damaged, for a new one."""
        try:
            return what(self._file)
        except DamagedStoreError as error:
            self._file.close()
            self._set_aside(error)
            self._added.clear()
            self._file = self._opened()
            return what(self._file)

    def _opened(self) -> GamesFile:
        try:
            return GamesFile(self._path)
        except DamagedStoreError as error:
            self._set_aside(error)
            return GamesFile(self._path)

    def _set_aside(self, damage: DamagedStoreError) -> None:
        aside = set_aside(self._path, date_of(self._clock.now()))
        self._report(Message("fault.store.aside", {"path": str(aside), "why": damage.message}))
