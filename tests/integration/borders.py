"""Count the borders between packages that one deciding frame crosses: `python -m tests.integration.borders`.

A piece is set on d6 of the headless board. Of all frames until the turn is lit, the one in which it is
decided is traced, from `Board.tick` to the bytes of the strip: each call from one package of `firmware_host`
or `hardware` into another is a border crossed. Calls within the simulation that stands in for wires,
calls of the rules (`firmware_host.games`) and comparisons of values (`firmware_host.frozen`), are left out.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from types import FrameType
from typing import Any

from firmware_host.play.board import Board
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard

LEFT_OUT = ("firmware_host.games", "firmware_host.frozen")
PARTS = ("firmware_host", "hardware")
Crossing = tuple[str, str]


def package_of(module: str) -> str | None:
    """Return the package that a module belongs to, as `firmware_host.play`; None where it does not count."""
    parts = module.split(".")
    if parts[0] not in PARTS or module.startswith(LEFT_OUT):
        return None
    return ".".join(parts[:2])


def crossings_of_deciding_frame() -> Counter[Crossing]:
    """Return how often each border is crossed in the frame that decides a placement on d6."""
    found: list[Counter[Crossing]] = []
    tick = Board.tick

    def traced(board: Board, now: int) -> Any:
        crossed: Counter[Crossing] = Counter()

        def on_call(frame: FrameType, event: str, _arg: object) -> None:
            caller = frame.f_back
            if event != "call" or caller is None:
                return
            here = package_of(frame.f_globals.get("__name__", ""))
            there = package_of(caller.f_globals.get("__name__", ""))
            if here and there and here != there:
                crossed[there, here] += 1

        sys.setprofile(on_call)
        try:
            events = tick(board, now)
        finally:
            sys.setprofile(None)
        if any(event.name == "turn" for event in events):
            found.append(crossed)
        return events

    Board.tick = traced  # type: ignore[method-assign]
    try:
        board = HeadlessBoard(Blueprint.of(), io.StringIO())
        board.obey('{"put": "d6", "piece": "white"}')
        board.obey('{"wait": 2}')
        board.close()
    finally:
        Board.tick = tick  # type: ignore[method-assign]
    (crossed,) = found
    return crossed


def main() -> None:
    """Print each border with its crossings, and their sum."""
    crossed = crossings_of_deciding_frame()
    for (caller, callee), count in crossed.most_common():
        print(f"{count:4}  {caller} -> {callee}")  # noqa: T201
    print(f"{crossed.total():4}  in all")  # noqa: T201


if __name__ == "__main__":
    main()
