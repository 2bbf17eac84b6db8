"""The record of one seat: all that a board publishes of a far game.

Invariants: equal hashes mean equal games, since the hash is chained over the rules, the game, both boards and
every turn. Within one edition the turns of a record only grow and an end stays; whatever takes turns away
begins another edition, with a higher number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome

VERSION = 1
"""The version of the protocol."""

MAX_TURNS = 800
"""The most turns of one record, which keeps it below the limit of a message."""

DRAW, TAKE_BACK = "draw", "take-back"
"""The kinds of offers."""

ASKING, LEFT = "asking", "left"
"""The states of a board that does something other than play."""


@frozen
class Roll:
    """One board's part in the roll for White: a commitment, and later the number it commits to."""

    commit: str = ""
    nonce: str = ""


NO_ROLL = Roll()


@frozen
class Offer:
    """An offer of one player, which stands until it is answered, or the other plays another turn."""

    what: str
    number: int
    """Counts the offers of its board in this room."""
    at: int
    """The number of turns played when it was made."""
    to: int
    """The number of turns that would be left of the game."""


@frozen
class SeatRecord:
    """A record as one board has published it."""

    board: str
    rules: str
    round: int = 1
    roll: Roll = NO_ROLL
    ready: bool = False
    game: str = ""
    white: str = ""
    black: str = ""
    turns: tuple[str, ...] = ()
    used_ms: tuple[int, ...] = ()
    """The time that each turn took, as measured by the board that played it."""
    hash: str = ""
    carried: int = 0
    """The number of turns that stand on this board's wood."""
    takes_back: int = 0
    """The edition: how often turns were taken away from the game."""
    declared: Outcome | None = None
    offer: Offer | None = None
    declined: int = 0
    """The number of the other board's last offer that was declined here."""
    refused: str = ""
    """The stamp of the other board's record that this board refuses; empty if it refuses none."""
    doing: str = ""
    """ASKING while the board asks its player something else than a turn, LEFT once it has left the room."""

    @property
    def stamp(self) -> str:
        """A text that is equal for records that agree."""
        end = "" if self.declared is None else f"{self.declared.reason}:{self.declared.winner}"
        return f"{self.round}.{self.takes_back}.{self.hash}.{end}"

    def as_dict(self) -> dict[str, Any]:
        """Return the members of the message, without its mac."""
        offer = None if self.offer is None else {name: getattr(self.offer, name) for name in OFFER_MEMBERS}
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "v": VERSION,
            "roll": {"commit": self.roll.commit, "nonce": self.roll.nonce},
            "turns": list(self.turns),
            "used_ms": list(self.used_ms),
            "declared": None if self.declared is None else self.declared.as_dict(),
            "offer": offer,
        }

    def sealed_hash(self) -> SeatRecord:
        """Return this record with the hash of its game."""
        return replace(self, hash=chained_hash(self))


OFFER_MEMBERS = ("what", "number", "at", "to")
_PLAIN = (
    *("board", "rules", "round", "ready", "game", "white", "black", "hash", "carried"),
    *("takes_back", "declined", "refused", "doing"),
)


def chained_hash(record: SeatRecord) -> str:
    """Return the hash of a record's game: 16 hexadecimal digits."""
    return chain((record.rules, record.white, record.black, record.game, *record.turns))


def chain(texts: Iterable[str]) -> str:
    """Return the hash of texts, each hashed with the digest of those before it."""
    digest = b""
    for text in texts:
        digest = hashlib.sha256(digest + text.encode()).digest()
    return digest.hex()[:16]
