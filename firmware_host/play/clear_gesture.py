"""The gesture by which players end a game without a screen: they clear the board.

After a game that is over, the first piece on the empty board begins the next one sooner. It may also be set
down before the last piece of the old game is off: then the next game begins with the pieces that were new.

Invariants: a board that stays empty for three seconds ends the game, once, and never one in which no step
was played, unless its position was set up, nor one whose pieces are still awaited; clearing is not a
take-back, so the take-backs that it seemed to be on the way are undone. A take-back after which the board
rested for as long was meant, as was one after which play went on.
"""

from __future__ import annotations

from firmware_host.games.game import Game
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds, Timing

_MAX_BEGUN = 4
"""The number of pieces that may stand before the last piece of the finished game is off."""


class ClearBoardGesture:
    """Watches for the empty board, and remembers the take-backs on the way there."""

    def __init__(self, timing: Timing) -> None:
        self._empty_for = timing.cleared_ms * 1000
        self._put_back = timing.put_back_ms * 1000
        self.is_refilled = False
        """True as the first piece is set down on the board that was emptied."""
        self._old: frozenset[int] | None = None
        """The points where pieces of the finished game still stand; None before its end."""
        self._left: dict[int, Microseconds] = {}
        """The points that such pieces have left, and when that was last."""
        self._set_down: dict[int, Microseconds] = {}
        """The points on which pieces stand that were set down since, and when that was."""
        self._stood_last: frozenset[int] = frozenset()
        """The points that were vacated last as the board was emptied."""
        self._empty_since: Microseconds | None = None
        self._waits = False
        self._before_take_backs: Game | None = None
        self._moved_at: Microseconds = 0
        """The time of the last change, or of the take-back that followed it."""

    def note_read(
        self, before: Frame, frame: Frame, *, empty: bool, is_over: bool, now: Microseconds
    ) -> None:
        """Note that the board reads `frame` after it has read `before`, and whether that is `empty`.

        `is_over` says that the game has ended, and nothing else is asked of hands.
        """
        self._follow_end(before or frame, frame, now, is_over=is_over)
        if frame != before:
            if now - self._moved_at >= self._empty_for:
                self.confirm_take_backs()
            self._moved_at = now
        self.is_refilled = not empty and self._is_another(frame, now)
        if not empty:
            self._empty_since = None
        elif self._empty_since is None and not self._waits:
            self._empty_since = now
            self._stood_last = _occupied(before)

    @property
    def was_replaced(self) -> bool:
        """True if all pieces of the finished game are off the board, and others stand there instead."""
        return self._old is not None and not self._old and bool(self._set_down)

    def begun(self, frame: Frame) -> list[tuple[Frame, Microseconds]]:
        """Return how the next game began, if pieces were set down to begin it: its frames, with their times.

        More than a few pieces are no beginning of a game, and have to be cleared.
        """
        if self.is_refilled:
            return [(frame, self._moved_at)]
        came = self._set_down
        if not self.was_replaced or len(came) > _MAX_BEGUN:
            return []
        return [
            (tuple(r if came.get(i, time) <= time else NOTHING for i, r in enumerate(frame)), time)
            for time in sorted(set(came.values()))
        ]

    def _follow_end(self, before: Frame, frame: Frame, now: Microseconds, *, is_over: bool) -> None:
        """Tell the pieces that stood at the end of the game from those set down since.

        One that is back on its point within a second was only straightened, as long as there are others that
        nobody has lifted, or nothing else has happened.
        """
        if not is_over:
            self._old, self._left, self._set_down = None, {}, {}
            return
        stood, stand = _occupied(before), _occupied(frame)
        old = stood if self._old is None else self._old
        self._left.update(dict.fromkeys(old - stand, now))
        came = stand - stood
        straightened = {i for i in came if i in self._left and now - self._left[i] < self._put_back}
        kept = {i: time for i, time in self._set_down.items() if i in stand}
        self._set_down = kept | dict.fromkeys(came, now)
        old = (old & stand) | straightened
        self._old = old if old - self._left.keys() or self._left.keys() == stand else frozenset()

    def _is_another(self, frame: Frame, now: Microseconds) -> bool:
        """Return whether one piece stands on a board that was empty, and it is not the last one put back."""
        if self._empty_since is None:
            return False
        stand = _occupied(frame)
        if len(stand) != 1:
            return False
        return not stand <= self._stood_last or now - self._empty_since >= self._put_back

    def wait_for_pieces(self) -> None:
        """Have the empty board mean nothing until `end_wait`."""
        self._waits = True
        self._empty_since = None

    def end_wait(self) -> None:
        """Note that pieces of the game are set down, and no others stand."""
        self._waits = False

    def interrupt(self) -> None:
        """Note that the board is not watched for a while, so that it may not stay empty."""
        self._empty_since = None

    def took_back(self, before: Game, now: Microseconds) -> None:
        """Note that pieces were moved back from the game `before`; the board may be being cleared."""
        self._before_take_backs = self._before_take_backs or before
        self._moved_at = now

    def confirm_take_backs(self) -> None:
        """Note that play went on, or a take-back was requested: the take-backs so far were meant."""
        self._before_take_backs = None

    def follow_request(self, *, empty: bool) -> None:
        """Note that hands have to follow a request; a board that is `empty` waits for their pieces."""
        self.confirm_take_backs()
        if empty:
            self.wait_for_pieces()

    def due(self, game: Game) -> Microseconds | None:
        """Return when the empty board will end `game`, or did as it was filled again; None if it will not."""
        if self.is_refilled and game.outcome is not None:
            return self._moved_at
        if self.was_replaced:
            return self._moved_at + self._put_back
        is_begun = (
            game.ply or self.record(game).ply > 1
        )  # the only turn of a game is taken back like any other
        if self._empty_since is None or not (is_begun or game.outcome is not None or game.is_set_up):
            return None
        return self._empty_since + self._empty_for

    def record(self, game: Game) -> Game:
        """Return `game` without the take-backs that clearing the board seemed to be."""
        return self._before_take_backs or game


def _occupied(frame: Frame) -> frozenset[int]:
    return frozenset(index for index, reading in enumerate(frame) if reading != NOTHING)
