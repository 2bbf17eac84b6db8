"""The times at which a board publishes its record: after a change, and again while the other may lack it.

Invariants: as long as this board doesn't know that both agree, its record is repeated, and a board that does
know answers, so that nothing that the wire loses stops a game. Records that are behind are answered once a
second at most, and repeated ones only long after the last publication, so that no answer is answered unless
messages take seconds.
"""

from __future__ import annotations

from firmware_host.far.judging import Judgement
from firmware_host.far.record import SeatRecord
from firmware_host.far.seat import FarSeat
from firmware_host.settings import Microseconds

MIN_INTERVAL: Microseconds = 1_000_000
"""The least time between two publications of the same record."""
REPEAT_AFTER: Microseconds = 15_000_000
"""The time after which a record is repeated without any news."""
_ANSWER_AFTER: Microseconds = REPEAT_AFTER - 2 * MIN_INTERVAL
"""The time since this board's last publication after which a repeated record is no answer to it."""


class RecordPublisher:
    """The times at which one board's record is published."""

    def __init__(self) -> None:
        self._published: SeatRecord | None = None
        self._at: Microseconds = 0
        self._is_wanted = False

    def forget(self) -> None:
        """Publish at once, since the wire may have forgotten the record: after each connection."""
        self._published = None

    def note(self, judgement: Judgement, now: Microseconds, *, is_repeated: bool) -> None:
        """Take into account what became of the other board's record, and whether it came before."""
        lacks_answer = is_repeated and now - self._at >= _ANSWER_AFTER
        self._is_wanted |= judgement is Judgement.BEHIND or lacks_answer

    def due(self, seat: FarSeat) -> Microseconds | None:
        """Return the time from which the record has to be published; None if it needn't be."""
        if seat.record != self._published:
            return 0
        if self._is_wanted:
            return self._at + MIN_INTERVAL
        return None if seat.is_agreed else self._at + REPEAT_AFTER

    def publish(self, seat: FarSeat, now: Microseconds) -> None:
        """Note that the record was published at `now`."""
        self._published, self._at, self._is_wanted = seat.record, now, False
