"""`millwright card-files` on folders that look like a memory card's first partition."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from tests.support.paths import PROJECT

PACKAGE = "millwright_0.2.0_arm64.deb"
SCRIPT = PROJECT / "hardware/boot/first_start.sh"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name in ("config.txt", "meta-data", "user-data", "network-config"):
        (folder / name).write_text(f"{name} of Imager\n")
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / PACKAGE
    path.write_bytes(b"!<arch>\n")
    return path


def run(*arguments: Path) -> Result:
    return CliRunner().invoke(main, ["card-files", *map(str, arguments)])


def test_the_script_and_the_package_are_laid_on_the_card(card, package):
    done = run(card, package)
    assert done.exit_code == 0, done.output
    assert (card / "vendor-data").read_bytes() == SCRIPT.read_bytes()
    assert (card / PACKAGE).read_bytes() == package.read_bytes()
    assert (card / "user-data").read_text() == "user-data of Imager\n"
    assert "switch it on" in done.output


def test_card_files_twice_leave_the_newest_script(card, package):
    run(card, package)
    (card / "vendor-data").write_text("#!/bin/sh\n# Installs Millwright as it was\n")
    assert run(card, package).exit_code == 0
    assert (card / "vendor-data").read_bytes() == SCRIPT.read_bytes()


def test_without_a_package_it_says_which_to_copy(card):
    done = run(card)
    assert done.exit_code == 0
    assert "arm64" in done.output


def test_what_somebody_else_wrote_is_never_replaced(card):
    (card / "vendor-data").write_text("#cloud-config\n")
    done = run(card)
    assert done.exit_code == 2
    assert "there already" in done.output
    assert (card / "vendor-data").read_text() == "#cloud-config\n"


def test_the_card_of_an_older_system_is_refused(card):
    (card / "meta-data").unlink()
    done = run(card)
    assert done.exit_code == 2
    assert "Trixie" in done.output
    assert not (card / "vendor-data").exists()


@pytest.mark.parametrize(
    "name", ["millwright.whl", "millwright_0.2.0_arm64 (1).deb", "millwright_0.2.0_amd64.deb"]
)
def test_a_file_that_the_pi_would_not_find_is_refused(card, tmp_path, name):
    other = tmp_path / name
    other.write_bytes(b"!<arch>\n")
    assert run(card, other).exit_code == 2
    assert not (card / "vendor-data").exists()


def test_a_package_that_was_cut_off_is_refused(card, package):
    package.write_bytes(b"!<")
    assert run(card, package).exit_code == 2
    assert not (card / "vendor-data").exists()
