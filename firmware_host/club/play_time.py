"""The time that boards can have played: a bound on the games that a few members have kept.

Two boards can agree on any game in a moment. A board has as much time as passes, and some in advance, for
what a broker has kept in the meantime; each game uses up what hands need at the least for it.

Invariants: a game counts if one of its two boards has time left, so that nobody's games are lost by playing
somebody whose time is used up. All boards together never have more games than their times allow.
"""

from __future__ import annotations

from firmware_host.link.published import MAX_BOARDS

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
