"""The locks: the files from the package index that an installation consists of, with their hashes.

`requirements.lock` lists what the service needs, `build.lock` what builds Millwright's own wheel from its
source, and `cross.lock` the compiler of wheels for other machines. All are requirements files for
`pip install --require-hashes --no-deps`.

Invariants:
- A lock holds names, versions, markers and hashes, but no addresses: pip may take a file from any index or
  folder, as long as its hash is right.
- The hashes are those of wheels. A source distribution would need a compiler, which a Pi lacks, and would run
  its own code while it is built.
- An entry has a wheel for each target that its marker admits.
- The header repeats the requirements that the lock was made from. If pyproject.toml has others, the lock is
  out of date.

Usage: lock.py renew [--upgrade]         write the locks; versions stay unless they have to change
       lock.py check                     fail if a lock doesn't fit pyproject.toml
       lock.py list [VERSION MACHINE]    print the entries for one target, without markers
       lock.py options [VERSION MACHINE] print the options that have pip choose files for it
"""

from __future__ import annotations

import argparse
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

PROJECT = Path(__file__).resolve().parents[1]
SERVICE, BUILD, CROSS = "systemd/requirements.lock", "systemd/build.lock", "systemd/cross.lock"
LOCKS = (SERVICE, BUILD, CROSS)

OLDEST_PYTHON = "3.11"
PYTHONS = (OLDEST_PYTHON, "3.13")
"""The Pythons of Debian 12 and 13, and of Raspberry Pi OS after them."""

MACHINES = {"arm64": "aarch64", "armhf": "armv7l", "amd64": "x86_64"}
"""A machine's name in Python, by its name in Debian."""

FIRST_PIS = "armv6l"
"""The name in Python of Zero, Zero W and the models before the 2, which run the armhf of Raspberry Pi OS."""

GLIBC_MINORS = range(36, 11, -1)
"""Wheels for these versions 2.x of the C library run on Debian 12 and later; its own is the first."""

LEFT_OUT = {
    "setuptools": "colorzero requires it, but never imports it",
    "sysv-ipc": "Blinka imports it for pulse sensors only, which no board has; 32-bit systems have no wheel",
}
"""Packages that no installation needs although one of its packages requires them, and why."""

NOT_PACKAGED = {
    "adafruit-blinka": "only strips on PWM or PIO need it, whose libraries are compiled",
    "adafruit-circuitpython-neopixel": "the driver of those strips",
    "adafruit-circuitpython-busdevice": "Blinka's",
    "adafruit-circuitpython-connectionmanager": "Blinka's",
    "adafruit-circuitpython-requests": "Blinka's",
    "adafruit-circuitpython-typing": "Blinka's",
    "adafruit-platformdetect": "Blinka's",
    "adafruit-pureio": "Blinka's",
    "binho-host-adapter": "Blinka's",
    "packaging": "Blinka's",
    "pyftdi": "Blinka's",
    "pyusb": "Blinka's",
}
"""Packages that the Debian package leaves out, and why: it drives LEDs by SPI or by a serial board."""


class LockError(Exception):
    """A lock that can't be made or used. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Target:
    """A Python, such as "3.11", on a kind of machine, such as "aarch64" or Debian's "arm64"."""

    version: str
    machine: str

    @classmethod
    def parse(cls, version: str, machine: str) -> Target:
        """Return the target. Raises LockError for a version or machine that Millwright doesn't run on."""
        machine = MACHINES.get(machine, machine)
        if machine not in (*MACHINES.values(), FIRST_PIS):
            names = ", ".join(f"{ours} ({debian})" for debian, ours in MACHINES.items())
            raise LockError(f"There are no locked files for {machine}. Choose one of {names}.")
        if not re.fullmatch(r"3\.\d+", version) or _numbers(version) < _numbers(OLDEST_PYTHON):
            raise LockError(f"{version} is not a Python that Millwright runs on. Give its version as 3.11.")
        return cls(version, machine)

    def meets(self, marker: Marker | None) -> bool:
        """Return whether the marker holds on this target, whatever this machine is."""
        return marker is None or marker.evaluate(
            {
                "implementation_name": "cpython",
                "os_name": "posix",
                "platform_machine": self.machine,
                "platform_python_implementation": "CPython",
                "platform_system": "Linux",
                "python_full_version": f"{self.version}.0",
                "python_version": self.version,
                "sys_platform": "linux",
            }
        )

    @classmethod
    def own(cls) -> Target:
        """Return the target that this Python is. Its kernel may be 64-bit while it is 32-bit itself."""
        machine = platform.machine()
        if machine == MACHINES["arm64"] and sys.maxsize < 2**32:
            machine = MACHINES["armhf"]
        return cls.parse(f"3.{sys.version_info.minor}", machine)

    @property
    def platforms(self) -> list[str]:
        """Return the platform tags of wheels that run here, the best first."""
        manylinux = [f"manylinux_2_{minor}" for minor in GLIBC_MINORS]
        return [f"{baseline}_{self.machine}" for baseline in (*manylinux, "manylinux2014", "linux")]

    @property
    def tags(self) -> frozenset[Tag]:
        """Return all tags of wheels that run here."""
        numbers = _numbers(self.version)
        compiled = cpython_tags(numbers, abis=[self._abi], platforms=self.platforms)
        return frozenset((*compiled, *compatible_tags(numbers, self._abi, self.platforms)))

    @property
    def pip_options(self) -> list[str]:
        """Return the options that have pip choose wheels for this target."""
        options = ["--python-version", self.version, "--implementation", "cp"]
        for abi in (self._abi, "abi3", "none"):
            options += ["--abi", abi]
        for name in self.platforms:
            options += ["--platform", name]
        return options

    @property
    def _abi(self) -> str:
        return f"cp{self.version.replace('.', '')}"


TARGETS = tuple(
    Target(version, machine) for version in PYTHONS for machine in (*MACHINES.values(), FIRST_PIS)
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A version of a package, and the SHA-256 hashes of its wheels."""

    name: str
    version: str
    marker: Marker | None
    hashes: tuple[str, ...]

    def text(self, *, with_marker: bool = True) -> str:
        """Return the lines of a requirements file. pip accepts any of the hashes."""
        marker = f" ; {self.marker}" if with_marker and self.marker else ""
        hashes = "".join(f" \\\n    --hash=sha256:{value}" for value in self.hashes)
        return f"{self.name}=={self.version}{marker}{hashes}\n"


@dataclass(frozen=True, slots=True)
class Lock:
    """The contents of a lock: the requirements it was made from, and its entries."""

    made_from: tuple[str, ...]
    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, path: Path) -> Lock:
        """Parse a lock. Raises LockError if there is none."""
        if not path.exists():
            raise LockError(f"There is no {path}. Run `make lock`.")
        text = path.read_text("utf-8")
        made_from = tuple(re.findall(r"^#   (\S.*)$", text, re.MULTILINE))
        return cls(made_from, tuple(_entries(text)))

    def text(self) -> str:
        """Return the contents of the file."""
        made_from = "".join(f"#   {requirement}\n" for requirement in self.made_from)
        return (
            "# Written by `make lock`; systemd/lock.py says which packages are left out, and why.\n"
            f"# Made from these requirements in pyproject.toml:\n{made_from}"
            + "".join(entry.text() for entry in self.entries)
        )

    def on(self, target: Target) -> dict[str, Entry]:
        """Return the entries that the target installs, by name."""
        return {entry.name: entry for entry in self.entries if target.meets(entry.marker)}


def requirements(project: Path) -> dict[str, list[str]]:
    """Return the requirements in pyproject.toml that each lock answers, sorted."""
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    metadata = settings["project"]
    extras = metadata["optional-dependencies"]
    return {
        SERVICE: sorted([*metadata["dependencies"], *extras["pio"], *extras["link"]]),
        BUILD: sorted(settings["build-system"]["requires"]),
        CROSS: sorted(extras["cross"]),
    }


def problems(project: Path) -> list[str]:
    """Return one sentence for each way in which the locks don't fit pyproject.toml."""
    return [
        f"{name} is out of date: {text}. Run `make lock` and commit what it writes."
        for name, required in requirements(project).items()
        for text in _differences(required, Lock.read(project / name))
    ]


def _differences(required: Sequence[str], lock: Lock) -> Iterator[str]:
    for text in required:
        if text not in lock.made_from:
            yield f"pyproject.toml requires {text}, and the lock was not made for that"
    for text in lock.made_from:
        if text not in required:
            yield f"it was made for {text}, which pyproject.toml does not require"
    for target in TARGETS:
        locked = lock.on(target)
        for requirement in map(Requirement, required):
            name = canonicalize_name(requirement.name)
            if name in LEFT_OUT or not target.meets(requirement.marker):
                continue
            if name not in locked:
                yield f"it has no {name} for Python {target.version} on {target.machine}"
            elif not requirement.specifier.contains(locked[name].version, prereleases=True):
                yield f"it has {name} {locked[name].version}, and pyproject.toml requires {requirement}"


def _entries(text: str) -> Iterator[Entry]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        requirement = Requirement(line.partition(" --hash")[0])
        (pin,) = requirement.specifier
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})(?!\S)", line))
        yield Entry(requirement.name, pin.version, requirement.marker, hashes)


def renew(project: Path, *options: str) -> None:
    """Write the locks again. uv resolves for all targets at once and keeps the versions that still fit.

    Raises LockError if uv finds no solution, or a target would lack a wheel.
    """
    for name, required in requirements(project).items():
        entries = tuple(entry(package) for package in _resolve(required, project / name, options))
        (project / name).write_text(Lock(tuple(required), entries).text(), "utf-8")


def entry(package: dict[str, Any]) -> Entry:
    """Return the entry for a package as uv describes it. Raises LockError if a target would lack a wheel."""
    name = canonicalize_name(package["name"])
    marker = Marker(package["marker"]) if package.get("marker") else None
    wheels = package.get("wheels", [])
    files = [unquote(Path(urlsplit(wheel["url"]).path).name) for wheel in wheels]
    offered = frozenset(tag for file in files for tag in parse_wheel_filename(file)[3])
    lacking = [target for target in TARGETS if target.meets(marker) and not target.tags & offered]
    if lacking:
        targets = ", ".join(f"Python {target.version} on {target.machine}" for target in lacking)
        raise LockError(
            f"{name} {package['version']} has no wheel for {targets}. Require another version in "
            "pyproject.toml, or add the package to LEFT_OUT in systemd/lock.py, with the reason."
        )
    return Entry(
        name, package["version"], marker, tuple(sorted(wheel["hashes"]["sha256"] for wheel in wheels))
    )


def _resolve(required: Iterable[str], before: Path, options: Sequence[str]) -> list[dict[str, Any]]:
    """Return the packages that meet the requirements on any target, as pylock.toml describes them."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, pins, found = (Path(folder) / name for name in ("wanted.in", "pins.txt", "pylock.toml"))
        wanted.write_text("".join(f"{requirement}\n" for requirement in required), "utf-8")
        if before.exists():
            pins.write_bytes(before.read_bytes())
        # uv keeps versions only in this format, and gives the files' names only in the other.
        _uv(wanted, "--output-file", str(pins), *options)
        _uv(pins, "--no-deps", "--output-file", str(found))
        packages = tomllib.loads(found.read_text("utf-8"))["packages"]
    return [package for package in packages if canonicalize_name(package["name"]) not in LEFT_OUT]


def _uv(source: Path, *options: str) -> None:
    resolution = ["--universal", "--python-version", OLDEST_PYTHON, "--no-config", "--quiet"]
    command = [sys.executable, "-m", "uv", "pip", "compile", *resolution, *options, str(source)]
    if subprocess.run(command).returncode:  # noqa: S603
        raise LockError("uv cannot resolve the requirements in pyproject.toml; its message is above.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def _target(given: Sequence[str]) -> Target:
    if len(given) == 2:
        return Target.parse(*given)
    if given:
        raise LockError("Give both the version of Python and the machine, as in: 3.11 arm64")
    return Target.own()


def _list(lock: str, target: Target, *, for_package: bool) -> str:
    entries = Lock.read(PROJECT / lock).on(target)
    chosen = [one for name, one in entries.items() if not (for_package and name in NOT_PACKAGED)]
    return "".join(one.text(with_marker=False) for one in chosen)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lock.py", description="Renew, check or print the locks.")
    commands = parser.add_subparsers(dest="command", required=True)
    renewing = commands.add_parser("renew", help="write the locks; versions stay unless they have to change")
    renewing.add_argument("--upgrade", action="store_true", help="take the newest versions")
    commands.add_parser("check", help="fail if a lock doesn't fit pyproject.toml")
    listing = commands.add_parser("list", help="print the entries for one target, without markers")
    listing.add_argument("--lock", default=SERVICE, choices=LOCKS, help="[default: %(default)s]")
    listing.add_argument("--packaged", action="store_true", help="only those in the Debian package")
    options = commands.add_parser("options", help="print pip's options for one target, one a line")
    for command in (listing, options):
        command.add_argument("target", nargs="*", help="version and machine [default: this Python's]")
    return parser


def _run(arguments: argparse.Namespace) -> str:
    match arguments.command:
        case "renew":
            renew(PROJECT, *(["--upgrade"] if arguments.upgrade else []))
            return ""
        case "options":
            return "".join(f"{option}\n" for option in _target(arguments.target).pip_options)
    if found := problems(PROJECT):
        raise LockError("\n".join(found))
    if arguments.command == "check":
        return ""
    return _list(arguments.lock, _target(arguments.target), for_package=arguments.packaged)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    try:
        sys.stdout.write(_run(_parser().parse_args(arguments)))
    except LockError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
