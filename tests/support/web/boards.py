"""Simulated boards for tests of the page: each a `millwright sim`, forked from a process that has imported
the program.

Importing the program takes a second, which each of dozens of boards would spend again. The rest is done by
the command itself; the tests of the commands also start it normally.

Run as a program, this forks: it reads lines of JSON from its input, and answers each with a line.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from tests.support.paths import PROJECT


@contextmanager
def simulated_board(*options: str, plain: bool = False) -> Iterator[str]:
    """The address of the page of a `millwright sim` that runs as long as the context lasts.

    A `plain` one gets these options alone, as somebody starts it.
    """
    board = _told(
        {"begin": ["sim", "--no-browser", "--port", "0", *(options if plain else _chosen(options))]}
    )
    try:
        found = re.search(r"http://\S+", board["said"])
        assert found is not None, f"no address in {board['said']!r}"
        yield found[0]
    finally:
        _told({"end": board["pid"]})


def _chosen(options: tuple[str, ...]) -> tuple[str, ...]:
    """The options of a board that keeps no games and tells no colours, unless they say otherwise."""
    kept = () if "--store" in options else ("--no-store",)
    chosen = {"--sensors", "--config", "mitsudomoe"} & {*options}
    return (*options, *kept, *(() if chosen else ("--sensors", "presence")))


@cache
def _forker() -> subprocess.Popen[str]:
    """Return the process that forks boards until this one ends, which then ends it and waits for it."""
    forker = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", __name__],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    atexit.register(forker.__exit__, None, None, None)
    return forker


def _told(request: dict[str, Any]) -> Any:
    forker = _forker()
    assert forker.stdin is not None
    assert forker.stdout is not None
    print(json.dumps(request), file=forker.stdin, flush=True)
    return json.loads(forker.stdout.readline())


def fork_boards() -> None:
    """Begin and end boards as the lines on the input say, until there are no more."""
    import hardware.spi_pixels  # noqa: F401 - the command imports it when it runs
    import sim.live.run
    import sim.live.setup  # noqa: F401
    from firmware_host.web import static_files

    for file in static_files._all().values():
        assert file.tag, file.compressed  # made when first asked for, and then kept by all boards
    outputs: dict[int, int] = {}  # held open, since boards may say more
    for line in sys.stdin:
        request = json.loads(line)
        if "begin" in request:
            pid, output = begin(request["begin"])
            outputs[pid] = output
            answer = {"pid": pid, "said": first_line(output)}
        else:
            os.kill(request["end"], signal.SIGTERM)
            os.waitpid(request["end"], 0)
            os.close(outputs.pop(request["end"]))
            answer = {}
        print(json.dumps(answer), flush=True)  # noqa: T201


def begin(arguments: list[str]) -> tuple[int, int]:
    """Fork off `millwright` with these arguments: its process, and what it prints, to be read."""
    output, printed = os.pipe()
    pid = os.fork()
    if pid:
        os.close(printed)
        return pid, output
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(printed, 1)
    for spare in (nothing, printed, output):
        os.close(spare)
    sys.argv = ["millwright", *arguments]
    from firmware_host.cli import main

    main()
    raise SystemExit


def first_line(output: int) -> str:
    """The first line that is printed, byte by byte, since no more than it is to be waited for."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(output, 1)):
        line += byte
    return line.decode()


if __name__ == "__main__":
    fork_boards()
