"""The files of a link: a name that is drawn once, and rooms that outlast everything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.errors import LinkError
from firmware_host.far.invitation import new_invitation
from firmware_host.games.rulesets import rule_set
from firmware_host.link.rooms import KEPT_DAYS, Absence, LinkFolder, Room, link_folder
from tests.support.hardware.clock import DAY_S, NOON_S, ForgetfulPi

INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
OTHER = new_invitation("127.0.0.1", 1883, bytes(range(1, 41)))
RULES = rule_set("standard", ["flying=never"])


def entered(folder: LinkFolder) -> Room:
    room = folder.current()
    assert room is not None
    return room


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
    assert len(files) == 4
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


def test_old_rooms_are_forgotten(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    files = list((folder.path / "rooms").iterdir())
    folder.enter(OTHER)
    pi.run_for((KEPT_DAYS + 1) * DAY_S)
    folder.touch(entered(folder))
    folder.enter(OTHER)
    assert not any(path.exists() for path in files)


def test_a_room_that_was_left_without_a_date_is_kept(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path, wall_s=NOON_S - 3 * 365 * DAY_S)
    LinkFolder(tmp_path / "link", clock=pi.clock).enter(INVITATION)
    pi.reboot()
    pi.synchronise(NOON_S)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(OTHER)
    folder.enter(INVITATION)
    assert len(list((folder.path / "rooms").glob("*.json"))) == 2


def test_an_absence_is_measured_whatever_becomes_of_the_clock(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path, wall_s=0.0)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    room = entered(folder)
    pi.run_for(20)
    assert folder.absence(room) == Absence(20_000, is_known=True)
    pi.synchronise(NOON_S)
    assert folder.absence(room) == Absence(21_000, is_known=True), "1970 wasn't 56 years ago"
    folder.save(room, {"seat": 1})
    pi.reboot()
    pi.synchronise(NOON_S + 3600)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    assert folder.absence(room) == Absence(3_600_000, is_known=True)


def test_an_absence_without_dates_is_no_longer_than_the_boot(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path, wall_s=0.0)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    pi.reboot()
    pi.run_for(20)
    again = LinkFolder(tmp_path / "link", clock=pi.clock)
    assert again.absence(entered(again)) == Absence(30_000, is_known=False)
    pi.synchronise(NOON_S)
    assert again.absence(entered(again)) == Absence(31_000, is_known=False)


@pytest.mark.parametrize("note", ["", "soon", "1 2 3", "\ud83d 5"])
def test_a_note_that_a_power_cut_damaged_is_no_error(tmp_path: Path, note: str) -> None:
    pi = ForgetfulPi(tmp_path)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    (seen,) = (folder.path / "rooms").glob("*.seen")
    seen.write_bytes(note.encode("utf-8", "replace"))
    assert folder.absence(entered(folder)) == Absence(0, is_known=False)


def test_the_room_of_an_older_version_is_dated_by_its_file(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    (seen,) = (folder.path / "rooms").glob("*.seen")
    seen.unlink()
    (file,) = (folder.path / "rooms").iterdir()
    os.utime(file, (NOON_S - 60, NOON_S - 60))
    assert folder.absence(entered(folder)) == Absence(60_000, is_known=True)


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
