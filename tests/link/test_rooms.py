"""The files of a link: a name that is drawn once, and rooms that outlast everything."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import FarError, LinkError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation, new_invitation
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import rule_set
from firmware_host.link import rooms
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.link.rooms import KEPT_DAYS, Absence, LinkFolder, Room, link_folder
from tests.support.hardware.clock import DAY_S, NOON_S, ForgetfulPi

INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
OTHER = new_invitation("127.0.0.1", 1883, bytes(range(1, 41)))
RULES = rule_set("standard", ["flying=never"])
CLUB, HOUSE, ROOM, STRANGER = (
    BrokerAddress.parse(f"{name}.example:8883") for name in ("club", "house", "room", "stranger")
)


def saved_seat(folder: LinkFolder) -> dict[str, Any]:
    """Return the seat of this board as its link saves it."""
    disk: list[Any] = []
    seat = FarSeat(folder.identity().board, "B" * 16, INVITATION.room, RULES).ready("11" * 16)
    LinkedSeat(seat, INVITATION.key, disk.append).save()
    linked: dict[str, Any] = disk[0]
    return linked


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
    assert found.secret not in repr(found)
    assert found.login(CLUB).password not in repr(found.login(CLUB))


def test_each_broker_gets_a_password_of_its_own(folder: LinkFolder) -> None:
    found = folder.identity()
    passwords = {found.login(one).password for one in (CLUB, HOUSE, STRANGER)}
    assert len(passwords) == 3
    assert {len(one) for one in passwords} == {32}
    assert len({found.login(one).client for one in (CLUB, HOUSE, STRANGER)}) == 3, (
        "whoever has it can cut off"
    )
    assert found.login(BrokerAddress.parse("CLUB.example.:8883")) == found.login(CLUB)
    assert not any(found.login(one).old_password for one in (CLUB, HOUSE, STRANGER))
    assert LinkFolder(folder.path).identity().login(CLUB) == found.login(CLUB)


def test_old_password_goes_only_where_it_is_known(folder: LinkFolder) -> None:
    folder.enter(Invitation("room.example", 8883, "ROOMROOM22", b"sixteen bytes on"))
    (folder.path / "board.json").write_text(json.dumps({"board": "A" * 16, "password": "0123"}))
    found = folder.identity([CLUB, HOUSE])
    assert found.board == "A" * 16
    known = [one for one in (CLUB, HOUSE, ROOM, STRANGER) if found.login(one).old_password]
    assert known == [CLUB, HOUSE, ROOM]
    assert "0123" not in {found.login(one).password for one in (CLUB, HOUSE, ROOM, STRANGER)}
    assert LinkFolder(folder.path).identity([STRANGER]) == found


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
    linked = saved_seat(folder)
    folder.save(room, linked)
    marker = folder.changed_at()
    folder.leave()
    assert folder.current() is None
    assert folder.changed_at() != marker
    folder.enter(INVITATION)
    again = folder.current()
    assert again is not None
    assert again.linked == linked


@pytest.mark.parametrize(
    "change",
    [{"key": bytes(16)}, {"host": "127.0.0.2"}, {"port": 1884}],
    ids=["another key", "another broker", "another port"],
)
def test_an_invitation_is_not_shadowed_by_a_false_one(folder: LinkFolder, change: dict[str, Any]) -> None:
    false = replace(INVITATION, **change)
    folder.enter(false, title="False")
    folder.enter(INVITATION, RULES, title="True")
    room = entered(folder)
    assert (room.invitation, room.title) == (INVITATION, "True")
    folder.save(room, saved_seat(folder))
    folder.enter(false)
    assert (entered(folder).invitation, entered(folder).linked) == (false, None)
    folder.enter(INVITATION)
    again = entered(LinkFolder(folder.path))
    assert (again.invitation, again.linked) == (INVITATION, saved_seat(folder))
    assert folder.absence(again).is_known
    assert not folder.notices
    assert {path.suffix for path in (folder.path / "rooms").iterdir()} == {".json", ".seen"}


def test_a_shadowed_room_outlives_the_false_one(folder: LinkFolder) -> None:
    false = replace(INVITATION, key=bytes(16))
    folder.enter(false)
    folder.enter(INVITATION, RULES)
    folder.save(entered(folder), saved_seat(folder))
    for path in (folder.path / "rooms").glob(f"{INVITATION.room}.json*"):
        path.unlink()
    folder.enter(INVITATION)
    assert entered(folder).linked == saved_seat(folder)


def test_old_rooms_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "KEPT_ROOMS", 1)
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


def test_a_clock_that_was_ahead_once_takes_no_room(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    files = list((folder.path / "rooms").iterdir())
    pi.synchronise(NOON_S + 5 * 365 * DAY_S)
    folder.enter(OTHER)
    pi.synchronise(NOON_S)
    folder.enter(OTHER)
    assert all(path.exists() for path in files)


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
    folder.save(room, saved_seat(folder))
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


@pytest.mark.parametrize("note", ["", "soon", "1 2 3", "1 17642", "\ud83d 5"])
def test_a_note_that_a_power_cut_damaged_is_no_error(tmp_path: Path, note: str) -> None:
    pi = ForgetfulPi(tmp_path)
    folder = LinkFolder(tmp_path / "link", clock=pi.clock)
    folder.enter(INVITATION)
    (seen,) = (folder.path / "rooms").glob("*.seen")
    seen.write_bytes(note.encode("utf-8", "replace"))
    assert folder.absence(entered(folder)) == Absence(0, is_known=False)


def test_a_folder_in_place_of_a_note_is_set_aside(folder: LinkFolder) -> None:
    folder.enter(INVITATION)
    room = entered(folder)
    (seen,) = (folder.path / "rooms").glob("*.seen")
    seen.unlink()
    seen.mkdir()
    folder.touch(room)
    assert seen.is_file()
    assert len(folder.notices) == 1


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


def test_seat_that_could_not_be_read_again_is_not_saved(folder: LinkFolder) -> None:
    folder.enter(INVITATION, RULES)
    room = folder.current()
    assert room is not None
    linked = saved_seat(folder)
    folder.save(room, linked)
    seat = {**linked["seat"], "record": {**linked["seat"]["record"], "takes_back": 2**53}}
    with pytest.raises(FarError, match="was not saved"):
        folder.save(room, {**linked, "seat": seat})
    again = folder.current()
    assert again is not None
    assert again.linked == linked


@pytest.mark.parametrize("name", ["board.json", "current", f"rooms/{INVITATION.room}.json"])
@pytest.mark.parametrize("text", ["", "[]", "{", '{"board": 1, "room": "../x"}', "[" * 100_000, "\xff"])
def test_damaged_file_is_set_aside_and_said(
    folder: LinkFolder, name: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = folder.identity()
    folder.enter(INVITATION, RULES)
    (folder.path / name).write_text(text, "latin-1")
    again = LinkFolder(folder.path)
    found, room = again.identity(), again.current()
    assert (found == before) is (name != "board.json")
    assert (room is None) is (name != "board.json")
    aside = list((folder.path / name).parent.glob(f"{Path(name).name}.damaged-*"))
    assert [one.read_text("latin-1") for one in aside] == [text]
    assert [one.args["aside"] for one in again.notices] == [aside[0].name]
    assert aside[0].name in caplog.text
    again.enter(INVITATION, RULES)
    assert again.current() is not None


@pytest.mark.parametrize(
    "damage", [{"linked": 5}, {"linked": {"seat": {"record": None}, "led": 0}}, {"host": 5}, {}]
)
def test_room_with_a_damaged_seat_is_set_aside(folder: LinkFolder, damage: dict[str, Any]) -> None:
    folder.enter(INVITATION, RULES)
    path = folder.path / "rooms" / f"{INVITATION.room}.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, **damage} if damage else {"rules": None}))
    assert folder.current() is None
    assert len(folder.notices) == 1


def test_room_keeps_its_host(folder: LinkFolder) -> None:
    folder.enter(INVITATION, is_public=True, host="H" * 16)
    assert entered(LinkFolder(folder.path)).host == "H" * 16


@pytest.mark.parametrize("seal", [None, {}, {"secret": "0"}, {"other": "B" * 16, "share": "AA=="}])
def test_seal_that_could_not_be_read_again_is_not_saved(folder: LinkFolder, seal: Any) -> None:
    folder.enter(INVITATION, RULES)
    kept = PairSeal(folder.identity().board, INVITATION.key).kept()
    good = {**saved_seat(folder), **kept}
    folder.save(entered(folder), good)
    bad = {**kept["seal"], **seal} if seal else seal
    with pytest.raises(FarError, match="was not saved"):
        folder.save(entered(folder), {**good, "seal": bad})
    assert entered(folder).linked == good


def test_room_of_another_identity_is_set_aside(folder: LinkFolder) -> None:
    folder.enter(INVITATION, RULES)
    room = folder.current()
    assert room is not None
    folder.save(room, saved_seat(folder))
    folder.renew()
    folder.enter(INVITATION, RULES)
    entered = folder.current()
    assert entered is not None
    assert entered.linked is None
    assert len(list((folder.path / "rooms").glob("*.damaged-*"))) == 1


@pytest.mark.parametrize(
    "target", ["", "rooms", "nowhere"], ids=["file", "link to itself", "link to nothing"]
)
def test_file_in_place_of_the_rooms_is_set_aside(folder: LinkFolder, target: str) -> None:
    folder.identity()
    if target:
        (folder.path / "rooms").symlink_to(target)
    else:
        (folder.path / "rooms").touch()
    folder.enter(INVITATION, RULES)
    assert folder.current() is not None
    assert len(folder.notices) == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LinkError, match="can't be used"):
        LinkFolder(tmp_path / "file" / "link").enter(INVITATION)


def test_the_folder_is_that_of_systemd_or_of_the_user(tmp_path: Path) -> None:
    assert link_folder({"STATE_DIRECTORY": "/var/lib/x:/y"}) == Path("/var/lib/x")
    assert link_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "millwright" / "link"
    assert link_folder({"HOME": str(tmp_path)}) == tmp_path / ".local/state/millwright/link"
