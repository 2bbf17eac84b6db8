"""NetworkManager's command: what is asked of it, how its lists are read, and that no password is seen."""

from __future__ import annotations

import logging
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.network_manager import MAX_NETWORKS, OWN, NetworkManager, WifiNetwork
from tests.support.wifi.nmcli import FakeNmcli

HOME = WifiNetwork("Home", 70, has_password=True)
SECRET = "correct horse"  # noqa: S105 - of a network in a test

LISTED = r"""Home:40:WPA2
Home:80:WPA1 WPA2
:90:WPA2
Caf\:é \\ bar:30:
Office:60:WPA2 802.1X
Old:60:WEP
New:20:WPA3
Odd:x:WPA2
"""


def test_networks_are_listed_once_the_strongest_first() -> None:
    fake = FakeNmcli({}, LISTED)
    assert NetworkManager(fake).networks() == (
        WifiNetwork("Home", 80, has_password=True),
        WifiNetwork("Caf:é \\ bar", 30, has_password=False),
        WifiNetwork("New", 20, has_password=True, is_wpa3=True),
    )


@pytest.mark.parametrize(
    ("security", "agreement"), [("WPA2", "wpa-psk"), ("WPA2 WPA3", "wpa-psk"), ("WPA3", "sae"), ("", None)]
)
def test_a_network_is_joined_by_the_security_it_has(security: str, agreement: str | None) -> None:
    fake = FakeNmcli({"Home": ""}, f"Home:70:{security}\n")
    manager = NetworkManager(fake)
    (network,) = manager.networks()
    manager.join(network, SECRET)
    (added,) = (command for command in fake.commands if command[:2] == ("connection", "add"))
    settings = dict(zip(added[2::2], added[3::2], strict=True))
    assert settings.get("wifi-sec.key-mgmt") == agreement


def test_the_radio_is_on_before_networks_are_looked_for() -> None:
    fake = FakeNmcli({})
    NetworkManager(fake).networks()
    assert fake.commands[0] == ("radio", "wifi", "on")


def test_not_more_networks_are_listed_than_a_phone_shows() -> None:
    listed = "".join(f"Net {number}:50:WPA2\n" for number in range(500))
    assert len(NetworkManager(FakeNmcli({}, listed)).networks()) == MAX_NETWORKS


def test_an_open_twin_does_not_stand_in_for_a_locked_network() -> None:
    for listed in ("Home:70:WPA2\nHome:99:\n", "Home:99:\nHome:70:WPA2\n"):
        assert NetworkManager(FakeNmcli({}, listed)).networks() == (HOME,)


def test_a_network_that_was_joined_is_kept() -> None:
    fake = FakeNmcli({"Home": SECRET})
    assert NetworkManager(fake).join(HOME, SECRET) is None
    assert fake.saved["Millwright: Home"] == {"ssid": "Home", "password": SECRET}
    assert set(fake.saved) == {OWN, "Millwright: Home"}


@pytest.mark.parametrize(
    ("air", "trouble"), [({"Home": "another"}, "wifi.trouble.password"), ({}, "wifi.trouble.gone")]
)
def test_a_network_that_fails_leaves_nothing_and_says_why(air: dict[str, str], trouble: str) -> None:
    fake = FakeNmcli(air)
    fake.saved["Millwright: Home"] = {"ssid": "Home", "password": "old"}
    kept = dict(fake.saved)
    assert NetworkManager(fake).join(HOME, SECRET) == Message(trouble)
    assert fake.saved == kept


def test_a_machine_without_network_manager_has_no_networks() -> None:
    fake = FakeNmcli({"Home": SECRET})
    fake.is_broken = True
    manager = NetworkManager(fake)
    assert (manager.networks(), manager.open_own()) == ((), False)
    assert manager.join(HOME, SECRET) == Message("wifi.trouble.other")


def test_a_password_is_in_no_argument_and_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    fake = FakeNmcli({"Home": SECRET})

    def run(command: Any, **options: Any) -> subprocess.CompletedProcess[str]:
        if "up" in command:
            raise subprocess.TimeoutExpired(command, 60, SECRET.encode())
        return fake(command, **options)

    for runs in (fake, run):
        NetworkManager(runs).join(HOME, SECRET)
    assert SECRET not in str(fake.commands) + caplog.text
    assert "Home" not in caplog.text


@pytest.mark.parametrize("password", ["correct: horse\\5", " 12345678 ", "#=\\\"'$`!{}", "x" * 63])
def test_a_password_may_have_any_sign(password: str) -> None:
    """nmcli strips spaces and reads backslashes in a file of passwords."""
    fake = FakeNmcli({"Home": password})
    assert NetworkManager(fake).join(HOME, password) is None


def test_a_password_comes_through_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "nmcli"
    script.write_text(f'#!/bin/sh\ncase "$*" in *passwd-file*) cat /dev/stdin >{tmp_path}/given ;; esac\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    NetworkManager().join(HOME, SECRET)
    assert (tmp_path / "given").read_text() == r"802-11-wireless-security.psk:correct\040horse" + "\n"


def machine(root: Path, states: dict[str, str], tcp6: str = "") -> NetworkManager:
    for name, state in states.items():
        folder = root / "sys/class/net" / name
        folder.mkdir(parents=True)
        (folder / "operstate").write_text(f"{state}\n")
        if name not in ("lo", "docker0"):
            (folder / "device").mkdir()
    (root / "proc/self/net").mkdir(parents=True)
    (root / "proc/self/net/tcp6").write_text(tcp6)
    return NetworkManager(root=root)


def test_a_cable_or_a_wifi_is_a_network_and_a_bridge_is_not(tmp_path: Path) -> None:
    assert machine(tmp_path / "1", {"eth0": "up", "wlan0": "down"}).has_network
    assert machine(tmp_path / "2", {"wlan0": "up"}).has_network
    assert not machine(
        tmp_path / "3", {"lo": "up", "docker0": "up", "eth0": "down", "wlan0": "dormant"}
    ).has_network


@pytest.mark.parametrize(("state", "is_used"), [("01", True), ("06", False), ("0A", False)])
def test_somebody_is_in_the_own_wifi_while_a_connection_is_open(
    tmp_path: Path, state: str, *, is_used: bool
) -> None:
    table = (
        "  sl  local_address                         remote_address                        st tx_queue\n"
        f"   0: 0000000000000000FFFF000001002A0A:223D 0000000000000000FFFF00004D002A0A:D4 {state} 00000000\n"
    )
    assert machine(tmp_path, {}, table).is_used is is_used
