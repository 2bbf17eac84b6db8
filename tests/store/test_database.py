"""The file of games holds everything written to it, whatever it held before, and reports damage."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import DamagedStoreError, NoGameError, StoreError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.store.connection import set_aside
from firmware_host.store.database import BATCH_S, GamesFile, StoredGame, common_length, open_read_only
from firmware_host.store.saved_game import GameRecorder, SavedGame, game_of
from firmware_host.store.schema import MIGRATIONS
from tests.support.examples import few
from tests.support.games.random_games import begun, next_state, played

DAY_MS = 86_400_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.db"


@pytest.fixture
def file(path: Path) -> Iterator[GamesFile]:
    file = GamesFile(path)
    yield file
    file.close()


def saved(game: Game, now_ms: int = DAY_MS) -> SavedGame:
    return GameRecorder().follow(game, now_ms)


def write(file: GamesFile, saved: SavedGame, row: int | None = None) -> int:
    """Write a game, whose row is known or not; its row."""
    rows = {} if row is None else {1: row}
    file.write({1: saved}, rows)
    return rows[1]


def texts(saved: SavedGame) -> list[str]:
    return [step.text for step in saved.steps]


def same_game(one: Game, other: Game) -> bool:
    return (one.rules, one.positions, one.steps, one.outcome) == (
        other.rules,
        other.positions,
        other.steps,
        other.outcome,
    )


@few(5)
@given(st.randoms(use_true_random=False), st.integers(0, 300))
def test_a_game_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, luck: Random, plies: int
) -> None:
    game = played(luck, plies)
    file = GamesFile(tmp_path_factory.mktemp("games") / "games.db")
    row = write(file, saved(game))
    assert same_game(game_of(file.game(row).saved), game)
    file.close()


@few(5)
@given(st.randoms(use_true_random=False), st.integers(1, 80))
def test_a_file_follows_a_board_through_everything(
    tmp_path_factory: pytest.TempPathFactory, luck: Random, changes: int
) -> None:
    """Written after each change or only after some, and again as after a write that seemed to fail."""
    file = GamesFile(tmp_path_factory.mktemp("games") / "games.db")
    states, recorder = [begun(luck)], GameRecorder()
    rows: dict[int, int] = {}
    unwritten: dict[int, SavedGame] = {}
    ends: dict[int, Game] = {}
    for now_ms in range(changes):
        written = recorder.follow(states[-1], now_ms)
        unwritten[recorder.number], ends[recorder.number] = written, states[-1]
        if luck.random() < 0.7 or now_ms == changes - 1:
            file.write(unwritten, rows)
            if luck.random() < 0.8:
                unwritten.clear()
        states.append(next_state(luck, states))
    was_played = {number for number, game in ends.items() if game.ply or game.outcome}
    kept = {number: row for number, row in rows.items() if row in file.rows()}
    assert was_played <= set(kept)
    for number, row in kept.items():
        assert same_game(game_of(file.game(row).saved), ends[number])
    last = file.last()
    assert last is not None
    assert last.row == rows[recorder.number]
    file.close()


def test_a_step_keeps_its_time_though_it_was_taken_back_meanwhile(file: GamesFile) -> None:
    recorder, luck = GameRecorder(), Random(1)
    game = played(luck, 4, "standard")
    row = write(file, recorder.follow(game, 1000))
    write(file, recorder.follow(game.back_to(1), 2000), row)
    kept = file.game(row)
    assert texts(kept.saved) == [game.steps[0].text]
    assert [(ply, step.text, step.at_ms) for ply, step in kept.taken_back] == [
        (ply, game.steps[ply].text, 1000) for ply in (1, 2, 3)
    ]
    write(file, recorder.follow(game, 3000), row)
    kept = file.game(row)
    assert [(step.text, step.at_ms) for step in kept.saved.steps] == [(s.text, 1000) for s in game.steps]
    assert kept.taken_back == ()


def test_the_same_step_played_anew_does_not_undo_its_take_back(file: GamesFile) -> None:
    recorder = GameRecorder()
    game = played(Random(1), 2, "standard")
    row = write(file, recorder.follow(game, 1000))
    again = game.back_to(1).play(game.steps[1])
    write(file, recorder.follow(game.back_to(1), 2000), row)
    write(file, recorder.follow(again, 3000), row)
    kept = file.game(row)
    assert [step.at_ms for step in kept.saved.steps] == [1000, 3000]
    assert [(ply, step.at_ms) for ply, step in kept.taken_back] == [(1, 1000)]


def test_how_a_game_ended_is_kept_and_an_end_that_was_taken_back_is_not(file: GamesFile) -> None:
    recorder = GameRecorder()
    game = played(Random(2), 6, "standard")
    resigned = game.declare(Outcome(Reason.RESIGNED, Player.BLACK))
    row = write(file, recorder.follow(resigned, 5000))
    assert file.game(row).saved.outcome == Outcome(Reason.RESIGNED, Player.BLACK)
    assert file.game(row).saved.changed_ms == 5000
    write(file, recorder.follow(resigned, 5500), row)
    assert file.game(row).saved.changed_ms == 5000, "it ended when it ended"
    write(file, recorder.follow(game, 6000), row)
    assert file.game(row).saved.outcome is None


def test_a_game_that_was_begun_and_not_played_gives_way_to_the_next(file: GamesFile) -> None:
    luck, recorder = Random(3), GameRecorder()
    first = write(file, recorder.follow(begun(luck), 1))
    second = write(file, recorder.follow(played(luck, 3), 2))
    third = write(file, recorder.follow(begun(luck), 3))
    assert file.rows() == [second, third]
    assert first not in file.rows()


def test_a_row_that_became_another_games_is_not_touched(file: GamesFile) -> None:
    """As when a write was lost with the power, and its number was given to a game that was imported."""
    theirs, ours = saved(played(Random(1), 8), 1), saved(played(Random(2), 8), 2)
    (row,) = list(file.add([StoredGame(1, theirs)]))
    own = write(file, ours, row)
    assert own != row
    assert row is not None
    assert file.game(row).saved == theirs
    assert file.game(own).saved == ours


def test_nor_is_one_of_another_file_that_took_the_place_of_the_first(file: GamesFile) -> None:
    """As when a card was copied back while the board ran: the number is that of another game on the board."""
    theirs = [saved(played(Random(1), 8, "standard"), 1), saved(played(Random(2), 8, "standard"), 2)]
    rows: dict[int, int] = {}
    file.write(dict(enumerate(theirs)), rows)
    ours = saved(played(Random(3), 8, "standard"), 3)
    own = write(file, ours, rows[0])
    assert own not in rows.values()
    assert [file.game(row).saved for row in (*rows.values(), own)] == [*theirs, ours]


def test_games_from_elsewhere_are_added_once_and_never_gone_on_with(file: GamesFile) -> None:
    games = [StoredGame(1, saved(played(Random(seed), 8), seed)) for seed in range(3)]
    assert list(file.add(games[:2])) == [1, 2]
    assert list(file.add(games)) == [None, None, 3]
    assert file.last() is None


def test_who_reads_sees_whole_games_beside_one_who_writes(path: Path, file: GamesFile) -> None:
    recorder, game = GameRecorder(), begun(Random(5), "standard")
    row = write(file, recorder.follow(game, 0))
    reader = open_read_only(path)
    luck = Random(6)
    for now_ms in range(30):
        game = (
            played(luck, 1, "standard")
            if game.outcome
            else game.play(luck.choice(game.position.legal_steps()))
        )
        write(file, recorder.follow(game, now_ms), row)
        assert texts(reader.game(row).saved) == [step.text for step in game.steps]
    reader.close()


def test_two_who_write_do_not_disturb_each_other(path: Path, file: GamesFile) -> None:
    other = GamesFile(path)
    mine = write(file, saved(played(Random(1), 5), 1))
    (theirs,) = other.add([StoredGame(1, saved(played(Random(2), 5), 2))])
    write(file, saved(played(Random(1), 5), 1), mine)
    assert file.rows() == other.rows() == [mine, theirs]
    other.close()


# ---- what is wrong with the file ----------------------------------------------------------------------


def with_games(path: Path, games: int = 40) -> None:
    file = GamesFile(path)
    file.write({seed: saved(played(Random(seed), 60), seed) for seed in range(games)}, {})
    file.close()


@pytest.mark.parametrize("text", [b"not a file of games " * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_of_anything_else_is_damaged(path: Path, text: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(text)
    with pytest.raises(DamagedStoreError, match=r"games\.db"):
        GamesFile(path)


def test_a_page_in_the_middle_that_is_damaged_is_found_when_the_file_is_opened(path: Path) -> None:
    """Though what is read first, the last game and what is set, is whole."""
    with_games(path)
    whole = path.read_bytes()
    page = 4096
    steps = [at for at in range(page, len(whole) - page, page) if whole[at] == 10]  # leaves of steps
    at = steps[len(steps) // 2]
    path.write_bytes(whole[: at + 8] + b"\xaa" * 64 + whole[at + 72 :])
    with pytest.raises(DamagedStoreError, match=r"games\.db"):
        GamesFile(path)


def test_an_empty_file_is_one_without_games(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    file = GamesFile(path)
    assert file.rows() == []
    file.close()


@pytest.mark.ci("examples")
@few(14)
@given(st.data())
def test_a_file_with_wrong_bytes_is_damaged_or_its_games_are_read_or_told_to_be_unreadable(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("games") / "games.db"
    with_games(path, 5)
    whole = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1), label="at")
    junk = data.draw(st.binary(min_size=1, max_size=600), label="junk")
    whole[at : at + len(junk)] = junk
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)), label="length")])
    try:
        file = GamesFile(path)
        for row in file.rows():
            file.game(row)
        write(file, saved(played(Random(1), 5), 1))
        file.close()
    except StoreError:
        pass  # said, and not stumbled over


def test_a_damaged_file_is_renamed_with_all_that_belongs_to_it_and_never_over_another(path: Path) -> None:
    names = []
    for _ in range(3):
        with_games(path, 1)
        Path(f"{path}-wal").write_bytes(b"log")
        names.append(set_aside(path, 946_684_800_000).name)
    stamp = "games.db.damaged-20000101T000000Z"
    assert names == [stamp, f"{stamp}-2", f"{stamp}-3"]
    assert sorted(p.name for p in path.parent.iterdir()) == sorted(
        name + suffix for name in names for suffix in ("", "-wal")
    )


@pytest.mark.parametrize("done", [0, 1, 2])
def test_wherever_setting_aside_stops_no_log_is_left_that_a_new_file_would_be_given(
    path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    with_games(path, 1)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).write_bytes(b"log")
    rename, left = Path.rename, [done]

    def stops(own: Path, target: str) -> Path:
        if not left[0]:
            raise OSError(5, "Input/output error")
        left[0] -= 1
        return rename(own, target)

    monkeypatch.setattr(Path, "rename", stops)
    with pytest.raises(StoreError, match="cannot be set aside: Input/output error"):
        set_aside(path, 0)
    assert path.exists(), "it is found damaged again, and not taken for a new one"
    monkeypatch.setattr(Path, "rename", rename)
    set_aside(path, 0)
    assert not [one for one in path.parent.iterdir() if "damaged" not in one.name]


def test_the_file_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE songs (name)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's database") as caught:
        GamesFile(path)
    assert not isinstance(caught.value, DamagedStoreError)
    assert path.read_bytes() == before


def test_a_file_that_has_lost_a_table_is_damaged(path: Path) -> None:
    with_games(path, 1)
    other = sqlite3.connect(path)
    other.execute("DROP TABLE steps")
    other.close()
    with pytest.raises(DamagedStoreError, match="has lost its steps"):
        GamesFile(path)


def test_a_file_that_has_lost_a_column_is_damaged(path: Path) -> None:
    with_games(path, 1)
    other = sqlite3.connect(path)
    other.execute("ALTER TABLE taken_back DROP COLUMN at_ms")
    other.close()
    with pytest.raises(DamagedStoreError, match=r"has lost its taken_back\.at_ms"):
        GamesFile(path)


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_file_with_tables_of_another_version_is_damaged(path: Path, version: int) -> None:
    with_games(path, 1)
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA user_version = {version}")
    other.close()
    with pytest.raises(DamagedStoreError, match="no valid schema version"):
        GamesFile(path)


def test_a_file_whose_damage_is_not_utf_8_is_damaged(path: Path) -> None:
    """SQLite quotes a damaged schema in its sentence about it."""
    with_games(path, 1)
    whole = path.read_bytes()
    path.write_bytes(
        whole.replace(b"winner TEXT CHECK (winner IN", b"winner TEXT CHECK (\xe1\xff'\xe1 IN", 1)
    )
    with pytest.raises(DamagedStoreError, match=r"games\.db: it is damaged"):
        GamesFile(path)


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot create the folder"):
        GamesFile(tmp_path / "file" / "games.db")


@pytest.mark.parametrize(
    ("free", "said"),
    [(0, "the disk is full (unable to open database file)"), (1 << 30, "unable to open database file")],
    ids=["full", "not full"],
)
def test_whatever_fails_on_a_full_disk_is_told_with_that(
    path: Path, monkeypatch: pytest.MonkeyPatch, free: int, said: str
) -> None:
    path.mkdir(parents=True)
    monkeypatch.setattr("firmware_host.store.connection.disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(StoreError, match=f": {re.escape(said)}$"):
        GamesFile(path)


def test_a_folder_that_is_another_users_is_told_to_be_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_games(path, 1)

    def barred(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", barred)
    with pytest.raises(
        StoreError, match=r"games\.db: Permission denied; this user may not read it \(sudo may\)"
    ):
        open_read_only(path)


@pytest.mark.parametrize(
    ("may_read", "said"),
    [(False, "this user may not read it"), (True, "this user may not write it")],
)
def test_a_file_that_is_another_users_is_told_to_be_so(
    path: Path, monkeypatch: pytest.MonkeyPatch, may_read: bool, said: str
) -> None:
    """It cannot be opened; here since it is a folder, and asked for the reason, this user is another."""
    path.mkdir(parents=True)
    rights = {os.F_OK: True, os.R_OK: may_read, os.W_OK: False}
    monkeypatch.setattr("firmware_host.store.connection.os.access", lambda _, right: rights[right])
    with pytest.raises(StoreError, match=f"unable to open database file; {said}"):
        GamesFile(path)


@pytest.mark.parametrize("is_read_only", [True, False])
def test_file_on_a_read_only_disk_is_not_a_matter_of_rights(
    path: Path, monkeypatch: pytest.MonkeyPatch, is_read_only: bool
) -> None:
    path.mkdir(parents=True)  # so that it cannot be opened
    disk = SimpleNamespace(f_frsize=1, f_blocks=1 << 30, f_bfree=1 << 30, f_bavail=1 << 30)
    disk.f_flag = os.ST_RDONLY if is_read_only else 0
    monkeypatch.setattr("firmware_host.store.connection.os.statvfs", lambda _: disk)
    monkeypatch.setattr("firmware_host.store.connection.os.access", lambda _, right: right != os.W_OK)
    with pytest.raises(StoreError) as refused:
        GamesFile(path)
    assert ("its disk is mounted read-only" in str(refused.value)) is is_read_only
    assert ("sudo" in str(refused.value)) is not is_read_only


def test_file_whose_folder_is_on_a_read_only_disk_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StoreError, match=r"games\.db: its disk is mounted read-only, probably because"):
        GamesFile(path)


def test_there_is_nothing_to_read_where_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there are no games"):
        open_read_only(tmp_path / "games.db")
    assert list(tmp_path.iterdir()) == []


def test_a_number_of_no_game_is_told(file: GamesFile) -> None:
    with pytest.raises(StoreError, match="there is no saved game 7"):
        file.game(7)


@pytest.mark.parametrize(
    ("one", "other", "length"),
    [("", "", 0), ("abc", "abc", 3), ("abc", "ab", 2), ("abc", "abd", 2), ("abc", "xbc", 0)],
)
def test_common_is_the_length_of_the_equal_beginning(one: str, other: str, length: int) -> None:
    assert common_length(one, other) == length


def test_write_one_more_step_changes_few_rows(file: GamesFile) -> None:
    """However long the game is: a memory card wears out by what is written."""
    game = played(Random(3), 41, "standard")
    earlier = Game.begin(game.rules, game.positions[0])
    for step in game.steps[:-1]:
        earlier = earlier.play(step)
    recorder = GameRecorder()
    row = write(file, recorder.follow(earlier, DAY_MS))
    before = file._connection.total_changes
    write(file, recorder.follow(earlier.play(game.steps[-1]), DAY_MS), row)
    assert file._connection.total_changes - before <= 2
    assert texts(file.game(row).saved) == [step.text for step in game.steps]


def test_games_from_elsewhere_are_written_in_batches_with_pauses_between(path: Path, file: GamesFile) -> None:
    games = [StoredGame(n, saved(played(Random(n), 5), DAY_MS + 1000 * n)) for n in range(6)]
    now, other = 0.0, GamesFile(path)
    paused: list[int] = []

    def clock() -> float:
        nonlocal now
        now += BATCH_S / 3
        return now

    def pause(_seconds: float) -> None:
        write(other, saved(played(Random(99), 2), DAY_MS))  # a board is not kept from writing
        paused.append(len(other.rows()))

    assert None not in list(file.add(games, clock=clock, pause=pause))
    assert len(paused) > 1
    assert paused[0] < len(games)
    other.close()


def test_a_batch_that_fails_leaves_those_before_it_and_the_rest_can_be_added_later(file: GamesFile) -> None:
    games = [StoredGame(n, saved(played(Random(n), 5), DAY_MS + 1000 * n)) for n in range(4)]

    def breaking() -> Iterator[StoredGame]:
        yield from games[:2]
        raise OSError("the stick was pulled out")

    ticks = iter(range(100))
    added = file.add(breaking(), clock=lambda: float(next(ticks)), pause=lambda _: None)
    with pytest.raises(OSError, match="pulled out"):
        list(added)
    assert len(file.rows()) == 2
    assert [row is None for row in file.add(games)] == [True, True, False, False]


def test_undated_games_are_added_at_a_cost_that_grows_with_their_number(file: GamesFile) -> None:
    games = [StoredGame(n, saved(played(Random(n), 9), 0)) for n in range(40)]
    statements: list[str] = []
    file._connection.set_trace_callback(statements.append)
    list(file.add(games[:20], pause=lambda _: None))
    first = len(statements)
    list(file.add(games[20:], pause=lambda _: None))
    assert len(statements) - first < 1.5 * first
    assert set(file.add(games, pause=lambda _: None)) == {None}


def test_a_deleted_game_is_gone_with_its_steps_and_its_number_is_not_used_again(file: GamesFile) -> None:
    first, second = (write(file, saved(played(Random(n), 5), DAY_MS * n)) for n in (1, 2))
    file.delete(second)
    assert file.rows() == [first]
    for table in ("steps", "taken_back"):
        assert not file._connection.execute(f"SELECT * FROM {table} WHERE game = {second}").fetchall()  # noqa: S608
    with pytest.raises(NoGameError):
        file.delete(second)
    assert write(file, saved(played(Random(3), 5), DAY_MS * 3)) > second


def test_a_game_whose_end_or_tags_are_unknown_is_listed_like_the_others(file: GamesFile) -> None:
    rows = [write(file, saved(played(Random(n), 5), DAY_MS * n)) for n in (1, 2, 3)]
    file._connection.execute("UPDATE games SET reason = 'by magic', tags = '[' WHERE id = ?", (rows[1],))
    listed = file.summaries(before=None, most=9)
    assert [one.row for one in listed] == rows[::-1]
    assert listed[1].outcome is None
    with pytest.raises(StoreError):
        file.game(rows[1])
