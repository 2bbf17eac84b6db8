"""The firmware's file config.txt: the settings that count on a model, and lines added to it.

Invariants: text in, text out; nothing is read or written here. A line that is there stays as it is. Added
lines count on every model, whatever stands above them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardware.boot.models import Model

_ALL = "all"
_MODEL_FILTERS = ("pi0", "pi1", "pi2", "pi3", "pi4", "pi5", "cm")
"""Beginnings of the filters by model; others ask for serial numbers, screens or GPIO levels."""

_OFF = ("off", "false", "0", "no")
_ADDED = "# Added by Millwright, for the board's wiring:"


@dataclass(frozen=True, slots=True)
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


def settings_on(text: str, model: Model | None) -> FirmwareSettings:
    """Return the settings of a config.txt that count on `model`; the last one of a name does."""
    found = FirmwareSettings()
    for line in _lines_for(text, model):
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


def _lines_for(text: str, model: Model | None) -> Iterator[str]:
    """Yield the settings without comments. A filter counts until the next; `[all]` ends all of them."""
    counts, unknown = True, False
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            name = line.strip("[]").strip().lower()
            is_all = name == _ALL
            is_model = name.startswith(_MODEL_FILTERS) or name == "none"
            # Whether a filter of another kind holds can't be seen from here, so what it guards doesn't count.
            unknown = not is_all and (unknown or not is_model)
            counts = is_all or (not unknown and model is not None and name in model.filters)
        elif line and counts:
            yield line


def _last_filter(text: str) -> str:
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    filters = [line.strip("[]").strip().lower() for line in lines if line.startswith("[")]
    return filters[-1] if filters else _ALL
