"""The networks of this machine, by NetworkManager's own command.

Invariants: a password is passed on by a pipe, never by an argument, which other users could read, and never
logged; neither are the names of networks. An open network never stands in for one of the same name that has
a password, however strong it is. The board's own Wi-Fi is a connection that was made when this was
installed, so its password is not needed here.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

from firmware_host.frozen import frozen
from firmware_host.i18n import Message

OWN = "millwright-own"
"""The name of the connection that is the board's own Wi-Fi."""
ADDRESS = "10.42.0.1"
"""The board's address there, as that connection has it."""

_NOT_THERE = 10
"""nmcli's status for a connection that doesn't exist."""
_ON_TRIAL = "millwright-on-trial"
_TIMEOUT_S = 45
_SPARE_S = 15.0
MAX_NETWORKS = 40
_PSK = "802-11-wireless-security.psk"
_KINDS = ("WPA1", "WPA2", "WPA3")
"""The kinds of security that need a password and nothing else."""
_ESTABLISHED = re.compile(
    rf"^ *\d+: \w*{int.from_bytes(ip_address(ADDRESS).packed, 'little'):08X}:\w+ \w+:\w+ 01 ", re.MULTILINE
)
"""An established connection to ADDRESS in the kernel's tables, also by a socket of IPv6."""
_REASONS = (
    ("secrets were required", Message("wifi.trouble.password")),
    ("could not be found", Message("wifi.trouble.gone")),
)
"""Parts of NetworkManager's reasons (`nmcli` in English), and what they mean for people.

`nmcli` answers with the password that it was given as often as NetworkManager asks for a better one, so
that a wrong one may have no reason but that time is up.
"""
_LOG = logging.getLogger(__name__)

Run = Callable[..., subprocess.CompletedProcess[str]]


@frozen
class WifiNetwork:
    """A network that can be heard: its name, its strength in percent, and whether it has a password."""

    name: str
    strength: int
    has_password: bool
    is_wpa3: bool = False
    """True if it takes the password by WPA3 alone."""


class NetworkManager:
    """The networks of this machine; `root` has the files of the kernel."""

    def __init__(self, run: Run = subprocess.run, root: Path = Path("/")) -> None:
        self._run, self._root = run, root

    # ---- what the kernel knows ---------------------------------------------------------------------------

    @property
    def has_network(self) -> bool:
        """Return whether a cable or a Wi-Fi links this machine to others; also true in the board's own."""
        devices = (self._root / "sys/class/net").glob("*/device")
        return any(_text(device.parent / "operstate") == "up" for device in devices)

    @property
    def is_used(self) -> bool:
        """Return whether anybody has a connection open to the board's own address."""
        # /proc/net itself is hidden from services that see processes only (ProcSubset=pid).
        tables = (_text(self._root / "proc/self/net" / name) for name in ("tcp", "tcp6"))
        return any(_ESTABLISHED.search(table) for table in tables)

    # ---- what NetworkManager does ------------------------------------------------------------------------

    def networks(self) -> tuple[WifiNetwork, ...]:
        """Look for networks, and return those that can be joined, the strongest first."""
        self._do("radio", "wifi", "on")
        fields = ("--terse", "--fields", "SSID,SIGNAL,SECURITY", "device", "wifi", "list", "--rescan", "yes")
        found: dict[str, WifiNetwork] = {}
        for line in self._do(*fields).stdout.splitlines():
            network = _parsed(line)
            if network is not None and _rank(found.get(network.name, network)) <= _rank(network):
                found[network.name] = network
        strongest = sorted(found.values(), key=lambda network: (-network.strength, network.name))
        return tuple(strongest[:MAX_NETWORKS])

    def open_own(self) -> bool:
        """Open the board's own Wi-Fi; return whether it is open."""
        return self._do("connection", "up", "id", OWN).returncode == 0

    def close_own(self) -> None:
        """Close it, upon which NetworkManager looks for known networks."""
        self._do("connection", "down", "id", OWN)

    def join(self, network: WifiNetwork, password: str) -> Message | None:
        """Join a network and keep it; return the reason if that fails, after which nothing is kept."""
        self._do("connection", "delete", "id", _ON_TRIAL)
        agreement = "sae" if network.is_wpa3 else "wpa-psk"
        security = ("wifi-sec.key-mgmt", agreement) if network.has_password else ()
        new = ("type", "wifi", "con-name", _ON_TRIAL, "ssid", network.name, "autoconnect", "no")
        self._do("connection", "add", *new, *security)
        secrets = f"{_PSK}:{_escaped(password)}\n" if network.has_password else ""
        done = self._do("connection", "up", "id", _ON_TRIAL, "passwd-file", "/dev/stdin", text=secrets)
        if done.returncode != 0:
            self._do("connection", "delete", "id", _ON_TRIAL)
            return _reason(done.stderr)
        name = f"Millwright: {network.name}"
        self._do("connection", "delete", "id", name)
        kept = (
            "connection.id",
            name,
            "connection.autoconnect",
            "yes",
            "connection.autoconnect-priority",
            "10",
        )
        self._do("connection", "modify", "id", _ON_TRIAL, *kept)
        return None

    def _do(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Have NetworkManager do something, and return how that ended."""
        command = ["nmcli", "--wait", str(_TIMEOUT_S), *arguments]
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "C"}
        try:
            done = self._run(
                command,
                input=text,
                capture_output=True,
                text=True,
                errors="replace",
                env=environment,
                timeout=_TIMEOUT_S + _SPARE_S,
            )
        except (OSError, subprocess.SubprocessError) as error:
            # The text of an error may have the arguments in it.
            _LOG.warning("nmcli %s %s: %s", *arguments[:2], type(error).__name__)
            return subprocess.CompletedProcess(command, 1, "", "")
        if done.returncode not in (0, _NOT_THERE):
            _LOG.info("nmcli %s %s ended with %d", *arguments[:2], done.returncode)
        return done


def _rank(network: WifiNetwork) -> tuple[bool, int]:
    """Return what decides between two networks of one name."""
    return network.has_password, network.strength


def _parsed(line: str) -> WifiNetwork | None:
    """Return the network of a line `name:strength:security`; None if it can't be joined by a password."""
    rest, _, security = line.rpartition(":")
    escaped, _, strength = rest.rpartition(":")
    name = re.sub(r"\\(.)", r"\1", escaped)
    kinds = security.replace("--", "").split()
    is_known = not kinds or (any(kind in _KINDS for kind in kinds) and "802.1X" not in kinds)
    if not name or not strength.isdecimal() or not name.isprintable() or not is_known:
        return None
    return WifiNetwork(name, int(strength), bool(kinds), is_wpa3=kinds == ["WPA3"])


def _escaped(password: str) -> str:
    """Return a password as nmcli reads it from a file, where backslashes and spaces have a meaning."""
    return "".join(one if one.isalnum() else f"\\{ord(one):03o}" for one in password)


def _reason(error: str) -> Message:
    reasons = (reason for part, reason in _REASONS if part in error.lower())
    return next(reasons, Message("wifi.trouble.other"))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
