"""The time that a far player's turn took, measured by that player's own board.

Invariants: no two clocks are ever compared. The time in which hands carry out the far player's turn is free
up to ten seconds, and only beyond that is charged.
"""

from __future__ import annotations

from firmware_host.games.time_control import TimeControl
from firmware_host.settings import Microseconds

FREE_TO_CARRY: Microseconds = 10_000_000
"""The time to carry out the other player's turn that is not charged."""
TOLERANCE_MS = 2_000
"""The most by which a reported time may exceed the time that passed here."""
CLAIM_FLAG_AFTER_MS = 5_000
"""The time beyond the limit, by the estimate here, after which a flag may be claimed for the other player."""


def used_ms(lit: Microseconds, carried: Microseconds, landed: Microseconds) -> int:
    """Return the time of a turn that `landed`, after the far turn was `lit` and `carried` out."""
    free = min(carried - lit, FREE_TO_CARRY)
    return max(landed - lit - free, 0) // 1000


def is_doubtful(reported_ms: int, waited_ms: int) -> bool:
    """Return whether a reported time is longer than the wait for that turn here can explain."""
    return reported_ms > waited_ms + TOLERANCE_MS


def left_ms(control: TimeControl, times_ms: tuple[int, ...]) -> int:
    """Return what is left to a player, at the beginning of a turn, after turns of these times."""
    if control.is_per_turn:
        return control.turn_s * 1000
    left = control.first_s * 1000
    for time in times_ms:
        left += control.turn_s * 1000 - time
    return left


def may_claim_flag(left: int, waited_ms: int) -> bool:
    """Return whether the other player's time is up beyond doubt, with `left` before a turn of `waited_ms`."""
    return waited_ms - left >= CLAIM_FLAG_AFTER_MS
