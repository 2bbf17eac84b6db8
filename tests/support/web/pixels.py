"""The pixels of a screenshot: a PNG with eight bits for each of its channels, as browsers write it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}


class Pixels(NamedTuple):
    """Rows of bytes, and the number of bytes of each pixel."""

    rows: list[bytearray]
    step: int

    def colour(self, x: float, y: float) -> tuple[float, float, float]:
        """Return red, green and blue (0 to 1) of the pixel at a place."""
        row, at = self.rows[int(y)], int(x) * self.step
        red, green, blue = (part / 255 for part in row[at : at + 3])
        return red, green, blue


def decode(png: bytes) -> Pixels:
    """Return the pixels of a PNG; an AssertionError if it is of another kind."""
    assert png.startswith(_SIGNATURE)
    chunks = [*_chunks(png)]
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, interlaced) == (8, 0)
    step = _CHANNELS[kind]
    data = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    rows: list[bytearray] = []
    above = bytearray(width * step)
    for start in range(0, height * (width * step + 1), width * step + 1):
        above = _unfiltered(data[start], bytearray(data[start + 1 : start + 1 + width * step]), above, step)
        rows.append(above)
    return Pixels(rows, step)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _unfiltered(kind: int, row: bytearray, above: bytearray, step: int) -> bytearray:
    """Undo the filter of a row, as the PNG specification numbers them."""
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        predicted = (0, left, above[i], (left + above[i]) // 2, _paeth(left, above[i], corner))[kind]
        row[i] = (row[i] + predicted) & 255
    return row


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda one: abs(guess - one))
