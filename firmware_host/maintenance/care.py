"""The companion that switches the machine off when the board wants it.

Invariants: it can do that one thing, by logind and its polkit rule. A refusal of logind is reported to the
board, which plays on. A connection that ends is made again.
"""

from __future__ import annotations

import logging
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.errors import PageError
from firmware_host.maintenance.companion import CompanionConnection

_LOG = logging.getLogger(__name__)
_POWER_OFF = (
    *("busctl", "--system", "call", "org.freedesktop.login1", "/org/freedesktop/login1"),
    *("org.freedesktop.login1.Manager", "PowerOff", "b", "false"),
)
_TIMEOUT_S = 10.0
_RETRY_S = 5.0

Run = Callable[..., subprocess.CompletedProcess[str]]


def power_off(run: Run = subprocess.run) -> str | None:
    """Have logind switch this machine off; return why it doesn't, or None if it does."""
    try:
        done = run(_POWER_OFF, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.strip().partition("\n")[0] or f"busctl ended with {done.returncode}"


class Caretaker:
    """The answers to the board's states; `switch_off` returns why it failed, or None."""

    def __init__(self, switch_off: Callable[[], str | None] = power_off) -> None:
        self._switch_off = switch_off
        self._is_wanted = False

    def answer(self, state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Switch off if `state` wants it for the first time; return the request if that failed."""
        before, self._is_wanted = self._is_wanted, state.get("off") == "wanted"
        if before or not self._is_wanted:
            return None
        why = self._switch_off()
        if why is None:
            _LOG.info("the machine goes off")
            return None
        _LOG.warning("the machine can't be switched off: %s", why)
        return {"do": "stay", "why": why}


def take_care(
    host: str,
    port: int,
    caretaker: Caretaker,
    *,
    connect: Callable[[str, int], CompanionConnection] = CompanionConnection,
    sleep: Callable[[float], object] = time.sleep,
) -> None:
    """Follow the board until the program is ended, whatever becomes of the connection."""
    while True:
        try:
            with connect(host, port) as connection:
                _LOG.info("following the board at %s port %s", host, port)
                for state in connection.states():
                    if (request := caretaker.answer(state)) is not None:
                        connection.ask(request)
        except PageError as error:
            _LOG.info("%s; trying again", error)
        sleep(_RETRY_S)
