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
from tests.support.matrix import left_to_ci
from tests.support.paths import SCENARIOS
from tests.support.transcripts import transcript

# Of these kinds, cheaper scenarios remain, or one that would show more mistakes.
COSTLY = {
    "a-far-game-that-is-over-is-cleared-and-another-begins-once-both-are-ready",
    "a-sensor-that-chatters-answers-nothing-and-disturbs-no-touch",
    "four-knocks-a-brush-and-a-weak-sensor-open-nothing",
    "mitsudomoe-by-hands-in-disorder",
    "power-cuts-on-both-boards-lose-nothing-of-a-far-game",
}


def is_costly(path: Path) -> bool:
    game = path.stem.removeprefix("a-whole-game-of-")
    return path.stem in COSTLY or game not in (path.stem, "standard")


@pytest.mark.parametrize(
    "path", left_to_ci(sorted(SCENARIOS.glob("*.txt")), is_costly), ids=lambda path: path.stem
)
def test_scenario(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where `--store games.db` is
    monkeypatch.setattr(invitation, "ROUNDS", 1)  # they cost an attacker time, and change no line
    text = path.read_text(encoding="utf-8")
    now = transcript(text)
    if os.environ.get("MILLWRIGHT_WRITE_SCENARIOS"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == text.splitlines()
