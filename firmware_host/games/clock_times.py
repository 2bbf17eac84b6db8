"""The times that clocks showed at the end of each turn, as a tag of a game and as comments of its record.

The tag has a word for each turn, `0:05:03.2` or `-` for a turn of a player without a clock. In a record the
same words stand as comments, as other programs write them: `6. d6 {[%clk 0:05:03.2]}`.

**Invariants:** a tag's words read back from the comments; nothing here counts time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

CLOCK_TIMES_TAG = "ClockTimes"
_NO_CLOCK = "-"
_TIME = r"[0-9]{1,2}:[0-5][0-9]:[0-5][0-9](?:\.[0-9])?"
_WORD = re.compile(_TIME, re.ASCII)
_COMMENT = re.compile(rf"\[%clk ({_TIME})\]", re.ASCII)


def clock_times_text(times_ms: Iterable[int | None]) -> str:
    """Return the value of the tag for the times left in milliseconds, None for a turn without a clock."""
    return " ".join(_NO_CLOCK if ms is None else _word(ms) for ms in times_ms)


def _word(ms: int) -> str:
    tenths = max(ms, 0) // 100
    return f"{tenths // 36_000}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}.{tenths % 10}"


def clock_comments(text: str) -> dict[int, str]:
    """Return the comments for the value of a tag, by the index of their turn; nothing for other words."""
    words = enumerate(text.split())
    return {index: f"[%clk {word}]" for index, word in words if _WORD.fullmatch(word)}


def clock_times_of_comments(comments: Mapping[int, str], turns: int) -> str:
    """Return the value of the tag of a game with `turns` and these comments; empty if none has a time."""
    found = [_COMMENT.search(comments.get(index, "")) for index in range(turns)]
    while found and found[-1] is None:
        found.pop()
    return " ".join(_NO_CLOCK if one is None else one[1] for one in found)


def without_clock_time(comment: str) -> str:
    """Return a comment without the time that `clock_times_of_comments` reads from it."""
    return _COMMENT.sub("", comment, count=1)
