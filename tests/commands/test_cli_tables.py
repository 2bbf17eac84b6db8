"""The command that builds, checks and lists tables."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.engine.solving.folder import PARTIAL, SHIPPED
from firmware_host.engine.table_file import SectorTable, read_sectors
from tests.support.engine.tables import with_wrong_value
from tests.support.paths import PROJECT

pytestmark = pytest.mark.ci("engine")


def tables(*arguments):
    return CliRunner().invoke(main, ["tables", *map(str, arguments)])


def records(output):
    return [json.loads(line) for line in output.splitlines()]


def test_info_lists_shipped_sectors_and_missing_ones(tmp_path):
    output = tables("--dir", tmp_path, "info").output
    assert (
        "3-3      0.1 MB  distances shipped  210,140 positions, 174,485 won, 35,303 lost, 352 drawn" in output
    )
    assert "34 of 49 sectors are missing: 8-3, 3-8, 7-4" in output
    assert "The board plays strongly. That it cannot lose is not proved: the tables are not whole" in output


def test_shipped_file_is_small_and_has_sectors_of_up_to_ten_stones():
    assert SHIPPED.stat().st_size <= 8_000_000
    found = read_sectors(memoryview(SHIPPED.read_bytes()), SHIPPED.name)
    sizes = {(one.header.mine, one.header.theirs) for one in found}
    assert sizes == {(a, b) for a in range(3, 8) for b in range(3, 8) if a + b <= 10}


def test_shipped_values_follow_from_the_rules(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_host.engine.native.LIBRARY", tmp_path / "none.so")
    result = tables("--dir", tmp_path, "verify", "--sample", 20, "--json")
    assert result.exit_code == 0
    assert {one["wrong"] for one in records(result.output)} == {0}
    assert len(records(result.output)) == 15


def test_built_sectors_are_listed_and_verified(library, tmp_path):
    six = ("--rules", "six", "--dir", tmp_path)
    built = records(tables(*six, "build", "--sector", "3-4", "--json").output)
    assert [one["sector"] for one in built if "wins" in one] == ["3-3", "4-3", "3-4"]
    checked = [one for one in records(tables(*six, "verify", "--full", "--json").output) if "wrong" in one]
    assert [(one["sector"], one["wrong"]) for one in checked] == [("3-3", 0), ("3-4", 0), ("4-3", 0)]
    listed = records(tables(*six, "info", "--json").output)
    assert [(one["sector"], one["place"], one["wins"]) for one in listed] == [
        ("3-3", "built", 5_345),
        ("3-4", "built", 4_950),
        ("4-3", "built", 29_091),
    ]


def test_packed_file_has_the_values_of_the_folder(library, tmp_path):
    folder = ("--dir", tmp_path)
    tables(*folder, "build", "--stones", 6)
    assert tables(*folder, "pack", tmp_path / "six.mwt", "--stones", 6).exit_code == 0
    (packed,) = read_sectors(memoryview((tmp_path / "six.mwt").read_bytes()), "six.mwt")
    (built,) = (SectorTable(memoryview(path.read_bytes())) for path in tmp_path.glob("*/*.mwt"))
    (shipped, *_) = read_sectors(memoryview(SHIPPED.read_bytes()), SHIPPED.name)
    assert [packed.block(i) for i in range(4)] == [bytes(built.block(i)) for i in range(4)]
    assert [packed.block(i) for i in range(4)] == [shipped.block(i) for i in range(4)]


@pytest.fixture
def built(library, tmp_path):
    """Return the options that name a folder with the tables of up to seven stones."""
    tables("--dir", tmp_path, "build", "--stones", 7)
    return "--dir", tmp_path


def values_in(base):
    found = (SectorTable(memoryview(path.read_bytes())) for path in sorted(base.glob("*/*.mwt")))
    return {
        (one.header.sector, one.identity): [bytes(one.block(i)) for i in range(one.header.blocks)]
        for one in found
    }


def test_compressed_tables_have_the_same_values_in_less_room(built, tmp_path):
    before, size = values_in(tmp_path), disk_use(tmp_path)
    done = records(tables(*built, "compress", "--json").output)
    assert [one["sector"] for one in done if "bytes" in one] == ["3-3", "3-4", "4-3"]
    assert values_in(tmp_path) == before
    assert disk_use(tmp_path) < size / 2
    assert records(tables(*built, "compress", "--json").output) == []
    assert tables(*built, "verify", "--sample", 100).exit_code == 0


def disk_use(base):
    return sum(path.stat().st_size for path in base.glob("*/*.mwt"))


def test_compressing_stops_at_a_damaged_table_and_keeps_it(built, tmp_path):
    (path,) = tmp_path.glob("*/3-4.mwt")
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    result = tables(*built, "compress")
    assert result.exit_code == 2
    assert f"{path}: a part of the table is damaged; delete it and make it again" in result.output
    assert path.read_bytes() == whole
    assert not list(tmp_path.glob("*/.*"))


def cut_short(path):
    path.write_bytes(path.read_bytes()[:1000])


def empty(path):
    path.write_bytes(b"")


def flip_a_bit_of_the_header(path):
    flip(path, 40)


def flip_a_bit_of_a_value(path):
    flip(path, path.stat().st_size // 2)


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def swap_with_its_mirror_image(path):
    mirrored = path.with_name("3-4.mwt")
    one, other = path.read_bytes(), mirrored.read_bytes()
    path.write_bytes(other)
    mirrored.write_bytes(one)


def become_a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (cut_short, "the table is cut short"),
        (empty, "this is not a table of solved positions"),
        (flip_a_bit_of_the_header, "the table's header is damaged"),
        (flip_a_bit_of_a_value, "a part of the table is damaged"),
        (swap_with_its_mirror_image, "the table is not the one that its name says"),
        (become_a_folder, "it cannot be read: Is a directory"),
    ],
)
@pytest.mark.parametrize("in_c", [True, False])
def test_verify_of_a_damaged_table_says_which_and_what_to_do(
    library, tmp_path, monkeypatch, damage, reason, in_c
):
    six = ("--rules", "six", "--dir", tmp_path)
    tables(*six, "build", "--sector", "4-3")
    (path,) = tmp_path.glob("*/4-3.mwt")
    damage(path)
    if not in_c:
        monkeypatch.setattr("firmware_host.engine.native.LIBRARY", tmp_path / "none.so")
    result = tables(*six, "verify", "--sample", 10)
    assert result.exit_code == 2
    error = result.output.splitlines()[-1]
    if damage is swap_with_its_mirror_image:
        path = path.with_name("3-4.mwt")  # the first of the two
    assert error == f"Error: {path}: {reason}; delete it and make it again"


def test_verify_takes_no_shipped_table_for_a_damaged_one(library, tmp_path):
    folder = ("--dir", tmp_path)
    tables(*folder, "build", "--stones", 6)
    (path,) = tmp_path.glob("*/3-3.mwt")
    cut_short(path)
    result = tables(*folder, "verify", "--sample", 10)
    assert result.exit_code == 2
    assert result.output == f"Error: {path}: the table is cut short; delete it and make it again\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build"], "Name one of --stones, --sector, --all and --placing."),
        (["build", "--sector", "7"], "'7' is not a sector"),
        (["build", "--sector", "10-3"], "there is no sector 10-3 under these rules"),
        (["--rules", "mitsudomoe", "info"], "only the mill games have them"),
        (["--rules", "arena", "verify"], "there are no tables for these rules"),
        (["--set", "removal=may", "build", "--all"], "set quiet=0"),
    ],
)
def test_refusals_say_what_and_end_with_status_2(arguments, words, tmp_path):
    result = tables("--dir", tmp_path, *arguments)
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.ci("engine")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_killed_build_leaves_no_bad_file(compiled, tmp_path, number):
    program = f"""
import firmware_host.engine.native as native
from pathlib import Path
native.LIBRARY = Path({str(compiled)!r})
from firmware_host.cli import main
main(["tables", "--dir", {str(tmp_path)!r}, "build", "--stones", "9", "--json"])
"""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    for lines in (1, 3):
        child = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", program],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert child.stdout is not None
        with child, child.stdout:
            for _ in range(lines):
                child.stdout.readline()
            child.send_signal(number)
        for path in tmp_path.glob("*/*.mwt"):
            SectorTable(memoryview(path.read_bytes())).check()
    assert len(list(tmp_path.glob(f"*/{PARTIAL}"))) <= 1


def test_build_waits_while_somebody_plays(library, tmp_path, monkeypatch):
    status = {"status": "ready", "game": {"turns": 3, "last_turn": "d7", "outcome": None}}
    left = iter([status, status])
    monkeypatch.setattr("firmware_host.commands.tables.game_here", lambda: next(left, None))
    monkeypatch.setattr("firmware_host.commands.table_progress.POLL_INTERVAL_S", 0)
    monkeypatch.setattr("firmware_host.commands.table_progress._INTERVAL", 0)
    six = ("--rules", "six", "--dir", tmp_path)
    output = tables(*six, "build", "--sector", "3-3", "--json").output
    assert [one for one in records(output) if "paused" in one] == [{"sector": "3-3", "paused": True}]
    assert next(left, None) is None


@pytest.mark.parametrize("command", [("build", "--sector", "4-3", "--no-pause"), ("verify", "--full")])
def test_tables_whose_progress_nobody_reads_end_quietly(compiled, tmp_path, command):
    arguments = ("--rules", "six", "--dir", tmp_path)
    tables(*arguments, "build", "--sector", "3-3")
    program = f"""
import firmware_host.engine.native as native
from pathlib import Path
native.LIBRARY = Path({str(compiled)!r})
from firmware_host.cli import main
main({[*map(str, ("tables", *arguments, *command, "--json"))]!r})
"""
    called = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    with subprocess.Popen(called, stdout=pipe, stderr=pipe, cwd=PROJECT) as running:  # noqa: S603 - this program
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 1


def test_placing_is_built_verified_and_packed(library, tmp_path):
    three = ("--set", "pieces=3", "--dir", tmp_path)
    refused = tables(*three, "build", "--placing")
    assert refused.exit_code == 2
    assert "sector 3-3 is missing; build it first" in refused.output
    refused = tables(*three, "verify", "--placing")
    assert "there are no tables of positions with pieces in hand; build them with --placing" in refused.output
    tables(*three, "build", "--all")
    built = records(tables(*three, "build", "--placing", "--json").output)
    found = [(one["sector"], one["wins"], one["losses"]) for one in built if "wins" in one]
    assert len(found) == 6
    assert found[0] == ("2-3+1-0", 32_347, 13_544)
    assert found[-1] == ("0-0+3-3", 1, 0)
    checked = records(tables(*three, "verify", "--placing", "--sample", 50, "--json").output)
    assert [one["wrong"] for one in checked if "wrong" in one] == [0] * 6
    assert "book.mwt: 0.4 kB" in tables(*three, "book", tmp_path / "book.mwt", "--placed", 1).output
    assert tables(*three, "info").output.count("3-3") == 1


def test_verify_finds_a_wrong_value_of_placing(library, tmp_path):
    three = ("--set", "pieces=3", "--dir", tmp_path)
    tables(*three, "build", "--all")
    tables(*three, "build", "--placing")
    (path,) = tmp_path.glob("*/1-1+2-2.mwt")
    path.write_bytes(with_wrong_value(SectorTable(memoryview(path.read_bytes())), 7, random.Random(1)).data)
    result = tables(*three, "verify", "--placing", "--sample", 100)
    assert result.exit_code == 1
    assert "1-1+2-2: 92 positions checked, 1 wrong" in result.output
