"""A serial port without hardware: a pseudo-terminal on which a test plays the board.

Data written on one side reaches the other a moment later, so both ways wait for it: a test sees everything
that was sent before it looks.
"""

from __future__ import annotations

import array
import fcntl
import os
import select
import termios
import time
import tty
from pathlib import Path

_MARK = b"\xff"
"""Ends what the program has said so far; no line of the protocol has it."""

_PATIENCE_S = 60.0


class SerialPty:
    """A port at `path`, a name that stays when the board is unplugged and plugged in again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plug()

    def plug(self) -> None:
        """Make the port appear."""
        self._board, self._program = os.openpty()
        tty.setraw(self._program)
        self.path.symlink_to(os.ttyname(self._program))

    def unplug(self) -> None:
        """Make the port disappear, also under who has it open."""
        self.path.unlink()
        os.close(self._board)
        os.close(self._program)

    def say(self, data: bytes) -> None:
        """Have the board send `data`."""
        end = time.monotonic() + _PATIENCE_S
        waiting = self._waiting()
        os.write(self._board, data)
        while self._waiting() < waiting + len(data):
            assert time.monotonic() < end, "the pseudo-terminal swallowed something"

    def heard(self) -> bytes:
        """Return what the program has sent since the last call."""
        os.write(self._program, _MARK)
        heard = b""
        while not heard.endswith(_MARK):
            assert select.select([self._board], [], [], _PATIENCE_S)[0], "the pseudo-terminal is stuck"
            heard += os.read(self._board, 4096)
        return heard.removesuffix(_MARK)

    def _waiting(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self._program, termios.FIONREAD, count)
        return count[0]
