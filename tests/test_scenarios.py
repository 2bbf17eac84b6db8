"""Every scenario says today what it said when it was read and found right.

A scenario is a transcript: the command after `$ `, the lines of input each after `> `, below each the output
that it gave, and remarks after `# `. The file's name is what it promises. To play one:

    sed -n 's/^> //p' tests/scenarios/NAME.txt | millwright sim --headless

with the options that stand in its call. After a change that is meant,
`MILLWRIGHT_WRITE_SCENARIOS=1 make test` writes them anew; read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import click
import pytest

from firmware_host.commands.sim import sim as command
from sim.assembly import Blueprint
from sim.headless import run

SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))
CALL = "$ millwright sim --headless"
INPUT = "> "


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where `--store games.db` is
    text = path.read_text(encoding="utf-8")
    now = transcript(text)
    if os.environ.get("MILLWRIGHT_WRITE_SCENARIOS"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == text.splitlines()


def transcript(text: str) -> str:
    """The same scenario with the output that its input gives now."""
    asked = [line for line in text.splitlines() if not line or line[0] in "$>#"]
    call = next(line for line in asked if line.startswith(CALL))
    inputs = [line.removeprefix(INPUT) for line in asked if line.startswith(INPUT)]
    said = iter(answers(call.removeprefix(CALL).split(), inputs))
    told = (line + "\n" + (next(said) if line[:1] in {"$", ">"} else "") for line in asked)
    return "".join(told)


def answers(arguments: list[str], inputs: list[str]) -> list[str]:
    """What is said before the first line of input, and after each."""
    out = StringIO()
    ends: list[int] = []

    def ask() -> Iterator[str]:
        for line in inputs:
            ends.append(out.tell())
            yield line

    run(ask(), out, blueprint(arguments))
    text = out.getvalue()
    ends.append(len(text))
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def blueprint(arguments: list[str]) -> Blueprint:
    """What a command line asks for."""
    with click.Context(command) as context:
        command.parse_args(context, arguments)
    given = ("rules", "switches", "sensors", "seed", "config", "store")
    return Blueprint.of(**{key: context.params[key] for key in given})
