"""The command line: explains itself, says foreseen errors in one line, and chooses the front end."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from firmware_host import __version__
from firmware_host.cli import main
from firmware_host.commands import fast_imports
from tests.support.paths import PROJECT


@pytest.mark.parametrize("command", [[], ["sim"], ["bench"], ["perft"], ["config"], ["config", "show"]])
def test_every_command_explains_itself(command: list[str]) -> None:
    result = CliRunner().invoke(main, [*command, "--help"])
    assert result.exit_code == 0
    assert "Usage: " in result.output


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"millwright {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sim", "--headless", "--rules", "standart"], "standard"),
        (["sim", "--headless", "--set", "pieces=90"], "pieces"),
        (["sim", "--headless", "--game", "mitsudomoe", "--sensors", "presence"], "a linear sensor"),
        (["sim", "--host", "0.0.0.0"], "this machine only"),  # noqa: S104 - it is refused
        (["sim", "--port", "65536"], "65535"),
        (["sim", "--headless", "--config", "/nowhere/millwright.toml"], "/nowhere/millwright.toml"),
        (["perft", "--depth", "1", "--position", "nonsense"], "17 fields"),
    ],
)
def test_a_foreseen_error_is_one_line_that_says_what_and_ends_with_2(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    result = CliRunner(env={"HOME": str(tmp_path)}).invoke(main, arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert result.output.count("\n") == 1
    assert result.output.startswith("Error: ")


def test_the_headless_board_plays_what_its_input_says_and_its_status_tells_of_errors() -> None:
    hands = '{"put": "d6", "piece": "white"}\n{"wait": 1}\n{"lift": "a1"}\n'
    result = CliRunner().invoke(main, ["sim", "--headless"], input=hands)
    said = [json.loads(line) for line in result.output.splitlines()]
    assert [line.get("text") for line in said if line.get("event") == "step"] == ["d6"]
    assert said[-1] == {"t": 1.0, "error": "line 3: there is no piece on a1 to lift"}
    assert result.exit_code == 1


def test_input_that_is_no_text_is_an_error_of_its_line_whatever_the_locale() -> None:
    hands = b'\xff\xfe\n{"lift": "a\xff"}\n{"lift": "a1"}\n'
    result = CliRunner(charset="ascii").invoke(main, ["sim", "--headless"], input=hands)
    said = [json.loads(line).get("error", "") for line in result.output.splitlines()]
    assert [text.partition(":")[0] for text in said] == ["", "line 1", "line 2", "line 3"]
    assert result.exit_code == 1


def test_a_game_is_chosen_by_its_name_and_comes_with_its_sensors() -> None:
    result = CliRunner().invoke(main, ["sim", "--headless", "--game", "mitsudomoe"], input="")
    assert json.loads(result.output) == {"t": 0.0, "event": "game", "rules": "mitsudomoe", "first": "white"}
    assert result.exit_code == 0


def test_help_needs_neither_the_electronics_nor_the_web() -> None:
    heavy = ("gpiozero", "adafruit_pixelbuf", "uvicorn", "starlette", "cattrs")
    script = f"import sys, firmware_host.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "[]"


def test_a_headless_board_loads_nothing_that_it_does_not_play_with() -> None:
    seldom = (
        *("firmware_host.far", "firmware_host.link", "firmware_host.club", "firmware_host.engine.searching"),
        *("firmware_host.web.server", "sim.pair", "sim.live", "asyncio"),
    )
    script = f"""
import atexit, sys
from firmware_host.cli import main
atexit.register(lambda: print([name for name in {seldom} if name in sys.modules]))
main(["sim", "--headless"])
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == "[]"


def test_config_pico_prints_the_program_of_a_pico():
    result = CliRunner().invoke(main, ["config", "pico"])
    assert result.exit_code == 0, result.output
    assert result.output == (PROJECT / "hardware" / "pico" / "main.py").read_text("utf-8")


def test_help_of_every_group_cuts_no_sentence_off() -> None:
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    groups = [name for name, command in commands.items() if isinstance(command, click.Group)]
    assert {"config", "games", "tables"} <= {*groups}
    for group in ("", *groups):
        lines = CliRunner().invoke(main, [*group.split(), "--help"]).stdout.splitlines()
        assert "Commands:" in lines, group
        assert [line for line in lines[1:] if line.endswith("...")] == [], group


def test_fast_imports_search_for_garbage_again_even_if_one_fails() -> None:
    with fast_imports():
        assert not gc.isenabled()
    with pytest.raises(ImportError), fast_imports():
        raise ImportError
    assert gc.isenabled()
