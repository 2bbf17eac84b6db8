"""`make install` again, with an older version, and after it was cut off at each of its steps.

Only Python, pip, systemd and udev are stand-ins; everything else of install.sh is done in a folder.
"""

from __future__ import annotations

import os
import subprocess
from itertools import count
from pathlib import Path

import pytest

from tests.support.systemd.files import FOLDER

pytestmark = pytest.mark.ci("programs")

PYTHON = """#!/bin/sh
# A Python that makes virtual environments, and whose pip installs the version that is asked for.
case "$1 $2" in
    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip")
        folder=$(dirname "$(dirname "$0")")
        for version in "$@"; do :; done
        mkdir -p "$folder/share/millwright/systemd"
        cp "$FILES"/*.* "$folder/share/millwright/systemd"
        echo "# of ${version##*=}" >"$folder/share/millwright/systemd/millwright.service"
        printf '#!/bin/sh\\necho "%s $*" >>"$DESTDIR/did"\\n' "${version##*=}" >"$folder/bin/millwright"
        chmod +x "$folder/bin/millwright"
        ;;
esac
"""
STAND_INS = """
on_this_machine() { true; }
runs_systemd() { true; }
id() { echo 0; }
locked_pip() { true; }
sleep() { true; }
udevadm() { true; }
systemd-sysusers() { true; }
systemctl() {
    case $* in
        show*ActiveState*) echo "$ACTIVE" ;;
        show*SubState*) echo running ;;
        *) echo "$*" >>"$DESTDIR/did" ;;
    esac
}
steps=0
run() {
    steps=$((steps + 1))
    if [ "$steps" = "$CUT_AT" ]; then kill -KILL $$; fi
    "$@"
}
install_board
"""


class InstallTarget:
    """A folder into which versions are installed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.opt = self.root / "opt" / "millwright"
        self.root.mkdir()
        self._folder = folder
        self._python = folder / "python"
        self._python.write_text(PYTHON)
        self._python.chmod(0o755)

    def install(self, version: str, *, cut_at: int = 0, active: str = "active") -> int:
        """Install a version, and cut the power before a step; return the status, -9 if it was cut."""
        wheels = self._folder / f"wheels-{version}"
        wheels.mkdir(exist_ok=True)
        (wheels / f"millwright_board-{version}-py3-none-any.whl").touch()
        functions, _, _ = (FOLDER / "install.sh").read_text().partition('\nif [ "${2:-}" = --dry-run ]')
        done = subprocess.run(  # noqa: S603
            ["bash", "-c", functions + STAND_INS, str(FOLDER / "install.sh")],  # noqa: S607
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "DESTDIR": str(self.root),
                "WHEELS": str(wheels),
                "PYTHON": str(self._python),
                "FILES": str(FOLDER),
                "CUT_AT": str(cut_at),
                "ACTIVE": active,
                "TMPDIR": str(self._folder),
            },
        )
        return done.returncode

    @property
    def current(self) -> str:
        """The version that counts, after checking that it is whole and its unit installed."""
        folder = (self.opt / "current").resolve(strict=True)
        unit = (folder / "share/millwright/systemd/millwright.service").read_text()
        assert (folder / "bin/millwright").exists()
        return unit.strip().removeprefix("# of ")

    @property
    def unit(self) -> str:
        """The version whose unit is installed."""
        unit = self.root / "usr/local/lib/systemd/system/millwright.service"
        return unit.read_text().strip().removeprefix("# of ")

    @property
    def folders(self) -> list[str]:
        """The folders of versions."""
        return sorted(path.name for path in self.opt.iterdir() if not path.is_symlink())

    def did(self) -> str:
        """Return what the program and systemctl were asked for."""
        return (self.root / "did").read_text()


@pytest.fixture
def machine(tmp_path: Path) -> InstallTarget:
    return InstallTarget(tmp_path)


def test_a_second_install_replaces_and_keeps_the_first(machine: InstallTarget) -> None:
    assert machine.install("1.0") == 0
    config = machine.root / "etc/millwright/millwright.toml"
    config.write_text("# mine\n")
    assert machine.install("1.0") == 0
    assert (machine.current, machine.unit, machine.folders) == ("1.0", "1.0", ["1.0", "1.0-2"])
    assert machine.install("2.0") == 0
    assert (machine.current, machine.unit, machine.folders) == ("2.0", "2.0", ["1.0-2", "2.0"])
    assert config.read_text() == "# mine\n"
    assert machine.did().count("2.0 config unit --write") == 1


def test_an_older_version_can_be_installed_again(machine: InstallTarget) -> None:
    for version in ("2.0", "1.0", "2.0"):
        assert machine.install(version) == 0
        assert (machine.current, machine.unit) == (version, version)


def test_a_version_that_does_not_start_leaves_the_one_before(machine: InstallTarget) -> None:
    assert machine.install("1.0") == 0
    assert machine.install("2.0", active="failed") == 1
    assert (machine.current, machine.unit, machine.folders) == ("1.0", "1.0", ["1.0"])


@pytest.mark.parametrize("before", ["", "1.0"])
def test_an_install_cut_off_at_any_step_can_be_done_again(tmp_path: Path, before: str) -> None:
    """The power fails before each step in turn, so that nothing is cleaned up; then it is done again."""
    cuts = 0
    for step in count(1):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        machine = InstallTarget(folder)
        if before:
            assert machine.install(before) == 0
        status = machine.install("2.0", cut_at=step)
        if before:
            assert machine.current in (before, "2.0")
        elif (machine.opt / "current").exists():
            assert machine.current == "2.0"
        if status == 0:
            break
        assert status == -9
        cuts += 1
        assert machine.install("2.0") == 0
        assert (machine.current, machine.unit) == ("2.0", "2.0")
        assert len(machine.folders) <= 2
        assert not (machine.opt / "next").exists()
    assert cuts > 15
