"""The folders of a board that runs as a service: its configuration, and where it keeps what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.config import found, paths


def service_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, str]]:
    """Return the configuration that somebody wrote for the service, and its environment."""
    etc = folder / "etc.toml"
    etc.write_text("# mine\n[lights]\nbrightness = 0.3\n")
    for module in (paths, found):
        monkeypatch.setattr(module, "SYSTEM_PATH", etc)
    return etc, {"STATE_DIRECTORY": str(folder), "HOME": str(folder)}
