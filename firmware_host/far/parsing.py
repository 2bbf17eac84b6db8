"""Records from messages that may be hostile: every member is checked, and nothing is coerced.

Invariants: a record that is returned has been sealed with the room's key, if that is known, is within all
limits, and its hash is that of its game. Members that this version doesn't know are ignored; another version
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Must, decode, is_object, is_text
from firmware_host.errors import FarError
from firmware_host.far.record import (
    ASKING,
    DRAW,
    GAME_LENGTH,
    LEFT,
    MAX_TURNS,
    OFFER_MEMBERS,
    TAKE_BACK,
    VERSION,
    Offer,
    Roll,
    SeatRecord,
    chained_hash,
)
from firmware_host.far.sealing import MAX_NUMBER, opened
from firmware_host.games.game import Outcome, declared_end
from firmware_host.i18n import Message

BOARD_LENGTH, ROOM_LENGTH = 16, 10
"""The lengths of the names of boards and rooms, in base32 digits."""
MAX_TURN_LENGTH = 40
MAX_RULES_LENGTH = 300
MAX_TURN_MS = 999_999_999
"""The most that counts of the time of a turn; with longer numbers a whole game may not fit a message."""
_MAX_STAMP_LENGTH = 80

_BASE32 = re.compile(r"[A-Z2-7]*")
_HEX = re.compile(r"[0-9a-f]*")


def is_name(value: object, length: int) -> bool:
    """Return whether `value` is a name of `length` base32 digits."""
    return isinstance(value, str) and len(value) == length and bool(_BASE32.fullmatch(value))


def is_digits(value: object, length: int) -> bool:
    """Return whether `value` are that many hexadecimal digits, or none."""
    return isinstance(value, str) and len(value) in (0, length) and bool(_HEX.fullmatch(value))


def is_count(value: object) -> bool:
    """Return whether `value` is a whole number from 0 to the largest of a message."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def _short(length: int) -> Callable[[Any], bool]:
    return lambda value: is_text(value) and len(value) <= length and value.isprintable()


def _many(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= MAX_TURNS and all(map(check, value))


def _bounded(times: Iterable[int]) -> tuple[int, ...]:
    """Return times that the other board claims, as far as they count."""
    return tuple(min(used, MAX_TURN_MS) for used in times)


def _is_offer(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, Mapping) or value.keys() != set(OFFER_MEMBERS):
        return False
    return value["what"] in (DRAW, TAKE_BACK) and all(
        map(is_count, (value[name] for name in OFFER_MEMBERS[1:]))
    )


def is_roll(value: object) -> bool:
    """Return whether `value` has the members of one board's part in the roll."""
    if not isinstance(value, Mapping) or value.keys() != {"commit", "nonce"}:
        return False
    return is_digits(value["commit"], 64) and is_digits(value["nonce"], 32)


_Version: TypeAlias = Annotated[int, Must("the version of the protocol", lambda v: v == VERSION)]
_Board: TypeAlias = Annotated[str, Must("the name of a board", lambda v: is_name(v, BOARD_LENGTH))]
_Player: TypeAlias = Annotated[
    str, Must("the name of a board, or empty", lambda v: v == "" or is_name(v, BOARD_LENGTH))
]
_GameName: TypeAlias = Annotated[
    str, Must("the name of a game, or empty", lambda v: v == "" or is_name(v, GAME_LENGTH))
]
_Count: TypeAlias = Annotated[int, Must("a count", is_count)]
_Flag: TypeAlias = Annotated[bool, Must("true or false", lambda v: isinstance(v, bool))]
_RulesText: TypeAlias = Annotated[str, Must("the rules", _short(MAX_RULES_LENGTH))]
_Roll: TypeAlias = Annotated[Roll, Must("a roll", is_roll, lambda v: Roll(**v))]
_Turns: TypeAlias = Annotated[tuple[str, ...], Must("a list of turns", _many(_short(MAX_TURN_LENGTH)), tuple)]
_Times: TypeAlias = Annotated[tuple[int, ...], Must("a list of times", _many(is_count), _bounded)]
_Hash: TypeAlias = Annotated[str, Must("a hash", lambda v: is_digits(v, 16))]
_Declared: TypeAlias = Annotated[
    Outcome | None,
    Must("an end of the game", lambda v: v is None or declared_end(v) is not None, declared_end),
]
_Offered: TypeAlias = Annotated[
    Offer | None, Must("an offer", _is_offer, lambda v: None if v is None else Offer(**v))
]
_Doing: TypeAlias = Annotated[str, Must(f'"{ASKING}", "{LEFT}" or empty', lambda v: v in ("", ASKING, LEFT))]
_Stamp: TypeAlias = Annotated[str, Must("a stamp", _short(_MAX_STAMP_LENGTH))]


def _record(
    *,
    v: _Version,  # noqa: ARG001 - checked, and no part of the record
    board: _Board,
    rules: _RulesText,
    round_: _Count,
    roll: _Roll,
    ready: _Flag,
    game: _GameName,
    white: _Player,
    black: _Player,
    turns: _Turns,
    used_ms: _Times,
    hash_: _Hash,
    carried: _Count,
    takes_back: _Count,
    declared: _Declared,
    offer: _Offered,
    declined: _Count,
    refused: _Stamp,
    doing: _Doing = "",
) -> SeatRecord:
    return SeatRecord(
        *(board, rules, round_, roll, ready, game, white, black, turns, used_ms, hash_, carried),
        *(takes_back, declared, offer, declined, refused, doing),
    )


_MEMBERS = frozenset(_record.__annotations__) - {"return", "round_", "hash_"} | {"round", "hash"}


def parse_record(message: bytes, key: bytes | None) -> SeatRecord:
    """Return the record of a message that was sealed with `key`; raise FarError with the reason.

    With None, for a room whose key isn't known, everything but the seal is checked.
    """
    return record_in(opened(message, key))


def record_in(members: Mapping[str, Any]) -> SeatRecord:
    """Return the record in the members of a message; raise FarError for another version or a fault."""
    version = members.get("v")
    if version != VERSION or isinstance(version, bool):
        shown = version if isinstance(version, int) else "?"
        raise FarError(Message("link.version", {"version": str(shown)}))
    return record_of(members)


def record_of(members: Mapping[str, Any]) -> SeatRecord:
    """Return the record with these members; raise FarError with the first fault."""
    if not is_object(members):
        raise FarError("a record must be an object")
    known = {name: value for name, value in members.items() if name in _MEMBERS}
    record = _record(**decode(_record, known, "record", FarError))
    if len(record.used_ms) != len(record.turns) or record.carried > len(record.turns):
        raise FarError('"used_ms" and "carried" must fit "turns"')
    if record.hash != (chained_hash(record) if record.game else ""):
        raise FarError('"hash" must be that of the turns')
    return record
