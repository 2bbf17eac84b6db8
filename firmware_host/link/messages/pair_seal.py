"""The seal of a board in a room that others know the key of: what it sends can be made by no other board.

Everybody who reads a lobby has the keys of its rooms. So each board of a room also draws a secret number, and
publishes the power of two to it, its share (Diffie and Hellman, in the group ffdhe2048 of RFC 7919). From its
own secret and the other's share, each of the two boards derives the same key, which nobody else can. The mac
with that key, `pair`, stands in a message beside the mac with the room's key, so that an archive that knows
the room's key alone can go on checking.

Invariants: once a board's share is known, nothing that lacks the pair's mac counts as that board's. The first
share under a board's own topic is accepted: a broker with the shipped permissions vouches for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.parsing import BOARD_LENGTH, is_name
from firmware_host.far.sealing import canonical, sealed
from firmware_host.i18n import Message

SHARE, PAIR = "share", "pair"
"""The members of a message that a pair's seal adds."""
_SECRET_BYTES = 32
_SECRET = rf"[0-9a-f]{{{2 * _SECRET_BYTES}}}"
_PRIME = int(
    "FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695"
    "A9E13641146433FBCC939DCE249B3EF97D2FE363630C75D8F681B202AEC4617A"
    "D3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935"
    "984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797A"
    "BC0AB182B324FB61D108A94BB2C8E3FBB96ADAB760D7F4681D4F42A3DE394DF4"
    "AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61"
    "9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005"
    "C58EF1837D1683B2C6F34A26C1B2EFFA886B423861285C97FFFFFFFFFFFFFFFF",
    16,
)
_SHARE_BYTES = 256
_UNREADABLE = "the stored seal of a room can't be read"


class PairSeal:
    """The seal of one board in a room, and what it knows of the other board's."""

    def __init__(
        self, board: str, key: bytes, linked: Mapping[str, Any] | None = None, *, is_required: bool = False
    ) -> None:
        """Begin as `board` in the room with this key; what is stored of the room may have `kept` the seal.

        With `is_required` the other board must have a share. Raises FarError if the seal can't be read.
        """
        secret, self._other, self._others_share = stored_seal(linked or {})
        self.is_required = is_required
        self._board, self._key = board, key
        self._secret = secret or secrets.token_hex(_SECRET_BYTES)
        self._share = _text(pow(2, int(self._secret, 16), _PRIME))
        self._pair_keys: dict[str, bytes] = {}
        """The key that the newest share of the other board gives."""

    def kept(self) -> dict[str, Any]:
        """Return what is to be stored of the room as well."""
        return {"seal": {"secret": self._secret, "other": self._other, "share": self._others_share}}

    def record(self, members: Mapping[str, Any]) -> bytes:
        """Return the message of a record, with this board's share."""
        return self.message({**members, SHARE: self._share})

    def message(self, members: Mapping[str, Any]) -> bytes:
        """Return the message with these members, sealed for the other board once its share is known."""
        if self._others_share:
            members = {**members, PAIR: self._mac(members, self._other, self._others_share)}
        return sealed(members, self._key)

    def check(self, board: str, members: Mapping[str, Any]) -> None:
        """Raise FarError if a message that has the room's seal can't be of this `board`."""
        known = self._others_share if board == self._other else ""
        share = members.get(SHARE, known)
        if known and share != known:
            raise FarError(Message("link.forged"))
        if share and (known or PAIR in members):
            mac = members.get(PAIR)
            wanted = self._mac({name: one for name, one in members.items() if name != PAIR}, board, share)
            if not isinstance(mac, str) or not mac.isascii() or not hmac.compare_digest(mac, wanted):
                raise FarError(Message("link.forged"))
        elif share:
            _number(share)
        elif self.is_required:
            raise FarError("a record in a public room needs a share: its board needs a newer version")

    def meet(self, board: str, members: Mapping[str, Any]) -> bool:
        """Take over the share of the other board, whose message was checked; return True if it is new."""
        share = members.get(SHARE, "")
        if not share or (self._other, self._others_share) == (board, share):
            return False
        self._other, self._others_share = board, share
        return True

    def _mac(self, members: Mapping[str, Any], other: str, share: object) -> str:
        return hmac.new(self._pair_key(other, share), canonical(members), hashlib.sha256).hexdigest()

    def _pair_key(self, other: str, share: object) -> bytes:
        """Return the key that both boards derive; raise FarError if a share isn't one."""
        number = _number(share)
        if str(share) not in self._pair_keys:
            common = pow(number, int(self._secret, 16), _PRIME).to_bytes(_SHARE_BYTES, "big")
            boards = "/".join(sorted((self._board, other))).encode()
            made = hmac.new(self._key, b"millwright/pair/" + boards + common, hashlib.sha256).digest()
            self._pair_keys = {str(share): made}
        return self._pair_keys[str(share)]


def stored_seal(linked: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the stored secret, the name of the other board, and its share; each empty if there is none.

    Raises FarError if they can't be read.
    """
    if "seal" not in linked:  # stored by an earlier version
        return "", "", ""
    kept = linked["seal"]
    if not isinstance(kept, Mapping):
        raise FarError(_UNREADABLE)
    secret, other, share = kept.get("secret"), kept.get("other", ""), kept.get("share", "")
    if not isinstance(secret, str) or not re.fullmatch(_SECRET, secret):
        raise FarError(_UNREADABLE)
    if (other, share) != ("", ""):
        if not is_name(other, BOARD_LENGTH):
            raise FarError(_UNREADABLE)
        _number(share)
    return secret, str(other), str(share)


def _text(number: int) -> str:
    return base64.b64encode(number.to_bytes(_SHARE_BYTES, "big")).decode()


def _number(share: object) -> int:
    """Return the number of a share; raise FarError for all that give a key which others know."""
    try:
        number = int.from_bytes(base64.b64decode(share, validate=True), "big")  # type: ignore[arg-type]
    except (TypeError, ValueError, binascii.Error):
        number = 0
    if not 1 < number < _PRIME - 1 or share != _text(number):
        raise FarError("a share must be a number of the group ffdhe2048")
    return number
