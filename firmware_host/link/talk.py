"""The chat of a room: short texts and set phrases, sealed with the room's key, in memory alone.

Invariants: no text reaches a page that is too long, unprintable, too fast, or not of the other board of the
room. Nothing is stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from firmware_host.errors import FarError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.link.messages.names import without_piles
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.settings import PHRASES, Microseconds

MAX_TEXT = 200
KEPT = 50
MIN_INTERVAL: Microseconds = 2_000_000
"""The shortest time between two messages of a player."""
_MIN_RECEIVED: Microseconds = 1_000_000
"""The shortest time between two messages of the other board, which the wire may have brought together."""
_ID_LENGTH = 32


@frozen
class ChatMessage:
    """One message of the chat."""

    number: int
    mine: bool
    text: str = ""
    phrase: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"mine": self.mine, "text": self.text, "phrase": self.phrase}


class Talk:
    """The chat of one board in one room."""

    def __init__(self, board: str, seal: PairSeal, *, is_free: bool) -> None:
        """Begin a chat as `board`; without `is_free` it has set phrases only."""
        self.is_free = is_free
        self.is_muted = False
        """True if nothing of the other board is shown from now on."""
        self.messages: deque[ChatMessage] = deque(maxlen=KEPT)
        self._board, self._seal = board, seal
        self._known: deque[str] = deque(maxlen=KEPT)
        """The ids of messages that have arrived, which a broker may repeat."""
        self._number = 0
        self._sent_at: Microseconds | None = None
        self._received_at: Microseconds | None = None

    @property
    def last_phrase(self) -> tuple[int, str] | None:
        """The last phrase of the other player, after its number."""
        phrases = ((one.number, one.phrase) for one in reversed(self.messages) if one.phrase and not one.mine)
        return next(phrases, None)

    def say(self, now: Microseconds, name: str, *, text: str = "", phrase: str = "") -> bytes:
        """Note a text or a phrase of the player here, and return its message, which is called `name`.

        Raises FarError if it can't be sent now.
        """
        text = without_piles(" ".join("".join(one if one.isprintable() else " " for one in text).split()))
        if (phrase not in PHRASES) if phrase else (not text or not self.is_free):
            raise FarError(Message("link.no-chat"))
        if len(text) > MAX_TEXT:
            raise FarError(Message("link.too-long", {"count": MAX_TEXT}))
        if self._sent_at is not None and now - self._sent_at < MIN_INTERVAL:
            raise FarError(Message("link.too-fast"))
        self._sent_at = now
        words = {"phrase": phrase} if phrase else {"text": text}
        self._note(mine=True, **words)
        return self._seal.message({"v": 1, "board": self._board, "id": name, **words})

    def may_receive(self, now: Microseconds) -> bool:
        """Return whether a message that comes now can be shown: otherwise nobody need read it."""
        is_early = self._received_at is not None and now - self._received_at < _MIN_RECEIVED
        return not self.is_muted and not is_early

    def receive(self, members: Mapping[str, Any], now: Microseconds) -> None:
        """Note the members of a message of the other board; raise FarError if they can't be shown."""
        words = _words(members)
        name = members["id"]
        if name in self._known or not self.may_receive(now):
            return
        if "text" in words and not self.is_free:
            raise FarError("free text was sent to a room that has set phrases only")
        self._received_at = now
        self._known.append(name)
        self._note(mine=False, **words)

    def _note(self, *, mine: bool, text: str = "", phrase: str = "") -> None:
        self._number += 1
        self.messages.append(ChatMessage(self._number, mine, text, phrase))


def _words(members: Mapping[str, Any]) -> dict[str, str]:
    """Return the text or the phrase of a message; raise FarError if it has neither in the right form."""
    name, text, phrase = members.get("id"), members.get("text"), members.get("phrase")
    if not isinstance(name, str) or not 0 < len(name) <= _ID_LENGTH:
        raise FarError('a chat message needs an "id"')
    if phrase is not None:
        if phrase not in PHRASES:
            raise FarError("nothing is known of this phrase")
        return {"phrase": phrase}
    if not isinstance(text, str) or not 0 < len(text) <= MAX_TEXT or not text.isprintable():
        raise FarError(f"a chat message must be a line of {MAX_TEXT} characters at most")
    return {"text": without_piles(text)}
