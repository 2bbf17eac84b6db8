"""The command that shows how the board is wired."""

from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from firmware_host.cli import main

CONFIG = """
[lights]
budget_ma = 900
[sensors]
select = [17, 27, 22, 4]
signal = [23, 24]
"""


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))


def wiring(*arguments: str):
    return CliRunner().invoke(main, ["wiring", *arguments])


def test_it_prints_the_table_of_the_recommended_wiring():
    assert wiring().output == wiring("--text").output
    assert "mux 2: 74HC4051" in wiring().output


def test_it_names_the_fuse_and_what_is_behind_it():
    words = "The supply's plus goes through a fuse (3 A, 5 A with a Pi 5); behind it a TVS diode to GND."
    assert words in wiring().output


def test_circuit_boards_are_printed_and_not_drawn(tmp_path):
    config = tmp_path / "boards.toml"
    config.write_text("[sensors]\nboards = true\n", encoding="utf-8")
    assert "J3, sensors on mux 1" in wiring("--config", str(config)).output
    refused = wiring("--config", str(config), "--svg", str(tmp_path / "wiring.svg"))
    assert refused.exit_code == 2
    assert "hardware/pcb/files has pictures" in refused.output


def test_it_draws_into_a_file_or_to_the_terminal(tmp_path):
    file = tmp_path / "wiring.svg"
    assert wiring("--svg", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == wiring("--svg", "-").output
    assert ElementTree.parse(file).getroot().tag.endswith("svg")  # noqa: S314 - it was drawn here


def test_it_lists_the_parts_of_the_sensors_that_are_asked_for():
    assert "24  reed switch" in wiring("--parts").output
    assert "48  unipolar hall switch" in wiring("--parts", "--sensors", "polarity").output


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("mux", "mux 2: 74HC4051"),
        ("direct", "GPIO18  data"),
        ("matrix", "row 0: the bands of 6 diodes"),
        ("mcp23017", "expander 1: MCP23017"),
        ("mcp3008", "ADC: MCP3008"),
        ("serial", "Nano: Arduino Nano"),
        ("serial", "A Raspberry Pi Pico is wired differently, at 3.3 V only: see `millwright wiring --pico"),
    ],
)
def test_it_recommends_a_wiring_for_each_way_of_reading_sensors(kind, words):
    assert words in wiring("--kind", kind).output


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("direct", "32  GP27  reed of a7"),
        ("direct", "It needs no board.json."),
        ("matrix", "4  GP2   row 0: the bands of 6 diodes"),
        ("matrix", 'Its board.json: {"kind": "matrix"}'),
        ("mux", "9  GP6   signal 0: mux 0 pin 3 (Z)"),
        ("linear", "31  GP26  signal 0: mux 0 pin 3 (Z)"),
        ("linear", "Each linear sensor also has 3.3 V and GND."),
    ],
)
def test_a_pico_is_wired_pin_by_pin_and_without_a_pi(kind, words):
    printed = wiring("--pico", kind).output
    assert words in printed
    assert "29  GP22  data: level shifter pin 2 (1A)" in printed
    assert "header" not in printed


def test_a_pico_with_hall_switches_is_told_its_six_chips():
    assert '"signal": [6, 7, 8, 9, 10, 11]}' in wiring("--pico", "mux", "--sensors", "polarity").output


def test_a_board_with_a_pico_is_drawn_without_a_pi():
    drawing = wiring("--pico", "direct", "--svg", "-").output
    assert "5 V on a pin destroys it" in drawing
    assert 'data-pin="Pico 29"' in drawing
    assert "header" not in drawing


def test_the_parts_of_a_board_with_a_pico_need_no_pi():
    printed = wiring("--pico", "matrix", "--parts").output
    assert "1  Raspberry Pi Pico" in printed
    assert "24  diode 1N4148" in printed
    assert "1  74AHCT125" in printed
    assert "5 V supply, 1.5 A" in printed
    assert "40-pin" not in printed
    assert "microSD" not in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kind", "mux"], "choose one of --pico and --kind"),
        (["--sensors", "polarity"], "a Pico with direct doesn't tell polarity"),
    ],
)
def test_a_pico_that_cannot_be_wired_says_why(arguments, words):
    result = wiring("--pico", "direct", *arguments)
    assert result.exit_code != 0
    assert words in result.output


def test_a_board_of_squares_has_two_chips_of_sixteen_channels_for_its_linear_sensors(tmp_path):
    file = tmp_path / "millwright.toml"
    sensors = '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\nselect = [17, 27, 22, 23]\ninputs = [0, 1]\n'
    file.write_text(f'[play]\nrules = "mitsudomoe"\n{sensors}[strip]\nleds = 25\n', encoding="utf-8")
    parts = wiring("--parts", "--config", str(file)).output
    assert " 2  CD74HC4067" in parts
    assert "25  linear hall sensor" in parts
    assert "22  disc magnet" in parts
    recommended = wiring("--config", str(file), "--sensors", "pieces").output
    assert recommended == wiring("--config", str(file)).output


def test_it_says_why_there_is_none():
    result = wiring("--kind", "direct", "--sensors", "polarity")
    assert result.exit_code != 0
    assert "48 sensors need a line each" in result.output


def test_a_matrix_has_a_diode_for_each_reed_and_no_other_sensors():
    parts = wiring("--parts", "--kind", "matrix").output
    assert "24  reed switch" in parts
    assert "24  diode 1N4148" in parts
    assert "4051" not in parts
    refused = wiring("--kind", "matrix", "--sensors", "polarity")
    assert refused.exit_code != 0
    assert "a matrix has one reed a point" in refused.output


def test_it_counts_the_pieces_of_the_rules_that_are_played(tmp_path):
    file = tmp_path / "millwright.toml"
    file.write_text('[play]\nrules = "twelve"\n', encoding="utf-8")
    assert "24  disc magnet" in wiring("--parts", "--config", str(file)).output


def test_it_shows_what_the_configuration_says(tmp_path):
    file = tmp_path / "millwright.toml"
    file.write_text(CONFIG, encoding="utf-8")
    assert "mux 1: CD74HC4067" in wiring("--config", str(file)).output
    assert "900 mA  the strip at most" in wiring("--parts", "--config", str(file)).output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--text", "--parts"], "choose one of --text, --svg and --parts"),
        (["--sensors", "smell"], "'smell' is not one of"),
        (["--config", "/nowhere/millwright.toml"], "there is no such file"),
        (["--svg", "/nowhere/wiring.svg"], "/nowhere/wiring.svg"),
    ],
)
def test_what_cannot_be_done_is_told(arguments, words):
    result = wiring(*arguments)
    assert result.exit_code != 0
    assert words in result.output
