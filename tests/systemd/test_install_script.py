"""What the scripts that install would do, without doing it; `make test-releases` does it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from test_unit import FOLDER, needs

from firmware_host import __version__

PROJECT = FOLDER.parent
SCRIPTS = (
    [FOLDER / "install.sh"],
    [FOLDER / "gather.sh"],
    [FOLDER / "deb" / "build.sh"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "postinst"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "prerm"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "postrm"],
    [PROJECT / "tests" / "systemd" / "releases.sh"],
    *([file] for file in sorted((PROJECT / "tests" / "virtual_pi").rglob("*.sh"))),
)


def script(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run install.sh with these variables; nothing is done but in a DESTDIR."""
    return subprocess.run(  # noqa: S603
        [FOLDER / "install.sh", *arguments], capture_output=True, text=True, env={**os.environ, **environ}
    )


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("how", ["--dry-run", "DRY_RUN"])
def test_a_dry_run_says_what_would_be_done_and_does_nothing(command: str, how: str, tmp_path: Path) -> None:
    there = tmp_path / "etc" / "millwright"
    there.mkdir(parents=True)
    (there / "millwright.toml").write_text("# mine\n")
    given = {"DESTDIR": str(tmp_path), "PURGE": "1"}
    done = script(command, how, **given) if how.startswith("-") else script(command, **given, DRY_RUN="1")
    assert done.returncode == 0, done.stderr
    assert f"would: {'mkdir' if command == 'install' else 'rm'}" in done.stdout
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [there / "millwright.toml"]


def test_each_version_has_a_folder_and_what_was_configured_stays(tmp_path: Path) -> None:
    (tmp_path / "opt" / "millwright" / __version__).mkdir(parents=True)
    (tmp_path / "etc" / "millwright").mkdir(parents=True)
    (tmp_path / "etc" / "millwright" / "millwright.toml").write_text("# mine\n")
    done = script("install", "--dry-run", DESTDIR=str(tmp_path))
    assert f"-m venv {tmp_path}/opt/millwright/{__version__}-2\n" in done.stdout.replace(
        "--system-site-packages ", ""
    )
    assert f"Keeping {tmp_path}/etc/millwright/millwright.toml\n" in done.stdout


def test_wheels_are_taken_from_a_folder_and_from_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "millwright-7.8.9-py3-none-any.whl").touch()
    done = script("install", "--dry-run", DESTDIR=str(tmp_path / "root"), WHEELS=str(tmp_path))
    assert f"--no-index --find-links {tmp_path} {tmp_path}/millwright-7.8.9-py3-none-any.whl[service]" in (
        done.stdout
    )
    assert "/opt/millwright/7.8.9" in done.stdout


def test_an_empty_folder_of_wheels_is_told_before_anything_is_done(tmp_path: Path) -> None:
    done = script("install", DESTDIR=str(tmp_path / "root"), WHEELS=str(tmp_path))
    assert done.returncode == 1
    assert "make wheels" in done.stderr
    assert not (tmp_path / "root").exists()


def test_what_is_no_command_is_told() -> None:
    done = script("upgrade")
    assert done.returncode == 1
    assert "usage:" in done.stderr


@needs("shellcheck")
@pytest.mark.parametrize("files", SCRIPTS, ids=lambda files: files[-1].name)
def test_the_shell_scripts_have_no_known_mistakes(files: list[Path]) -> None:
    whole = len(files) == 1
    text = files[0].read_text() if whole else "#!/bin/sh\nset -e\n" + "".join(f.read_text() for f in files)
    done = subprocess.run(  # noqa: S603
        ["shellcheck", "--severity=warning", "--external-sources", f"--source-path={FOLDER}", "-"],  # noqa: S607
        input=text,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
