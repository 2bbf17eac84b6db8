"""The files of the service, and the programs that check them."""

from __future__ import annotations

import os
import shutil
import sys
from collections import defaultdict
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.paths import PROJECT

FOLDER = PROJECT / "systemd"


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where the program is missing, unless it is required."""
    missing = shutil.which(program) is None and not os.environ.get("MILLWRIGHT_SYSTEMD_REQUIRED")
    return pytest.mark.skipif(missing, reason=f"there is no {program} here")


def settings(file: Path) -> dict[str, list[str]]:
    """Return all values of each setting of a unit, as `Section.Name`."""
    found: dict[str, list[str]] = defaultdict(list)
    section = ""
    for line in file.read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found[f"{section}.{name}"].append(value)
    return found


def load_lock() -> ModuleType:
    """Load systemd/lock.py, which is a program and belongs to no package."""
    name = "millwright_lock"
    spec = spec_from_file_location(name, FOLDER / "lock.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
