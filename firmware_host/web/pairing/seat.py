"""A device whose owner sits at the board: it is paired once the point is touched there that is lit for it.

Invariants: one device at a time, and only of the house: nobody asks from beyond the local network, nor
through a proxy. The board asks for each at most as often as `rate_limits` says, since hands have to wait in
the meantime. The claim is a random token of the device, without which nobody is paired. The clock does not
jump.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable

from firmware_host.frozen import frozen

Seconds = float

CLAIM_FOR: Seconds = 60.0
"""As long as the board lights the point."""
_TOKEN_BYTES = 16


@frozen
class Claim:
    """A device that waits to be paired, by its token, and the name that it gave itself."""

    token: str
    name: str
    ends: Seconds


class SeatPairing:
    """The one device that says that its owner sits at the board, if there is one."""

    def __init__(self, clock: Callable[[], Seconds]) -> None:
        self._clock = clock
        self._claim: Claim | None = None

    @property
    def is_taken(self) -> bool:
        """Return whether a device is waiting."""
        return self._claim is not None and self._clock() < self._claim.ends

    def claim(self, name: str) -> Claim:
        """Have a device wait from now on."""
        self._claim = Claim(secrets.token_urlsafe(_TOKEN_BYTES), name, self._clock() + CLAIM_FOR)
        return self._claim

    def of(self, token: str) -> Claim | None:
        """Return the claim of the device with this token, if it is still waiting."""
        claim = self._claim if self.is_taken else None
        is_own = claim and hmac.compare_digest(token.encode(errors="replace"), claim.token.encode())
        return claim if is_own else None

    def leave(self) -> None:
        """Have no device wait any more."""
        self._claim = None
