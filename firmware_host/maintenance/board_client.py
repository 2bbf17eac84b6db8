"""A client of the board that runs on this machine: HTTP requests to its page.

Invariants: that nobody answers is told apart from an answer that is wrong or late. Each error says which
address was asked, what came of it, and what to do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from math import ceil
from typing import Any

from firmware_host.errors import ConfigError, NoBoardError, PageError

_TIMEOUT_S = 10.0
_LOCAL_HOSTS = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing is served here
"""The address at which this machine reaches a page that is served at all addresses."""
_UNAVAILABLE = 503
_MAX_TEXT_LENGTH = 200


def configured_address(host: str | None, port: int | None, given: str | None) -> tuple[str, int]:
    """Return host and port of the running board; None stands for those of the configuration `given`."""
    from firmware_host.config.loader import Config, load
    from firmware_host.config.paths import find_config

    try:
        web = load(find_config(given)).web
    except ConfigError:  # the board plays by the defaults as well, and reports the mistake
        web = Config.default().web
    return web.host if host is None else host, web.port if port is None else port


def get(host: str, port: int, path: str) -> tuple[int, str]:
    """Return the status and the text of the response to GET `path`. Raise as `request` does."""
    return request(host, port, "GET", path)


def request(host: str, port: int, method: str, path: str) -> tuple[int, str]:
    """Return the status and the text of the response to a request without a body.

    Raises NoBoardError if nobody answers, and PageError if the board cannot answer, or not in time.
    """
    connection = _connected(host, port)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        status, text = answer.status, answer.read().decode()
    except (OSError, HTTPException, ValueError) as error:
        raise _no_answer(host, port, error) from error
    finally:
        connection.close()
    if status == _UNAVAILABLE:
        raise PageError(f"the board {_at(host, port)} says: {_line(text).rstrip('.')}")
    return status, text


def get_object(host: str, port: int, path: str) -> dict[str, Any]:
    """Return the JSON object at `path`. Raise as `request` does, and PageError for anything else."""
    status, text = get(host, port, path)
    return parse_object(host, port, path, status, text)


def parse_object(host: str, port: int, path: str, status: int, text: str) -> dict[str, Any]:
    """Return the JSON object in the response to a request for `path`. Raise PageError if it is not one."""
    try:
        found = json.loads(text) if status == 200 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise unexpected_answer(host, port, path, f"{status} {text}")
    return found


def unexpected_answer(host: str, port: int, path: str, what: str) -> PageError:
    """Return the error for an answer that no board of this version gives."""
    return PageError(
        f"the program {_at(host, port)} gave an unexpected answer for {path} ({_line(what)}). It may be "
        "another program or an older Millwright; `systemctl restart millwright` starts this version"
    )


def _connected(host: str, port: int) -> HTTPConnection:
    connection = HTTPConnection(_LOCAL_HOSTS.get(host, host), port, timeout=_TIMEOUT_S)
    try:
        connection.connect()
    except TimeoutError as error:
        raise _no_answer(host, port, error) from error
    except (OSError, OverflowError, UnicodeError) as error:
        raise NoBoardError(
            f"no board answers {_at(host, port)} ({error}): `millwright run` starts one, and where it is a "
            "service, `systemctl status millwright` says how that is"
        ) from error
    return connection


def _no_answer(host: str, port: int, error: Exception) -> PageError:
    return PageError(
        f"what is {_at(host, port)} does not answer as a board does ({error or type(error).__name__}): try "
        "again, and where it is a service, `systemctl status millwright` says how that is"
    )


def _at(host: str, port: int) -> str:
    return f"at {_LOCAL_HOSTS.get(host, host)} port {port}"


def _line(text: str) -> str:
    """Return the beginning of an answer in one printable line."""
    return "".join(one if one.isprintable() else " " for one in text[:_MAX_TEXT_LENGTH]).strip()


# ---- paired devices -------------------------------------------------------------------------------------
# The paired devices of the running board, as commands list, add and remove them.
#
# Invariants: the board is asked, since it alone knows which code is valid; nothing is read from its files.


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
        status, text = request(*self._at, method, path)
        if status == 404:
            raise PageError(_missing(path, text))
        return parse_object(*self._at, path, status, text)


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
