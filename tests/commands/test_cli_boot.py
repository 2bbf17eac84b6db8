"""`millwright boot` on folders that look like a Pi's."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from firmware_host.commands import boot as command
from firmware_host.commands.boot import boot

PI_3 = "Raspberry Pi 3 Model B Plus Rev 1.3"
TEXT = "# mine \udcff\ndtparam=audio=on\n"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(f"{PI_3}\0")
    (tmp_path / "boot/firmware").mkdir(parents=True)
    file(tmp_path).write_bytes(TEXT.encode("utf-8", "surrogateescape"))
    return tmp_path


def file(root: Path) -> Path:
    return root / "boot/firmware/config.txt"


def run(root: Path, *arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(boot, ["--root", str(root), *arguments], input=answer, catch_exceptions=False)


def missing(result: Result) -> list[str]:
    return [line.split()[1] for line in result.output.splitlines() if line.startswith("  missing")]


@pytest.mark.parametrize("arguments", [["--dry-run"], ["--dry-run", "--write"], []])
def test_without_consent_nothing_is_written(pi, arguments):
    done = run(pi, *arguments)
    assert done.exit_code == 1
    assert missing(done) == ["dtparam=spi=on", "core_freq=250"]
    assert "sudo millwright boot" in done.output
    assert [path.name for path in (pi / "boot/firmware").iterdir()] == ["config.txt"]


def test_what_an_included_file_has_is_not_missing(pi):
    file(pi).write_text("include usercfg.txt\n")
    file(pi).with_name("usercfg.txt").write_text("dtparam=spi=on\n")
    assert missing(run(pi, "--dry-run")) == ["core_freq=250"]
    assert run(pi, "--write").exit_code == 0
    assert file(pi).with_name("usercfg.txt").read_text() == "dtparam=spi=on\n"
    assert missing(run(pi, "--dry-run")) == []


def test_what_is_missing_is_written_once_and_a_copy_is_kept(pi):
    done = run(pi, "--write")
    assert done.exit_code == 0
    assert "sudo reboot" in done.output
    (copy,) = (pi / "boot/firmware").glob("config.txt.before-millwright-*")
    assert copy.read_bytes() == TEXT.encode("utf-8", "surrogateescape")
    written = file(pi).read_bytes()
    assert written.startswith(copy.read_bytes())
    assert b"\ndtparam=spi=on\ncore_freq=250\n" in written
    again = run(pi, "--write")
    assert (again.exit_code, missing(again)) == (0, [])
    assert "Nothing is missing." in again.output
    assert file(pi).read_bytes() == written


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_on_a_terminal_it_asks(pi, monkeypatch, answer, is_written):
    monkeypatch.setattr(command, "_agreed", lambda path: click.confirm(f"Write {path}?"))
    done = run(pi, answer=answer)
    assert done.exit_code == (0 if is_written else 1)
    assert (b"core_freq=250" in file(pi).read_bytes()) is is_written


def test_the_wiring_decides(pi, tmp_path):
    config = tmp_path / "board.toml"
    config.write_text('[sensors]\nkind = "mcp23017"\n')
    assert missing(run(pi, "--dry-run", "--config", str(config)))[-1] == "dtparam=i2c_arm=on"
    config.write_text('[sensors]\nkind = "serial"\n')
    done = run(pi, "--config", str(config))
    assert (done.exit_code, missing(done)) == (0, [])
    assert "needs nothing" in done.output


def test_elsewhere_there_is_nothing_to_do(tmp_path):
    done = run(tmp_path, "--write")
    assert done.exit_code == 0
    assert "isn't a Raspberry Pi" in done.output


def test_a_file_that_cannot_be_written_is_left_as_it_was(pi):
    (pi / "boot/firmware/config.txt.new").mkdir()
    with pytest.raises(Exception, match=r"config\.txt cannot be written, and is as it was: Is a directory"):
        run(pi, "--write")
    assert file(pi).read_bytes() == TEXT.encode("utf-8", "surrogateescape")


def journald(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def pi_with_log(pi: Path) -> Path:
    """A Pi whose log is on its card, and whose config.txt has all lines."""
    (pi / "var/log/journal").mkdir(parents=True)
    file(pi).write_text("dtparam=spi=on\ncore_freq=250\n")
    journald(pi, "etc/systemd/journald.conf", "[Journal]\n#Storage=auto\n")
    return pi


def test_a_log_on_the_card_moves_into_memory_once(pi_with_log):
    assert missing(run(pi_with_log, "--dry-run")) == ["Storage=volatile"]
    assert run(pi_with_log, "--write").exit_code == 0
    written = (pi_with_log / "etc/systemd/journald.conf.d/50-millwright.conf").read_text()
    assert "\n[Journal]\nStorage=volatile\n" in written
    assert [path.name for path in (pi_with_log / "boot/firmware").iterdir()] == ["config.txt"]
    again = run(pi_with_log, "--dry-run")
    assert (again.exit_code, missing(again)) == (0, [])


@pytest.mark.parametrize(
    "name",
    [
        "etc/systemd/journald.conf",
        "etc/systemd/journald.conf.d/50-millwright.conf",
        "usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf",
    ],
)
@pytest.mark.parametrize("storage", ["persistent", "none", "volatile"])
def test_a_log_that_somebody_placed_stays_there(pi_with_log, name, storage):
    journald(pi_with_log, name, f"[Journal]\nStorage={storage}\n")
    assert run(pi_with_log, "--write").exit_code == 0
    assert (pi_with_log / name).read_text() == f"[Journal]\nStorage={storage}\n"
    assert len([*pi_with_log.glob("etc/systemd/journald.conf.d/*")]) == ("millwright" in name)


def test_a_log_that_is_in_memory_anyway_is_not_mentioned(pi_with_log):
    (pi_with_log / "var/log/journal").rmdir()
    assert "Storage" not in run(pi_with_log, "--write").output
