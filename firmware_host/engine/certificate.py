"""Certificates: one reply to each position while pieces are placed, so that a player never loses.

A certificate holds every position that can arise under its own replies, once for all positions that the
board's symmetries make of it. An opening is a certificate's first turns. The file has 192 bytes of header,
then the entries, turn by turn and sorted within a turn, then a digest of 16 bytes for each 64 KiB of them.
An entry takes eight bytes, little endian: from the top the stones of the player and of the opponent (24 bits
each), the node of the placement, and that of the capture (255 for none). The stones are those after the
symmetry that makes this number least.

**Invariants:** no reply comes out of a part whose digest, or that of the header, is wrong: that is a
TableError. A part is checked when it is first read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from firmware_host.engine.index import SectorIndex
from firmware_host.engine.table_rules import ID_SIZE
from firmware_host.errors import TableError
from firmware_host.games.options import MorrisOptions, texts_of

MAGIC = b"MWC1"
VERSION = 1
NOTHING = 255
"""In place of the node of a capture, if there is none."""
PLAYERS = ("first", "second")
"""The players by the order in which they place their pieces."""
_MAX_TURNS = 12
_HEADER = struct.Struct(f"<4sHBB{ID_SIZE}sB7x{_MAX_TURNS}Q")
_SUMS_AT, _SIGNED, _SIZE = 128, 160, 192
_ENTRY = struct.Struct("<Q")
_BLOCK_SIZE = 1 << 16
_DIGEST_SIZE = 16
_INDIFFERENT = ("first", "repetition", "full_board")
"""The options that change nothing in a certificate."""


class ProvedReply(NamedTuple):
    """A placement and perhaps a capture, as nodes."""

    to: int
    taken: int | None


@cache
def certificate_id(options: MorrisOptions) -> bytes:
    """Return the id of the rules as far as certificates depend on them: more than tables do."""
    return sha256(certificate_text(options).encode("ascii")).digest()[:ID_SIZE]


def certificate_text(options: MorrisOptions) -> str:
    """Return the options that decide the values of positions with pieces in hand."""
    texts = texts_of(options)
    return " ".join(f"{name}={value}" for name, value in texts.items() if name not in _INDIFFERENT)


def can_be_certified(options: MorrisOptions) -> bool:
    """Return whether there are certificates under these options.

    Both players must place equally many pieces before any moves, and one capture must follow each mill.
    """
    room = 16 if options.points == "outer" else 24
    simple = options.captures == "one" and options.removal == "must" and not options.move_while_placing
    return simple and options.odds == "even" and 2 * options.pieces < room


def canonical(index: SectorIndex, own: int, other: int) -> tuple[int, int]:
    """Return a position of nodes as certificates have it, and the symmetry that leads to it."""
    images = zip(index.images(own), index.images(other), strict=True)
    return min((one << 24 | two, symmetry) for symmetry, (one, two) in enumerate(images))


@dataclass(eq=False)
class Certificate:
    """The replies of one player, read from the start of `data`; raises TableError if its frame is damaged."""

    data: memoryview
    name: str = "certificate"
    """The name of the file, for errors."""
    rules: bytes = field(init=False)
    player: int = field(init=False)
    """The index in `PLAYERS`."""
    pieces: int = field(init=False)
    """The pieces that each player places."""
    counts: Sequence[int] = field(init=False)
    """The entries of each of the player's turns, as far as the certificate goes."""
    _checked: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Check all but the entries."""
        if len(self.data) < _SIZE or bytes(self.data[:4]) != MAGIC:
            raise TableError("this is not a certificate")
        if sha256(self.data[:_SIGNED]).digest() != self.identity:
            raise TableError("the certificate's header is damaged")
        _, version, self.player, self.pieces, self.rules, turns, *counts = _HEADER.unpack_from(self.data)
        if version != VERSION:
            raise TableError(f"the certificate has version {version}; this program reads version {VERSION}")
        self.counts = counts[:turns]
        if len(self.data) < self.length:
            raise TableError("the certificate is cut short")
        sums = sha256(self.data[self._sums_at : self.length]).digest()
        if sums != bytes(self.data[_SUMS_AT:_SIGNED]):
            raise TableError("the certificate's digests are damaged")

    @property
    def identity(self) -> bytes:
        """The digest that stands for the whole file."""
        return bytes(self.data[_SIGNED:_SIZE])

    @property
    def entries(self) -> int:
        """The number of replies."""
        return sum(self.counts)

    @property
    def is_whole(self) -> bool:
        """True if it goes on until all pieces are placed."""
        return len(self.counts) == self.pieces

    @property
    def _sums_at(self) -> int:
        return _SIZE + _ENTRY.size * self.entries

    @property
    def length(self) -> int:
        """The bytes of the certificate."""
        return self._sums_at + _DIGEST_SIZE * -(-_ENTRY.size * self.entries // _BLOCK_SIZE)

    def reply(self, turn: int, position: int) -> ProvedReply | None:
        """Return the reply to a canonical position in one of the player's turns, None if there is none.

        Raises TableError if the part of the file with this position is damaged.
        """
        if turn >= len(self.counts):
            return None
        low = sum(self.counts[:turn])
        high = end = low + self.counts[turn]
        while low < high:
            middle = (low + high) // 2
            if self._entry(middle) >> 16 < position:
                low = middle + 1
            else:
                high = middle
        entry = self._entry(low) if low < end else -1
        return _reply(entry) if entry >> 16 == position else None

    def turn_entries(self, turn: int) -> memoryview:
        """Return the entries of a turn as bytes; raise TableError if any part of the file is damaged."""
        for number in range(-(-_ENTRY.size * self.entries // _BLOCK_SIZE)):
            self._check(number)
        start = _SIZE + _ENTRY.size * sum(self.counts[:turn])
        return self.data[start : start + _ENTRY.size * self.counts[turn]]

    def _entry(self, number: int) -> int:
        at = _ENTRY.size * number
        self._check(at // _BLOCK_SIZE)
        entry: int = _ENTRY.unpack_from(self.data, _SIZE + at)[0]
        return entry

    def _check(self, number: int) -> None:
        if number in self._checked:
            return
        at = _SIZE + _BLOCK_SIZE * number
        digest = self._sums_at + _DIGEST_SIZE * number
        block = self.data[at : min(at + _BLOCK_SIZE, self._sums_at)]
        if _digest(block) != bytes(self.data[digest : digest + _DIGEST_SIZE]):
            raise TableError("a part of the certificate is damaged")
        self._checked.add(number)


def _reply(entry: int) -> ProvedReply:
    taken = entry & 0xFF
    return ProvedReply(entry >> 8 & 0xFF, None if taken == NOTHING else taken)


def _digest(block: bytes | memoryview) -> bytes:
    return sha256(block).digest()[:_DIGEST_SIZE]


def certificate_bytes(
    options: MorrisOptions, player: int, turns: Sequence[bytes | memoryview]
) -> Iterator[bytes]:
    """Yield the parts of a certificate's file from the entries of each of the player's turns."""
    entries = b"".join(turns)
    digests = b"".join(_digest(entries[at : at + _BLOCK_SIZE]) for at in range(0, len(entries), _BLOCK_SIZE))
    counts = [len(turn) // _ENTRY.size for turn in turns]
    start = _HEADER.pack(
        MAGIC, VERSION, player, options.pieces, certificate_id(options), len(turns),
        *counts, *[0] * (_MAX_TURNS - len(turns)),
    )  # fmt: skip
    signed = start + sha256(digests).digest()
    yield signed + sha256(signed).digest()
    yield entries
    yield digests


def read_certificates(data: memoryview, name: str) -> list[Certificate]:
    """Return the certificates of a file; raise TableError if the frame of one is damaged."""
    found, at = [], 0
    while at < len(data):
        one = Certificate(data[at:], name)
        found.append(one)
        at += one.length
    return found
