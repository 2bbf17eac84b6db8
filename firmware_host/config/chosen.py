"""The settings that the page's workshop may change, and the file of those that somebody chose there.

That file is beside a configuration which the service may not write.

Invariants: only the table decides which settings these are (`workshop` in settings.py). It marks none that
names a file, a program or an address, that lets somebody in, that says how the board is wired, or that bounds
the current which its parts may draw. The file counts until the configuration says something else about one of
the settings in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import Field, fields, replace
from typing import Any

from firmware_host.config.loader import SECTIONS, Config, key_lines
from firmware_host.config.writer import with_settings

CHOOSABLE: Mapping[str, Field[Any]] = {
    f"{name}.{setting.name}": setting
    for name, section in SECTIONS.items()
    for setting in fields(section)
    if setting.metadata.get("workshop")
}
"""The settings that the page's workshop may change, by `section.key`."""


def value_of(config: Config, key: str) -> Any:
    """Return the value of the setting `section.key`."""
    section, _, name = key.partition(".")
    return getattr(getattr(config, section), name)


def with_chosen_of(config: Config, chosen: Config) -> Config:
    """Return the settings with those that are written in the file of `chosen`."""
    keys = [key for key in CHOOSABLE if key in chosen.origins]
    for key in keys:
        section, _, name = key.partition(".")
        part: Any = replace(getattr(config, section), **{name: value_of(chosen, key)})
        config = replace(config, **{section: part})
    return replace(config, origins={**config.origins, **{key: chosen.origins[key] for key in keys}})


def chosen_mark(config: Config, text: str) -> str:
    """Return a comment that differs where `config` says something else about the settings in `text`.

    A value that is written counts, even if it is the default.
    """
    chosen = key_lines(text)
    written = {key: value_of(config, key) for key in CHOOSABLE if key in chosen and key in config.origins}
    digest = hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()
    return f"# It counts until the configuration says something else about these settings than {digest[:32]}."


def chosen_text(config: Config, values: Mapping[str, Any]) -> str:
    """Return the file of these `values`, chosen beside the configuration `config`."""
    text = with_settings("", values)
    return f"# What was chosen in the page's workshop.\n{chosen_mark(config, text)}\n{text}"
