"""The firmware's file config.txt: the settings that count on a model, and lines added to it.

A line `include FILE` stands for the text of another file of the same folder, which the firmware reads in its
place: with the filters that hold there, and not at all where none does.

Invariants: text in, text out; nothing is read or written here. A line that is there stays as it is. Added
lines count on every model, whatever stands above them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.frozen import frozen
from hardware.boot.models import Model

_ALL = "all"
_MODEL_FILTERS = ("pi0", "pi1", "pi2", "pi3", "pi4", "pi5", "cm")
"""Beginnings of the filters by model; others ask for serial numbers, screens or GPIO levels."""

_INCLUDE = re.compile(r"include\s+(\S.*)")

_OFF = ("off", "false", "0", "no")
_ADDED = "# Added by Millwright, for the board's wiring:"


@frozen
class ConfigTxt:
    """The text of a config.txt, and those of the files that it includes, by the names that it gives them."""

    text: str
    included: Mapping[str, str] = field(default_factory=dict)


@frozen
class FirmwareSettings:
    """The settings that count: values by name, parameters of the device tree by name, and overlays."""

    values: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    overlays: list[str] = field(default_factory=list)

    def number(self, name: str, default: int) -> int:
        """Return a number, or `default` if it is not set, or set to something else."""
        value = self.values.get(name, "")
        return int(value) if value.isdecimal() else default

    def is_on(self, parameter: str) -> bool:
        """Return whether a parameter is switched on; its name alone switches it on as well."""
        return parameter in self.parameters and self.parameters[parameter].lower() not in _OFF


@dataclass(slots=True)
class _Filters:
    """The filters in force while a file is read: one counts until the next, and `[all]` ends all of them."""

    model: Model | None
    hold: bool = True
    unknown: bool = False

    def take(self, line: str) -> None:
        """Take the next filter."""
        name = _filter(line)
        is_all = name == _ALL
        is_model = name.startswith(_MODEL_FILTERS) or name == "none"
        # Whether a filter of another kind holds can't be seen from here, so what it guards doesn't count.
        self.unknown = not is_all and (self.unknown or not is_model)
        self.hold = is_all or (not self.unknown and self.model is not None and name in self.model.filters)


def includes(text: str) -> list[str]:
    """Return the names of the files that a text includes."""
    found = (_INCLUDE.fullmatch(line) for line in _lines(text))
    return [include[1] for include in found if include]


def lines_on(config: ConfigTxt, model: Model | None) -> Iterator[tuple[str, bool]]:
    """Yield each line without its comment, and whether it is a setting that counts on `model`."""
    yield from _lines_with(config, config.text, _Filters(model), frozenset())


def settings_on(config: ConfigTxt, model: Model | None) -> FirmwareSettings:
    """Return the settings that count on `model`; the last one of a name does."""
    found = FirmwareSettings()
    for line in (line for line, counts in lines_on(config, model) if counts):
        name, _, value = (part.strip() for part in line.partition("="))
        if name in ("dtparam", "device_tree_param"):
            for parameter in value.split(","):
                key, _, setting = (part.strip() for part in parameter.partition("="))
                found.parameters[key] = setting
        elif name in ("dtoverlay", "device_tree_overlay"):
            found.overlays.append(value)
        else:
            found.values[name] = value
    return found


def with_lines(text: str, lines: Sequence[str]) -> str:
    """Return the text with `lines` at its end, where they count on every model; unchanged without lines."""
    if not lines:
        return text
    end = [] if _last_filter(text) == _ALL else [f"[{_ALL}]"]
    head = [text.rstrip("\n"), ""] if text.strip() else []
    return "\n".join([*head, *end, _ADDED, *lines, ""])


def _lines_with(
    config: ConfigTxt, text: str, filters: _Filters, within: frozenset[str]
) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a text with those of included files; one that includes itself ends there."""
    for line in _lines(text):
        include = _INCLUDE.fullmatch(line)
        if line.startswith("["):
            filters.take(line)
            yield line, False
        elif include is None:
            yield line, filters.hold
        elif filters.hold and include[1] not in within:
            own = config.included.get(include[1], "")
            yield from _lines_with(config, own, filters, within | {include[1]})


def _lines(text: str) -> Iterator[str]:
    for raw in text.splitlines():
        if line := raw.partition("#")[0].strip():
            yield line


def _filter(line: str) -> str:
    return line.strip("[]").strip().lower()


def _last_filter(text: str) -> str:
    """Return the filter that holds at the end; empty if an included file may have set another one."""
    last = _ALL
    for line in _lines(text):
        if line.startswith("["):
            last = _filter(line)
        elif _INCLUDE.fullmatch(line):
            last = ""
    return last
