"""A stand-in for `nmcli`: networks in the air, connections that were saved, and the one that is up."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from typing import Any

from firmware_host.maintenance.wifi.network_manager import OWN

PSK = "802-11-wireless-security.psk:"


class FakeNmcli:
    """Called in place of `subprocess.run`; `air` has the passwords of networks by their names."""

    def __init__(self, air: dict[str, str], listed: str = "") -> None:
        self.air = air
        self.saved: dict[str, dict[str, str]] = {OWN: {"ssid": "Millwright 4821"}}
        self.up: str | None = None
        self.commands: list[tuple[str, ...]] = []
        self.is_broken = False
        self._listed = listed

    def __call__(
        self,
        command: Sequence[str],
        *,
        input: str = "",  # noqa: A002 - as subprocess has it
        **_: Any,
    ) -> subprocess.CompletedProcess[str]:
        """Do what `command` says, and return how it ended."""
        assert command[:2] == ["nmcli", "--wait"]
        arguments = tuple(command[3:])
        self.commands.append(arguments)
        if self.is_broken:
            raise FileNotFoundError("nmcli")
        code, out, error = self._done(arguments, input)
        return subprocess.CompletedProcess(list(command), code, out, error)

    @property
    def changes(self) -> list[tuple[str, ...]]:
        """The connections that were brought up or down, in order."""
        return [(verb, rest[1]) for _, verb, *rest in self.commands if verb in ("up", "down")]

    def _done(self, arguments: tuple[str, ...], given: str) -> tuple[int, str, str]:
        match arguments:
            case (*_, "wifi", "list", "--rescan", "yes"):
                return 0, self._listed or "".join(f"{name}:70:WPA2\n" for name in self.air), ""
            case ("connection", "add", "type", "wifi", "con-name", name, "ssid", ssid, *_):
                self.saved[name] = {"ssid": ssid}
            case ("connection", "delete", "id", name):
                return (0, "", "") if self.saved.pop(name, None) else (10, "", "unknown connection")
            case ("connection", "modify", "id", name, "connection.id", new, *_):
                self.saved[new] = self.saved.pop(name)
                self.up = new
            case ("connection", "down", "id", name):
                self.up = None if self.up == name else self.up
            case ("connection", "up", "id", name, *_):
                return self._raised(name, given)
        return 0, "", ""

    def _raised(self, name: str, given: str) -> tuple[int, str, str]:
        ssid = self.saved[name]["ssid"]
        if name != OWN and ssid not in self.air:
            return 4, "", "Error: Connection activation failed: The Wi-Fi network could not be found"
        secret = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), given.removeprefix(PSK).strip())
        if name != OWN and secret != self.air[ssid]:
            return 4, "", "Error: Connection activation failed: Secrets were required, but not provided"
        self.saved[name]["password"] = secret
        self.up = name
        return 0, "", ""
