"""The paired devices of the running board, as commands list, add and remove them.

Invariants: the board is asked, since it alone knows which code is valid; nothing is read from its files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import ceil
from typing import Any

from firmware_host.errors import PageError
from firmware_host.maintenance import board_client

_CLOSED = (
    "the board's page is for this machine only, so no other device can play. `sudo millwright listen` opens "
    "the service's page to the house, and `--listen` that of a board started by hand"
)
_OLDER = "the board runs an older Millwright; `systemctl restart millwright` starts this version"
_UNSAVED = "It cannot be saved, and lasts until the board's program ends: {fault}."


class PairedDevices:
    """The devices of the board at `host` and `port`; each method raises NoBoardError or PageError."""

    def __init__(self, host: str, port: int) -> None:
        self._at = host, port

    def listed(self) -> dict[str, Any]:
        """Return the devices and the open window for pairing, as `GET /devices` does."""
        return self._asked("GET", "/devices")

    def pair(self) -> str:
        """Let devices be paired for a while, and return the invitation."""
        return invitation(self._asked("POST", "/pairing"))

    def remove(self, number: int | None) -> str:
        """Remove one device, or all, and return a sentence about it."""
        gone = self._asked("DELETE", "/devices" if number is None else f"/devices/{number}")
        count = len(gone["removed"])
        what = f"Device {number} is" if number is not None else f"{count} {'is' if count == 1 else 'are'}"
        unsaved = f" {_UNSAVED.format(fault=gone['fault'])}" if gone["fault"] else ""
        return f"{what} removed.{unsaved}"

    def _asked(self, method: str, path: str) -> dict[str, Any]:
        status, text = board_client.request(*self._at, method, path)
        if status == 404:
            raise PageError(_missing(path, text))
        return board_client.parse_object(*self._at, path, status, text)


def _missing(path: str, text: str) -> str:
    """Return the error for an address that the board does not have now."""
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    is_known = isinstance(answer, dict) and "error" in answer
    if is_known and path.startswith("/devices/"):
        return f"there is no device {path.rpartition('/')[2]}; `millwright devices` lists them"
    return _CLOSED if is_known else _OLDER


def invitation(pairing: Mapping[str, Any]) -> str:
    """Return the sentence that tells how a device gets to play."""
    return (
        f"Open {' or '.join(pairing['addresses'])} on the device, and enter the code {pairing['code']}. "
        f"It is valid for {ceil(pairing['left_s'] / 60)} minutes, for as many devices as you like."
    )


def device_table(listed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a list of devices."""
    if not listed["devices"]:
        yield "No device is paired. `millwright devices pair` lets one play."
    for device in listed["devices"]:
        name = "all devices paired by an earlier version" if device["shared"] else device["name"] or "no name"
        seen = "playing now" if device["playing"] else f"last seen {_day(device['seen_ms'])}"
        yield f"{device['number']:>3}  {name:<40}  paired {_day(device['paired_ms'])}, {seen}"
    if listed["fault"]:
        yield f"The list cannot be saved, and lasts until the board's program ends: {listed['fault']}."
    if pairing := listed["pairing"]:
        yield invitation({**pairing, "addresses": listed["addresses"]})


def _day(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000):%Y-%m-%d}" if milliseconds else "????-??-??"
