"""The hours of the night, in which a board shines less.

Invariants: no clock; the minute of the day is an argument. Hours that begin and end in the same minute are
none.
"""

from __future__ import annotations

import re

from firmware_host.frozen import frozen

DAY_MIN = 24 * 60
_HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


@frozen
class NightHours:
    """The hours from one minute of the day to another, usually beyond midnight."""

    begins: int
    ends: int

    @classmethod
    def of(cls, text: str) -> NightHours | None:
        """Return the hours of a text such as `22:00-07:00`; None if it is empty. Raises ValueError."""
        if not text:
            return None
        found = _HOURS.fullmatch(text)
        if found is None:
            raise ValueError(f'must be hours, such as "22:00-07:00", not "{text}"')
        one, two, three, four = map(int, found.groups())
        return cls(60 * one + two, 60 * three + four)

    def covers(self, minute: int) -> bool:
        """Return True if a minute of the day is in the night."""
        return (minute - self.begins) % DAY_MIN < (self.ends - self.begins) % DAY_MIN

    def until_change(self, minute: int) -> int:
        """Return the minutes until the night next begins or ends."""
        return min((edge - minute - 1) % DAY_MIN + 1 for edge in (self.begins, self.ends))
