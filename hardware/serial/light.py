"""Timing of the light frames for a board on the serial line.

Invariants: one frame is in flight at a time, and the next leaves once the board has acknowledged it, so no
byte arrives while the board is busy with its strip. A lost frame is replaced by the newest one. An
acknowledged frame is sent again only as a keep-alive, since a board that receives nothing goes dark. Time is
an argument, in seconds.
"""

from __future__ import annotations

from firmware_host.frozen import frozen
from hardware.serial.protocol import NUMBERS

ACK_TIMEOUT_S = 0.1
"""Timeout of an acknowledgement; 120 LEDs take 18 ms, and a slow adapter 16 ms each way."""

KEEP_ALIVE_S = 1.0
"""Interval of keep-alive frames; the firmware goes dark after 3 s, so two of them may be lost."""

_MAX_LOST = 5


@frozen
class _Sent:
    number: int
    colours: bytes
    at_s: float


class LightExchange:
    """The wanted light frame, the one in flight and the one that the board shows."""

    def __init__(self) -> None:
        self.wanted: bytes | None = None
        """The colours for the strip; None before the first frame."""
        self.lost = 0
        """Number of frames in a row, up to now, without an acknowledgement."""
        self._shown: _Sent | None = None
        self._in_flight: _Sent | None = None
        self._number = NUMBERS - 1

    @property
    def failing(self) -> bool:
        """True if several frames in a row have found no answer."""
        return self.lost >= _MAX_LOST

    def begin(self) -> None:
        """Forget what the board shows, because it is another board or has restarted, and is dark."""
        self._shown = self._in_flight = None
        self.lost = 0

    def due(self, now_s: float) -> tuple[int, bytes] | None:
        """Return the frame to send now, with its number, and count it as sent; None if none is due."""
        if self.wanted is None:
            return None
        if self._in_flight is not None:
            if now_s - self._in_flight.at_s < (KEEP_ALIVE_S if self.failing else ACK_TIMEOUT_S):
                return None
            self.lost += 1
        elif self._is_idle(now_s):
            return None
        self._number = (self._number + 1) % NUMBERS
        self._in_flight = _Sent(self._number, self.wanted, now_s)
        return self._number, self.wanted

    def _is_idle(self, now_s: float) -> bool:
        shown = self._shown
        return shown is not None and shown.colours == self.wanted and now_s - shown.at_s < KEEP_ALIVE_S

    def answered(self, number: int) -> None:
        """Record that the board shows the frame of that number; a late acknowledgement is ignored."""
        if self._in_flight is not None and self._in_flight.number == number:
            self._shown, self._in_flight = self._in_flight, None
            self.lost = 0
