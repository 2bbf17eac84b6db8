"""Time controls: how much time each player has, as a text that configuration, requests and records share.

| text     | meaning                                                                  |
| -------- | ------------------------------------------------------------------------ |
| none     | no clock                                                                 |
| 10       | ten minutes for the whole game                                           |
| 5+3      | five minutes, and three seconds more for each turn, the first included   |
| move:30  | thirty seconds for each turn                                             |
| 5+3/10   | White's and Black's, where they differ; `none` leaves one without a clock |

**Invariants:** a value's text reads back as the same value; nothing here counts time.
"""

from __future__ import annotations

import re

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Player

MAX_MINUTES, MAX_SECONDS = 300, 600
_NONE = "none"
_FORMS = '"none", minutes such as "10", with seconds for each turn "5+3", or seconds for a turn "move:30"'
_BASE = re.compile(r"(?P<minutes>[0-9]{1,3})(?:\+(?P<seconds>[0-9]{1,3}))?", re.ASCII)
_PER_TURN = re.compile(r"move:(?P<seconds>[0-9]{1,3})", re.ASCII)


@frozen
class TimeControl:
    """The time of one player: at first, and for each turn."""

    base_s: int
    turn_s: int = 0
    """The seconds that are added before each turn."""
    is_per_turn: bool = False
    """True if a turn has `turn_s` and nothing is left of it for the next one."""

    @property
    def first_s(self) -> int:
        """The seconds that the player has for the first turn."""
        return self.base_s + self.turn_s

    @property
    def tag(self) -> str:
        """The value of a record's tag TimeControl, as PGN has it: seconds, or turns and seconds."""
        if self.is_per_turn:
            return f"1/{self.turn_s}"
        return f"{self.base_s}+{self.turn_s}" if self.turn_s else f"{self.base_s}"

    def __str__(self) -> str:
        if self.is_per_turn:
            return f"move:{self.turn_s}"
        return f"{self.base_s // 60}+{self.turn_s}" if self.turn_s else f"{self.base_s // 60}"


@frozen
class TimeControls:
    """The time of both players; None for one without a clock."""

    white: TimeControl | None = None
    black: TimeControl | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControls:
        """Return the time controls of `text`; raise NotationError, which says what a text can be."""
        parts = text.split("/")
        if len(parts) > 2:
            raise NotationError(f"{text!r} names more than two players")
        return cls(*map(_parse_one, parts if len(parts) == 2 else parts * 2))

    @property
    def is_none(self) -> bool:
        """True if neither player has a clock."""
        return self.white is None and self.black is None

    def at(self, player: Player) -> TimeControl | None:
        """Return the time control of `player`."""
        return self.white if player is Player.WHITE else self.black

    @property
    def tags(self) -> dict[str, str]:
        """The tags of a record: TimeControl, or one for each player if they differ; none without clocks."""
        if self.is_none:
            return {}
        white, black = ("-" if one is None else one.tag for one in (self.white, self.black))
        return (
            {"TimeControl": white}
            if white == black
            else {"WhiteTimeControl": white, "BlackTimeControl": black}
        )

    def __str__(self) -> str:
        white, black = (_NONE if one is None else str(one) for one in (self.white, self.black))
        return white if white == black else f"{white}/{black}"


def _parse_one(text: str) -> TimeControl | None:
    text = text.strip()
    if text == _NONE:
        return None
    if (form := _PER_TURN.fullmatch(text)) is not None:
        seconds = int(form["seconds"])
        if 0 < seconds <= MAX_SECONDS:
            return TimeControl(0, seconds, is_per_turn=True)
        raise NotationError(f"{text!r}: a turn has 1 to {MAX_SECONDS} seconds")
    form = _BASE.fullmatch(text)
    if form is None:
        raise NotationError(f"{text!r} is not a time control; write {_FORMS}")
    minutes, seconds = int(form["minutes"]), int(form["seconds"] or 0)
    if minutes > MAX_MINUTES or seconds > MAX_SECONDS or not minutes + seconds:
        raise NotationError(
            f"{text!r}: a game has up to {MAX_MINUTES} minutes, a turn up to {MAX_SECONDS} seconds, "
            "and one of them is more than 0"
        )
    return TimeControl(minutes * 60, seconds)
