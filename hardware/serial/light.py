"""When which light frame goes to a board by the serial line.

Rules kept here: one frame is under way at a time, and the next leaves when the board has said that it shows
it, so that no byte comes while the board is busy with its strip; what is lost is sent again, as the newest
frame there is; a frame that is shown is sent again only to say that somebody is still there, since a board
that hears nothing goes dark. Time is an argument, in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.serial.protocol import NUMBERS

ANSWER_S = 0.1
"""An answer that has not come by then is lost; 120 LEDs take 18 ms, and a lazy adapter 16 ms each way."""

KEEP_ALIVE_S = 1.0
"""The firmware goes dark after 3 s: two of these may be lost."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class _Sent:
    number: int
    colours: bytes
    at_s: float


class LightExchange:
    """The frame that is wanted, the one under way and the one that is shown."""

    def __init__(self) -> None:
        self.wanted: bytes | None = None
        """The colours that the strip is to show; None: nobody has said yet."""
        self.lost = 0
        """How many frames, one after the other and up to now, found no answer."""
        self._shown: _Sent | None = None
        self._under_way: _Sent | None = None
        self._number = NUMBERS - 1

    @property
    def failing(self) -> bool:
        """Whether frame after frame has found no answer."""
        return self.lost >= _TRIES

    def begin(self) -> None:
        """Forget what the board shows: it is another, or has started anew, and is dark."""
        self._shown = self._under_way = None
        self.lost = 0

    def due(self, now_s: float) -> tuple[int, bytes] | None:
        """The frame that is to be sent now, with its number; it counts as sent."""
        if self.wanted is None:
            return None
        if self._under_way is not None:
            if now_s - self._under_way.at_s < (KEEP_ALIVE_S if self.failing else ANSWER_S):
                return None
            self.lost += 1
        elif self._rests(now_s):
            return None
        self._number = (self._number + 1) % NUMBERS
        self._under_way = _Sent(self._number, self.wanted, now_s)
        return self._number, self.wanted

    def _rests(self, now_s: float) -> bool:
        shown = self._shown
        return shown is not None and shown.colours == self.wanted and now_s - shown.at_s < KEEP_ALIVE_S

    def answered(self, number: int) -> None:
        """The board shows the frame of that number; an answer that comes too late is none."""
        if self._under_way is not None and self._under_way.number == number:
            self._shown, self._under_way = self._under_way, None
            self.lost = 0
