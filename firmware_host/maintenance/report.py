"""A report on a board for the project: the machine, its settings, the doctor's findings and timings.

Invariants: each fact is named here before it is taken; nothing is copied as a whole, and every text passes
through the redactor. A board that runs is asked, and not disturbed. Missing parts are listed with the
reason.
"""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import SECTIONS, Config
from firmware_host.errors import MillwrightError
from firmware_host.maintenance.doctor_target import DoctorTarget, wiring_of_config
from firmware_host.runtime.clock import machine_clock
from hardware.boot.config_txt import lines_on
from hardware.boot.models import model_named
from hardware.boot.needs import find_config_txt, read_config_txt
from hardware.doctor.benchmark import BenchmarkResult, measure
from hardware.doctor.findings import Finding, as_dict

# ---- without personal details ---------------------------------------------------------------------------
# Removal of personal details from texts that leave the machine.
#
# Invariants: this is the second line of defence: whoever collects facts takes only those that are not
# personal. It errs on the side of removing too much.


_KEPT_ROOTS = ("boot", "dev", "etc", "lib", "opt", "proc", "run", "sys", "usr", "var")
_IMPERSONAL = {"", "root", "pi", "millwright", "raspberrypi", "localhost", "127.0.0.1", "user", "nobody"}
_MIN_NAME_LENGTH = 2

_PATTERNS = (
    (re.compile(r"\bhttps?://[^\s,;'\"`)]+"), "<address>"),
    # The names that udev gives to serial ports have the device's serial number in them.
    (re.compile(r"(/dev/serial/by-(?:id|path)/)(?:[^\s,;'\":]|:(?=\S))+"), r"\1<port>"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "<mail>"),
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b"), "<address>"),
    # Nobody is identified by 0.0.0.0 and 127.0.0.1, and versions such as 0.2.2.0 begin with 0 as well.
    (re.compile(r"(?<![\w.])(?!0\.|127\.)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"), "<address>"),
    (re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?:%\w+)?(?![\w:])"), "<address>"),
)
_PATH = re.compile(r"(?<![\w<>.:/])(?:~|/)[^\s,;:'\"`()]*")


class Redactor:
    """Replaces names, addresses and private paths in texts by placeholders."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take the names to replace as whole words, in any case; those that are nobody's are ignored."""
        own = {name.strip() for name in names}
        named = [n for n in own if n.lower() not in _IMPERSONAL and len(n) >= _MIN_NAME_LENGTH]
        longest_first = sorted(named, key=lambda name: (-len(name), name))
        words = "|".join(map(re.escape, longest_first))
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    @classmethod
    def of_this_machine(cls, *more: str) -> Redactor:
        """Return one that knows the names of this machine and its user, and `more`."""
        host = socket.gethostname()
        return cls([host, host.partition(".")[0], socket.getfqdn(), *_user_names(), *more])

    def text(self, text: str) -> str:
        """Return a text without personal details."""
        if self._names:  # first, since a path with a blank in it is known here only
            text = self._names.sub("<name>", text)
        for pattern, instead in _PATTERNS:
            text = pattern.sub(instead, text)
        return _PATH.sub(lambda found: _public_path(found[0]), text)

    def value(self, value: Any) -> Any:
        """Return a JSON value in which every text, keys included, has no personal details."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(own) for key, own in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(own) for own in value]
        return value


def _public_path(path: str) -> str:
    """Return a path of the system's own, and a placeholder for any other."""
    parts = Path(path).parts
    if path.startswith("~") or (len(parts) > 1 and parts[1] not in _KEPT_ROOTS):
        return "<path>"
    return path


def _user_names() -> Iterable[str]:
    yield from (os.environ.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER"))
    yield Path(os.environ.get("HOME", "")).name
    try:
        yield getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return


# ---- the report -----------------------------------------------------------------------------------------


_DISTRIBUTION = "millwright-board"
_FROM_STATUS = (
    "version",
    "uptime_s",
    "status",
    "faults",
    "frame_rate_hz",
    "frames",
    "missed",
    "masked",
    "chatter",
    "disk_free_mib",
    "undervoltage",
)
_SECTIONS = ("sensors", "strip", "timing", "lights", "play")
_PRIVATE_SETTINGS = ("sensors.port",)
_HARMLESS = {f"{section}.{field.name}" for section in _SECTIONS for field in fields(SECTIONS[section])} - {
    *_PRIVATE_SETTINGS
}
"""The settings whose faults are reported with their values: nothing in them is of a person or a place."""
_KEY = re.compile(r"\b(?:" + "|".join(SECTIONS) + r")\.\w+")
_CODE = re.compile(r"\b\d{4} ?\d{4}\b")
"""A code by which a device is paired."""
_CONFIG_TXT = re.compile(
    r"(?:dtparam|dtoverlay|core_freq\w*|force_turbo|arm_64bit|arm_boost|enable_uart|usb_max_current_enable)=.*"
    r"|\[\w+\]"
)

RUNNING = (
    "the doctor's findings and the timings of sensors and strip: the board is running. Stop it "
    "(`sudo systemctl stop millwright`, or Ctrl-C), then make another report"
)
UNCLEAR = (
    "the doctor's findings and the timings of sensors and strip: a program answers at the board's address, "
    "but not as a running board does. End it, or restart the service, then make another report"
)
UNUSABLE = (
    "the doctor's findings and the timings: the configuration has faults. Mend them "
    "(`millwright config check`), then make another report"
)
UNTIMED = "the timings of sensors and strip, which `millwright report` measures"
NEVER = (
    "by intention: names, paths and addresses, the access code, games and players, the serial board's port"
)


def machine_facts(root: Path = Path("/")) -> dict[str, Any]:
    """Return the facts about this machine that drivers depend on."""
    kernel = os.uname()
    return {
        "model": _read(root / "proc/device-tree/model").strip("\0\n "),
        "os": _os_name(root / "etc/os-release"),
        "kernel": kernel.release,
        "architecture": kernel.machine,
        "bits_of_python": 64 if sys.maxsize > 2**32 else 32,
        "python": platform.python_version(),
        "memory_mib": _memory_mib(root / "proc/meminfo"),
        "config.txt": _config_txt(root),
    }


def library_versions() -> dict[str, str | None]:
    """Return the version of each library that Millwright can use; None for one that is not installed."""
    try:
        needed = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:  # run from a folder, without being installed
        needed = ["gpiozero", "gpiod", "pyserial", "adafruit-circuitpython-pixelbuf"]
    names = {_name(need) for need in needed if 'extra == "dev"' not in need.replace("'", '"')}
    return {name: _version(name) for name in sorted(names - {_DISTRIBUTION})}


def changed_settings(config: Config) -> dict[str, Any]:
    """Return the settings that differ from the defaults, without those that could identify a place."""
    default = Config.default()
    changed = {}
    for section in _SECTIONS:
        own, usual = getattr(config, section), getattr(default, section)
        for field in fields(own):
            key, value = f"{section}.{field.name}", getattr(own, field.name)
            if key not in _PRIVATE_SETTINGS and value != getattr(usual, field.name):
                changed[key] = value
    return changed | {
        f"{section}.{name}": value
        for section, name, value, usual in (
            ("store", "keep", config.store.keep, default.store.keep),
            ("web", "listen", config.web.listen, default.web.listen),
        )
        if value != usual
    }


def setting_faults(text: str) -> list[str]:
    """Return the faults of a configuration, a line each: whole only where they are of harmless settings."""
    lines = []
    for line in text.split("\n"):
        named = _KEY.findall(line)
        if named and _HARMLESS.issuperset(named):
            lines.append(line)
        else:
            lines.append(f"{_known(named)}: has a fault, which is left out")
    return lines


def log_text(
    lines: Iterable[tuple[str, str]], redactor: Callable[[], Redactor] = Redactor.of_this_machine
) -> str:
    """Return the lines of a log, without personal details, codes, and values of private settings.

    `lines` has each after its time.
    """
    text = redactor().text
    return "".join(f"{when} {_CODE.sub('<code>', text(_without_private(line)))}\n" for when, line in lines)


def _without_private(line: str) -> str:
    """Return a line that tells no values of settings but harmless ones."""
    named = _KEY.findall(line)
    return line if _HARMLESS.issuperset(named) else f"{_known(named)}: has a fault, which is left out"


def _known(named: Sequence[str]) -> str:
    """Return the first of the settings that exists: of any other, even the name may be private."""
    known = {f"{section}.{field.name}" for section, form in SECTIONS.items() for field in fields(form)}
    return next((name for name in named if name in known), "a line")


def compose(
    machine: Mapping[str, Any],
    libraries: Mapping[str, str | None],
    *,
    day: str,
    settings: Mapping[str, Any],
    running: Mapping[str, Any] | None = None,
    examined: Mapping[str, Any] | None = None,
    simulated: bool = False,
    left_out: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return a report; `running` is the status of a board that runs, `examined` the result of `examine`."""
    report: dict[str, Any] = {
        "millwright": __version__,
        "date": day,
        "simulated": simulated,
        "machine": dict(machine),
        "libraries": dict(libraries),
        "settings": dict(settings),
    }
    if running is not None:
        report["running"] = {key: running[key] for key in _FROM_STATUS if key in running}
    return report | (dict(examined) if examined else {}) | {"left_out": [*left_out, NEVER]}


def examine(board: DoctorTarget, timed: DoctorTarget | None = None) -> dict[str, Any]:
    """Return the doctor's findings and the timings of a board that nothing else uses.

    `timed` is the board to measure if it is not the same: a simulated one whose clock is real.
    """
    findings = as_dict(list(board.findings(None, empty=False)))
    try:
        bench = _measured(timed or board).as_dict()
    except MillwrightError as error:
        bench = {"error": str(error)}
    return {"doctor": findings, "bench": bench, "throttled": board.throttled()}


def findings_report(
    target: DoctorTarget, file: Path | None, findings: Sequence[Finding], *, simulated: bool = False
) -> str:
    """Return the text of a report with `findings` on the board of `target`, whose configuration is `file`."""
    examined = {"doctor": as_dict(findings), "throttled": target.throttled()}
    report = compose(
        machine_facts(),
        library_versions(),
        day=machine_clock().day(),
        settings=changed_settings(target.config),
        examined=examined,
        simulated=simulated,
        left_out=(UNTIMED,),
    )
    return as_text(redact(report, target.config, file, Redactor.of_this_machine))


def as_text(report: Mapping[str, Any]) -> str:
    """Return the text of a report."""
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def redact(
    report: Mapping[str, Any], config: Config, file: Path | None, redactor: Callable[..., Redactor]
) -> dict[str, Any]:
    """Return the report without personal details, the host and the paths of a configuration included."""
    cleaned: dict[str, Any] = redactor(
        config.web.host, config.store.path, config.sensors.port, str(file or "")
    ).value(dict(report))
    return cleaned


def overview(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each part of a report."""
    machine = report["machine"]
    model = machine["model"] or "not a Raspberry Pi"
    yield f"machine    {model}; {machine['os']}, kernel {machine['kernel']}"
    installed = [name for name, own in report["libraries"].items() if own]
    yield f"libraries  Python {machine['python']}, {len(installed)} libraries with their versions"
    changed = ", ".join(report["settings"]) or "all are the defaults"
    yield f"settings   {changed}"
    if "running" in report:
        yield f"running    {', '.join(report['running'])}"
    if "doctor" in report:
        yield f"doctor     {len(report['doctor']['findings'])} findings"
        yield f"bench      {_bench_line(report['bench'])}"
    for what in report["left_out"]:
        yield f"left out   {what}"


def _measured(board: DoctorTarget) -> BenchmarkResult:
    return measure(wiring_of_config(board.config), board.electronics, board.config.timing.frame_rate_hz)


def _bench_line(bench: Mapping[str, Any]) -> str:
    if "error" in bench:
        return f"not measured: {bench['error']}"
    return f"a frame takes {bench['frame']['median_us']:g} us (median)"


def _os_name(file: Path) -> str:
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', _read(file), re.M)
    return found[1] if found else platform.system()


def _memory_mib(file: Path) -> int | None:
    found = re.search(r"^MemTotal:\s+(\d+) kB", _read(file), re.M)
    return int(found[1]) >> 10 if found else None


def _config_txt(root: Path) -> list[str] | None:
    """Return the lines of config.txt that drivers depend on; None if there is no such file to be read."""
    file = find_config_txt(root)
    try:
        config = None if file is None else read_config_txt(file)
    except OSError:
        return None
    if config is None:
        return None
    model = model_named(_read(root / "proc/device-tree/model"))
    return [line for line, _ in lines_on(config, model) if _CONFIG_TXT.fullmatch(line)]


def _name(need: str) -> str:
    found = re.match(r"[\w.-]+", need)
    return found[0] if found else need


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
