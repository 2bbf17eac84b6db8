"""The files of a link: a name that is drawn once, and rooms that outlast everything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.errors import LinkError
from firmware_host.far.invitation import new_invitation
from firmware_host.games.rulesets import rule_set
from firmware_host.link.rooms import KEPT_DAYS, LinkFolder, link_folder

INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
OTHER = new_invitation("127.0.0.1", 1883, bytes(range(1, 41)))
RULES = rule_set("standard", ["flying=never"])


@pytest.fixture
def folder(tmp_path: Path) -> LinkFolder:
    return LinkFolder(tmp_path / "link")


def test_a_board_has_one_name_for_ever(folder: LinkFolder) -> None:
    found = folder.identity()
    assert LinkFolder(folder.path).identity() == found
    assert len(found.board) == 16
    assert len(found.password) == 32
    assert found.password not in repr(found)


def test_nobody_else_reads_the_files(folder: LinkFolder) -> None:
    folder.identity()
    folder.enter(INVITATION, RULES)
    files = [path for path in folder.path.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_a_room_goes_on_when_its_invitation_is_used_again(folder: LinkFolder) -> None:
    assert folder.current() is None
    folder.enter(INVITATION, RULES)
    room = folder.current()
    assert room is not None
    assert (room.invitation, room.linked) == (INVITATION, None)
    assert room.rules is not None
    assert room.rules.describe() == RULES.describe()
    folder.save(room, {"seat": 1})
    marker = folder.changed_at()
    folder.leave()
    assert folder.current() is None
    assert folder.changed_at() != marker
    folder.enter(INVITATION)
    again = folder.current()
    assert again is not None
    assert again.linked == {"seat": 1}


def test_old_rooms_are_forgotten(folder: LinkFolder) -> None:
    folder.enter(INVITATION)
    path = next((folder.path / "rooms").iterdir())
    folder.enter(OTHER)
    long_ago = path.stat().st_mtime - (KEPT_DAYS + 1) * 86_400
    os.utime(path, (long_ago, long_ago))
    folder.enter(OTHER)
    assert not path.exists()


def test_the_absence_of_a_link_is_measured_by_its_room(folder: LinkFolder) -> None:
    folder.enter(INVITATION)
    room = folder.current()
    assert room is not None
    os.utime(next((folder.path / "rooms").iterdir()), (1000, 1000))
    assert folder.seen_at(room) == 1000
    folder.touch(room)
    assert folder.seen_at(room) > 1000


@pytest.mark.parametrize("name", ["board.json", "current"])
@pytest.mark.parametrize("text", ["", "[]", "{", '{"board": 1, "room": "../x"}', "[" * 100_000])
def test_damaged_files_are_reported(folder: LinkFolder, name: str, text: str) -> None:
    folder.path.mkdir()
    (folder.path / name).write_text(text)
    if name == "board.json":
        with pytest.raises(LinkError, match=r"board\.json"):
            folder.identity()
    elif "room" in text:
        assert folder.current() is None
    else:
        with pytest.raises(LinkError, match="current"):
            folder.current()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LinkError, match="can't be used"):
        LinkFolder(tmp_path / "file" / "link").enter(INVITATION)


def test_the_folder_is_that_of_systemd_or_of_the_user(tmp_path: Path) -> None:
    assert link_folder({"STATE_DIRECTORY": "/var/lib/x:/y"}) == Path("/var/lib/x")
    assert link_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "millwright" / "link"
    assert link_folder({"HOME": str(tmp_path)}) == tmp_path / ".local/state/millwright/link"
