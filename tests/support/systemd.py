"""The files of the service, and the programs that check them."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.support.paths import PROJECT

FOLDER = PROJECT / "systemd"


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where the program is missing, unless it is required."""
    missing = shutil.which(program) is None and not os.environ.get("MILLWRIGHT_SYSTEMD_REQUIRED")
    return pytest.mark.skipif(missing, reason=f"there is no {program} here")
