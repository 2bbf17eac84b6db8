"""A package that the page has taken: installed if it is signed and newer, undone if the board doesn't play.

dpkg and ssh-keygen are the real ones, on a folder that stands for the system; systemctl and sleep are
stand-ins.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.systemd.files import FOLDER, needs, settings

UPDATE = FOLDER / "update"
MAX_EXPOSED = 1.9
PLAYS = "active running 0 White to play"
WAITS = "activating start 0 no sensors"
CONFIG = "etc/millwright/millwright.toml"

pytestmark = [pytest.mark.ci("programs"), needs("dpkg"), needs("ssh-keygen")]

SYSTEMCTL = """#!/bin/sh
set -- $2 $(cat "$STATE/how-$(cat "$ROOT/usr/lib/millwright/version")")
case $1 in
    --property=ActiveState) echo "$2" ;;
    --property=SubState) echo "$3" ;;
    --property=NRestarts) echo "$4" ;;
    --property=StatusText) shift 4; echo "$*" ;;
esac
"""
DPKG = f"""#!/bin/sh
[ "$1" != --force-confold ] || [ ! -e "$STATE/cut-dpkg" ] || {{ rm "$STATE/cut-dpkg"; kill -9 $PPID; }}
exec {shutil.which("dpkg")} --root="$ROOT" --force-not-root --force-script-chrootless "$@"
"""
KEYGEN = shutil.which("ssh-keygen")
QUERY = f"""#!/bin/sh
exec {shutil.which("dpkg-query")} --root="$ROOT" "$@"
"""
SLEEP = """#!/bin/sh
[ ! -e "$STATE/cut-sleep" ] || { rm "$STATE/cut-sleep"; kill -9 $PPID; }
"""
PROGRAMS = {
    "systemctl": SYSTEMCTL,
    "sleep": SLEEP,
    "sync": "#!/bin/sh\n",
    "dpkg": DPKG,
    "dpkg-query": QUERY,
}


class UpdatedMachine:
    """A machine on which version 1.0 is installed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.own = folder, folder / "root", folder / "own"
        self.state, self.upload = folder / "state", folder / "update.deb"
        programs = folder / "bin"
        for made in (self.root / "var/lib/dpkg/info", self.state, programs):
            made.mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()
        for name, text in PROGRAMS.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        self.key, self.signers = self.make_key("release"), folder / "signers"
        self.signers.write_text(f"# ours\nrelease {self.key.with_suffix('.pub').read_text()}")
        self.environ = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin:/sbin",
            "UPLOAD": str(self.upload),
            "OWN": str(self.own),
            "KEYS": f"{folder / 'none'} {self.signers}",
            "ROOT": str(self.root),
            "STATE": str(self.state),
            "SECONDS_TO_PLAY": "3",
        }
        self.plays_as("1.0", PLAYS)
        self.run("dpkg", "--install", str(self.package("1.0")))
        (self.root / CONFIG).write_text("# mine\n")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this machine."""
        return subprocess.run(words, env=self.environ, capture_output=True, text=True, check=True)  # noqa: S603

    def make_key(self, name: str) -> Path:
        path = self.folder / name
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
        subprocess.run(words, check=True)  # noqa: S603
        return path

    def package(self, version: str, *, name: str = "millwright", kind: str = "all") -> Path:
        """Build a package."""
        tree = self.folder / f"{name}-{version}"
        for path, text in {
            "DEBIAN/control": f"Package: {name}\nVersion: {version}\nArchitecture: {kind}\n"
            "Maintainer: Ada <ada@example.org>\nDescription: a board\n It plays.\n",
            "DEBIAN/conffiles": f"/{CONFIG}\n",
            CONFIG: f"# of {version}\n",
            "usr/lib/millwright/version": version,
            f"usr/lib/millwright/only-{version}": "",
        }.items():
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        made = self.folder / f"{name}_{version}.deb"
        subprocess.run(["dpkg-deb", "-Znone", "--build", tree, made], check=True, capture_output=True)  # noqa: S603, S607
        return made

    def sign(self, package: Path, key: Path | None = None) -> Path:
        self.run("sh", str(UPDATE / "sign.sh"), str(key or self.key), str(package))
        return package

    def plays_as(self, version: str, how: str) -> None:
        """Have systemd say that of a version."""
        (self.state / f"how-{version}").write_text(how)

    def update(self, package: Path | None = None) -> str:
        """Start as the path unit does; return the result that pages show."""
        if package is not None:
            shutil.copy(package, self.upload)
        words = ["sh", str(UPDATE / "update.sh")]
        subprocess.run(words, env=self.environ, check=False, capture_output=True)  # noqa: S603
        return (self.own / "result").read_text().strip()

    @property
    def installed(self) -> str:
        return self.run("dpkg-query", "--show", "--showformat=${Status} ${Version}", "millwright").stdout

    def must_run(self, version: str) -> None:
        """Version and files are those, the configuration is as it was, and nothing is left to be done."""
        assert self.installed == f"install ok installed {version}"
        assert [path.name for path in self.root.glob("usr/lib/millwright/only-*")] == [f"only-{version}"]
        assert (self.root / CONFIG).read_text() == "# mine\n"
        assert not self.upload.exists()
        assert sorted(path.name for path in self.own.iterdir() if path.name != "former.deb") == ["result"]


@pytest.fixture
def machine(tmp_path: Path) -> UpdatedMachine:
    return UpdatedMachine(tmp_path)


@pytest.mark.parametrize("how", [PLAYS, WAITS])
def test_a_newer_package_with_the_releases_signature_is_installed(machine, how):
    machine.plays_as("1.1", how)
    assert machine.update(machine.sign(machine.package("1.1"))) == "installed 1.1"
    machine.must_run("1.1")


@pytest.mark.parametrize(
    "how",
    [
        "activating auto-restart 1 x",
        "failed failed 0 x",
        "activating start 0",
        "active running 2 White to play",
        "active running 0 safe mode: The board has stopped",
    ],
)
def test_a_package_with_which_the_board_does_not_play_is_undone(machine, how):
    machine.plays_as("1.1", how)
    assert machine.update(machine.sign(machine.package("1.1"))) == "undone 1.1"
    machine.must_run("1.0")


@pytest.mark.parametrize("how", ["unsigned", "another key", "changed", "signature alone", "pipe", "link"])
def test_what_the_release_has_not_signed_is_refused(machine, how):
    package = machine.package("1.1")
    if how == "pipe":
        os.mkfifo(machine.upload)
        package = None
    elif how == "link":
        machine.upload.symlink_to(machine.sign(package))
        package = None
    elif how == "signature alone":
        package.write_bytes(machine.sign(package).read_bytes()[-1084:])
    elif how != "unsigned":
        machine.sign(package, machine.make_key("other") if how == "another key" else None)
    if how == "changed":
        package.write_bytes(package.read_bytes().replace(b"It plays.", b"It prays."))
    assert machine.update(package) == "unsigned"
    machine.must_run("1.0")


def test_what_is_copied_only_root_can_read(machine):
    """The upload may be made a link to a file of root's at the moment it is copied."""
    verifies = machine.folder / "bin" / "ssh-keygen"
    verifies.write_text(f'#!/bin/sh\nstat --format=%a "$OWN"/* >"$STATE/modes"\nexec {KEYGEN} "$@"\n')
    verifies.chmod(0o755)
    machine.update(machine.package("1.1"))
    assert set((machine.state / "modes").read_text().split()) == {"600"}


@pytest.mark.parametrize(
    ("package", "result"),
    [
        ({"version": "0.9"}, "older 0.9"),
        ({"version": "1.0"}, "older 1.0"),
        ({"version": "1.1", "name": "other"}, "other"),
        ({"version": "1.1", "kind": "m68k"}, "other"),
    ],
)
def test_a_signed_package_that_does_not_fit_is_refused(machine, package, result):
    assert machine.update(machine.sign(machine.package(**package))) == result
    machine.must_run("1.0")


def test_a_power_cut_before_it_is_installed_brings_the_former_one_back(machine):
    (machine.state / "cut-dpkg").touch()
    assert machine.update(machine.sign(machine.package("1.1"))) == "installing 1.1"
    assert machine.update() == "undone 1.1"
    machine.must_run("1.0")


@pytest.mark.parametrize(("how", "result"), [(PLAYS, "installed 1.1"), ("failed failed 0 x", "undone 1.1")])
def test_a_power_cut_while_it_is_on_trial_leaves_it_on_trial(machine, how, result):
    (machine.state / "cut-sleep").touch()
    assert machine.update(machine.sign(machine.package("1.1"))) == "installing 1.1"
    machine.plays_as("1.1", how)
    assert machine.update() == result
    machine.must_run("1.1" if how == PLAYS else "1.0")


def test_a_signed_package_is_one_that_dpkg_installs(machine):
    machine.run("dpkg", "--force-confold", "--install", str(machine.sign(machine.package("1.1"))))
    assert machine.installed.endswith("1.1")


@needs("systemd-analyze")
def test_what_runs_as_root_may_do_little_else() -> None:
    unit = UPDATE / "millwright-update.service"
    done = subprocess.run(  # noqa: S603
        ["systemd-analyze", "security", "--offline=true", "--threshold=100", unit],  # noqa: S607
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", "SYSTEMD_PAGER": ""},
        check=False,
    )
    level = re.search(r"Overall exposure level for millwright-update.service: ([\d.]+)", done.stdout)
    assert level is not None, done.stdout + done.stderr
    assert float(level[1]) <= MAX_EXPOSED
    assert settings(unit)["Service.PrivateNetwork"] == ["yes"]
