"""Services of companions: how each is installed, what it may do, and how it is removed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.commands.care import SERVICE as CARE
from firmware_host.commands.care import care
from firmware_host.commands.link import SERVICE as LINK
from firmware_host.commands.link import link
from firmware_host.commands.sound import SERVICE as SOUND
from firmware_host.commands.sound import sound
from firmware_host.errors import PageError
from firmware_host.maintenance import services
from firmware_host.maintenance.services import CompanionService, systemctl
from tests.support.systemd.systemctl import FakeSystemctl

ALL = [CARE, SOUND, LINK]
COMMANDS = {"care": care, "sound": sound, "link": link}
each = pytest.mark.parametrize("service", ALL, ids=lambda service: service.command)


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystemctl:
    monkeypatch.setattr(services, "UNITS", tmp_path / "etc")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return FakeSystemctl(tmp_path, monkeypatch)


@each
def test_service_is_installed_and_removed(
    service: CompanionService, manager: FakeSystemctl, tmp_path: Path
) -> None:
    elsewhere = {tmp_path / "rules" / path.name: text for path, text in service.files.items()}
    service = replace(service, files=elsewhere)
    service.install()
    for path in (service.unit, *service.files):
        assert path.stat().st_mode & 0o777 == 0o644
    assert manager.requests == ["daemon-reload", f"enable --now {service.name}"]
    service.remove()
    assert not any(path.exists() for path in (service.unit, *service.files))
    assert manager.requests[2:] == [f"disable --now {service.name}", "daemon-reload"]


@each
def test_service_sees_no_other_users_and_processes(service: CompanionService) -> None:
    lines = service.text("/usr/bin/millwright").splitlines()
    assert {"PrivateUsers=yes", "ProtectProc=invisible", "ProcSubset=pid", "UMask=0077"} <= set(lines)


def test_service_that_is_not_installed_is_removed(manager: FakeSystemctl) -> None:
    SOUND.remove()
    assert manager.requests == ["daemon-reload"]


@each
def test_nothing_is_installed_where_no_board_is_a_service(
    service: CompanionService, manager: FakeSystemctl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.fail("no files found")
    service = replace(service, files={tmp_path / "rules" / "one": ""})
    for folder, words in (
        (tmp_path / "none", "systemd doesn't run here"),
        (tmp_path, "Millwright's package"),
    ):
        monkeypatch.setattr(services, "SYSTEMD", folder)
        with pytest.raises(PageError, match=words):
            service.install()
    assert not any(path.exists() for path in (service.unit, *service.files))


@each
def test_service_runs_its_command_as_its_own_user(service: CompanionService) -> None:
    lines = service.text("/usr/bin/millwright").splitlines()
    assert f"ExecStart=/usr/bin/millwright {service.command}" in lines
    assert f"User=millwright-{service.command}" in lines
    for line in ("DynamicUser=yes", "DevicePolicy=closed", "NoNewPrivileges=yes", "CapabilityBoundingSet="):
        assert line in lines


@each
def test_only_the_speaker_opens_devices_of_a_kind(service: CompanionService) -> None:
    allowed = [line for line in service.lines if line.startswith("DeviceAllow=")]
    assert allowed == (["DeviceAllow=char-alsa rw"] if service is SOUND else [])
    assert ("PrivateDevices=yes" in service.lines) is (service is not SOUND)


@each
def test_only_the_link_may_use_the_network(service: CompanionService) -> None:
    assert ("IPAddressDeny=any" in service.lines) is (service is not LINK)


@pytest.mark.parametrize("option", ["--on", "--off"])
@pytest.mark.parametrize("command", COMMANDS)
def test_service_is_changed_by_root_only(command: str, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if command == "link":
        pytest.importorskip("paho")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    error = CliRunner().invoke(COMMANDS[command], [option]).exception
    assert isinstance(error, PageError)
    assert f"sudo millwright {command} {option}" in str(error)


def test_systemctl_that_fails_is_quoted(manager: FakeSystemctl) -> None:
    manager.fail("unit not found")
    with pytest.raises(PageError, match="systemctl start failed: unit not found"):
        systemctl("start", "x.service")
    manager.fail("")
    with pytest.raises(PageError, match="it ended with 1 and no message"):
        systemctl("start", "x.service")
