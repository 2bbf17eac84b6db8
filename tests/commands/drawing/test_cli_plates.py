"""The command that writes the board's wood."""

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
    sheets = ("upper-plate", "lower-plate", "inlays", "pieces")
    assert names == {f"{sheet}.{ending}" for sheet in sheets for ending in ("svg", "dxf")}
    assert "upper-plate  300 x 300 mm, upper plate, 15 mm: ENGRAVE, POCKET_3MM" in done.output


def test_measures_and_rules_are_those_that_are_asked_for(tmp_path):
    done = plates(tmp_path, "--rules", "mitsudomoe", "--pitch", 65, "--magnet", "10x3", "--upper", 18)
    assert "upper-plate  320 x 320 mm, upper plate, 18 mm" in done.output
    assert 'r="5.1"' in (tmp_path / "pieces.svg").read_text("utf-8")


def test_the_board_is_that_of_the_configuration(tmp_path):
    file = tmp_path / "millwright.toml"
    sensors = '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\nselect = [17, 27, 22, 23]\ninputs = [0, 1]\n'
    file.write_text(f'[play]\nrules = "mitsudomoe"\n{sensors}[strip]\nleds = 25\n', encoding="utf-8")
    assert "inlays       258 x 258 mm" in plates(tmp_path, "--config", file).output


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
