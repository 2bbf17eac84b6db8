"""Invitations to a room: as a text, or as four points that both players touch in the same order.

Invariants: the text of an invitation says everything that the other board needs. Four points have 331,776
values, so a room that is made from them is for brokers of a club or a home, and only for two minutes. Boards
meet although another hour begins between the two players' touches: who is still alone goes to its room.
"""

from __future__ import annotations

import base64
import hashlib
import re

from firmware_host.errors import FarError
from firmware_host.far.address import HOST_FORM
from firmware_host.far.parsing import ROOM_LENGTH
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds

KEY_BYTES = 16
DIGEST_LENGTH = 26
"""The base32 digits of a digest in a name."""
TOUCHES = 4
ROUNDS = 600_000
"""The rounds of PBKDF2, which make each guess of four points cost what a Pi takes a second for."""
TOUCHED_ROOM_LASTS: Microseconds = 120_000_000
_HOUR_S = 3_600
_LATE_S = 5
"""The seconds of a new hour in which a board whose clock is late may still come into a room of the last."""

_TEXT = re.compile(
    rf"MW1:(?P<host>{HOST_FORM}):(?P<port>[0-9]{{1,5}})"
    r"/(?P<room>[A-Z2-7]{10})#(?P<key>[A-Z2-7]{26})"
)


@frozen
class Invitation:
    """An invitation to a room on a broker."""

    host: str
    port: int
    room: str
    key: bytes

    def __str__(self) -> str:
        """Return the text, such as `MW1:broker.example:8883/7Q2K5F4MZC#...`."""
        key = base64.b32encode(self.key).decode().rstrip("=")
        return f"MW1:{self.host}:{self.port}/{self.room}#{key}"

    @property
    def unique_name(self) -> str:
        """The room's name with a digest: no other invitation has it, even to a room of the same name."""
        digest = base64.b32encode(hashlib.sha256(str(self).encode()).digest()).decode()
        return f"{self.room}-{digest[:DIGEST_LENGTH]}"

    @classmethod
    def parse(cls, text: str) -> Invitation:
        """Return the invitation of a text; raise FarError if it isn't one."""
        found = _TEXT.fullmatch(text.strip())
        if found is None or not 0 < int(found["port"]) < 65_536:
            raise FarError(Message("link.invitation"))
        key = base64.b32decode(found["key"] + "======")
        return cls(found["host"], int(found["port"]), found["room"], key)


def new_invitation(host: str, port: int, chance: bytes) -> Invitation:
    """Return an invitation to a new room; `chance` are 23 random bytes."""
    return Invitation(host, port, _room(chance[KEY_BYTES:]), chance[:KEY_BYTES])


def touched(host: str, port: int, points: tuple[str, ...], rules: str, hour: int) -> Invitation:
    """Return the invitation that four touched points make on a broker in this hour (since 1970).

    Boards with other `rules` don't meet, since each would begin by its own. Raises FarError unless there are
    four points.
    """
    if len(points) != TOUCHES:
        raise FarError(f"a room is made from {TOUCHES} points, not {len(points)}")
    salt = f"millwright/1/{host}:{port}/{rules}/{hour}".encode()
    made = hashlib.pbkdf2_hmac("sha256", " ".join(points).encode(), salt, ROUNDS, KEY_BYTES + 7)
    return new_invitation(host, port, made)


@frozen
class Meeting:
    """The room of four touched points, and what to do when its hour ends."""

    room: Invitation
    then: Invitation | None = None
    """The room of the next hour, if that begins before the first is left."""
    moves_at: int = 0
    """The time, in seconds since 1970, at which a board that is still alone goes there."""


def meeting(host: str, port: int, points: tuple[str, ...], rules: str, time_s: float) -> Meeting:
    """Return the rooms that four points make which were touched at this time (in seconds since 1970).

    Raises FarError unless there are four points.
    """
    hour = int(time_s // _HOUR_S)
    room, ends = touched(host, port, points, rules, hour), (hour + 1) * _HOUR_S
    if ends - time_s > TOUCHED_ROOM_LASTS / 1_000_000:
        return Meeting(room)
    return Meeting(room, touched(host, port, points, rules, hour + 1), ends + _LATE_S)


def _room(chance: bytes) -> str:
    return base64.b32encode(chance).decode()[:ROOM_LENGTH]
