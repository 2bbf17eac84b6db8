"""Write the boards' inputs for KiCad, and their parts lists: `python -m hardware.pcb FOLDER`."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.pcb.netlist import boards

FILES = Path(__file__).with_name("files")
"""The files that a manufacturer takes, as they were made last."""


def parts_csv(inputs: Mapping[str, Any]) -> str:
    """Return the parts of a board as a table: each kind in a row, apart by the variants that need it."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for part in inputs["parts"]:
        needed = part["variants"]
        key = (
            part["value"],
            part["footprint"],
            part["order"],
            "all" if len(needed) == 3 else " ".join(needed),
        )
        rows.setdefault(key, []).append(part["ref"])
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("Count", "References", "Value", "Footprint", "Order", "For"))
    for (value, footprint, order, needed), refs in rows.items():
        table.writerow((len(refs), " ".join(refs), value, footprint, order, needed))
    return text.getvalue()


def write_inputs(folder: Path) -> None:
    """Write the inputs of all boards, and a parts list for each."""
    folder.mkdir(parents=True, exist_ok=True)
    made = boards()
    (folder / "inputs.json").write_text(json.dumps(made), encoding="utf-8")
    for name, inputs in made.items():
        (folder / f"{name}-parts.csv").write_text(parts_csv(inputs), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_inputs(Path(sys.argv[1]))
