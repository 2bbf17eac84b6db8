"""The actions of the install scripts, without carrying them out; `make test-releases` does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_host import __version__
from tests.support.systemd.files import FOLDER, needs

pytestmark = pytest.mark.ci("programs")

PROJECT = FOLDER.parent
SCRIPTS = (
    [FOLDER / "install.sh"],
    [FOLDER / "gather.sh"],
    [FOLDER / "locked.sh"],
    [FOLDER / "wheels.sh"],
    [FOLDER / "deb" / "build.sh"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "postinst"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "prerm"],
    [FOLDER / "steps.sh", FOLDER / "deb" / "postrm"],
    [PROJECT / "tests" / "support" / "debian.sh"],
    [PROJECT / "tests" / "trixie.sh"],
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
    (tmp_path / "millwright_board-7.8.9-py3-none-any.whl").touch()
    done = script("install", "--dry-run", DESTDIR=str(tmp_path / "root"), WHEELS=str(tmp_path))
    taking = [line for line in done.stdout.splitlines() if "install --" in line and "/bin/python" in line]
    assert len(taking) == 2, done.stdout
    assert all("--no-index " in line and f"--find-links {tmp_path} " in line for line in taking)
    assert taking[0].endswith("requirements.lock")
    assert taking[1].endswith("millwright-board==7.8.9")
    assert "/opt/millwright/7.8.9" in done.stdout


def test_install_from_source_takes_only_locked_files(tmp_path: Path) -> None:
    done = script("install", "--dry-run", DESTDIR=str(tmp_path))
    python = f"{tmp_path}/opt/millwright/{__version__}/bin/python"
    taking = [line for line in done.stdout.splitlines() if f"{python} " in line and " install " in line]
    assert re.fullmatch(rf"would: locked_pip {python} install -r \S*/requirements\.lock", taking[0])
    assert "--no-index --no-deps" in taking[1]
    assert len(taking) == 2
    assert f"would: build_wheel {python} " in done.stdout


def test_an_empty_folder_of_wheels_is_told_before_anything_is_done(tmp_path: Path) -> None:
    done = script("install", DESTDIR=str(tmp_path / "root"), WHEELS=str(tmp_path))
    assert done.returncode == 1
    assert "make wheels" in done.stderr
    assert not (tmp_path / "root").exists()


def test_what_is_no_command_is_told() -> None:
    done = script("upgrade")
    assert done.returncode == 1
    assert "usage:" in done.stderr


# ---- what it does with systemd, of which only the answers are made up -----------------------------------

STAND_INS = """
runs_systemd() { true; }
sleep() { echo "$1" >>"$DESTDIR/slept"; }
udevadm() { true; }
systemd-sysusers() { true; }
systemctl() {
    case $* in
        show*LoadState*) echo "$LOADED" ;;
        show*ActiveState*) echo "${STATE%/*}" ;;
        show*SubState*) echo "${STATE#*/}" ;;
        show*StatusText*) echo "$SAYS" ;;
        *is-enabled*) [ "$LOADED" = loaded ] ;;
        *) echo "$*" >>"$DESTDIR/did" ;;
    esac
}
"""


def with_stand_ins(tmp_path: Path, does: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Have install.sh's own functions do something in a DESTDIR, with these answers of systemctl."""
    functions, _, _ = (FOLDER / "install.sh").read_text().partition('\nif [ "${2:-}" = --dry-run ]')
    return subprocess.run(  # noqa: S603
        ["bash", "-c", functions + STAND_INS + does, str(FOLDER / "install.sh")],  # noqa: S607
        capture_output=True,
        text=True,
        env={**os.environ, "DESTDIR": str(tmp_path), "LOADED": "loaded", **environ},
    )


@pytest.mark.parametrize(
    ("state", "says", "slept", "stays"),
    [
        ("active/running", "White to move", 1, True),
        ("activating/start", "", 60, False),
        ("activating/start", "the sensors cannot be read", 20, True),
        ("activating/auto-restart", "", 1, False),
        ("failed/failed", "", 1, False),
        ("deactivating/stop-sigterm", "", 60, False),
    ],
    ids=["plays", "hangs", "waits for its sensors", "crashes", "fails", "does not even end"],
)
def test_an_update_that_does_not_start_or_hangs_leaves_the_version_before(
    tmp_path: Path, state: str, says: str, slept: int, stays: bool
) -> None:
    opt = tmp_path / "opt" / "millwright"
    for version in ("1.0", "2.0"):
        shutil.copytree(FOLDER, opt / version / "share" / "millwright" / "systemd")
        unit = opt / version / "share" / "millwright" / "systemd" / "millwright.service"
        unit.write_text(f"# of {version}\n")
    updates = "folder=$opt/2.0; install_version 1.0; install_version 2.0; start_new 1.0"
    done = with_stand_ins(tmp_path, updates, STATE=state, SAYS=says)
    current = "2.0" if stays else "1.0"
    assert done.returncode == (0 if stays else 1), done.stderr
    assert (opt / "current").readlink() == Path(current)
    assert (opt / "2.0").exists() is stays
    assert (opt / "1.0").exists()
    unit = tmp_path / "usr/local/lib/systemd/system/millwright.service"
    assert unit.read_text() == f"# of {current}\n"
    assert (tmp_path / "slept").read_text() == "1\n" * slept
    restarts = (tmp_path / "did").read_text().count("restart --no-block millwright.service")
    assert restarts == (1 if stays else 2)
    assert ("Going back to 1.0, which runs again." in done.stderr) is not stays


@pytest.mark.parametrize("loaded", ["loaded", "not-found"])
def test_what_was_removed_already_is_not_stopped_again(tmp_path: Path, loaded: str) -> None:
    done = with_stand_ins(tmp_path, "stop_board; disable_board", LOADED=loaded)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    did = (tmp_path / "did").read_text() if (tmp_path / "did").exists() else ""
    assert ("stop millwright.service millwright.socket" in did) is (loaded == "loaded")
    assert ("disable millwright.socket millwright.service" in did) is (loaded == "loaded")


@pytest.mark.parametrize(("dry_run", "arguments"), [("", "boot"), ("1", "boot --dry-run")])
def test_what_config_txt_lacks_is_shown_and_offered(tmp_path: Path, dry_run: str, arguments: str) -> None:
    program = tmp_path / "opt" / "millwright" / "current" / "bin" / "millwright"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "said: $*"\nexit 1\n')
    program.chmod(0o755)
    done = with_stand_ins(tmp_path, "switch_on", DRY_RUN=dry_run)
    assert (done.returncode, done.stdout) == (0, f"said: {arguments}\n")


def test_a_dry_run_before_anything_is_installed_says_what_would_be_offered(tmp_path: Path) -> None:
    done = with_stand_ins(tmp_path, "switch_on", DRY_RUN="1")
    assert done.stdout.startswith("would: ")
    assert "config.txt" in done.stdout


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
