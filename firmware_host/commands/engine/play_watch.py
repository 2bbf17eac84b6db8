"""A watch over the board of this machine, for work that should wait while somebody plays on it.

Invariants: a board that doesn't answer, or that nobody has touched for five minutes, holds nothing up. Time
is an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import PageError
from firmware_host.maintenance.board_client import configured_address, get_object

REST_S = 300.0
"""The time after the last turn from which on nobody counts as playing."""
POLL_INTERVAL_S = 5.0
_IDLE = {"paused", "over"}

GameStatus = dict[str, Any]
"""The status of a board, as its page reports it."""


def game_here() -> GameStatus | None:
    """Return the status of this machine's board; None if none answers."""
    try:
        return get_object(*configured_address(None, None, None), "/status")
    except PageError:
        return None


@dataclass
class PlayWatch:
    """Follows a board."""

    look: Callable[[], GameStatus | None]
    _looked_at: float | None = None
    _changed_at: float = 0.0
    _seen: object = None
    _is_playing: bool = False

    def is_playing(self, now: float) -> bool:
        """Return whether somebody plays, `now` in seconds; the board is asked every few seconds at most."""
        if self._looked_at is None or now - self._looked_at >= POLL_INTERVAL_S:
            self._looked_at = now
            self._is_playing = self._found(self.look(), now)
        return self._is_playing

    def _found(self, status: GameStatus | None, now: float) -> bool:
        game = status.get("game") if status is not None else None
        if not isinstance(game, dict) or status is None:
            return False
        state = status.get("status"), game.get("turns"), game.get("last_turn")
        if state != self._seen:
            self._seen, self._changed_at = state, now
        is_going_on = bool(game.get("turns")) and game.get("outcome") is None and state[0] not in _IDLE
        return is_going_on and now - self._changed_at < REST_S
