"""The sections of a configuration, and the conversion of their values from TOML.

Invariants: nothing is guessed or converted, so that `"yes"` is not a boolean and `1.5` not a whole number.
All faults of a section are reported, and the values without a fault are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from firmware_host.config.night import NightHours
from firmware_host.config.wiring_map import ConfigFault
from firmware_host.errors import NotationError, did_you_mean
from firmware_host.games.options import parse_setting
from firmware_host.games.rulesets import FAMILIES, rule_set
from firmware_host.games.time_control import TimeControls
from firmware_host.settings import (
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
