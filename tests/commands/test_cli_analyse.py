"""The command that values the turns of a position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from tests.support.engine.tables import write_damaged
from tests.support.games.morris import mill_rules

MATE = "OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9"


def analyse(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["analyse", "--depth", "2", *arguments])


def test_analyse_as_json_prints_one_object_a_turn() -> None:
    found = [json.loads(line) for line in analyse("--position", MATE, "--json").output.splitlines()]
    assert found[0] == {"turn": "d5-e4xd7", "value": "win", "distance": 1, "exact": True}
    assert found[-1]["value"] == "loss"
    assert all(one["exact"] for one in found), "the shipped tables know these six stones"


def test_analyse_for_people_prints_the_best_first() -> None:
    lines = analyse("--position", MATE).output.splitlines()
    assert lines[0].split()[:2] == ["turn", "value"]
    assert lines[1] == "d5-e4xd7  wins     at most 1"
    assert lines[-1].split()[1] == "loses"
    assert "unknown" not in "".join(lines)


def test_analyse_with_a_switch_follows_it() -> None:
    turns = analyse("--position", MATE, "--set", "flying=never", "--json").output.splitlines()
    assert {json.loads(line)["turn"] for line in turns} >= {"d5-d6", "e3-d3"}
    assert len(turns) < 12


def test_analyse_names_a_damaged_table_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_damaged(tmp_path, mill_rules("standard", ["flying=never"]))
    monkeypatch.setenv("MILLWRIGHT_TABLES", str(tmp_path))
    result = analyse("--position", MATE, "--set", "flying=never", "--json")
    assert result.exit_code == 0
    assert result.stderr == f"{file}: a part of the table is damaged; it is not used\n"
    assert all("turn" in json.loads(line) for line in result.stdout.splitlines())


def test_analyse_of_the_start_knows_no_value() -> None:
    found = [json.loads(line) for line in analyse("--rules", "six", "--json").output.splitlines()]
    assert [one["value"] for one in found] == ["unknown"] * 16


def test_analyse_of_a_finished_game_says_so() -> None:
    over = analyse("--position", MATE.replace("w m s", "w o s"))
    assert over.exit_code == 2
    assert "The game is over in this position (abandoned)" in over.output


def test_analyse_of_a_wrong_position_names_the_field() -> None:
    wrong = analyse("--position", MATE.replace(" w ", " x "))
    assert wrong.exit_code == 2
    assert "field 2" in wrong.output


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1", "soon"])
def test_analyse_refuses_a_time_without_an_end(seconds: str) -> None:
    refused = analyse("--seconds", seconds)
    assert refused.exit_code == 2
    assert "Invalid value for '--seconds'" in refused.output
