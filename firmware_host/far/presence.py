"""The presence of the other board: by its own connection, never by a browser's.

Invariants: one cut of the network costs nobody a game. The clock of a player who is away runs on for a
minute, and only after ten may the other player claim anything.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds

CLOCK_RUNS_FOR: Microseconds = 60_000_000
"""The time of absence that is charged to the player who is away."""
CLAIM_AFTER: Microseconds = 600_000_000
"""The absence after which the other player may claim a win or a draw, or adjourn."""


@frozen
class Presence:
    """The presence of the other board."""

    away_since: Microseconds | None = 0
    """None while it is there."""
    is_connected: bool = False
    has_left: bool = False
    """True if it has left the room; it may still be connected, and may come back."""

    def seen(self, now: Microseconds, *, on: bool) -> Presence:
        """Return the presence after the other board's connection was reported as `on`, or as lost."""
        return replace(self, is_connected=on)._at(now)

    def read(self, now: Microseconds, *, has_left: bool) -> Presence:
        """Return the presence after a record of the other board, which may say that it has left."""
        return replace(self, has_left=has_left)._at(now)

    def _at(self, now: Microseconds) -> Presence:
        if self.is_connected and not self.has_left:
            return replace(self, away_since=None)
        return self if self.away_since is not None else replace(self, away_since=now)

    @property
    def is_away(self) -> bool:
        """True if the other board is not there, or nobody knows."""
        return self.away_since is not None

    def clocks_stand(self, now: Microseconds) -> bool:
        """Return whether both clocks stand because the other board is away."""
        return self.away_since is not None and now - self.away_since >= CLOCK_RUNS_FOR

    def may_claim(self, now: Microseconds) -> bool:
        """Return whether the player who is there may claim the game."""
        return self.away_since is not None and now - self.away_since >= CLAIM_AFTER
