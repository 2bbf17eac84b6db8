"""An installation takes the files that a lock lists, or says why it can't."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.tags import parse_tag

from tests.support.systemd.files import FOLDER, load_lock
from tests.support.systemd.wheels import make_wheel

pytestmark = pytest.mark.ci("programs")

lock = load_lock()
NO_HASH = "0" * 64


def shell(does: str, *arguments: Path | str) -> subprocess.CompletedProcess[str]:
    """Run bash with the functions of locked.sh; pip knows no index."""
    return subprocess.run(  # noqa: S603
        ["bash", "-euc", f'. "$0/locked.sh"; {does}', str(FOLDER), *map(str, arguments)],  # noqa: S607
        capture_output=True,
        text=True,
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull},
    )


def install(folder: Path, requirements: str) -> subprocess.CompletedProcess[str]:
    (folder / "some.lock").write_text(requirements)
    there = folder / "installed"
    does = 'locked_pip "$1" install --find-links "$2" --target "$3" -r "$4"'
    return shell(does, sys.executable, folder, there, folder / "some.lock")


def test_file_with_the_locked_hash_is_installed(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "alpha", "1.0")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    done = install(tmp_path, f"alpha==1.0 \\\n    --hash=sha256:{NO_HASH} \\\n    --hash=sha256:{digest}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "installed" / "alpha-1.0.dist-info").is_dir()


def test_file_with_another_hash_is_named_and_refused(tmp_path: Path) -> None:
    make_wheel(tmp_path, "alpha", "1.0")
    done = install(tmp_path, f"alpha==1.0 \\\n    --hash=sha256:{NO_HASH}\n")
    assert done.returncode == 1
    assert "\nalpha==1.0 was not installed: the file's hash is not in systemd/*.lock" in done.stderr
    assert "make wheels" in done.stderr
    assert not (tmp_path / "installed").exists()


def test_file_that_is_missing_is_named(tmp_path: Path) -> None:
    make_wheel(tmp_path, "alpha", "1.1")
    done = install(tmp_path, f"alpha==1.0 \\\n    --hash=sha256:{NO_HASH}\n")
    assert done.returncode == 1
    assert "\nThere is no file of alpha==1.0, which systemd/*.lock lists" in done.stderr
    assert "gather it again" in done.stderr


def test_requirement_without_a_hash_is_refused(tmp_path: Path) -> None:
    make_wheel(tmp_path, "alpha", "1.0")
    assert install(tmp_path, "alpha==1.0\n").returncode == 1
    assert not (tmp_path / "installed").exists()


@pytest.mark.parametrize(
    ("kernel", "is_32_bit", "prefix"),
    [
        ("aarch64", "true", "linux32 "),
        ("aarch64", "false", ""),
        ("armv7l", "true", ""),
        ("x86_64", "false", ""),
    ],
)
def test_markers_see_a_32_bit_system_on_its_kernel(
    tmp_path: Path, kernel: str, is_32_bit: str, prefix: str
) -> None:
    stand_ins = (
        f"uname() {{ echo {kernel}; }}; linux32() {{ printf 'linux32 '; \"$@\"; }}; "
        f'py() {{ if [ "$1" = -c ]; then ! {is_32_bit}; else echo "$*"; fi; }}; '
    )
    done = shell(f"{stand_ins} locked_pip py install -r some.lock")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{prefix}-m pip install --quiet ")


@pytest.mark.parametrize(
    ("name", "debian"), [("arm64", "arm64"), ("aarch64", "arm64"), ("armv6l", "armhf"), ("amd64", "amd64")]
)
def test_platform_is_found_by_any_of_its_names(name: str, debian: str) -> None:
    assert shell('platform "$1"', name).stdout.split()[0] == debian


def test_platform_that_is_not_listed_is_refused() -> None:
    done = shell('platform "$1"', "arm")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "systemd/platforms has no arm.\n")


@pytest.mark.parametrize("target", lock.TARGETS, ids=lambda target: f"{target.version}-{target.machine}")
def test_wheel_of_a_platform_runs_on_its_targets(target) -> None:
    platforms = shell('platform "$1"', target.machine).stdout.split()[-1]
    assert parse_tag(f"py3-none-{platforms}") & target.tags
