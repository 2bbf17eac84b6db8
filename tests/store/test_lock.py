"""One program plays in a games file at a time: the others read it, and say who has it."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.errors import StoreError, StoreInUseError
from firmware_host.play.durability import DISK
from firmware_host.store.database import GamesFile, open_read_only
from firmware_host.store.lock import StoreLock, locked
from tests.support.fault_texts import fault_texts
from tests.support.games.random_games import begun, one_step, played
from tests.support.store import OpenStore, kept, work


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@contextmanager
def held_by_another(path: Path, owner: str = "4711 kitchen") -> Iterator[None]:
    """Lock a file as another process does: a lock of this process's own counts as its own."""
    with path.with_name(f"{path.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(owner)
        file.flush()
        yield


def is_locked(path: Path) -> bool:
    with path.with_name(f"{path.name}.lock").open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_a_file_that_another_program_has_is_named_with_it(path: Path) -> None:
    with held_by_another(path), pytest.raises(StoreInUseError) as raised:
        StoreLock(path).acquire()
    assert str(raised.value).startswith(f"{path} is in use by another Millwright (process 4711 on kitchen)")
    assert "--store" in str(raised.value)


@pytest.mark.parametrize("owner", ["", "x y", "12", "12 a\x1b[0m", "9" * 200])
def test_an_owner_that_cannot_be_read_is_unknown(path: Path, owner: str) -> None:
    with held_by_another(path, owner), pytest.raises(StoreInUseError, match=r"process \? on \?"):
        StoreLock(path).acquire()


def test_a_lock_names_this_process_and_ends_with_it(path: Path) -> None:
    code = (
        "import os, pathlib, sys; from firmware_host.store.lock import StoreLock;"
        "StoreLock(pathlib.Path(sys.argv[1])).acquire(); os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)  # noqa: S603
    assert killed.returncode == -9
    with locked(path):
        assert path.with_name("games.db.lock").read_text() == f"{os.getpid()} {socket.gethostname()}\n"


def test_the_locks_of_one_process_are_one(path: Path) -> None:
    with locked(path):
        again = StoreLock(path)
        again.acquire()
        again.acquire()
        again.release()
        again.release()
        assert is_locked(path)
    assert not is_locked(path)


def test_a_link_to_the_file_has_the_same_lock(path: Path, tmp_path: Path) -> None:
    path.touch()
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with held_by_another(path), pytest.raises(StoreInUseError):
        StoreLock(link).acquire()


def test_a_copy_of_the_file_has_a_lock_of_its_own(path: Path, tmp_path: Path) -> None:
    with held_by_another(path):
        copy = tmp_path / "copy.db"
        copy.with_name("copy.db.lock").write_bytes(path.with_name("games.db.lock").read_bytes())
        StoreLock(copy).acquire()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_network_drive_without_locks_is_used_with_a_warning(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(number, "no locks here")

    monkeypatch.setattr("fcntl.flock", refuse)
    StoreLock(path).acquire()
    assert "can't be locked here (no locks here)" in caplog.text


def test_a_lock_that_cannot_be_made_is_an_error(path: Path, tmp_path: Path) -> None:
    path.with_name("games.db.lock").mkdir()
    with pytest.raises(StoreError, match=r"games\.db"):
        StoreLock(path).acquire()
    (tmp_path / "file").touch()
    with pytest.raises(StoreError):
        StoreLock(tmp_path / "file" / "games.db").acquire()


def test_the_second_program_continues_nothing_and_says_why(path: Path, open_store: OpenStore) -> None:
    kept(path, played(Random(1), 5))
    with held_by_another(path):
        store = open_store(path)
        assert store.last() is None
        fault = fault_texts(store.troubles)[DISK]
        assert "process 4711 on kitchen" in fault
        assert str(path.parent) not in fault
        assert list(store.troubles) == [DISK]


def test_the_second_program_changes_nothing_and_shows_all(path: Path, open_store: OpenStore) -> None:
    kept(path, played(Random(1), 5))
    with held_by_another(path):
        store = open_store(path)
        store.last()
        store.keep(one_step(Random(2), begun(Random(3))))
        assert not work(store)
        shown = store.read(
            lambda games: [(one.row, one.on_disk) for one in games.summaries(before=None, most=9)]
        )
        assert shown == [(2, False), (1, True)]
    with closing(open_read_only(path)) as file:
        assert file.rows() == [1]


def test_a_file_that_becomes_free_gets_a_game_of_its_own(path: Path, open_store: OpenStore) -> None:
    first = played(Random(1), 5)
    kept(path, first)
    with held_by_another(path):
        store = open_store(path)
        store.last()
        game = one_step(Random(2), begun(Random(3)))
        store.keep(game)
        assert not work(store)
    assert work(store)
    assert DISK not in store.troubles
    with closing(open_read_only(path)) as file:
        assert [len(file.game(row).saved.steps) for row in file.rows()] == [5, 1]


def test_a_failed_write_gives_the_file_to_nobody_else(path: Path, open_store: OpenStore) -> None:
    store = open_store(path)
    store.keep(played(Random(1), 2))
    assert work(store)
    store.fail(StoreError("the card is full"))  # type: ignore[arg-type]
    assert is_locked(path)
    store.close()
    assert not is_locked(path)


def test_games_are_read_added_and_deleted_while_another_plays(path: Path) -> None:
    kept(path, played(Random(1), 5))
    with held_by_another(path):
        with closing(open_read_only(path)) as file:
            one = file.game(1)
        with closing(GamesFile(path)) as file:
            assert list(file.add([one])) == [None]
            file.delete(1)


def test_a_foreign_file_gets_no_lock_beside_it(path: Path, open_store: OpenStore) -> None:
    path.write_text("a letter")
    store = open_store(path)
    store.last()
    assert [one.name for one in path.parent.iterdir()] == ["games.db"]


def test_a_new_file_and_its_log_are_private(path: Path) -> None:
    before = os.umask(0o022)
    try:
        with closing(GamesFile(path)), locked(path):
            modes = {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert set(modes) == {"games.db", "games.db-wal", "games.db-shm", "games.db.lock"}
    assert set(modes.values()) == {0o600}


def test_the_permissions_of_a_file_that_is_shared_stay(path: Path) -> None:
    kept(path, played(Random(1), 1))
    path.chmod(0o640)
    GamesFile(path).close()
    assert path.stat().st_mode & 0o777 == 0o640
