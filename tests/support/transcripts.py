"""Scenarios as scripts: a call, its input, and the output that each line gives."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import click

from firmware_host.commands.sim import sim as command
from sim.assembly import Blueprint
from sim.headless import run_headless
from sim.pair.boards import run_pair

CALL = "$ millwright sim --headless"


INPUT = "> "


def transcript(text: str) -> str:
    """The same scenario with the output that its input gives now."""
    asked = [line for line in text.splitlines() if not line or line[0] in "$>#"]
    call = next(line for line in asked if line.startswith(CALL))
    inputs = [line.removeprefix(INPUT) for line in asked if line.startswith(INPUT)]
    said = iter(answers(call.removeprefix(CALL).split(), inputs))
    told = (line + "\n" + (next(said) if line[:1] in {"$", ">"} else "") for line in asked)
    return "".join(told)


def answers(arguments: list[str], inputs: list[str]) -> list[str]:
    """Return the output before the first line of input, and after each."""
    out = StringIO()
    ends: list[int] = []

    def ask() -> Iterator[str]:
        for line in inputs:
            ends.append(out.tell())
            yield line

    run = run_pair if "--pair" in arguments else run_headless
    run(ask(), out, blueprint(arguments))
    text = out.getvalue()
    ends.append(len(text))
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def blueprint(arguments: list[str]) -> Blueprint:
    """Return the blueprint of a command line."""
    with click.Context(command) as context:
        command.parse_args(context, arguments)
    given = ("rules", "switches", "sensors", "seed", "config", "store", "white", "black", "engine", "buzzer")
    return Blueprint.of(**{key: context.params[key] for key in given})
