"""The command that writes the board's wood."""

import csv
import re

import pytest
from click.testing import CliRunner

from firmware_host.cli import main


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))


def plates(*arguments):
    return CliRunner().invoke(main, ["plates", *map(str, arguments)])


def test_each_sheet_is_written_as_svg_and_dxf_and_described(tmp_path):
    done = plates(tmp_path / "new" / "folder")
    assert done.exit_code == 0
    names = {file.name for file in (tmp_path / "new" / "folder").iterdir()}
    sheets = ("upper-plate", "lower-plate", "frame", "lid", "inlays", "pieces")
    drawn = {f"{sheet}.{ending}" for sheet in sheets for ending in ("svg", "dxf")}
    assert names == {*drawn, "piece.stl", "holder.stl", "wires.csv"}
    assert "upper-plate   300 x 300 mm, upper plate, 15 mm: ENGRAVE, POCKET_3MM" in done.output


def test_measures_and_rules_are_those_that_are_asked_for(tmp_path):
    done = plates(tmp_path, "--rules", "mitsudomoe", "--pitch", 65, "--magnet", "8x3", "--upper", 18)
    assert "upper-plate   320 x 320 mm, upper plate, 18 mm" in done.output
    assert 'r="4.1"' in (tmp_path / "pieces.svg").read_text("utf-8")


def test_the_board_is_that_of_the_configuration(tmp_path):
    file = tmp_path / "millwright.toml"
    sensors = '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\nselect = [17, 27, 22, 23]\ninputs = [0, 1]\n'
    file.write_text(f'[play]\nrules = "mitsudomoe"\n{sensors}[strip]\nleds = 25\n', encoding="utf-8")
    assert "inlays        258 x 258 mm" in plates(tmp_path, "--config", file).output


def test_configured_circuit_boards_get_an_opening_at_each_point(tmp_path):
    file = tmp_path / "millwright.toml"
    file.write_text("[sensors]\nboards = true\n", encoding="utf-8")
    assert plates(tmp_path, "--config", file).exit_code == 0
    assert (tmp_path / "lower-plate.svg").read_text("utf-8").count('r="13.5"') == 24
    assert not (tmp_path / "holder.stl").exists()
    wired = plates(tmp_path / "wired", "--config", file, "--electronics", "stripboard")
    assert wired.exit_code == 0
    assert 'r="13.5"' not in (tmp_path / "wired" / "lower-plate.svg").read_text("utf-8")


def test_light_at_holes_needs_no_inlays(tmp_path):
    assert plates(tmp_path, "--light", "hole").exit_code == 0
    assert not (tmp_path / "inlays.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--piece", 39], "pieces 39 mm wide overlap on points 40 mm apart"),
        (["--magnet", "10x5"], "the sensors are too close for a magnet of 10 x 5 mm"),
        (["--magnet", "large"], "'large' is not a diameter and a height in mm, such as 8x3"),
        (["--rules", "chess"], "chess"),
        (["--pitch", "nan"], "pitch must be more than 0"),
    ],
)
def test_measures_that_cannot_be_made_are_refused_and_nothing_is_written(tmp_path, arguments, words):
    done = plates(tmp_path / "plates", *arguments)
    assert done.exit_code == 2
    assert words in done.output
    assert not (tmp_path / "plates").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    done = plates(file / "plates")
    assert done.exit_code == 2
    assert f"{file}/plates: cannot be written" in done.output


def test_a_stack_is_cut_from_sheets_without_pockets(tmp_path):
    done = plates(tmp_path, "--stack")
    assert (
        "upper-plate-2 300 x 300 mm, upper plate, 3 mm, 4 alike, numbers 2 to 5 from the top" in done.output
    )
    assert not any("POCKET" in file.read_text("utf-8") for file in tmp_path.glob("*.svg"))
    assert "4 of 3 x 12 mm" not in done.output
    assert "Screws: 16 of 3 x 12 mm." in done.output


def test_the_wires_to_cut_are_listed_and_add_up(tmp_path):
    done = plates(tmp_path)
    with (tmp_path / "wires.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["net"] == "signal" for row in rows) == 24
    thick = sum(int(row["length in mm"]) for row in rows if row["wire"] == "0.5 mm²") / 1000
    (listed,) = re.findall(r", (\d+) m of 0.5 mm²", done.output)
    assert thick < int(listed) < 1.3 * thick


@pytest.mark.parametrize("led", ["strip-30", "strip-60"])
def test_strips_with_few_leds_a_metre_are_refused(tmp_path, led):
    done = plates(tmp_path / "wood", "--led", led)
    assert done.exit_code == 2
    assert "a strip with 144 a metre" in done.output
