"""The file of an archive that is damaged while the archive runs, or before."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.club.archive import ArchiveFile
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.ports import before
from firmware_host.runtime.clock import MachineClock
from firmware_host.store.database import StoredGame, open_read_only
from firmware_host.store.saved_game import saved_game_of
from tests.support.hardware.clock import DAY_S, NOON_S, ForgetfulPi


def clock_of(folder: Path) -> MachineClock:
    """Return the clock of a machine that knows the time."""
    pi = ForgetfulPi(folder)
    pi.synchronise(NOON_S)
    return pi.clock


def a_game(began_ms: int) -> StoredGame:
    """Return a game without turns."""
    game = Game.begin(rule_set("standard"), rule_set("standard").start(Player.WHITE))
    return StoredGame(0, saved_game_of(game, (), began_ms=began_ms, changed_ms=began_ms, tags={}))


def spoil(path: Path) -> bytes:
    """Overwrite all but the first page of a file of games; return what it has then."""
    whole = path.read_bytes()
    spoilt = whole[:100] + b"\xaa" * (len(whole) - 100)
    path.write_bytes(spoilt)
    return spoilt


@pytest.mark.parametrize("is_open", [False, True], ids=["before", "meanwhile"])
def test_damaged_archive_is_set_aside_and_goes_on(tmp_path: Path, is_open: bool) -> None:
    path, said = tmp_path / "evening.db", list[Message]()
    clock = clock_of(tmp_path)

    def opened() -> ArchiveFile:
        return ArchiveFile(path, said.append, clock)

    with closing(opened()) as file:
        assert file.add(a_game(1)) == 1
        if not is_open:
            file.close()
        spoilt = spoil(path)
        if is_open:
            path.with_name("evening.db-wal").write_bytes(b"")
        again = file if is_open else opened()
        assert again.add(a_game(2)) == 1
        again.close()
    assert [one.key for one in said] == ["fault.store.aside"]
    (aside,) = tmp_path.glob("evening.db.damaged-*Z")
    assert aside.read_bytes() == spoilt


def test_damaged_archive_gets_its_dates_in_a_new_file(tmp_path: Path) -> None:
    path, said = tmp_path / "evening.db", list[Message]()
    pi = ForgetfulPi(tmp_path)
    with closing(ArchiveFile(path, said.append, pi.clock)) as file:
        file.add(a_game(1))
        spoil(path)
        path.with_name("evening.db-wal").write_bytes(b"")
        assert file.add(a_game(file.now())) == 1
        pi.synchronise(NOON_S)
        file.bring_dates()
        pi.run_for(60)
        assert file.add(a_game(file.now())) == 2
    with closing(open_read_only(path)) as kept:
        assert kept.game(1).saved.began_ms == (NOON_S - 1) * 1000
    assert [one.key for one in said] == ["fault.store.aside"]
    assert len(list(tmp_path.glob("evening.db.damaged-undated"))) == 1, "nobody knew the time"


def test_games_of_a_wrong_clock_get_the_right_date_once_it_is_set(tmp_path: Path) -> None:
    path, pi = tmp_path / "evening.db", ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S + 3 * 365 * DAY_S)  # trusted, and wrong
    with closing(ArchiveFile(path, list[Message]().append, pi.clock)) as file:
        file.bring_dates()
        assert file.add(a_game(before(file.now(), 3_600_000))) == 1, "it began before this program"
        pi.run_for(60)
        pi.synchronise(NOON_S)
        assert file.add(a_game(file.now())) == 2, "the file doesn't know yet"
        file.bring_dates()
        pi.run_for(60)
        assert file.add(a_game(file.now())) == 3
        file.bring_dates()
    with closing(open_read_only(path)) as kept:
        began = [kept.game(row).saved.began_ms // 1000 - NOON_S for row in (1, 2, 3)]
    assert began == [-3661, 0, 60]
