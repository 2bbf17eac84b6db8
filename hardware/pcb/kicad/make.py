"""Make the boards: draw, route, check by KiCad's design rules, and export what a manufacturer takes.

Run by KiCad's Python: `python3 make.py INPUTS.json FOLDER`. Needs KiCad 9 or later with its footprints.
"""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pcbnew
from draw import Drawing, net_name
from finish import stitch, widen
from panel import make_panel
from route import Router

LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"
ZIP_TIME = (2026, 1, 1, 0, 0, 0)


def say(words):
    """Report progress at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def make_board(inputs, folder):
    """Draw and route a board; return its file."""
    layout = inputs["layout"]
    path = folder / f"{layout['name']}.kicad_pcb"
    drawing = Drawing(inputs, path)
    board = drawing.board
    say(f"{layout['name']}: {len(inputs['parts'])} parts, {board.GetNetCount() - 1} nets")
    pours = [
        (net_name(pour["net"]), [("F.Cu", "B.Cu").index(layer) for layer in pour["layers"]], pour["corners"])
        for pour in layout["pours"]
    ]
    tracks = [(f"{a}.{b}", f"{c}.{d}") for a, b, c, d in layout["ground_tracks"]]
    router = Router(board, {"GND", *(net for net, _, _ in pours)}, tracks)
    router.drop_ground_vias()
    router.reserve_pours(pours)
    router.route(say, routes(inputs, folder))
    widen(board, {net_name(net): width for net, width in layout["wide"].items()})
    stitch(board, pours)
    drawing.pours()
    write_library_table(board, folder)
    pcbnew.SaveBoard(str(path), board)
    board = pcbnew.LoadBoard(str(path))  # holes of a board that was never saved would be poured over
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)
    return path


def routes(inputs, folder):
    """Return the file that keeps a board's routes while nothing changes that they depend on."""
    layout = inputs["layout"]
    shape = {
        key: layout[key]
        for key in ("places", "pours", "holes", "corners", "centre", "radius", "ground_tracks")
    }
    wired = [(part["ref"], part["footprint"], part["pads"]) for part in inputs["parts"]]
    key = hashlib.sha256(json.dumps([shape, wired], sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{layout['name']}-routes-{key}.json"


def write_library_table(board, folder):
    """Write where the footprints are from, beside the board: the design check compares them."""
    libraries = sorted({str(part.GetFPID().GetLibNickname()) for part in board.GetFootprints()} - {""})
    where = "${KICAD9_FOOTPRINT_DIR}"
    rows = "".join(
        f'  (lib (name "{name}")(type "KiCad")(uri "{where}/{name}.pretty")(options "")(descr ""))\n'
        for name in libraries
    )
    (folder / "fp-lib-table").write_text(f"(fp_lib_table\n  (version 7)\n{rows})\n")


def cli(*words):
    """Run kicad-cli; end with its output if it fails."""
    done = subprocess.run(["kicad-cli", *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"kicad-cli {' '.join(map(str, words[:3]))} failed:\n{done.stdout}{done.stderr}")


def check(path, folder):
    """Run the design rule check, without exclusions; end if it finds anything."""
    report = folder / f"{path.stem}-drc.json"
    try:
        cli(
            "pcb",
            "drc",
            "--exit-code-violations",
            "--severity-all",
            "--format",
            "json",
            "--output",
            report,
            path,
        )
    except SystemExit as failure:
        if not report.exists():
            raise
        found = json.loads(report.read_text())
        for one in [*found["violations"], *found["unconnected_items"]]:
            items = "; ".join(
                f"{i['description']} at {i['pos']['x']:.2f} {i['pos']['y']:.2f}" for i in one["items"]
            )
            say(f"{one['severity']}: {one['description']}: {items}")
        raise SystemExit(f"{path.name}: the design rule check found faults") from failure
    report.unlink()
    say(f"{path.name}: design rule check without findings")


def export(path, folder):
    """Write Gerbers and drills into one zip, and the placement."""
    made = folder / f"{path.stem}-gerber"
    made.mkdir(exist_ok=True)
    for old in made.iterdir():
        old.unlink()
    cli("pcb", "export", "gerbers", "--output", f"{made}/", "--layers", LAYERS, "--no-netlist", path)
    cli(
        "pcb",
        "export",
        "drill",
        "--output",
        f"{made}/",
        "--excellon-separate-th",
        "--excellon-oval-format",
        "route",
        path,
    )
    with zipfile.ZipFile(folder / f"{path.stem}-gerber.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(made.iterdir()):
            if file.suffix != ".gbrjob":
                archive.writestr(
                    zipfile.ZipInfo(file.name, ZIP_TIME), file.read_bytes(), zipfile.ZIP_DEFLATED, 9
                )
    export_picture(path, folder)
    cli(
        "pcb",
        "export",
        "pos",
        "--output",
        folder / f"{path.stem}-placement.csv",
        "--format",
        "csv",
        "--units",
        "mm",
        path,
    )


def export_picture(path, folder):
    """Draw the board as it looks from above."""
    size = ("--width", 1000, "--height", 1000, "--background", "opaque")
    cli("pcb", "render", "--side", "top", *size, "--output", folder / f"{path.stem}.png", path)


def empty_areas(path):
    """Save the board without the filling of its areas, which KiCad makes again and which is large."""
    board = pcbnew.LoadBoard(str(path))
    for zone in board.Zones():
        zone.UnFill()
    pcbnew.SaveBoard(str(path), board)


def main():
    """Make every board of the inputs, or those named behind them, and a panel of each disc."""
    inputs, folder, wanted = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    for name, board in inputs.items():
        if not wanted or name in wanted:
            path = make_board(board, folder)
            check(path, folder)
            export(path, folder)
            empty_areas(path)
            if radius := board["layout"]["radius"]:
                panel = make_panel(path, radius, folder / f"{name}-panel.kicad_pcb")
                check(panel, folder)
                export(panel, folder)


if __name__ == "__main__":
    main()
