"""The shipped example lists the settings that exist."""

from __future__ import annotations

from firmware_host.config.loader import load
from firmware_host.config.writer import template
from tests.support.paths import PROJECT

EXAMPLE = PROJECT / "systemd" / "millwright.toml"


def test_the_example_is_what_config_init_writes_and_holds_every_default() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == template()
    assert load(EXAMPLE) == load(None)
