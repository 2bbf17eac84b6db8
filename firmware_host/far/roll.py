"""The roll for White: both boards commit to a number before either shows it.

Invariants: neither board can choose its number after it has seen the other's. Both compute the same player
and the same name of the game.
"""

from __future__ import annotations

import base64
import hashlib

from firmware_host.far.parsing import GAME_LENGTH
from firmware_host.far.record import Roll

NONCE_BYTES = 16


def committed(nonce: str) -> str:
    """Return the commitment to a number of 32 hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def opens(roll: Roll) -> bool:
    """Return whether the number of a roll is the one that it committed to."""
    return committed(roll.nonce) == roll.commit


def white_of(numbers: dict[str, str]) -> str:
    """Return which of two boards plays White, given their numbers."""
    first, second = sorted(numbers)
    odd = (int(numbers[first], 16) ^ int(numbers[second], 16)) & 1
    return second if odd else first


def game_name(room: str, round_: int, numbers: dict[str, str]) -> str:
    """Return the name of the game that begins with these numbers."""
    text = f"{room}/{round_}/" + "/".join(numbers[board] for board in sorted(numbers))
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:GAME_LENGTH]
