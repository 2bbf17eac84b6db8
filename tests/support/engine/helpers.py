"""A helper of another program that has left its parent and its session, and how a test learns of its end."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

_PATIENCE_S = 20.0
_HELPER = (
    "import os, time\n"
    "alive = os.open({fifo!r}, os.O_WRONLY)\n"
    "os.write(alive, str(os.getpid()).encode())\n"
    "time.sleep(3600)\n"
)
_STARTS_HELPER = (
    "import subprocess\n"
    "subprocess.Popen([sys.executable, '-c', {started!r}], start_new_session=True).wait()\n"
)


class Helper:
    """A helper that has a pipe open as long as it runs."""

    def __init__(self, folder: Path) -> None:
        self._fifo = folder / "alive"
        os.mkfifo(self._fifo)
        helper = _HELPER.format(fifo=str(self._fifo))
        orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {helper!r}])"
        self.orphaned = _STARTS_HELPER.format(started=orphan)
        """The lines by which a program starts it and leaves it an orphan."""
        self.started = _STARTS_HELPER.format(started=helper).replace(".wait()", "")
        """The lines by which a program starts it as its child."""
        self._end = self._process = -1

    def wait_for_begin(self) -> None:
        """Wait until it runs."""
        self._end = os.open(self._fifo, os.O_RDONLY)
        self._process = int(os.read(self._end, 20))

    def wait_for_end(self) -> None:
        """Wait until it has ended, but not for ever."""
        with os.fdopen(self._end, "rb") as end:
            if not select.select([end], [], [], _PATIENCE_S)[0]:
                os.kill(self._process, signal.SIGKILL)
                raise AssertionError("the helper goes on")
