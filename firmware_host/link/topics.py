"""The topics of all that boards publish, in one table.

The permissions of a club's broker are derived from it (`permissions.py`), and names in topics that arrive are
checked by it.

Invariants: a topic that is made or read has only names of their own form, so that no name can reach another
topic. A topic names the board that writes it, so that a broker can keep all others from that.
"""

from __future__ import annotations

import enum
import re

from firmware_host.errors import FarError
from firmware_host.far.parsing import BOARD_LENGTH, ROOM_LENGTH
from firmware_host.frozen import frozen

MAX_TOPIC_LENGTH = 200
"""The longest topic that is read."""
LOBBY_EXPIRY_S = 7200
"""The time after which the lobby forgets a room whose host doesn't renew it; hosts do each hour."""
SAY_EXPIRY_S = 60
"""The time after which chat that wasn't delivered is worth nothing."""

_FORMS = {
    "board": f"[A-Z2-7]{{{BOARD_LENGTH}}}",
    "room": f"[A-Z2-7]{{{ROOM_LENGTH}}}",
    "club": "[a-z0-9-]{1,32}",
}
_NAME = re.compile(r"<([a-z]+)>")


class TopicWriter(enum.Enum):
    """The clients that may write a topic."""

    BOARD = "board"
    """The board that the topic names."""
    HOUSE = "house"
    """The client of the house, such as Home Assistant."""


@frozen
class Topic:
    """One kind of topic, such as `mw/1/b/<board>/on`."""

    pattern: str
    writer: TopicWriter = TopicWriter.BOARD
    retained: bool = False
    qos: int = 1
    expiry_s: int | None = None
    is_of_house: bool = False
    """True if only the board and its house may read it; otherwise every board of the broker may."""

    def at(self, **names: str) -> str:
        """Return the topic with these names; raise FarError if one isn't of its form."""
        for name, value in names.items():
            if not re.fullmatch(_FORMS[name], value):
                raise FarError(f"{value!r} can't be the name of a {name}")
        return _NAME.sub(lambda found: names[found[1]], self.pattern)

    def every(self, **names: str) -> str:
        """Return the filter that all topics of this kind match, or all with these names."""
        return _NAME.sub(lambda found: names.get(found[1], "+"), self.pattern)

    def names(self, topic: str) -> dict[str, str] | None:
        """Return the names in a topic that may be hostile; None if it isn't of this kind."""
        form = _NAME.sub(lambda found: f"(?P<{found[1]}>{_FORMS[found[1]]})", self.pattern)
        found = re.fullmatch(form, topic) if len(topic) <= MAX_TOPIC_LENGTH else None
        return None if found is None else found.groupdict()


ON = Topic("mw/1/b/<board>/on", retained=True)
"""Presence: `1` while the board is connected, and by its will `0` when that has ended."""
CARD = Topic("mw/1/b/<board>/card", retained=True)
STATE = Topic("mw/1/b/<board>/state", retained=True, qos=0, is_of_house=True)
"""The board's state for its house; an opponent has what it needs of it in the room's records."""
AT_HOME = Topic("mw/1/b/<board>/home", retained=True, is_of_house=True)
"""Presence for the house: `1` while the board and its link can be reached, whatever room they are in."""
EVENT = Topic("mw/1/b/<board>/event", is_of_house=True)
"""Events of its game, for the house."""
DO = Topic("mw/1/b/<board>/do", TopicWriter.HOUSE, is_of_house=True)
"""Commands of the house."""
INFO = Topic("mw/1/r/<room>/<board>/info", retained=True)
"""The description of a room by the board that opened it."""
RECORD = Topic("mw/1/r/<room>/<board>/rec", retained=True)
"""A seat's record of the whole game."""
SAY = Topic("mw/1/r/<room>/<board>/say", expiry_s=SAY_EXPIRY_S)
LOBBY = Topic("mw/1/l/<club>/<board>", retained=True, expiry_s=LOBBY_EXPIRY_S)
"""The one room that a board lists in the lobby of a club."""
DISCOVERY = Topic("homeassistant/device/<board>/config", retained=True, is_of_house=True)
"""The description of a board for Home Assistant."""
HOUSE_STATUS = Topic("homeassistant/status", TopicWriter.HOUSE, qos=0, is_of_house=True)
"""`online` when Home Assistant has started, upon which boards describe themselves again."""

TOPICS = (ON, CARD, STATE, AT_HOME, EVENT, DO, INFO, RECORD, SAY, LOBBY, DISCOVERY, HOUSE_STATUS)
"""All topics."""
