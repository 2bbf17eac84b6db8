"""The processes below another one, and their end.

A signal to a process group misses those that have begun a session of their own. On Linux, /proc names each
process's parent, and a process can have the orphans below it become its children instead of init's: together
they lead to every descendant. Elsewhere only the group is ended.

Invariants: no process outside of the tree gets a signal. Nothing here waits for a process to end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36
_MAX_ROUNDS = 20
"""The most looks at a tree that goes on growing while it is ended."""


def adopt_orphans() -> None:
    """Have the orphans among this process's descendants become its children, where the kernel can."""
    if sys.platform.startswith("linux"):
        import ctypes  # the board only ends trees, and needs it for nothing else

        with suppress(OSError, AttributeError):  # a C library without it
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_tree(child: subprocess.Popen[bytes]) -> None:
    """Kill a child that leads a process group, its group, and its descendants.

    Of helpers that have lost their parents, only those of a child that adopts them are found.
    """
    if child.returncode is None:
        _signal_group(child.pid, signal.SIGSTOP)  # it starts nothing more, and still adopts
        end_all_below(child.pid)
    _signal_group(child.pid, signal.SIGKILL)


def end_all_below(pid: int) -> None:
    """Kill all descendants of a process, and those that they start in the meantime."""
    killed: set[int] = set()
    for _ in range(_MAX_ROUNDS):
        found = [one for one in _descendants(pid) if one not in killed]
        if not found:
            return
        for one in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        killed.update(found)


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it may have ended by itself
        os.killpg(group, number)


def _descendants(pid: int) -> list[int]:
    """Return all descendants of a process that run, parents before their children."""
    children: dict[int, list[int]] = defaultdict(list)
    for process in _PROC.glob("[0-9]*"):
        parent = _parent(process)
        if parent is not None:
            children[parent].append(int(process.name))
    found = [pid]
    for one in found:
        found += children[one]
    return found[1:]


def _parent(process: Path) -> int | None:
    """Return the parent of a process; None if that has ended."""
    try:
        # The name stands in brackets, and may have any characters itself.
        state, parent, *_ = (process / "stat").read_bytes().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in b"ZX" else int(parent)
