"""The only reader of configuration files.

Invariants: a file is either valid or refused with all its faults at once, each with its line and the remedy.
Missing settings have their defaults. No file at all is a valid configuration.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from firmware_host.config.compatibility import incompatibility
from firmware_host.config.controller import controller_faults
from firmware_host.config.gpio import gpio_conflicts, gpio_uses
from firmware_host.config.validation import SECTIONS, misplaced, read_section
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
from firmware_host.errors import ConfigError, NotationError, faulty_line
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import to_english
from firmware_host.ports import SensorKind
from firmware_host.settings import (
    EXTERNAL,
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
)

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
        yield from gpio_conflicts(gpio_uses(sensors, strip, controls=config.controls, sound=config.sound))
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
