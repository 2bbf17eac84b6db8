"""Messages as bytes: canonical JSON with a mac, read as hostile.

Invariants: whatever bytes come, the result is an object or a FarError; numbers are whole, and nothing is
deeper, longer or larger than the limits. A mac covers every member, also those that this version doesn't
know.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from firmware_host.errors import FarError
from firmware_host.i18n import Message

MAX_BYTES = 16_384
"""The largest message that is read."""
MAX_DEPTH = 8
"""The deepest nesting of a message."""
MAX_NUMBER = 2**53 - 1
"""The largest number of a message: every program can hold it exactly."""

MAC = "mac"


def canonical(members: Mapping[str, Any]) -> bytes:
    """Return the one form in which these members are written, in ASCII."""
    return json.dumps(members, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def sealed(members: Mapping[str, Any], key: bytes) -> bytes:
    """Return the message of `members` with its mac; raise FarError if it is too large to send."""
    message = canonical({**members, MAC: _mac(members, key)})
    if len(message) > MAX_BYTES:
        raise FarError(f"a message of {len(message)} bytes is too large to send; the limit is {MAX_BYTES}")
    return message


def opened(message: bytes, key: bytes | None) -> dict[str, Any]:
    """Return the members of a message without its mac; raise FarError if it can't be read or is forged.

    A reader who doesn't have the room's key, and gives None, can't tell forged messages.
    """
    members = parsed(message)
    mac = members.pop(MAC, None)
    if key is None:
        return members
    if not isinstance(mac, str) or not mac.isascii() or not hmac.compare_digest(mac, _mac(members, key)):
        raise FarError(Message("link.forged"))
    return members


def parsed(message: bytes) -> dict[str, Any]:
    """Return the object of a message within all limits; raise FarError for anything else."""
    if len(message) > MAX_BYTES:
        raise FarError(f"a message of {len(message)} bytes is too large; the limit is {MAX_BYTES}")
    if _depth(message) > MAX_DEPTH:
        raise FarError(f"a message is nested more than {MAX_DEPTH} deep")
    try:
        found = json.loads(
            message.decode(), parse_float=_not_whole, parse_constant=_not_whole, parse_int=_number
        )
    except (ValueError, RecursionError) as error:
        raise FarError(f"a message can't be read as JSON: {error}") from error
    if not isinstance(found, dict):
        raise FarError("a message must be a JSON object")
    return found


def _mac(members: Mapping[str, Any], key: bytes) -> str:
    return hmac.new(key, canonical(members), hashlib.sha256).hexdigest()


def _depth(message: bytes) -> int:
    """Return at least the depth of nesting; brackets within texts count as well."""
    deepest = depth = 0
    for byte in message:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _number(text: str) -> int:
    if len(text) > len(str(MAX_NUMBER)) + 1 or abs(number := int(text)) > MAX_NUMBER:
        raise ValueError("a number is too large")
    return number


def _not_whole(text: str) -> None:
    raise ValueError(f"{text[:20]} is not a whole number")
