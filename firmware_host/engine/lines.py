"""The lines that an engine's process exchanges with the one that asks."""

from __future__ import annotations

import os
import select
from collections import deque
from dataclasses import dataclass, field

MAX_LINE = 65_536
"""The bytes of a line; the turns of a long game fit."""
_CHUNK = 65_536


@dataclass
class LineReader:
    """The lines of a file descriptor, read with or without waiting."""

    descriptor: int
    ended: bool = False
    lines: deque[str] = field(default_factory=deque)
    _rest: bytes = b""
    _skipping: bool = False

    def next_line(self) -> str | None:
        """Return the next line, waiting for it; None at the end."""
        while not self.lines and not self.ended:
            self._read()
        return self.lines.popleft() if self.lines else None

    def poll(self) -> None:
        """Read a part of what is there into `lines`, unless it has lines, without waiting.

        Only a part, since somebody may write faster than it can be read.
        """
        if not self.lines and not self.ended and select.select([self.descriptor], [], [], 0)[0]:
            self._read()

    def _read(self) -> None:
        chunk = os.read(self.descriptor, _CHUNK)
        if not chunk:
            self.ended = True
            chunk = b"\n" if self._rest or self._skipping else b""  # the last line may lack its end
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        for line in whole:
            self._take(line)
        if len(self._rest) > MAX_LINE:
            self._rest, self._skipping = b"", True

    def _take(self, line: bytes) -> None:
        too_long = self._skipping or len(line) > MAX_LINE
        self._skipping = False
        self.lines.append("line-too-long" if too_long else line.decode("utf-8", "replace"))
