"""Every command of the builder's guide: run as written if it needs no Pi, or listed here with the reason."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.maintenance import report as reports
from hardware.doctor.benchmark import measure
from hardware.wiring.bom import parts, total_price
from hardware.wiring.plan import BoardPlan
from tests.support.paths import PROJECT

PAGES = {path.name: path.read_text("utf-8") for path in sorted((PROJECT / "hardware").glob("*.md"))}

SIMULATED = {
    "millwright doctor": ["--sim", "{}"],
    "millwright doctor --walk": ["--sim", '{"mux": 1, "kind": "dead"}'],
    "millwright doctor --bench": ["--sim", "{}"],
    "millwright report": ["--sim"],
}
"""Commands that examine this Pi's board, and the arguments with which they examine a simulated one."""

NOT_HERE = {
    "millwright run": "it opens the lines of a Pi; tests/runtime plays with stand-ins for them",
    "millwright setup": "it waits for hands at a board; tests/hardware/setup has simulated ones",
    "millwright sim --setup": "it waits for hands as well; tests/hardware/setup has simulated ones",
    "millwright sensors watch": "it shows the contacts of a Pi until it is stopped",
    "millwright leds test": "it lights the strip of a Pi",
    "make drawings": "it writes into this folder; tests/hardware/drawing compares what it would write",
    "sudo millwright boot": "it changes config.txt; tests/commands/test_cli_boot.py has one",
    "sudo raspi-config nonint do_serial_hw 1": "it changes the system of a Pi",
    "sudo rpi-eeprom-config --edit": "it changes the bootloader of a Pi 5",
    "sudo systemctl stop millwright": "it stops the service",
}
"""Commands that cannot be run without a Pi, or not by a test, and the reason."""

FINDINGS = {0, 1, 2}
"""The exit statuses of the doctor."""


def spans(text: str) -> Iterator[str]:
    """Yield what is set as code within the prose, however it is wrapped."""
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    yield from (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose))


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command that stands in a block, and the lines of output that are shown below it."""
    command, output = "", []
    for line in [*text.splitlines(), ""]:
        words = line.strip().removeprefix("$ ") if line.startswith("    ") else ""
        if command and (not words or line.startswith("    $ ")):
            yield command, output
            command, output = "", []
        if is_command(words) and not command:
            command = words
        elif command:
            output.append(line.removeprefix("    ").rstrip())


def is_command(words: str) -> bool:
    """Return whether this is more than a program's name, and what a maker types."""
    return re.match(r"(millwright|sudo|make|pip|systemctl) [\w-]", words) is not None


def commands(text: str) -> set[str]:
    """Return the commands of a page."""
    return {*filter(is_command, spans(text)), *(typed for typed, _ in blocks(text))}


COMMANDS = sorted({command for text in PAGES.values() for command in commands(text)})
RUN_HERE = [command for command in COMMANDS if command not in NOT_HERE]
SHOWN = [(command, output) for text in PAGES.values() for command, output in blocks(text) if output]


@pytest.fixture(autouse=True)
def a_fresh_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    few = partial(measure, scans=5, shows=4, share_s=0.02)
    monkeypatch.setattr("firmware_host.commands.doctor.measure", few)
    monkeypatch.setattr(reports, "measure", few)


def run(command: str) -> Result:
    """Run a command of the guide, on simulated electronics if it examines a board."""
    _, *arguments = shlex.split(command)
    if arguments == ["config", "check"]:
        run("millwright config init")
    return CliRunner().invoke(main, [*arguments, *SIMULATED.get(command, [])])


def test_the_guide_has_commands_on_each_page_of_work():
    assert all(commands(PAGES[page]) for page in ("README.md", "PARTS.md", "CASE.md", "BUILD.md"))
    assert len(RUN_HERE) > 12


@pytest.mark.parametrize("command", RUN_HERE)
def test_a_command_of_the_guide_runs_as_it_is_written(command):
    assert command.startswith("millwright "), "run it here, or list it in NOT_HERE with the reason"
    done = run(command)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    refused = any(command == typed and "Error:" in output[0] for typed, output in SHOWN)
    if "doctor" in command:
        assert done.exit_code in FINDINGS
        assert "Traceback" not in done.output
    else:
        assert done.exit_code == (2 if refused else 0), done.output


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_guide_shows_what_a_command_prints(command, output):
    printed = run(command).output.splitlines()
    for line in output:
        assert line == "..." or line in printed, line


@pytest.mark.parametrize("command", NOT_HERE)
def test_each_command_that_is_not_run_here_is_still_in_the_guide(command):
    assert command in COMMANDS


def test_files_that_the_guide_names_are_written():
    run("millwright wiring --svg wiring.svg")
    run("millwright plates wood")
    assert Path("wiring.svg").exists()
    sheets = set(re.findall(r"^\| `([a-z-]+)` \|", PAGES["CASE.md"], re.M))
    assert {path.stem for path in Path("wood").iterdir()} == sheets


@pytest.mark.parametrize(
    ("sensors", "kind", "price"),
    re.findall(r"^\| ([\w ,]+) \| `(\w+)` \| (\d+-\d+) \|$", PAGES["PARTS.md"], re.M),
)
def test_the_guide_has_the_price_of_each_way_of_reading_sensors(sensors, kind, price):
    alphabet = {"reeds": "presence", "linear, 25 squares": "pieces"}.get(sensors, "polarity")
    layout, pieces = (SQUARES, 22) if alphabet == "pieces" else (MORRIS, 18)
    plan = BoardPlan.recommended(layout, alphabet, kind, pieces=pieces)
    assert price == str(total_price(parts(plan)))


def test_the_table_of_boards_says_that_it_is_empty():
    assert "The table is empty because no report has arrived." in PAGES["README.md"]


@pytest.mark.parametrize("layer", ["CUT", "ENGRAVE", "DRILL", "POCKET_3MM", "POCKET_BELOW_3_5MM"])
def test_the_layers_of_the_guide_are_those_of_the_files(layer):
    run("millwright plates wood")
    assert f"| `{layer}` |" in PAGES["CASE.md"]
    assert any(f'id="{layer}"' in path.read_text("utf-8") for path in Path("wood").glob("*.svg"))
