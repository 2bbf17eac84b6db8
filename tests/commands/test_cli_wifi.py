"""`millwright wifi`: what it installs, and the name and the password that it makes for a card."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.commands import wifi
from firmware_host.errors import PageError
from firmware_host.maintenance import services
from firmware_host.web.addresses import mdns_name
from tests.support.systemd.files import needs
from tests.support.systemd.systemctl import FakeSystemctl

MAX_EXPOSED = 1.2


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which NetworkManager runs; the result is the folder of everything that is written."""
    monkeypatch.setattr(services, "UNITS", tmp_path / "units")
    monkeypatch.setattr(wifi, "CONNECTION", tmp_path / "connections" / "own")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    FakeSystemctl(tmp_path, monkeypatch)
    for program in ("nmcli", "dnsmasq"):
        (tmp_path / "bin" / program).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / program).chmod(0o755)
    files = {tmp_path / "files" / path.name: text for path, text in wifi.SERVICE.files.items()}
    monkeypatch.setattr(wifi, "SERVICE", replace(wifi.SERVICE, files=files))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def own() -> dict[str, str]:
    return dict(line.split("=", 1) for line in wifi.CONNECTION.read_text().splitlines() if "=" in line)


def test_own_wifi_has_a_password_that_only_root_can_read(installed: Path) -> None:
    done = run("wifi", "--on")
    assert done.exit_code == 0, done.output
    assert wifi.CONNECTION.stat().st_mode & 0o777 == 0o600
    found = own()
    assert (found["mode"], found["key-mgmt"], found["proto"]) == ("ap", "wpa-psk", "rsn")
    assert re.fullmatch(r"([a-km-z2-9]{4}-){2}[a-km-z2-9]{4}", found["psk"])
    assert found["psk"] not in done.output
    assert found["autoconnect"] == "false"
    assert found["pmf"] == "1"  # the radios of some Pis can't have such a network otherwise
    # Otherwise NetworkManager draws one, among them those that few countries allow, on which nothing opens.
    assert found["channel"] in ("1", "6", "11")
    assert not any(found["psk"] in path.read_text() for path in (installed / "files").iterdir())


def test_password_of_the_card_stays_when_it_is_installed_again(installed: Path) -> None:
    run("wifi", "--on")
    before = own()
    assert run("wifi", "--on").exit_code == 0
    assert own() == before


def test_every_board_has_a_password_of_its_own(installed: Path) -> None:
    run("wifi", "--on")
    before = own()["psk"]
    run("wifi", "--off")
    assert not wifi.CONNECTION.exists()
    run("wifi", "--on")
    assert own()["psk"] != before


def test_what_is_missing_is_named(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda program, **_: None if program == "dnsmasq" else program)
    error = run("wifi", "--on")
    assert "apt install dnsmasq-base" in error.output
    assert not wifi.CONNECTION.exists()


def test_card_has_name_and_password(installed: Path) -> None:
    run("wifi", "--on")
    drawn = run("card", "--wifi", "--language", "de").output
    assert f">{own()['ssid']}<" in drawn
    assert f">{own()['psk']}<" in drawn
    assert "http://10.42.0.1/" in drawn.replace("\n", "")
    assert f"{mdns_name()}:8765/" in drawn.replace("\n", "")


def test_card_without_own_wifi_says_how_to_get_one(installed: Path) -> None:
    assert "sudo millwright wifi --on" in run("card", "--wifi").output


def test_companion_runs_only_as_a_service() -> None:
    with pytest.raises(PageError, match="wifi --on"):
        wifi._run(None)


def test_its_user_may_change_networks_and_nothing_else() -> None:
    rule = wifi.SERVICE.files[wifi.RULE]
    actions = re.findall(r'action\.id === "([\w.-]+)"', rule)
    assert all(action.startswith("org.freedesktop.NetworkManager.") for action in actions)
    assert {action.removeprefix("org.freedesktop.NetworkManager.") for action in actions} == {
        *("network-control", "settings.modify.system", "enable-disable-wifi", "wifi.scan"),
        "wifi.share.protected",
    }


def test_a_call_that_its_unit_refuses_does_not_end_nmcli() -> None:
    """GLib tries to set how its threads are scheduled; without this line, that is the end of nmcli."""
    assert "SystemCallErrorNumber=EPERM" in wifi.SERVICE.text("/usr/bin/true").splitlines()


@needs("systemd-analyze")
def test_its_unit_may_do_little(tmp_path: Path) -> None:
    unit = tmp_path / wifi.SERVICE.name
    unit.write_text(wifi.SERVICE.text("/usr/bin/true"))
    done = subprocess.run(  # noqa: S603
        ["systemd-analyze", "security", "--offline=true", "--threshold=10", "--no-pager", unit],  # noqa: S607
        capture_output=True,
        text=True,
    )
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert level is not None, done.stdout + done.stderr
    assert float(level[1]) <= MAX_EXPOSED
