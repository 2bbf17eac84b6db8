"""The only reader of configuration files and of the environment.

Rules kept here: a file either says what it means or is refused with all its faults at once, each with its
line and what would be right; what it leaves out is the default; nothing is guessed or converted, so that
`"yes"` is no boolean and `1.5` no whole number. No file at all is a good configuration.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from firmware_host.english import english
from firmware_host.errors import ConfigError, NotationError, did_you_mean
from firmware_host.games.rulesets import FAMILIES, rule_set
from firmware_host.games.switches import parse_setting
from firmware_host.pins import clashes, uses
from firmware_host.playable import hindrance
from firmware_host.ports import Alphabet
from firmware_host.settings import Lights, Play, Sensors, Store, Strip, Timing, Web, bounds
from firmware_host.themes import theme_named
from firmware_host.wires import (
    Fault,
    level_reader,
    points_of,
    read_leds,
    sensor_faults,
    sensor_reader,
    strip_faults,
)

FILE_NAME = "millwright.toml"
SYSTEM_PATH = Path("/etc/millwright") / FILE_NAME
GAMES_NAME = "games.db"
KEY_NAME = "page.key"
SYSTEM_GAMES = Path("/var/lib/millwright") / GAMES_NAME
"""Where the service keeps its games."""

_Section = TypeVar("_Section", Sensors, Strip, Timing, Lights, Play, Store, Web)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything one may set; `origins` says where a value came from that a file gave: `file:line`.

    Its keys are `section.key`; what is not in it is the default.
    """

    sensors: Sensors = field(default_factory=Sensors)
    strip: Strip = field(default_factory=Strip)
    timing: Timing = field(default_factory=Timing)
    lights: Lights = field(default_factory=Lights)
    play: Play = field(default_factory=Play)
    store: Store = field(default_factory=Store)
    web: Web = field(default_factory=Web)
    origins: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def default(cls) -> Config:
        """What holds where no file says otherwise."""
        return cls()


SECTIONS: Mapping[str, type[Sensors | Strip | Timing | Lights | Play | Store | Web]] = {
    "sensors": Sensors,
    "strip": Strip,
    "timing": Timing,
    "lights": Lights,
    "play": Play,
    "store": Store,
    "web": Web,
}


def user_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where a user's own file is, by the XDG Base Directory Specification; it need not exist."""
    base = Path(environ.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():  # the specification: "consider the path invalid and ignore it"
        base = Path(environ.get("HOME") or "~").expanduser() / ".config"
    return base / "millwright" / FILE_NAME


def games_path(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Where a board keeps its games: as told, else in the service's folder, else in the user's."""
    if store.path:
        return Path(store.path)
    # systemd's, of which the first is ours
    if folder := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(folder) / GAMES_NAME
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = Path(environ.get("HOME") or "~").expanduser() / ".local/state"
    return base / "millwright" / GAMES_NAME


def secret_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the secret is that lets others in the house play: beside the games of no other place."""
    return games_path(Store(), environ).with_name(KEY_NAME)


def find_games(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the games are that somebody asks for: those of the service, unless others are named or nearer."""
    own = games_path(store, environ)
    return own if store.path or _is_there(own) or not _is_there(SYSTEM_GAMES) else SYSTEM_GAMES


def find(given: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that counts: the one that was given, else the user's own, else the system's, else none."""
    if given is not None:
        return Path(given)
    return next((path for path in (user_path(environ), SYSTEM_PATH) if _is_there(path)), None)


def load(path: Path | None) -> Config:
    """What the file says over the defaults (None: the defaults).

    Raises ConfigError with a line for each fault: `file:line section.key: what is wrong`.
    """
    if path is None:
        return Config.default()
    text = _read(path)
    document = _parse(path, text)
    lines = key_lines(text)
    faults: list[Fault] = []
    config = Config(
        sensors=_sensors(document, faults),
        strip=_strip(document, faults),
        timing=_section(Timing, "timing", document, faults),
        lights=_section(Lights, "lights", document, faults),
        play=_section(Play, "play", document, faults),
        store=_section(Store, "store", document, faults),
        web=_section(Web, "web", document, faults),
        origins={key: f"{path}:{line}" for key, line in lines.items() if key.partition(".")[2]},
    )
    faults.extend((name, _misplaced(name, SECTIONS)) for name in document if name not in SECTIONS)
    faults.extend(_together(config, [key for key, _ in faults]))
    if faults:
        located = sorted((_line(key, lines), key, what) for key, what in faults)
        raise ConfigError(
            "\n".join(f"{path}:{line} {_printable(key)}: {what}" for line, key, what in located)
        )
    return config


def key_lines(text: str) -> dict[str, int]:
    """The line (from 1) on which each section and each `section.key` of a valid TOML text begins.

    The TOML reader itself finds the statements: lines are joined until they can be read alone.
    """
    lines: dict[str, int] = {}
    section: tuple[str, ...] = ()
    pending = ""
    begins = 1
    for number, line in enumerate(text.split("\n"), start=1):
        begins = begins if pending else number
        pending += line + "\n"
        try:
            paths = list(_paths(tomllib.loads(pending)))
        except ValueError:
            continue
        is_header = pending.lstrip().startswith("[")
        section = paths[0] if is_header else section
        for path in [section] if is_header else [(*section, *path) for path in paths]:
            for length in range(1, len(path) + 1):
                lines.setdefault(".".join(path[:length]), begins)
        pending = ""
    return lines


def _line(key: str, lines: Mapping[str, int]) -> int:
    """Where a setting is given, else the section or map that it would be in."""
    while key not in lines and "." in key:
        key = key.rpartition(".")[0]
    return lines.get(key, 1)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:  # a service may be started with a home that is not its own
        return False


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: there is no such file; `millwright config init` writes one") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: is not UTF-8 text") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits, or brackets without end, too
        what, _, _ = str(error).partition(" (at ")
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        where = f"{place[1]}: column {place[2]}" if place else f"{text.rstrip().count(chr(10)) + 1}: the end"
        raise ConfigError(f"{path}:{where} cannot be read as TOML: {what}") from error


def _paths(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The ways to all values of a table that are not tables with something in them."""
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from ((key, *path) for path in _paths(value))
        else:
            yield (key,)


def _sensors(document: Mapping[str, Any], faults: list[Fault]) -> Sensors:
    sensors = _section(Sensors, "sensors", document, faults)
    table = _table(document, "sensors")
    asked = replace(
        sensors, kind=table.get("kind", sensors.kind), alphabet=table.get("alphabet", sensors.alphabet)
    )
    try:
        read = sensor_reader(asked)
    except (KeyError, TypeError):  # no alphabet, which is told already
        return sensors
    return replace(
        sensors,
        points=points_of("sensors.points", table.get("points"), read, faults),
        levels=points_of("sensors.levels", table.get("levels"), level_reader(asked), faults),
    )


def _strip(document: Mapping[str, Any], faults: list[Fault]) -> Strip:
    strip = _section(Strip, "strip", document, faults)
    table = _table(document, "strip").get("points")
    return replace(strip, points=points_of("strip.points", table, read_leds, faults))


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}


def _together(config: Config, spoilt: Sequence[str]) -> Iterator[Fault]:
    """What is wrong although each value is right alone; what hangs on spoilt ones is not looked at."""

    def right(section: str, *keys: str) -> bool:
        names = [f"{section}.{key}" for key in keys] or [section]
        return not any(f"{fault}.".startswith(f"{name}.") for fault in spoilt for name in names)

    play, sensors, strip = config.play, config.sensors, config.strip
    if not right("play", "rules", "switches"):
        return
    try:
        rules = rule_set(play.rules, play.switches)
    except NotationError as error:
        yield "play.switches", str(error)
        return
    layout = rules.layout
    hindered = hindrance(rules, Alphabet(sensors.alphabet)) if right("sensors", "alphabet") else None
    if hindered is not None:
        yield "play.rules", english(hindered)
        return
    lines = right("sensors", "kind", "select", "signal", "enable", "adc", "i2c")
    if lines and right("sensors", "alphabet", "points", "levels", "expanders", "inputs"):
        yield from sensor_faults(sensors, layout)
    if right("strip", "backend", "gpio", "leds", "points"):
        yield from strip_faults(strip, layout)
    if right("sensors", "kind") and sensors.kind != "serial" and strip.backend == "serial":
        yield "strip.backend", 'serial is for LEDs on a board that reads the sensors, too: kind = "serial"'
    if lines and right("strip", "backend", "gpio"):
        yield from clashes(uses(sensors, strip))
    dark_ma = strip.leds * config.lights.idle_ma_per_led
    if right("strip", "leds") and right("lights") and config.lights.budget_ma <= dark_ma:
        yield (
            "lights.budget_ma",
            f"leaves no light: {strip.leds} LEDs draw {dark_ma:g} mA when they are dark",
        )


def _section(kind: type[_Section], name: str, document: Mapping[str, Any], faults: list[Fault]) -> _Section:
    """One section's values, without the wrong ones, which are added to `faults` as `(section.key, what)`."""
    table = document.get(name, {})
    if not isinstance(table, dict):
        faults.append((name, f"must be a section, written [{name}] on a line of its own"))
    elif table:
        from cattrs import ClassValidationError  # slow to import: only where a file says something

        try:
            return _structure(kind, name, table)
        except ClassValidationError as error:
            of_values, of_keys = error.group_exceptions()
            known = [setting.name for setting in fields(kind)]
            wrong: dict[str, str] = {note.name: str(fault) for fault, note in of_values}
            for fault in of_keys:
                wrong |= {key: _misplaced(key, known) for key in getattr(fault, "extra_fields", ())}
            faults.extend((f"{name}.{key}", what) for key, what in wrong.items())
            return _structure(kind, name, {key: value for key, value in table.items() if key not in wrong})
    return kind()


def _structure(kind: type[_Section], name: str, table: Mapping[str, Any]) -> _Section:
    from cattrs import Converter
    from cattrs.gen import make_dict_structure_fn, override

    types = get_type_hints(kind)
    readers: dict[str, Any] = {
        setting.name: override(struct_hook=_reader(f"{name}.{setting.name}", setting, types[setting.name]))
        for setting in fields(kind)
    }
    structure = make_dict_structure_fn(
        kind, Converter(), _cattrs_forbid_extra_keys=True, _cattrs_detailed_validation=True, **readers
    )
    return structure(table, kind)


def _reader(key: str, setting: Field[Any], kind: Any) -> Callable[[Any, Any], Any]:
    """What turns one value of a file into that of the setting, or says in a ValueError why it cannot."""
    article, belongs, convert = _KINDS[kind]

    def read(value: Any, _: Any) -> Any:
        if not belongs(value):
            raise ValueError(f"must be {article}, not {_shown(value)}")
        if "least" in setting.metadata and not setting.metadata["least"] <= value <= setting.metadata["most"]:
            raise ValueError(f"{_shown(value)} is out of range: it must be {bounds(setting)}")
        if value not in (among := setting.metadata.get("among", (value,))):
            raise ValueError(f"cannot be {_shown(value)}; {did_you_mean(value, among)}")
        _CHECKS.get(key, lambda _: None)(value)
        return convert(value)

    return read


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_A_MAP = ("a map, written [section.points] on a line of its own", lambda value: isinstance(value, dict), dict)
_KINDS: Mapping[Any, tuple[str, Callable[[Any], bool], Callable[[Any], Any]]] = {
    bool: ("true or false", lambda value: isinstance(value, bool), bool),
    int: ("a whole number", lambda value: _is_number(value) and isinstance(value, int), int),
    float: ("a number", _is_number, float),
    str: ("a text in quotes", lambda value: isinstance(value, str), str),
    tuple[str, ...]: (
        'a list of texts, as ["flying=never"]',
        lambda value: isinstance(value, list) and all(isinstance(text, str) for text in value),
        tuple,
    ),
    tuple[int, ...]: (
        "a list of numbers, as [17, 27, 22]",
        lambda value: isinstance(value, list) and all(_is_number(n) and isinstance(n, int) for n in value),
        tuple,
    ),
    Mapping[str, tuple[int, ...]]: _A_MAP,
    Mapping[str, tuple[tuple[int, ...], ...]]: _A_MAP,
}
"""For each type of a setting: what it is called, whether a TOML value is one, and how it becomes one."""


def _check_switches(settings: list[str]) -> None:
    wrong = []
    for setting in settings:
        try:
            parse_setting(setting, *FAMILIES)
        except NotationError as error:
            wrong.append(str(error))
    if wrong:
        raise NotationError("; ".join(wrong))


def _check_path(path: str) -> None:
    if path and not Path(path).is_absolute():
        raise ValueError(f"must begin with a slash, since nobody knows where {_shown(path)} is looked for")


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "lights.theme": theme_named,
    "play.rules": rule_set,
    "play.switches": _check_switches,
    "store.path": _check_path,
}
"""What must be more than well typed; each raises an error that says what would be right."""


def _misplaced(name: str, known: Iterable[str]) -> str:
    """What to say of a section or key that is not known where it stands."""
    homes = [home for home, section in SECTIONS.items() if name in {s.name for s in fields(section)}]
    if homes:
        return f"is not known here; it belongs into [{homes[0]}]"
    return f"is not known; {did_you_mean(name, known)}"


def _printable(key: str) -> str:
    """A key as a file may spell it, on one line whatever is in it."""
    return key if key.isprintable() else repr(key)


def _shown(value: Any) -> str:
    """A value of a file, written shortly."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:36]} ..."
