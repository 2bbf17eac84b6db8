"""Count the borders and the files of a deciding frame: `python -m tests.integration.borders`.

A piece is set on d6 of the headless board. Of all frames until the turn is lit, the one in which it is
decided is traced, from `Board.tick` to the bytes of the strip: each call from one package of `firmware_host`
or `hardware` into another is a border crossed. Calls within the simulation that stands in for wires,
calls of the rules (`firmware_host.games`) and comparisons of values (`firmware_host.frozen`), are left out.
The files are those of which a function runs in that frame, the rules included. `tests.integration.loads`
counts what whole programs load.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from types import FrameType
from typing import Any, NamedTuple

from firmware_host.play.board import Board
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard

LEFT_OUT = ("firmware_host.games", "firmware_host.frozen")
PARTS = ("firmware_host", "hardware")
Crossing = tuple[str, str]


class DecidingFrame(NamedTuple):
    """The borders that a frame crosses, and the modules of which it runs a function."""

    crossed: Counter[Crossing]
    modules: frozenset[str]


def package_of(module: str) -> str | None:
    """Return the package that a module belongs to, as `firmware_host.play`; None where it does not count."""
    parts = module.split(".")
    if parts[0] not in PARTS or module.startswith(LEFT_OUT):
        return None
    return ".".join(parts[:2])


def deciding_frame() -> DecidingFrame:
    """Return what the frame runs that decides a placement on d6."""
    found: list[DecidingFrame] = []
    tick = Board.tick

    def traced(board: Board, now: int) -> Any:
        crossed: Counter[Crossing] = Counter()
        modules: set[str] = set()

        def on_call(frame: FrameType, event: str, _arg: object) -> None:
            caller = frame.f_back
            if event != "call" or caller is None:
                return
            module = frame.f_globals.get("__name__", "")
            if module.split(".")[0] in PARTS:
                modules.add(module)
            here = package_of(module)
            there = package_of(caller.f_globals.get("__name__", ""))
            if here and there and here != there:
                crossed[there, here] += 1

        sys.setprofile(on_call)
        try:
            events = tick(board, now)
        finally:
            sys.setprofile(None)
        if any(event.name == "turn" for event in events):
            found.append(DecidingFrame(crossed, frozenset(modules)))
        return events

    Board.tick = traced  # type: ignore[method-assign]
    try:
        board = HeadlessBoard(Blueprint.of(), io.StringIO())
        board.obey('{"put": "d6", "piece": "white"}')
        board.obey('{"wait": 2}')
        board.close()
    finally:
        Board.tick = tick  # type: ignore[method-assign]
    (decided,) = found
    return decided


def main() -> None:
    """Print each border with its crossings, their sum, and the number of files."""
    crossed, modules = deciding_frame()
    for (caller, callee), count in crossed.most_common():
        print(f"{count:4}  {caller} -> {callee}")  # noqa: T201
    print(f"{crossed.total():4}  in all, and {len(modules)} files")  # noqa: T201


if __name__ == "__main__":
    main()
