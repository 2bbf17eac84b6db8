"""Help texts of options that several commands share."""

from __future__ import annotations

CONFIG_HELP = (
    "Configuration file. "
    "[default: ~/.config/millwright/millwright.toml, then /etc/millwright/millwright.toml]"
)
