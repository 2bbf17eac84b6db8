"""As root, files of others are opened with no more rights than their owners have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.errors import StoreError
from firmware_host.store.database import GamesFile
from firmware_host.store.ownership import acting_as_owner

OWNER = 12_345
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of somebody else's, who can reach it."""
    for above in (*reversed(tmp_path.parents), tmp_path):
        if not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, OWNER, OWNER)
    return theirs


def test_a_file_is_created_as_the_owner_of_its_folder(folder: Path) -> None:
    path = folder / "games.db"
    with acting_as_owner(path):
        GamesFile(path).close()
    assert (path.stat().st_uid, path.stat().st_gid) == (OWNER, OWNER)
    assert (os.geteuid(), os.getegid()) == (0, 0)


def test_a_link_leads_nowhere_that_its_owner_may_not_go(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir(mode=0o700)
    link = folder / "games.db"
    link.symlink_to(secret / "planted.db")
    os.lchown(link, OWNER, OWNER)
    with pytest.raises(StoreError), acting_as_owner(link):
        GamesFile(link)
    assert not list(secret.iterdir())


def test_a_pipe_is_refused_and_the_rights_come_back(folder: Path) -> None:
    os.mkfifo(folder / "games.db")
    with pytest.raises(StoreError, match="is not a file"), acting_as_owner(folder / "games.db"):
        pytest.fail("it was opened")
    assert os.geteuid() == 0
