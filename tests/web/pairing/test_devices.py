"""The list of paired devices, and its file: what is kept, and from whom it is taken."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hmac import digest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.ports import date_of
from firmware_host.state_files import DamagedFile
from firmware_host.web.pairing import devices as devices_file
from firmware_host.web.pairing.devices import (
    MAX_DEVICES,
    MAX_NAME_LENGTH,
    DeviceFile,
    Devices,
    clean_name,
    open_devices,
)
from tests.support.hardware.clock import NOON_S, ForgetfulPi

NOW_MS = 1_767_268_800_000
OLD_SECRET = bytes(range(32))


def paired(path: Path, *names: str) -> DeviceFile:
    file = open_devices(path)
    for name in names:
        file.change(partial(Devices.add, name=name, token=f"token of {name}", now_ms=NOW_MS))
    return file


def test_a_device_is_found_by_its_token_alone() -> None:
    devices = Devices("b").add("phone", "secret", NOW_MS).add("tablet", "other", NOW_MS)
    found = devices.find("other")
    assert found is not None
    assert (found.number, found.name) == (2, "tablet")
    for token in ("", "x", found.token_hash, "2"):
        assert devices.find(token) is None


def test_a_removed_device_is_gone_and_its_number_not_used_again() -> None:
    devices = Devices("b").add("phone", "secret", NOW_MS).remove(1).add("tablet", "other", NOW_MS)
    assert devices.find("secret") is None
    assert [device.number for device in devices.paired] == [2]


def test_a_device_that_was_paired_without_a_date_gets_it(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path / "pi")
    path = tmp_path / "devices.json"
    file = open_devices(path, pi.clock.now, pi.clock.dated)
    file.change(lambda devices: devices.add("phone", "token", pi.clock.now()))
    (device,) = open_devices(path, pi.clock.now, pi.clock.dated).devices().paired
    assert (date_of(device.paired_ms), date_of(device.seen_ms)) == (0, 0)
    pi.synchronise(NOON_S)
    (device,) = file.devices().paired
    assert device.paired_ms == (NOON_S - 1) * 1000
    file.change(partial(Devices.see, number=1, now_ms=pi.clock.now()))
    (device,) = open_devices(path).devices().paired
    assert (device.paired_ms, device.seen_ms) == ((NOON_S - 1) * 1000, NOON_S * 1000)


def test_the_device_that_was_away_longest_makes_room() -> None:
    devices = Devices("b")
    for number in range(MAX_DEVICES):
        devices = devices.add(f"{number}", f"token {number}", NOW_MS)
    devices = devices.see(1, 0).add("new", "token", 5)  # the date of a Pi without a network says nothing
    assert len(devices.paired) == MAX_DEVICES
    assert devices.find("token 0") is not None
    assert devices.find("token 1") is None
    assert devices.find("token") is not None


@given(st.text())
def test_a_name_is_one_printable_line(name: str) -> None:
    cleaned = clean_name(name)
    assert cleaned == "" or cleaned.isprintable()
    assert len(cleaned) <= MAX_NAME_LENGTH
    assert clean_name(cleaned) == cleaned


def test_devices_are_there_after_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "state" / "devices.json"
    before = paired(path, "phone", "tablet").devices()
    assert open_devices(path).devices() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_the_file_does_not_contain_tokens(tmp_path: Path) -> None:
    path = tmp_path / "devices.json"
    paired(path, "phone")
    assert "token of phone" not in path.read_text()


def test_nothing_is_written_before_a_device_is_paired(tmp_path: Path) -> None:
    open_devices(tmp_path / "state" / "devices.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"format": 2}',
        b'{"format": 1, "board": "b", "next_number": 1, "paired": [{}]}',
        b'{"format": 1, "board": "b", "next_number": true, "paired": []}',
        b"[" * 60_000,
    ],
)
def test_a_damaged_file_pairs_nobody_and_is_set_aside(tmp_path: Path, spoilt: bytes) -> None:
    path = tmp_path / "devices.json"
    path.write_bytes(spoilt)
    said: list[DamagedFile] = []
    assert open_devices(path, report=said.append).devices().paired == ()
    assert [one.aside and one.aside.read_bytes() for one in said] == [spoilt]
    before = paired(path, "phone").devices()
    assert open_devices(path).devices() == before


@pytest.mark.parametrize("seen", [-1, 10**14, 10**400, 1.5, "1", None])
def test_a_time_out_of_range_makes_a_file_unusable(tmp_path: Path, seen: object) -> None:
    path = tmp_path / "devices.json"
    paired(path, "phone")
    found = json.loads(path.read_text())
    found["paired"][0]["seen_ms"] = seen
    path.write_text(json.dumps(found))
    assert open_devices(path).devices().paired == ()


def test_a_file_that_others_can_write_pairs_nobody(tmp_path: Path) -> None:
    path = tmp_path / "devices.json"
    paired(path, "phone")
    path.chmod(0o620)
    assert open_devices(path).devices().paired == ()


def test_links_and_pipes_in_the_place_of_the_file_pair_nobody(tmp_path: Path) -> None:
    elsewhere, path = tmp_path / "elsewhere.json", tmp_path / "devices.json"
    paired(elsewhere, "phone")
    path.symlink_to(elsewhere)
    assert open_devices(path).devices().paired == ()
    os.mkfifo(path, 0o600)
    assert open_devices(path).devices().paired == ()  # at once
    assert len(list(tmp_path.glob("devices.json.damaged-*"))) == 2
    assert len(open_devices(elsewhere).devices().paired) == 1


def test_a_deleted_file_removes_all_devices(tmp_path: Path) -> None:
    path = tmp_path / "devices.json"
    file = paired(path, "phone")
    path.unlink()
    assert file.devices().paired == ()


def test_without_a_folder_devices_are_paired_for_this_run(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)
    file = paired(unprivileged / "state" / "devices.json", "phone", "tablet")
    assert file.devices().find("token of phone") is not None
    assert file.fault == "Permission denied"
    file.change(lambda devices: devices.remove(1))
    assert file.devices().find("token of phone") is None


def test_a_write_that_failed_leaves_the_file_and_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "devices.json"
    file = paired(path, "phone")
    before = path.read_bytes()

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("firmware_host.web.pairing.devices.os.fsync", fails)
        file.change(lambda devices: devices.add("tablet", "t", NOW_MS))
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])
    assert file.fault == "No space left on device"
    file.change(lambda devices: devices.see(1, NOW_MS + 1))
    assert file.fault is None
    assert len(open_devices(path).devices().paired) == 2


def _pair_many(path: Path, name: str) -> None:
    paired(path, *(f"{name}{number}" for number in range(10)))


@pytest.mark.ci("programs")
def test_programs_that_share_the_file_lose_no_device(tmp_path: Path) -> None:
    path = tmp_path / "devices.json"
    file = paired(path, "phone")
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_pair_many, args=(path, name)) for name in "ab"]
    for other in others:
        other.start()
    for other in others:
        other.join()
    devices = file.devices()
    assert len(devices.paired) == 21
    assert len({device.number for device in devices.paired}) == 21


def test_change_of_another_program_right_after_ones_own_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "devices.json"
    file = paired(path, "phone")
    exclusive = devices_file._exclusive

    @contextmanager
    def exclusive_and_then_another(folder: Path) -> Iterator[None]:
        with exclusive(folder):
            yield
        monkeypatch.undo()
        paired(path, "tablet")

    monkeypatch.setattr(devices_file, "_exclusive", exclusive_and_then_another)
    file.change(lambda devices: devices.see(1, NOW_MS + 1))
    file.change(lambda devices: devices.see(1, NOW_MS + 2))
    assert {device.name for device in file.devices().paired} == {"phone", "tablet"}


# ---- an earlier version --------------------------------------------------------------------------------


def old_cookie() -> str:
    return digest(OLD_SECRET, b"millwright page cookie", "sha256").hex()


def old_key(folder: Path, mode: int = 0o600) -> Path:
    path = folder / "page.key"
    path.write_text(f"{OLD_SECRET.hex()}\n")
    path.chmod(mode)
    return path


def test_devices_of_an_earlier_version_stay_paired(tmp_path: Path) -> None:
    key, path = old_key(tmp_path), tmp_path / "devices.json"
    devices = open_devices(path).devices()
    found = devices.find(old_cookie())
    assert found is not None
    assert found.is_shared
    assert not key.exists()
    assert open_devices(path).devices() == devices


def test_an_old_secret_is_kept_until_its_devices_are_saved(unprivileged: Path) -> None:
    key, path = old_key(unprivileged), unprivileged / "devices.json"
    unprivileged.chmod(0o500)
    assert open_devices(path).devices().find(old_cookie()) is not None
    assert key.exists()
    unprivileged.chmod(0o700)


def test_an_old_secret_that_others_could_read_is_not_used(tmp_path: Path) -> None:
    old_key(tmp_path, 0o640)
    assert open_devices(tmp_path / "devices.json").devices().paired == ()


def test_an_old_secret_put_back_later_is_not_used(tmp_path: Path) -> None:
    paired(tmp_path / "devices.json", "phone")
    old_key(tmp_path)
    assert open_devices(tmp_path / "devices.json").devices().find(old_cookie()) is None
