"""Compare boards that were just made with those in the project, as geometry: the texts of Gerbers differ.

`python -m tests.support.pcb.compare FOLDER` ends with 1 if they differ; with `--take` it keeps the new ones.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from shapely.ops import unary_union

from hardware.pcb.__main__ import FILES
from hardware.pcb.netlist import boards
from tests.support.pcb.gerbers import Gerbers

KINDS = (".kicad_pcb", "-gerber.zip", "-placement.csv", "-parts.csv", ".png")
"""The ends of the names of a board's files."""

PANEL = "point-panel"
"""The panel of nine points, of which only the archive is kept: it is made from the point's own file."""

MAX_DIFFERENCE_MM2 = 0.01


def differences(old: Gerbers, new: Gerbers) -> Iterator[str]:
    """Yield each layer and drill file that differs, and by how much."""
    if old.files.keys() != new.files.keys():
        yield f"other files: {sorted(old.files.keys() ^ new.files.keys())}"
        return
    for key in sorted(old.files):
        shapes = (one.holes if key.endswith("PTH") else one.shapes for one in (old, new))
        before, after = (unary_union(shape(key)) for shape in shapes)
        if (apart := before.symmetric_difference(after).area) > MAX_DIFFERENCE_MM2:
            yield f"{key} differs by {apart:.2f} mm²"


def main(folder: Path, *, take: bool) -> int:
    """Compare each board of a folder; return the exit status."""
    status = 0
    kept = dict.fromkeys(boards(), KINDS) | {PANEL: ("-gerber.zip",)}
    for name, kinds in kept.items():
        archives = [place / f"{name}-gerber.zip" for place in (FILES, folder)]
        if not archives[1].exists():
            sys.stdout.write(f"{name}: {archives[1]} is missing; run all of `make boards`\n")
            status = 1
            continue
        found = list(differences(*map(Gerbers.of, archives))) if archives[0].exists() else ["it is new"]
        for what in found:
            sys.stdout.write(f"{name}: {what}\n")
        if found and not take:
            status = 1
        if take:
            for kind in kinds:
                shutil.copy(folder / f"{name}{kind}", FILES / f"{name}{kind}")
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), take="--take" in sys.argv[2:]))
