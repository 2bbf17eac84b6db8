"""The check of all tables on the command line: stopped at any moment, it goes on by its journal."""

import json
import random
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.commands import tables
from firmware_host.engine.solving import checker
from firmware_host.engine.solving.checker import CheckResult, check_in_c
from firmware_host.engine.table_file import SectorTable
from firmware_host.errors import TableError
from tests.support.engine.tables import with_wrong_value

pytestmark = pytest.mark.ci("engine")
SIX = ["3-3", "3-4", "4-3"]


@pytest.fixture
def base(library, tmp_path):
    built = CliRunner().invoke(main, command(tmp_path, "build", "--sector", "3-4", "--json"))
    assert built.exit_code == 0
    return tmp_path


@pytest.fixture
def checks(monkeypatch):
    """Checks in C, of which the sectors are listed, and one does something else."""
    asked, deeds = [], {}

    def check(options, source, sector, first, step, progress):
        name = f"{sector[0]}-{sector[1]}"
        asked.append(name)
        found = check_in_c(options, source, sector, first, step, progress)
        return deeds.get(name, lambda: None)() or found

    monkeypatch.setattr(tables, "check_in_c", check)
    return asked, deeds


def command(base, *arguments):
    return ["tables", "--rules", "six", "--dir", str(base), *map(str, arguments)]


def verify(base, *arguments):
    """Return the exit status, what was found of each sector, and the text of errors."""
    result = CliRunner().invoke(main, command(base, "verify", "--json", *(arguments or ["--full"])))
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return result.exit_code, [one for one in found if "wrong" in one], result.stderr


def stop():
    signal.raise_signal(signal.SIGINT)


def journals(base):
    return [*Path(base).glob("*.checks")]


def test_verify_goes_on_with_the_sector_it_was_stopped_in(base, checks):
    asked, deeds = checks
    deeds["3-4"] = stop
    status, found, said = verify(base)
    assert (status, [one["sector"] for one in found]) == (130, ["3-3"])
    assert "Stopped. The same command goes on with the sector that was being checked." in said
    assert len(journals(base)) == 1
    deeds.clear()
    asked.clear()
    status, found, _ = verify(base)
    assert (status, asked) == (0, ["3-4", "4-3"])
    assert [(one["sector"], one.get("before", False)) for one in found] == [
        ("3-3", True),
        ("3-4", False),
        ("4-3", False),
    ]
    assert found[0]["checked"] == 12_112
    assert journals(base) == []


def test_verify_that_was_finished_checks_everything_again(base, checks):
    asked, _ = checks
    assert verify(base)[0] == verify(base)[0] == 0
    assert asked == [*SIX, *SIX]


def test_verify_remembers_wrong_values_when_it_goes_on(base, checks):
    _, deeds = checks
    deeds["3-3"] = lambda: CheckResult(2, 17)
    deeds["3-4"] = stop
    assert verify(base)[0] == 130
    deeds.clear()
    status, found, _ = verify(base)
    assert (status, [one["wrong"] for one in found]) == (1, [2, 0, 0])
    assert verify(base)[0] == 0


def test_verify_that_is_killed_loses_one_sector_only(base, checks):
    asked, deeds = checks

    def die():
        raise MemoryError

    deeds["4-3"] = die
    result = CliRunner().invoke(main, command(base, "verify", "--full"))
    assert isinstance(result.exception, MemoryError)
    deeds.clear()
    asked.clear()
    assert verify(base)[0] == 0
    assert asked == ["4-3"]


@pytest.mark.parametrize("change", ["a sample", "a seed", "a version", "a damaged journal"])
def test_verify_counts_no_sector_of_another_check(base, checks, monkeypatch, change):
    asked, deeds = checks
    deeds["4-3"] = stop
    assert verify(base, "--sample", 100)[0] == 130
    arguments = ["--sample", 100]
    if change == "a sample":
        arguments = ["--sample", 99]
    elif change == "a seed":
        arguments += ["--seed", 2]
    elif change == "a version":
        monkeypatch.setattr(checker, "__version__", "0.0.0")
    else:
        (file,) = journals(base)
        file.write_bytes(b"\xff\n12 34\nnonsense\n")
    deeds.clear()
    asked.clear()
    assert verify(base, *arguments)[0] == 0
    assert asked == SIX


def test_verify_checks_a_sector_again_whose_table_has_changed(base, checks):
    asked, deeds = checks
    deeds["4-3"] = stop
    assert verify(base)[0] == 130
    (path,) = base.glob("*/3-4.mwt")
    path.write_bytes(with_wrong_value(SectorTable(memoryview(path.read_bytes())), 17, random.Random(5)).data)
    deeds.clear()
    asked.clear()
    status, found, _ = verify(base)
    assert (status, asked) == (1, ["3-4", "4-3"])
    assert [one["sector"] for one in found if one["wrong"]] == ["3-4", "4-3"]


def test_verify_goes_on_where_no_journal_can_be_written(base, checks, monkeypatch):
    def full(path, fill):
        raise TableError(f"{path}: No space left on device")

    asked, _ = checks
    monkeypatch.setattr(checker, "replace_file", full)
    status, found, said = verify(base)
    assert (status, asked, len(found)) == (0, SIX, 3)
    assert said.count("No space left on device; if you stop the check, it starts again") == 1


def test_verify_says_how_far_it_is(base, checks, monkeypatch):
    monkeypatch.setattr("firmware_host.commands.table_progress._INTERVAL", 0)
    result = CliRunner().invoke(main, command(base, "verify", "--full", "--json"))
    shares = [one["all"] for one in map(json.loads, result.stdout.splitlines()) if "all" in one]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.5 < shares[-1] < 1
