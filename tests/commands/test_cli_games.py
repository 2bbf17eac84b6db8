"""`millwright games`: what it prints, and that it reads and adds beside a board that plays."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.store.database import GamesFile
from firmware_host.store.store import SqliteStore
from tests.support.games.random_games import played
from tests.support.paths import DATA

FIRST = DATA / "games-version-1.db"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    copy = tmp_path / "games.db"
    shutil.copy(FIRST, copy)
    return copy


def games(path: Path, *arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner(env={"TZ": "UTC"}).invoke(main, ["games", "--store", str(path), *arguments], input=given)


def test_the_list_has_a_line_for_each_game(path: Path) -> None:
    lines = games(path, "list").output.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    assert lines[1].endswith(" turns  the-mill captures=one: white won (resigned)")
    assert lines[3].endswith("  3 turns  standard: not over")


def test_an_empty_file_has_no_games(tmp_path: Path) -> None:
    GamesFile(tmp_path / "games.db").close()
    assert games(tmp_path / "games.db", "list").output == "There are no games yet.\n"


def test_a_game_is_shown_with_what_was_taken_back(path: Path) -> None:
    shown = games(path, "show", "4").output
    assert "1. d6 f4 2. d7 *" in shown
    assert "  4  .---.---.       .---@---." in shown
    assert "taken back: a4 by white, step 3" in shown


def test_a_game_is_analysed_turn_by_turn(path: Path) -> None:
    lines = games(path, "analyse", "4").output.splitlines()
    assert lines[0].split() == ["1", "white", "d6", "draws", "draws"]
    assert lines[-1] == "1 of 3 turns gave a win or a draw away, as far as it can be proved."
    records = [json.loads(line) for line in games(path, "analyse", "4", "--json").output.splitlines()]
    assert [one["turn"] for one in records] == ["d6", "f4", "d7"]
    assert records[0]["exact"] is True
    assert records[0]["before"] == {"value": "draw", "distance": None}


LOST = '[Rules "the-mill"]\n[Result "1-0"]\n\n1. d6 f4 2. f6 a1 3. b6xf4 g1 {Black gave up} 1-0\n'


def test_analysis_of_a_lost_game_says_where_and_why(path: Path) -> None:
    number = games(path, "import", "-", given=LOST).output.split()[-1]
    lines = games(path, "analyse", number).output.splitlines()
    assert lines[-1] == "The game was probably lost by turn 4, a1. b6 looks better."
    (below,) = (after for line, after in pairwise(lines) if line.split()[:3] == ["4", "black", "a1"])
    assert below == (
        "      The opponent can close a mill at b6. b6 would have stopped it. Probably better: b6."
    )
    records = [json.loads(line) for line in games(path, "analyse", number, "--json").output.splitlines()]
    assert [one["turn"] for one in records if one["lost"]] == ["a1"]
    assert records[3]["likely"]["turn"] == "b6"
    assert records[3]["remarks"][0]["key"] == "study.remark.not-stopped"
    assert records[3]["remarks"][0]["text"] in below


@pytest.mark.ci("engine")
def test_an_analysis_is_kept_and_exported_with_its_game(path: Path) -> None:
    first = games(path, "analyse", "4").output
    exported = games(path, "export", "4").output
    assert exported.count("[%millwright") == 3
    with closing(sqlite3.connect(path)) as connection, connection:
        ((text,),) = connection.execute("SELECT turns FROM analyses").fetchall()
        changed = json.dumps([{**turn, "estimate": 77} for turn in json.loads(text)])
        connection.execute("UPDATE analyses SET turns = ?", (changed,))
    assert games(path, "analyse", "4").output == first
    assert games(path, "export", "4").output.count("estimate=77") == 3  # so it was read, and not computed
    games(path, "analyse", "4", "--again")
    assert games(path, "export", "4").output == exported


def test_an_analysis_that_is_cut_short_is_not_kept(path: Path) -> None:
    assert games(path, "analyse", "1", "--seconds", "0.000001").exit_code == 0
    assert "[%millwright" not in games(path, "export", "1").output


def test_an_analysis_that_cannot_be_kept_is_printed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GamesFile, "keep_analysis", lambda *_: False)
    result = games(path, "analyse", "4")
    assert "1 of 3 turns" in result.output
    assert "The analysis is not kept with the game" in result.output


def test_a_game_is_replayed_step_by_step_or_at_one_step(path: Path) -> None:
    whole = games(path, "replay", "4").output
    assert [line for line in whole.splitlines() if " by " in line] == [
        "1. d6 by white",
        "2. f4 by black",
        "3. d7 by white",
    ]
    assert whole.endswith("not over\n")
    assert games(path, "replay", "4", "--step", "2").output.startswith("2. f4 by black\n")
    assert games(path, "replay", "4", "--step", "9").exit_code == 2


def test_what_hands_must_do_is_json(path: Path) -> None:
    deeds = [json.loads(line) for line in games(path, "replay", "4", "--hands").output.splitlines()]
    assert deeds[0] == {"do": "new-game", "rules": "standard", "set": {}}
    assert deeds[1:3] == [{"put": "d6", "piece": "white"}, {"wait": 1.5}]


STACKS = (
    '[Variant "mitsudomoe"]\n\n1. +c2 b1-c2 +d3 e4-d3 2. +d1 a1-b1 +e4 d5-e4 '
    "3. a1>d2 c2-d2 +d1 d3^d1/d2-c2 4. +b5 c2-d2 d5>c5 e4-d3 5. c2>c1 d2-c1 "
    "e4>a1 d1^a1/c1-d2/b1-c1 *\n"
)


@pytest.mark.parametrize("kind", ["pgn", "json"])
def test_a_game_of_stacks_is_kept_shown_and_exchanged(tmp_path: Path, kind: str) -> None:
    path, other = tmp_path / "games.db", tmp_path / "other.db"
    assert games(path, "import", "-", given=STACKS).output == "1 added: 1\n"
    assert "10 turns  mitsudomoe: not over" in games(path, "list").output
    shown = games(path, "show", "1").output
    assert "+d1 d3^d1/d2-c2" in " ".join(shown.split())
    assert "  1  @2--o---O2--a2--." in shown
    exported = games(path, "export", "--format", kind).output
    assert games(other, "import", "-", given=exported).output == "1 added: 1\n"
    assert games(other, "export", "--format", kind).output == exported
    assert games(other, "show", "1").output == shown


@pytest.mark.ci("games")
def test_hands_play_a_game_of_stacks_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games(path, "import", "-", given=STACKS)
    deeds = games(path, "replay", "1", "--hands").output
    said = CliRunner().invoke(main, ["sim", "--headless", "--game", "mitsudomoe"], input=deeds).output
    turns = [line["text"] for line in map(json.loads, said.splitlines()) if line.get("event") == "turn"]
    assert len(turns) == 10
    assert " ".join(turns) in re.sub(r"\d\. ", "", STACKS)


@pytest.mark.parametrize("kind", ["pgn", "json"])
def test_what_is_exported_can_be_imported_elsewhere_once(path: Path, tmp_path: Path, kind: str) -> None:
    exported = tmp_path / "exported"
    assert games(path, "export", "--format", kind, "--output", str(exported)).exit_code == 0
    other = tmp_path / "other.db"
    assert games(other, "import", str(exported)).output == "4 added: 1, 2, 3, 4\n"
    assert games(other, "import", str(exported)).output == "0 added; 4 were there already\n"
    assert games(other, "list").output == games(path, "list").output


def test_only_the_games_that_are_named_are_exported(path: Path) -> None:
    assert games(path, "export", "2", "4").output.count("[Event ") == 2


def test_games_are_taken_from_the_standard_input_whole_or_not_at_all(path: Path) -> None:
    assert games(path, "import", "-", given="1. d6 f4 *\n").output == "1 added: 5\n"
    wrong = games(path, "import", "-", given="1. a1 g7 *\n\n1. d6 d6 *\n")
    assert wrong.exit_code == 2
    assert "line 3" in wrong.output
    assert len(games(path, "list").output.splitlines()) == 5


def test_a_board_that_plays_is_looked_at_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = SqliteStore(path, wall_ms=lambda: 1_795_262_400_000)
    game = played(Random(1), 4, "standard")
    store.keep(game)
    store.finish(store.begin())
    assert "4 turns  standard: not over" in games(path, "list").output
    assert games(path, "import", "-", given="1. d6 f4 *\n").output == "1 added: 2\n"
    number = store.keep(game.play(game.position.legal_steps()[0]))
    assert store.finish(store.begin())
    assert store.kept == number
    listed = games(path, "list").output
    assert "5 turns" in listed
    assert "2 turns" in listed
    with closing(SqliteStore(path, wall_ms=lambda: 0)) as started_again:
        again = started_again.last()
    assert again is not None
    assert again.ply == 5
    store.close()


def test_where_there_are_no_games_nothing_is_made(tmp_path: Path) -> None:
    missing = games(tmp_path / "games.db", "list")
    assert missing.exit_code == 2
    assert "there are no games at" in missing.output
    assert list(tmp_path.iterdir()) == []


def test_a_number_of_no_game_is_told(path: Path) -> None:
    assert "there is no saved game 9" in games(path, "show", "9").output


@pytest.mark.parametrize("content", [b"x", b"Buy a board of oak.\n" * 500], ids=["short", "long"])
@pytest.mark.parametrize(
    "command",
    ["games --store {} list", "games --store {} import -", "sim --headless --store {}"],
)
def test_a_file_of_something_else_is_told_and_stays_as_it_is(
    tmp_path: Path, command: str, content: bytes
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes(content)
    told = CliRunner().invoke(main, [part.format(notes) for part in command.split()], input="")
    assert told.exit_code == 2
    assert told.output.endswith(
        "notes.txt is not a Millwright database and was left as it is: choose another file\n"
    )
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("notes.txt", content)]


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("UPDATE steps SET text = 'a1-a1' WHERE game = 2 AND ply = 0", "pgn"),
        ("""UPDATE games SET tags = '{"no name": "x"}' WHERE id = 2""", "pgn"),
        ("UPDATE games SET began_ms = 100000000000000000 WHERE id = 2", "pgn"),
        ("UPDATE steps SET at_ms = 100000000000000000 WHERE game = 2", "json"),
    ],
    ids=["step", "tag", "year", "year of a step"],
)
def test_a_game_that_cannot_be_read_is_named_and_the_others_are_exported(
    path: Path, damage: str, kind: str
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    exported = games(path, "export", "--format", kind)
    assert exported.exit_code == 1
    assert exported.stdout.count("[Result " if kind == "pgn" else '"rules":') == 3
    assert exported.stderr.startswith("2: left out: ")


def test_a_game_is_deleted_when_that_is_confirmed(path: Path) -> None:
    assert games(path, "delete", "2", given="n\n").exit_code == 1
    assert len(games(path, "list").output.splitlines()) == 4
    assert games(path, "delete", "2", "1", given="y\n").output.endswith("deleted: 2, 1\n")
    assert [line.split()[0] for line in games(path, "list").output.splitlines()] == ["3", "4"]
    assert games(path, "delete", "2", "--yes").exit_code == 2


def test_the_game_that_the_board_goes_on_with_is_not_deleted(path: Path) -> None:
    refused = games(path, "delete", "1", "4", "--yes")
    assert refused.exit_code == 2
    assert "game 4 is not over" in refused.output
    assert len(games(path, "list").output.splitlines()) == 4


def test_text_of_an_editor_that_marks_utf_8_is_imported(tmp_path: Path) -> None:
    text = tmp_path / "games.txt"
    text.write_text('[Event "at home"]\n\n1. d6 f4 *\n', encoding="utf-8-sig")
    done = games(tmp_path / "games.db", "import", str(text))
    assert done.output == "1 added: 1\n"


@pytest.mark.parametrize("command", ["list", "import"])
def test_a_pipe_in_the_place_of_the_file_is_refused_at_once(tmp_path: Path, command: str) -> None:
    os.mkfifo(tmp_path / "games.db")
    refused = games(
        tmp_path / "games.db", command, *(["-"] if command == "import" else []), given="1. d6 f4 *\n"
    )
    assert refused.exit_code == 2
    assert "is not a file" in refused.output


# ---- files of other programs -------------------------------------------------------------------------------

GOOD = '[Event "a"]\n\n1. d6 f4 *\n'
BAD = '[Event "b"]\n\n1. d6 d6 *\n'
NUMBERED = "1. 5 14 2. 2 22 3. 11 24 4. 13 10 1-0\n"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return tmp_path / "empty.db"


def test_import_skip_adds_the_good_games_and_lists_the_bad(empty: Path) -> None:
    done = games(empty, "import", "--skip", "-", given=GOOD + BAD + BAD + "1. d7 *")
    assert done.exit_code == 1
    assert done.stdout == "2 added: 1, 2\n"
    assert done.stderr.splitlines() == [
        "left out: line 6, column 7: d6: d6 is occupied",
        "left out: line 9, column 7: d6: d6 is occupied",
    ]


def test_import_of_a_bad_game_adds_none_and_names_skip(empty: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.pgn"
    file.write_text(GOOD + BAD + BAD, encoding="utf-8")
    refused = games(empty, "import", str(file))
    assert refused.exit_code == 2
    assert f"{file}: line 6, column 7: d6: d6 is occupied; 1 more cannot be read." in refused.output
    assert "Nothing was added; --skip adds the 1 that can be read" in refused.output
    assert not empty.exists()


def test_import_of_results_alone_adds_no_game(empty: Path) -> None:
    refused = games(empty, "import", "-", given="* * * 1-0")
    assert refused.exit_code == 2
    assert "line 1, column 1: there is no game here" in refused.output
    assert "--skip" not in refused.output


def test_import_of_numbers_names_the_numbering_it_took(empty: Path) -> None:
    done = games(empty, "import", "-", given=NUMBERED)
    assert done.stdout == "1 added: 1\n"
    assert done.stderr.startswith(
        "line 1, column 1: points are numbered by rows, as PlayOK does; by rings it"
    )
    assert "1. d6 f4 2. d7 a1 3. b4 g1 4. e4 a4 1-0" in games(empty, "export").stdout


def test_import_of_numbers_takes_the_numbering_it_is_told(empty: Path) -> None:
    assert games(empty, "import", "--points", "rings", "-", given=NUMBERED).exit_code == 0
    assert "1. g1 d2 2. d7 d3 3. f6" in games(empty, "export").stdout


def test_import_notes_of_many_games_are_one_line(empty: Path) -> None:
    site = f'[Site "PlayOK"]\n\n{NUMBERED}'
    done = games(empty, "import", "-", given=f'{site}\n[Event "x"]\n{site}\n[Event "y"]\n{site}')
    assert done.stderr == "line 3, column 1 (and at 2 more): points are numbered by rows\n"


def test_import_of_latin_1_is_read_and_said(empty: Path) -> None:
    done = games(empty, "import", "-", given='[White "M\u00fcller"]\n\n1. d6 *\n'.encode("latin-1"))
    assert done.stdout == "1 added: 1\n"
    assert done.stderr == "line 1: not UTF-8, and read as Latin-1\n"
    assert '[White "M\u00fcller"]' in games(empty, "export").stdout


def test_import_of_what_is_no_text_names_its_line(empty: Path) -> None:
    refused = games(empty, "import", "-", given=b"\n\x00")
    assert refused.exit_code == 2
    assert "line 2: a zero byte" in refused.output
    assert "Save it as UTF-8 text." in refused.output


def test_import_of_an_export_of_playok_is_exported_alike(empty: Path, tmp_path: Path) -> None:
    games(empty, "import", "-", given=f'[Site "PlayOK"]\n\n{NUMBERED}')
    exported = games(empty, "export").stdout
    assert NUMBERED in exported
    other = tmp_path / "other.db"
    assert games(other, "import", "-", given=exported).exit_code == 0
    assert games(other, "export").stdout == exported


@pytest.mark.parametrize("charset", ["latin-1", "cp437"])
@pytest.mark.parametrize("command", ["show 1", "analyse 1 --seconds 0.01", "replay 1"])
def test_terminal_that_lacks_a_character_gets_another(empty: Path, charset: str, command: str) -> None:
    games(empty, "import", "-", given='[White "\u0141ukasz"]\n\n1. d6 {\u2654} *\n')
    terminal = CliRunner(charset=charset, catch_exceptions=False)
    done = terminal.invoke(main, ["games", "--store", str(empty), *command.split()])
    assert done.exit_code == 0
    assert ('[White "?ukasz"]' in done.stdout) is (command == "show 1")


@pytest.mark.parametrize("command", ["list", "show 1", "export", "delete --yes 1", "analyse 1"])
def test_games_of_a_damaged_file_say_what_to_do(path: Path, command: str) -> None:
    content = bytearray(path.read_bytes())
    content[100:] = bytes(0x5A ^ one for one in content[100:])
    path.write_bytes(content)
    result = games(path, *command.split())
    assert result.exit_code == 2
    assert "import your last export" in result.output
    assert path.read_bytes() == content
