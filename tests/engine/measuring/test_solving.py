"""Openings that are solved and checked, and games that are explained by the same proofs."""

import json
import shutil

import pytest

from firmware_host.engine.solving.folder import TableFolder
from firmware_host.engine.solving.placing import build
from firmware_host.engine.table_file import sector_bytes
from firmware_host.engine.table_rules import PlacingSector
from firmware_host.games.game import Player
from tests.engine.conftest import Silent
from tests.engine.measuring.explaining import explained
from tests.engine.measuring.openings import classes, game_of
from tests.engine.measuring.solving import Solver, main

pytestmark = pytest.mark.ci("engine")
SETTINGS = ("pieces=3",)


@pytest.fixture
def three(solved):
    """Return the rules with three pieces, and the folder with their tables."""
    rules, folder = solved(6, settings=SETTINGS)
    return rules, folder.path.parent


def test_classes_have_each_opening_once(three):
    rules, _base = three
    found = [each for members in classes(rules).values() for each in members]
    assert len(found) == len(set(found)) == 24 * 23
    assert len(classes(rules)) == 46


def test_main_solves_checks_and_goes_on_from_its_journal(three, tmp_path, capsys):
    rules, base = three
    journal, file = tmp_path / "journal.jsonl", tmp_path / "openings.txt"
    given = ["--set", *SETTINGS, "--journal", str(journal), "--write", str(file), "--tables"]
    main([*given, str(base)])
    first = capsys.readouterr().out.splitlines()
    assert first[-1] == "552 win"  # with three pieces, whoever begins wins
    lines = [line for line in file.read_text("ascii").splitlines() if line[0] != "#"]
    assert len(lines) == len(classes(rules))
    assert lines[0] == "d6 f4 |  8 | win | yes"
    shutil.rmtree(base)
    main([*given, str(base)])
    assert capsys.readouterr().out.splitlines() == first


def exchanged(table):
    """Return the parts of a table whose wins and losses are exchanged."""
    bits = bytes((byte & 0x55) << 1 | byte >> 1 & 0x55 for byte in range(256))
    blocks = [bytes(table.block(number)).translate(bits) for number in range(table.header.blocks)]
    return sector_bytes(table.header, table.representatives, blocks)


def test_results_of_tables_and_proofs_are_compared(three, capsys):
    rules, base = three
    folder = TableFolder.of(rules.options, base)
    build(folder, Silent())
    given = ["--set", *SETTINGS, "--tables", str(base), "--compare"]
    main([*given, "8"])
    assert [line.partition(",")[2].split()[0] for line in capsys.readouterr().out.splitlines()] == ["0"] * 6
    last = PlacingSector(2, 3, 1, 0)
    folder.write(last, exchanged(folder.open(last)))
    with pytest.raises(SystemExit, match="1"):
        main([*given, "8"])
    assert "5 placed: 8 positions, 8 differ" in capsys.readouterr().out


def test_main_stops_at_a_fault_of_the_check(three, tmp_path):
    _rules, base = three
    journal, file = tmp_path / "journal.jsonl", tmp_path / "openings.txt"
    given = ["--set", *SETTINGS, "--journal", str(journal), "--write", str(file), "--tables", str(base)]
    main(given)
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    next(line for line in lines if line["part"]["check"])["result"]["wrong"] = 1
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with pytest.raises(SystemExit, match="d6: 1 faults"):
        main(given)
    assert "yes" not in file.read_text("ascii").partition("| checked")[2]


def test_explained_names_the_placement_that_lost(three):
    rules, base = three
    game = game_of(("d6", "f4", "d1", "e4"), rules)
    with Solver.of(base, SETTINGS) as solver:
        text = explained(game, Player.WHITE, solver)
    assert text == "lost with turn 3, d1, 4 pieces in hand; d5 would have held it"


def test_explained_names_the_move_that_lost(three):
    rules, base = three
    turns = "a4 d1 c4 a7 g4 f6 g4-d5 f6-f4 d5-c3 d1-b6 a4-g4 a7-d3 c4-g7"
    game = game_of(turns.split(), rules)
    with Solver.of(base, SETTINGS) as solver:
        white, black = (explained(game, player, solver) for player in Player)
    assert white == "lost with turn 13, c4-g7, 0 pieces in hand; c3-b4 would have held it"
    assert black == "lost from the beginning"
