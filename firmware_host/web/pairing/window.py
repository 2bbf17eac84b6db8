"""The time during which devices can be paired, and the code that they need.

Invariants: each window has a random code of its own, which ends with it and is never stored. Time is an
argument, in seconds of a clock that does not jump: a window ends when it should even if the date is set in
the meantime, and there is none after a restart. Codes are compared in constant time.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable

from firmware_host.frozen import frozen

Seconds = float

CODE_DIGITS = 8
"""The length of a code: short enough to type on a phone, too long to guess at the rate that is allowed."""
OPEN_FOR: Seconds = 600.0
"""The duration of a window, enough to fetch all phones of a household."""


@frozen
class Pairing:
    """An open window: its code as people read it (`1234 5678`), and the time left."""

    code: str
    left_s: Seconds


class PairingWindow:
    """Opened for a while on request, and closed otherwise."""

    def __init__(self) -> None:
        self._digits = ""
        self._ends: Seconds = 0.0

    def open(self, now: Seconds) -> Pairing:
        """Open a window with a new code; the code of an earlier one is no longer valid."""
        self._digits = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        self._ends = now + OPEN_FOR
        return self._pairing(now)

    def close(self) -> None:
        """Let no further device be paired."""
        self._digits = ""

    def current(self, now: Seconds) -> Pairing | None:
        """Return the open window, or None if there is none."""
        if self._digits and now >= self._ends:
            self.close()
        return self._pairing(now) if self._digits else None

    def matches(self, entered: str, now: Seconds) -> bool:
        """Return whether `entered` is the code of the open window, with any spaces and hyphens."""
        pairing = self.current(now)
        digits = "".join(character for character in entered if not character.isspace() and character != "-")
        wanted = "" if pairing is None else self._digits
        return hmac.compare_digest(digits.encode(errors="replace"), wanted.encode()) and pairing is not None

    def _pairing(self, now: Seconds) -> Pairing:
        left_s = min(OPEN_FOR, self._ends - now)  # the difference may be a trifle more, which rounds up
        return Pairing(f"{self._digits[:4]} {self._digits[4:]}", left_s)


# ---- a device whose owner sits at the board -------------------------------------------------------------
# A device whose owner sits at the board: it is paired once the point is touched there that is lit for it, as
# often as the device shows.
#
# Invariants: one device at a time, and only of the house: nobody asks from beyond the local network, nor
# through a proxy. Only that device learns the number of touches, so whoever sees the light alone lets nobody
# in, and nobody is let in instead of another. Another number of touches ends its claim: who guesses has one
# guess for each time that the board asks. The board asks for each at most as often as `rate_limits` says,
# since hands have to wait in the meantime. The claim is a random token of the device, without which nobody is
# paired. The clock does not jump.


CLAIM_FOR: Seconds = 60.0
"""As long as the board lights the point."""
_LATE_FOR: Seconds = 5.0
"""The time beyond that in which a device may still ask whether a touch at the last moment counted."""
_TOKEN_BYTES = 16
TOUCHES = range(3, 7)
"""The numbers of touches: two touches of a point are common, and more than six are a nuisance."""


@frozen
class Claim:
    """A device that waits to be paired, by its token, and the name that it gave itself."""

    token: str
    name: str
    touches: int
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
        token, touches = secrets.token_urlsafe(_TOKEN_BYTES), secrets.choice(TOUCHES)
        self._claim = Claim(token, name, touches, self._clock() + CLAIM_FOR)
        return self._claim

    def of(self, token: str) -> Claim | None:
        """Return the claim of the device with this token, if it is still waiting, or was until just now."""
        claim = self._claim
        if claim is None or self._clock() >= claim.ends + _LATE_FOR:
            return None
        is_own = hmac.compare_digest(token.encode(errors="replace"), claim.token.encode())
        return claim if is_own else None

    def leave(self, claim: Claim) -> None:
        """Have a device wait no more; another one may be waiting already."""
        if self._claim is claim:
            self._claim = None
