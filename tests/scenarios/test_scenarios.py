"""Every scenario gives the output that it gave when it was reviewed.

A scenario is a transcript: the command after `$ `, the lines of input each after `> `, below each the output
that it gave, and remarks after `# `. The file's name is what it promises. To play one:

    sed -n 's/^> //p' tests/scenarios/NAME.txt | millwright sim --headless

with the options that stand in its call. After an intended change, `MILLWRIGHT_WRITE_SCENARIOS=1 make test`
rewrites them; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.far import invitation
from tests.support.paths import SCENARIOS
from tests.support.transcripts import transcript


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.txt")), ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where `--store games.db` is
    monkeypatch.setattr(invitation, "ROUNDS", 1)  # they cost an attacker time, and change no line
    text = path.read_text(encoding="utf-8")
    now = transcript(text)
    if os.environ.get("MILLWRIGHT_WRITE_SCENARIOS"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == text.splitlines()
