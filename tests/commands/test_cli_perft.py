"""The command that counts."""

import pytest
from click.testing import CliRunner

from firmware_host.cli import main

FLYING = "O*O*****/O***@*@*/****@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30"


def perft(*arguments: str):
    return CliRunner().invoke(main, ["perft", *arguments])


def test_it_prints_the_total():
    assert perft("--depth", "3").output == "total 12144\n"


def test_turns_count_a_removal_with_its_move():
    position = "O*******/O*******/*O*@@*** w p p 3 1 2 1 0 0 0 0 0 0 0 0 3"
    start = ("--position", position)
    assert perft("--depth", "1", *start).output == "total 19\n"
    assert perft("--depth", "1", "--turns", *start).output == "total 20\n"


def test_dividing_prints_each_first_step_before_the_total():
    lines = perft("--depth", "2", "--divide", "--rules", "six").output.splitlines()
    assert lines[0] == "d6 15"
    assert len(lines) == 17
    assert lines[-1] == "total 240"


def test_dividing_by_turns_prints_whole_turns():
    output = perft("--depth", "1", "--turns", "--divide", "--position", FLYING).output
    assert "d5-e5 1" in output
    assert sum(int(line.split()[1]) for line in output.splitlines()[:-1]) == int(output.split()[-1])


def test_switches_are_set_over_the_rule_set():
    assert (
        perft("--depth", "3", "--set", "move_while_placing=yes", "--set", "pieces=10").output
        == "total 13552\n"
    )


def test_no_step_is_played_at_depth_0():
    assert perft("--depth", "0").output == "total 1\n"
    assert perft("--depth", "0", "--divide").output == "total 1\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "laskr"], "there is no rule set 'laskr' (did you mean lasker?)"),
        (["--set", "quiet"], "'quiet' is not a setting"),
        (["--position", ""], "a position has 17 fields"),
        (["--depth", "x"], "'x' is not a valid integer"),
    ],
)
def test_what_cannot_be_counted_is_told_with_status_2(arguments, words):
    result = perft("--depth", "1", *arguments)
    assert result.exit_code == 2
    assert words in result.output
