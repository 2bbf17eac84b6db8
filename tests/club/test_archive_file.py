"""The file of an archive that is damaged while the archive runs, or before."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.club.archive_file import ArchiveFile
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.store.database import StoredGame
from firmware_host.store.dates import Shift
from firmware_host.store.saved_game import saved_game_of

NOW_MS = 1_700_000_000_000


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

    def opened() -> ArchiveFile:
        return ArchiveFile(path, said.append, lambda: NOW_MS)

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
    with closing(ArchiveFile(path, said.append, lambda: 0)) as file:
        file.add(a_game(1))
        spoil(path)
        path.with_name("evening.db-wal").write_bytes(b"")
        file.shift([Shift(1, 5, 100)])
        assert file.add(a_game(2)) == 1
    assert [one.key for one in said] == ["fault.store.aside"]
    assert len(list(tmp_path.glob("evening.db.damaged-undated"))) == 1, "nobody knew the time"
