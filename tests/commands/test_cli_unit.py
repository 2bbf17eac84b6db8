"""`millwright config unit`: what it prints and writes, and what `config check` says of an old drop-in."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from hardware.boot import unit

SERIAL = '[sensors]\nkind = "serial"\nport = "/dev/ttyUSB0"\n'


@pytest.fixture
def drop_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "etc" / "millwright.service.d" / "zz-devices.conf"
    monkeypatch.setattr(unit, "DROP_IN", path)
    monkeypatch.setattr(unit.missing_devices, "__defaults__", (path,))
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "systemctl").write_text("#!/bin/sh\n")
    (tools / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    return path


def run(path: Path, text: str, *arguments: str) -> str:
    file = path.parents[2] / "millwright.toml"
    file.write_text(text)
    result = CliRunner().invoke(main, ["config", *arguments, "--config", str(file)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_devices_of_the_wiring_are_printed_and_written(drop_in: Path) -> None:
    said = run(drop_in, SERIAL, "unit")
    assert said.splitlines()[-2:] == ["DeviceAllow=", "DeviceAllow=char-ttyUSB rw"]
    assert not drop_in.exists()
    assert "written" in run(drop_in, SERIAL, "unit", "--write")
    assert drop_in.read_text() == said
    assert drop_in.stat().st_mode & 0o777 == 0o644
    assert list(drop_in.parent.iterdir()) == [drop_in]


def test_without_a_wiring_all_devices_stay_allowed(drop_in: Path) -> None:
    run(drop_in, SERIAL, "unit", "--write")
    assert "may use all its devices" in run(drop_in, "", "unit", "--write")
    assert not drop_in.exists()


def test_a_check_names_devices_that_are_missing(drop_in: Path) -> None:
    run(drop_in, SERIAL, "unit", "--write")
    assert run(drop_in, SERIAL, "check").endswith("nothing is wrong\n")
    said = run(drop_in, '[sensors]\nkind = "mux"\n', "check")
    assert "may not use char-gpiochip, char-spi" in said
    assert "sudo millwright config unit --write" in said


def test_only_root_can_write_it(drop_in: Path, unprivileged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unprivileged.chmod(0o500)
    monkeypatch.setattr(unit, "DROP_IN", unprivileged / "d" / "zz-devices.conf")
    file = unprivileged / "millwright.toml"
    unprivileged.chmod(0o700)
    file.write_text(SERIAL)
    unprivileged.chmod(0o500)
    result = CliRunner().invoke(main, ["config", "unit", "--write", "--config", str(file)])
    assert result.exit_code == 2
    assert "only root can do that" in result.output


def test_unit_on_a_read_only_disk_is_not_a_matter_of_rights(
    drop_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    file = tmp_path / "millwright.toml"
    file.write_text(SERIAL)
    monkeypatch.setattr(Path, "mkdir", refuse)
    result = CliRunner().invoke(main, ["config", "unit", "--write", "--config", str(file)])
    assert result.exit_code == 2
    assert f"{drop_in}: cannot be written: Read-only file system\n" in result.output
