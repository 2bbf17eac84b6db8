"""The example configuration that is shipped says what can be set today."""

from __future__ import annotations

from pathlib import Path

from firmware_host.config import load
from firmware_host.config_writing import template

EXAMPLE = Path(__file__).parent.parent / "systemd" / "millwright.toml"


def test_the_example_is_what_config_init_writes_and_holds_every_default() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == template()
    assert load(EXAMPLE) == load(None)
