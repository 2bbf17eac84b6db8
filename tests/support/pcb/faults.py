"""Faults put into copies of a board's Gerber and drill files, to prove that reading them back finds them."""

from __future__ import annotations

import re

from tests.support.pcb.gerbers import Gerbers

_MOVE = re.compile(r"X(-?\d+)Y(-?\d+)D0([12])\*")


def without_longest_track(gerbers: Gerbers, key: str = "F_Cu") -> Gerbers:
    """Return the files without the longest track of a layer."""
    lines = gerbers.files[key].splitlines()
    at, (x, y), longest, inside = 0, (0, 0), -1.0, False
    for number, line in enumerate(lines):
        inside = (inside or line.startswith("G36")) and not line.startswith("G37")
        if move := _MOVE.fullmatch(line):
            place = int(move[1]), int(move[2])
            length = abs(place[0] - x) + abs(place[1] - y)
            if move[3] == "1" and not inside and length > longest:
                at, longest = number, length
            x, y = place
    # The next track goes on from the end of this one.
    lines[at] = lines[at].replace("D01", "D02")
    return Gerbers(gerbers.files | {key: "\n".join(lines)})


def without_vias(gerbers: Gerbers, diameter: str = "0.300") -> Gerbers:
    """Return the files without any hole of a tool of this diameter."""
    text = gerbers.files["PTH"]
    (tool,) = re.findall(rf"^T(\d+)C{diameter}$", text, re.MULTILINE)
    holes = re.compile(rf"(?m)^(T{tool}\n)(X[^\n]*\n)+")
    return Gerbers(gerbers.files | {"PTH": holes.sub(r"\1", text)})
