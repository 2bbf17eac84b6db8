"""The only reader of configuration files.

Invariants: a file is either valid or refused with all its faults at once, each with its line and the remedy.
Missing settings have their defaults. No file at all is a valid configuration.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from firmware_host.config.compatibility import incompatibility
from firmware_host.config.controller import controller_faults
from firmware_host.config.gpio import gpio_conflicts, gpio_uses
from firmware_host.config.night import NightHours
from firmware_host.config.wiring_map import (
    ConfigFault,
    bar_faults,
    level_reader,
    points_of,
    read_leds,
    sensor_faults,
    sensor_reader,
    strip_faults,
)
from firmware_host.errors import ConfigError, NotationError, did_you_mean, faulty_line
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.games.options import parse_setting
from firmware_host.games.rulesets import FAMILIES, rule_set
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import to_english
from firmware_host.ports import SensorKind
from firmware_host.settings import (
    EXTERNAL,
    MAX_BOARD_NAME,
    Controls,
    Lights,
    Link,
    Play,
    Rest,
    Sensors,
    Sound,
    Store,
    Strip,
    Timing,
    Web,
    bounds,
)

# ---- sections -------------------------------------------------------------------------------------------
# The sections of a configuration, and the conversion of their values from TOML.
#
# Invariants: nothing is guessed or converted, so that `"yes"` is not a boolean and `1.5` not a whole number.
# All faults of a section are reported, and the values without a fault are read.


_Section = TypeVar("_Section", Sensors, Strip, Controls, Sound, Timing, Lights, Rest, Play, Store, Web, Link)

SECTIONS: Mapping[
    str, type[Sensors | Strip | Controls | Sound | Timing | Lights | Rest | Play | Store | Web | Link]
] = {
    "sensors": Sensors,
    "strip": Strip,
    "controls": Controls,
    "sound": Sound,
    "timing": Timing,
    "lights": Lights,
    "rest": Rest,
    "play": Play,
    "store": Store,
    "web": Web,
    "link": Link,
}

_FORMER = frozenset({"timing.cleared_forgives_ms"})
"""Settings of earlier versions, which mean nothing now: a file that has them is as valid as it was."""


def read_section(
    kind: type[_Section], name: str, document: Mapping[str, Any], faults: list[ConfigFault]
) -> _Section:
    """Return the valid values of one section; add the others to `faults` as `(section.key, fault)`."""
    table = document.get(name, {})
    if not isinstance(table, dict):
        faults.append((name, f"must be a section, written [{name}] on a line of its own"))
        return kind()
    table = {key: value for key, value in table.items() if f"{name}.{key}" not in _FORMER}
    if table:
        from cattrs import ClassValidationError  # slow to import, and only needed for a file with settings

        try:
            return _convert(kind, name, table)
        except ClassValidationError as error:
            value_errors, key_errors = error.group_exceptions()
            known = [setting.name for setting in fields(kind)]
            wrong: dict[str, str] = {note.name: str(fault) for fault, note in value_errors}
            for fault in key_errors:
                wrong |= {key: misplaced(key, known) for key in getattr(fault, "extra_fields", ())}
            faults.extend((f"{name}.{key}", what) for key, what in wrong.items())
            return _convert(kind, name, {key: value for key, value in table.items() if key not in wrong})
    return kind()


def _convert(kind: type[_Section], name: str, table: Mapping[str, Any]) -> _Section:
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
    """Return the function that converts one value of a file, or raises ValueError with the reason."""
    article, matches, convert = _KINDS[kind]

    def read(value: Any, _: Any) -> Any:
        if not matches(value):
            raise ValueError(f"must be {article}, not {_quoted(value)}")
        if "least" in setting.metadata and not setting.metadata["least"] <= value <= setting.metadata["most"]:
            raise ValueError(f"{_quoted(value)} is out of range: it must be {bounds(setting)}")
        if value not in (among := setting.metadata.get("among", (value,))):
            raise ValueError(f"cannot be {_quoted(value)}; {did_you_mean(value, among)}")
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
"""For each type of a setting: its description, the test of a TOML value, and the conversion."""


def _check_switches(settings: list[str]) -> None:
    wrong = []
    for setting in settings:
        try:
            parse_setting(setting, *FAMILIES)
        except NotationError as error:
            wrong.append(str(error))
    if wrong:
        raise NotationError("; ".join(wrong))


def _check_options(options: list[str]) -> None:
    wrong = [option for option in options if not option.partition("=")[0].strip() or "=" not in option]
    if wrong:
        raise ValueError(f'{_quoted(wrong[0])} is not an option; write "name=value"')


def _check_path(path: str) -> None:
    if path and not Path(path).is_absolute():
        raise ValueError(f"must be an absolute path, not {_quoted(path)}")


def _check_broker(address: str) -> None:
    if address:
        from firmware_host.far.address import BrokerAddress  # only boards with a link need it

        BrokerAddress.parse(address)


def _check_name(name: str) -> None:
    if len(name) > MAX_BOARD_NAME or not name.isprintable():
        raise ValueError(f"must be a line of {MAX_BOARD_NAME} characters at most")


def _check_club(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9-]{0,32}", name):
        raise ValueError("must have 32 characters at most, of a-z, 0-9 and -")


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "play.rules": rule_set,
    "play.switches": _check_switches,
    "play.clock": TimeControls.parse,
    "play.external_options": _check_options,
    "store.path": _check_path,
    "link.broker": _check_broker,
    "link.name": _check_name,
    "link.club": _check_club,
    "link.house_broker": _check_broker,
    "link.ca": _check_path,
    "rest.night": NightHours.of,
}
"""Checks beyond the type; each raises an error that says what would be right."""


def misplaced(name: str, known: Iterable[str]) -> str:
    """Return the fault of a section or key that is not known at its place."""
    for section_name, section in SECTIONS.items():
        if name in {setting.name for setting in fields(section)}:
            return f"is not known here; it belongs into [{section_name}]"
    return f"is not known; {did_you_mean(name, known)}"


def _quoted(value: Any) -> str:
    """Return a short text of a value of a file."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:36]} ..."


# ---- the file -------------------------------------------------------------------------------------------


_MAX_DEPTH = 20
"""The deepest nesting of a key; a configuration needs three."""


@frozen
class Config:
    """All settings, and in `origins` the source of each value that a file gave, as `file:line`.

    The keys of `origins` are `section.key`; a setting that is not in it has its default.
    """

    sensors: Sensors = field(default_factory=Sensors)
    strip: Strip = field(default_factory=Strip)
    controls: Controls = field(default_factory=Controls)
    sound: Sound = field(default_factory=Sound)
    timing: Timing = field(default_factory=Timing)
    lights: Lights = field(default_factory=Lights)
    rest: Rest = field(default_factory=Rest)
    play: Play = field(default_factory=Play)
    store: Store = field(default_factory=Store)
    web: Web = field(default_factory=Web)
    link: Link = field(default_factory=Link)
    origins: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def default(cls) -> Config:
        """Return the configuration without a file."""
        return cls()


def load(path: Path | None) -> Config:
    """Return the settings of the file over the defaults (None: the defaults).

    Raises ConfigError with a line for each fault: `file:line section.key: fault`.
    """
    return Config.default() if path is None else parse_config(_read(path), path)


def parse_config(text: str, path: Path) -> Config:
    """Return the settings in the text of the file at `path`. Raise ConfigError as `load` does."""
    document = _parse(path, text)
    lines = key_lines(text)
    faults: list[ConfigFault] = []
    config = Config(
        sensors=_sensors(document, faults),
        strip=_strip(document, faults),
        controls=read_section(Controls, "controls", document, faults),
        sound=read_section(Sound, "sound", document, faults),
        timing=read_section(Timing, "timing", document, faults),
        lights=read_section(Lights, "lights", document, faults),
        rest=read_section(Rest, "rest", document, faults),
        play=read_section(Play, "play", document, faults),
        store=read_section(Store, "store", document, faults),
        web=read_section(Web, "web", document, faults),
        link=read_section(Link, "link", document, faults),
        origins={key: f"{path}:{line}" for key, line in lines.items() if key.partition(".")[2]},
    )
    faults.extend((name, misplaced(name, SECTIONS)) for name in document if name not in SECTIONS)
    faults.extend(_combined_faults(config, [key for key, _ in faults]))
    if faults:
        located = sorted((_line(key, lines), key, fault) for key, fault in faults)
        raise ConfigError(
            "\n".join(f"{path}:{line} {_printable(key)}: {fault}" for line, key, fault in located)
        )
    return config


def combined_faults(config: Config) -> list[str]:
    """Return what is wrong with values together that are valid each, as `section.key: fault`."""
    return [f"{key}: {fault}" for key, fault in _combined_faults(config, [])]


def key_lines(text: str) -> dict[str, int]:
    """Return the line (from 1) on which each section and each `section.key` of a valid TOML text begins.

    The TOML reader itself finds the statements: lines are joined until they can be parsed alone.
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
    """Return the line of a setting, or of the section or map that it would be in."""
    while key not in lines and "." in key:
        key = key.rpartition(".")[0]
    return lines.get(key, 1)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: there is no such file; `millwright config init` writes one") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}:{faulty_line(error)}: is not UTF-8 text; save it as UTF-8") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(text)
        if max(map(len, _paths(found)), default=0) > _MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        return found
    # A number with too many digits also raises ValueError, and endless brackets raise RecursionError.
    except (ValueError, RecursionError) as error:
        fault, _, _ = str(error).partition(" (at ")
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        where = f"{place[1]}: column {place[2]}" if place else f"{text.rstrip().count(chr(10)) + 1}: the end"
        raise ConfigError(f"{path}:{where} cannot be read as TOML: {fault}") from error


def _paths(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the key paths of all values of a table that are not tables with something in them."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), table)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping) and (value or not path):
            waiting += [((*path, key), inner) for key, inner in reversed(list(value.items()))]
        else:
            yield path


def _sensors(document: Mapping[str, Any], faults: list[ConfigFault]) -> Sensors:
    sensors = read_section(Sensors, "sensors", document, faults)
    table = _table_of(document, "sensors")
    requested = replace(
        sensors, kind=table.get("kind", sensors.kind), alphabet=table.get("alphabet", sensors.alphabet)
    )
    try:
        read = sensor_reader(requested)
    except (KeyError, TypeError):  # an invalid kind or alphabet, which is a fault already
        return sensors
    return replace(
        sensors,
        points=points_of("sensors.points", table.get("points"), read, faults),
        levels=points_of("sensors.levels", table.get("levels"), level_reader(requested), faults),
    )


def _strip(document: Mapping[str, Any], faults: list[ConfigFault]) -> Strip:
    strip = read_section(Strip, "strip", document, faults)
    table = _table_of(document, "strip").get("points")
    return replace(strip, points=points_of("strip.points", table, read_leds, faults))


def _table_of(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}


def _combined_faults(config: Config, faulty: Sequence[str]) -> Iterator[ConfigFault]:
    """Yield the faults of combined values, leaving out those that depend on the `faulty` ones."""

    def is_valid(section: str, *keys: str) -> bool:
        names = [f"{section}.{key}" for key in keys] or [section]
        return not any(f"{fault}.".startswith(f"{name}.") for fault in faulty for name in names)

    play, sensors, strip = config.play, config.sensors, config.strip
    for side in ("white", "black"):
        if getattr(play, side) == EXTERNAL and not play.external and is_valid("play", side, "external"):
            yield f"play.{side}", "no other program is configured; write its command into play.external"
    if not is_valid("play", "rules", "switches"):
        return
    try:
        rules = rule_set(play.rules, play.switches)
    except NotationError as error:
        yield "play.switches", str(error)
        return
    layout = rules.layout
    incompatible = (
        incompatibility(rules, SensorKind(sensors.alphabet)) if is_valid("sensors", "alphabet") else None
    )
    if incompatible is not None:
        yield "play.rules", to_english(incompatible)
        return
    lines = is_valid("sensors", "kind", "select", "signal", "enable", "adc", "i2c")
    if lines and is_valid("sensors", "alphabet", "points", "levels", "expanders", "inputs"):
        yield from sensor_faults(sensors, layout)
    yield from _light_faults(strip, layout, is_valid)
    if is_valid("sensors", "kind") and sensors.kind != "serial" and strip.backend == "serial":
        yield "strip.backend", 'serial is for LEDs on a board that reads the sensors, too: kind = "serial"'
    if lines and is_valid("strip", "backend", "gpio") and is_valid("controls") and is_valid("sound"):
        yield from controller_faults(sensors, strip, config.controls, config.sound)
        uses = gpio_uses(sensors, strip, controls=config.controls, sound=config.sound)
        yield from ((key, to_english(what)) for key, what in gpio_conflicts(uses))
    dark_ma = strip.leds * config.lights.idle_ma_per_led
    if is_valid("strip", "leds") and is_valid("lights") and config.lights.budget_ma <= dark_ma:
        yield (
            "lights.budget_ma",
            f"leaves no light: {strip.leds} LEDs draw {dark_ma:g} mA when they are dark",
        )


def _light_faults(strip: Strip, layout: Layout, is_valid: Callable[..., bool]) -> Iterator[ConfigFault]:
    """Yield the faults of the LEDs of points and side bars."""
    if is_valid("strip", "backend", "gpio", "leds", "points"):
        yield from strip_faults(strip, layout)
    if is_valid("strip", "leds", "points", "white_bar", "black_bar"):
        yield from bar_faults(strip, layout)


def _printable(key: str) -> str:
    """Return a key as a file may spell it, on one line whatever is in it."""
    return key if key.isprintable() else repr(key)
