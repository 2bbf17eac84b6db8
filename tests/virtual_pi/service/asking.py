"""The reports of the service and its manager, and waits for them, which end the program if none comes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

UNIT = "millwright.service"
SOCKET = "millwright.socket"
PAGE = "http://127.0.0.1:8765/"
PATIENCE_S = 180.0  # of the machine's own clock
_LOOK_EVERY_S = 0.3


def told(*command: str) -> str:
    """Return a command's output, even if it fails."""
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()  # noqa: S603


def shown(name: str) -> str:
    """A property of the unit."""
    return told("systemctl", "show", f"--property={name}", "--value", UNIT)


def status() -> dict[str, Any]:
    """Return the board's status; empty if it does not answer."""
    try:
        with urllib.request.urlopen(f"{PAGE}status", timeout=10) as answer:  # noqa: S310
            told: dict[str, Any] = json.load(answer)
    except (OSError, ValueError):
        return {}
    return told


def turns() -> int:
    """Return the number of turns played; -1 if the board does not answer."""
    answer = status()
    return answer["game"]["turns"] if answer else -1


def faults() -> dict[str, str]:
    """Return the faults; that the board does not answer, if it doesn't."""
    answer = status()
    return answer["faults"] if answer else {"board": "does not answer"}


def is_well(part: str) -> bool:
    """Return whether the board answers, and that part of it has no fault."""
    answer = status()
    return bool(answer) and part not in answer["faults"]


def until(
    holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S, every_s: float = _LOOK_EVERY_S
) -> None:
    """Wait until it holds, looking now and then."""
    end = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > end:
            sys.exit(
                f"never came: {what}\nunit: {shown('ActiveState')}, {shown('Result')}\nboard: {status()}"
            )
        time.sleep(every_s)


def is_up() -> bool:
    """Return whether the unit is ready, and the board answers."""
    return shown("ActiveState") == "active" and bool(status())


def until_up() -> None:
    """Wait for a service that is ready."""
    until(is_up, "a service that is up")


def until_turns(number: int, what: str) -> None:
    """Wait until `number` turns were played."""
    until(lambda: turns() == number, f"{what} as turn {number}")


def until_another(pid: str) -> None:
    """Wait for a service that is ready, and another process than `pid`."""
    until(lambda: shown("MainPID") not in ("0", pid) and is_up(), "another process that is up")
