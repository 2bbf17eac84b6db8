"""The files of a board's wood: sheets for a cutter, parts for a 3D printer, and the wires to cut."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from firmware_host.games.game import Piece
from hardware.case.assembly import Assembly
from hardware.case.files.dxf import sheet_dxf
from hardware.case.files.plates import board_sheets
from hardware.case.files.prints import prints
from hardware.case.files.svg import sheet_svg
from hardware.case.housing import HEAD_HEIGHT_MM
from hardware.case.looms import WireCut

WIRES_FILE = "wires.csv"


def board_files(made: Assembly, box: Mapping[Piece, int]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file of a board whose solids were checked."""
    for sheet in board_sheets(made, box):
        yield f"{sheet.name}.svg", sheet_svg(sheet)
        yield f"{sheet.name}.dxf", sheet_dxf(sheet)
    for name, text in prints(box, made.measures):
        yield f"{name}.stl", text
    yield WIRES_FILE, wires_csv(made.wires.runs)


def screws_text(made: Assembly) -> str:
    """Return the screws of a board by their length: 12 of 3 x 16 mm."""
    ends: dict[str, list[float]] = {}
    for part in made.named("screw"):
        ends.setdefault(part.where, []).extend((part.prism.bottom, part.prism.top))
    lengths = Counter(round(max(of_it) - min(of_it) - HEAD_HEIGHT_MM) for of_it in ends.values())
    return ", ".join(f"{count} of 3 x {length} mm" for length, count in sorted(lengths.items()))


def wires_csv(runs: Iterable[WireCut]) -> str:
    """Return the wires to cut as a table, each with its ends and its length."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["net", "wire", "from", "to", "length in mm"])
    for run in runs:
        kind = "0.5 mm²" if run.thick else "0.14 mm²"
        table.writerow([run.net, kind, run.begin, run.end, round(run.length_mm)])
    return text.getvalue()
