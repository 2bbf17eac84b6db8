"""Animated PNGs from screenshots: one palette, and of each frame only the part that differs from the last.

Wood has thousands of colours that nobody can tell apart: with the most frequent 256 a picture takes a
fifth of the room.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.support.web.pixels import Pixels

_COARSE = 0xF8
"""The bits of a channel by which colours are counted."""
_COLOURS = 256

Colour = tuple[int, int, int]


class ScreenPicture(NamedTuple):
    """A picture, and how long it is shown."""

    pixels: Pixels
    milliseconds: int


def animated(frames: Sequence[ScreenPicture]) -> bytes:
    """Return the frames, all of one size, as an animated PNG that repeats for ever."""
    palette = _palette(frames)
    nearest: dict[Colour, int] = {}
    pictures = [_indexed(frame.pixels, palette, nearest) for frame in frames]
    height, width = len(pictures[0]), len(pictures[0][0])
    chunks = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"acTL", struct.pack(">II", len(frames), 0)),
        _chunk(b"PLTE", b"".join(map(bytes, palette))),
    ]
    number = 0
    shown: list[bytes] = []
    for at, (frame, picture) in enumerate(zip(frames, pictures, strict=True)):
        left, top, right, bottom = _changed(shown, picture)
        head = (number, right - left, bottom - top, left, top, frame.milliseconds, 1000, 0, 0)
        chunks.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", *head)))
        data = zlib.compress(b"".join(b"\0" + row[left:right] for row in picture[top:bottom]), 9)
        if at:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", number + 1) + data))
        else:
            chunks.append(_chunk(b"IDAT", data))
        number += 2 if at else 1
        shown = picture
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + _chunk(b"IEND", b"")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _colours(row: bytearray, step: int) -> list[Colour]:
    """Return the colours of a row, coarsely."""
    red, green, blue = (bytes(part & _COARSE for part in row[channel::step]) for channel in range(3))
    return list(zip(red, green, blue, strict=True))


def _palette(frames: Sequence[ScreenPicture]) -> list[Colour]:
    counts: Counter[Colour] = Counter()
    for frame in frames:
        for row in frame.pixels.rows[::2]:
            counts.update(_colours(row, frame.pixels.step))
    return [colour for colour, _ in counts.most_common(_COLOURS)]


def _indexed(pixels: Pixels, palette: list[Colour], nearest: dict[Colour, int]) -> list[bytes]:
    """Return rows of numbers of the palette's colours; `nearest` remembers those that were looked up."""
    rows = []
    for row in pixels.rows:
        colours = _colours(row, pixels.step)
        for colour in set(colours) - nearest.keys():
            nearest[colour] = min(range(len(palette)), key=lambda n: _distance(palette[n], colour))
        rows.append(bytes([nearest[colour] for colour in colours]))
    return rows


def _distance(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _changed(before: Sequence[bytes], now: Sequence[bytes]) -> tuple[int, int, int, int]:
    """Return the smallest part that holds all changes: left, top, right and bottom; at least a pixel."""
    if not before:
        return 0, 0, len(now[0]), len(now)
    rows = [at for at, (one, other) in enumerate(zip(before, now, strict=True)) if one != other] or [0]
    columns = [
        at
        for row in rows
        for at, (one, other) in enumerate(zip(before[row], now[row], strict=True))
        if one != other
    ] or [0]
    return min(columns), rows[0], max(columns) + 1, rows[-1] + 1
