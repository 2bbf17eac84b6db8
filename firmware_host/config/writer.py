"""The configuration written as TOML: a template, and a listing of all values with their origin.

Invariants: `loader` reads back what is written here.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from firmware_host.config.loader import SECTIONS, Config
from firmware_host.settings import Sensors, bounds

_MAX_LISTED = 12
"""The most values of a setting that are listed; of more, its description says which there are."""
_TUNED = ("points", "levels", "settling_us", "pull_up")
_WIRED = (
    *(("sensors", one.name) for one in fields(Sensors) if one.name not in _TUNED),
    *(("strip", "leds"), ("strip", "order"), ("controls", "button"), ("sound", "buzzer")),
)
"""The settings that a set-up asks for or finds, besides those of each point."""


def template() -> str:
    """Return a file that explains every setting, with every default commented out."""
    parts = [
        "# The settings of Millwright. A line that begins with # shows the default.",
        "# `millwright config check` finds mistakes in this file, `config show` lists all values.",
    ]
    for name, section in SECTIONS.items():
        parts += ["", f"# {(section.__doc__ or '').splitlines()[0]}", f"[{name}]"]
        for setting in fields(section):
            parts += [
                f"# {setting.metadata['about']}{_allowed_text(setting)}",
                f"#{setting.name} = {toml_value(default_of(setting))}",
            ]
    return "\n".join(parts) + "\n"


def settings_listing(config: Config) -> str:
    """Return every value as TOML, with its origin as a comment."""
    parts: list[str] = []
    for name, section in SECTIONS.items():
        values = {setting.name: getattr(getattr(config, name), setting.name) for setting in fields(section)}
        maps = {key: value for key, value in values.items() if isinstance(value, Mapping)}
        parts += _table(config, name, {key: value for key, value in values.items() if key not in maps})
        for key, value in maps.items():
            parts += _table(
                config, f"{name}.{key}", {point: _unwrapped(wires) for point, wires in value.items()}
            )
    return "\n".join(parts)


def changed_settings(config: Config) -> str:
    """Return a file with every value that differs from its default, except maps of points."""
    parts: list[str] = []
    for name, section in SECTIONS.items():
        values = ((setting, getattr(getattr(config, name), setting.name)) for setting in fields(section))
        rows = [
            f"{setting.name} = {toml_value(value)}"
            for setting, value in values
            if value != default_of(setting) and not isinstance(value, Mapping)
        ]
        parts += [f"[{name}]", *rows, ""] if rows else []
    return "\n".join(parts)


def with_wiring(text: str, before: Config, after: Config) -> str:
    """Return a configuration's `text`, which contains `before`, with the wiring of `after`.

    Comments and other settings stay as they are; only what reads the sensors, wires, levels, the LEDs'
    places, number and order, and the lines of button and buzzer are replaced.
    """
    sensors, strip = after.sensors, after.strip
    maps = (
        ("sensors", "points", {name: _unwrapped(own) for name, own in sensors.points.items()}),
        ("sensors", "levels", sensors.levels),
        ("strip", "points", {name: _unwrapped(own) for name, own in strip.points.items()}),
    )
    values = [
        (section, key, now)
        for section, key in _WIRED
        if (now := getattr(getattr(after, section), key)) != getattr(getattr(before, section), key)
    ]
    rewritten, expected = _edit(text, maps, values, inline=False)
    # If the file writes sections as dotted keys, a table among them would swallow the keys that follow.
    return rewritten if tomllib.loads(rewritten) == expected else _edit(text, maps, values, inline=True)[0]


def with_settings(text: str, values: Mapping[str, Any]) -> str:
    """Return a configuration's `text` with these `values` by `section.key`; None stands for the default.

    Comments and other settings stay as they are.
    """
    single = [(*key.split(".", 1), value) for key, value in values.items()]
    return _edit(text, (), single, inline=False)[0]


def _edit(
    text: str,
    maps: Iterable[tuple[str, str, Mapping[str, Any]]],
    single: Iterable[tuple[str, str, Any]],
    *,
    inline: bool,
) -> tuple[str, Any]:
    """Return the text with these maps and single settings, and the document it should parse to.

    A single setting that is None is removed.
    """
    import tomlkit  # slow to import, and only needed to write a file

    single = list(single)
    document: Any = tomlkit.parse(_with_lines(text, single))
    for section, key, values in maps:
        own = document.get(section)
        if own is not None and key in own:
            del own[key]
        if values:
            if own is None:
                document[section] = own = tomlkit.table()
            table: Any = tomlkit.inline_table() if inline else tomlkit.table()
            for name, value in values.items():
                table[name] = _as_lists(value)
            own[key] = table
    for section, key, value in single:
        if value is not None:
            document.setdefault(section, tomlkit.table())[key] = _as_lists(value)
        elif section in document:
            document[section].pop(key, None)
    return str(tomlkit.dumps(document)), document.unwrap()


def _with_lines(text: str, single: Iterable[tuple[str, str, Any]]) -> str:
    """Return the text with a line for each new setting below the comment that has its default.

    Without one it stays as it is, and the setting is appended to its section.
    """
    written = tomllib.loads(text)
    for section, key, value in single:
        if value is not None and key not in written.get(section, {}):
            default = rf"(^\[{section}\][ \t]*(?:\r?\n(?!\[).*)*?\r?\n#{key} = .*?)(\r?)$"
            if found := re.search(default, text, flags=re.M):
                end = found.end(1)
                longer = f"{text[:end]}{found[2]}\n{key} = {toml_value(value)}{text[end:]}"
                # A line like that comment may belong to a text of several lines.
                text = longer if key in tomllib.loads(longer).get(section, {}) else text
    return text


def _as_lists(value: Any) -> Any:
    return [_as_lists(item) for item in value] if isinstance(value, tuple) else value


def toml_value(value: Any) -> str:
    """Return a setting's value in TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {toml_value(_unwrapped(item))}' for key, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def default_of(setting: Field[Any]) -> Any:
    """Return the default of a setting."""
    return setting.default if setting.default_factory is MISSING else setting.default_factory()


def _table(config: Config, name: str, values: Mapping[str, Any]) -> list[str]:
    rows = [(key, f"{key} = {toml_value(value)}") for key, value in values.items()]
    width = max((len(row) for _, row in rows), default=0)
    origins = [config.origins.get(f"{name}.{key}", "default") for key, _ in rows]
    lines = [f"{row:{width}}  # {origin}" for (_, row), origin in zip(rows, origins, strict=True)]
    return [f"[{name}]", *(lines or ["# default: in the order of the board's points"]), ""]


def _unwrapped(value: Any) -> Any:
    """Return wires without the brackets around a single one, as they are read."""
    if not isinstance(value, tuple):
        return value
    return _unwrapped(value[0]) if len(value) == 1 else tuple(map(_unwrapped, value))


def _allowed_text(setting: Field[Any]) -> str:
    if "least" in setting.metadata:
        return f" ({bounds(setting)})"
    among = setting.metadata.get("among", ())
    return f" ({', '.join(among)})" if 0 < len(among) <= _MAX_LISTED else ""
