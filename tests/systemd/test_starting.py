"""The files that start the program: processes of its own read them too, and must not start it again."""

from __future__ import annotations

import runpy
import sys

import pytest

from tests.support.paths import PROJECT


@pytest.mark.parametrize("path", ["systemd/deb/millwright", "firmware_host/__main__.py"])
def test_a_process_of_the_program_does_not_start_it_again(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert "main" in runpy.run_path(str(PROJECT / path), run_name="__mp_main__")
