"""Every file that the program keeps, damaged in every way: nothing raises, and nothing is lost.

Each unit opens a folder with one file of its own, and returns what it says to people. Whatever the file has,
either it is read, or it is set aside as it was, under a name that says so, and said.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import state_files
from firmware_host.config.loader import Config
from firmware_host.engine.solving.checker import CheckJournal
from firmware_host.engine.solving.folder import SHIPPED, SHIPPED_OPENING, TableFolder, open_tables
from firmware_host.errors import MillwrightError
from firmware_host.far.invitation import new_invitation
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.record import Roll, committed
from firmware_host.far.seat import FarSeat
from firmware_host.games.layout import MORRIS
from firmware_host.games.options import MorrisOptions
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.link.identity import Identity
from firmware_host.link.rooms import LinkFolder, Room
from firmware_host.maintenance.setup_files import SetupFiles, wiring_of
from firmware_host.runtime.crash_counter import CrashCounter
from firmware_host.settings import Sensors, Strip
from firmware_host.state_files import DamagedFile
from firmware_host.store.store import SqliteStore
from firmware_host.web.pairing.devices import Devices, _as_text, open_devices
from hardware.setup.progress import Seat, SetupFindings, SetupProgress
from hardware.setup.wizard import SetupWizard
from hardware.wiring.contacts import every_wire
from tests.support.examples import costly

OWN, OTHER = "A" * 16, "B" * 16
INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
RULES = rule_set("standard")
OPTIONS = MorrisOptions()
CONFIG = Config.default()


def own_identity() -> Identity:
    """Return an identity with everything that one can have."""
    return Identity(OWN, "5" * 64, "0123", ("club.example:8883",))


def own_room() -> dict[str, Any]:
    """Return a room as it is stored, in the middle of a game."""
    disk: list[Any] = []
    numbers = {OWN: "00" * 16, OTHER: "01" * 16}
    seat = FarSeat(OWN, OTHER, INVITATION.room, RULES).ready(numbers[OWN])
    seat = seat.with_roll(Roll(committed(numbers[OTHER]), numbers[OTHER]))
    for turn, used_ms in (("d6", 10), ("f4", 20)):
        seat = seat.with_turn(turn, used_ms)
    LinkedSeat(seat.carry(2).offer_draw(), INVITATION.key, disk.append).save()
    return Room(INVITATION, RULES, disk[0], "Sunday", is_touched=True, then=INVITATION).as_dict()


def own_progress() -> bytes:
    """Return the progress of a set-up in which a few places are known."""
    seats = (Seat((0,), leds=(0,), point="a7", stands=0), Seat((3,), leds=(2,)))
    found = SetupFindings((3, 4), ("d7", "g7"), seats, last=1, order="GRB", later=(5, "a1"))
    return SetupProgress(wiring_of(CONFIG), found).as_bytes()


def link(folder: Path) -> list[Message]:
    """Open the folder of a link, go into its room, and leave it."""
    found = LinkFolder(folder)
    board = found.identity().board
    found.changed_at()
    room = found.current()
    if room is not None and room.linked is not None:
        LinkedSeat.restored(room.linked, RULES, INVITATION.key, lambda _: None)
    found.enter(INVITATION, RULES)
    entered = found.current()
    assert entered is not None
    found.touch(entered)
    found.leave()
    assert LinkFolder(folder).identity().board == board
    return list(found.notices)


def pairing(folder: Path) -> list[Message]:
    """Read the paired devices, and pair another one."""
    said: list[DamagedFile] = []
    file = open_devices(folder / "devices.json", report=said.append)
    file.devices()
    file.change(lambda devices: devices.add("phone", "token", 1))
    assert file.fault is None
    assert open_devices(folder / "devices.json").devices() == file.devices()
    return [one.message for one in said]


def crashes(folder: Path) -> list[Message]:
    """Count a crash."""
    counter = CrashCounter(folder)
    counter.begin(1.0, "now")
    counter.try_again()
    counter.crashed("it broke \udcff", 2.0, "now")
    assert counter.pause_s <= 3600
    assert CrashCounter(folder).damaged == []
    return [one.message for one in counter.damaged]


def progress(folder: Path) -> list[Message]:
    """Go on with a set-up."""
    files = SetupFiles(folder / "millwright.toml")

    def check(found: SetupFindings) -> object:
        sensors = Sensors()
        return SetupWizard(MORRIS, sensors, Strip(), every_wire(sensors), found=found).prompt

    found, why = files.earlier(CONFIG, check)
    assert found is None or why is None
    files.keep(CONFIG, SetupFindings())
    assert files.earlier(CONFIG, check) == (SetupFindings(), None)
    is_other = why is not None and why.key == "setup.earlier.other"
    return [] if why is None or is_other else [why]


def tables(folder: Path) -> list[Message]:
    """Open the tables and certificates that were built."""
    said: list[DamagedFile] = []
    open_tables(folder, shipped=folder / "none" / SHIPPED.name, set_aside=said.append)
    return [one.message for one in said if one.path.parent.name != "none"]


def logged(read: Callable[[Path], object]) -> Callable[[Path], list[Message]]:
    """Return a unit that says what it has to say in the log alone: a command of a developer."""

    def unit(folder: Path) -> list[Message]:
        logger, found = logging.getLogger("firmware_host.state_files"), list[str]()
        handler = logging.Handler()
        handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
        logger.addHandler(handler)
        try:
            read(folder)
        finally:
            logger.removeHandler(handler)
        return [Message(text) for text in found]

    return unit


UNITS: dict[str, tuple[str, bytes, Callable[[Path], list[Message]]]] = {
    "identity": ("board.json", own_identity().as_bytes(), link),
    "current": ("current", json.dumps({"room": INVITATION.room}).encode(), link),
    "room": (f"rooms/{INVITATION.room}.json", json.dumps(own_room()).encode(), link),
    "pairing": ("devices.json", _as_text(Devices("b").add("phone", "t", 1)).encode(), pairing),
    "crashes": (
        "crashes.json",
        json.dumps({"runs": True, "tries": 2, "crashes": [[1.0, "now", "it broke"]]}).encode(),
        crashes,
    ),
    "set-up": ("millwright.toml.setup", own_progress(), progress),
    "certificate": ("of/white.mwc", SHIPPED_OPENING.read_bytes()[:5000], tables),
    "table": ("of/3-3.mwt", SHIPPED.read_bytes()[:5000], tables),
    "journal": (
        "of.checks",
        b"00ff 10 0\n01ff 20 1\n",
        logged(lambda folder: CheckJournal(TableFolder(folder / "of", OPTIONS), {}, "all").read()),
    ),
    "seal": ("verified.txt", b"00ff\n", logged(lambda folder: TableFolder(folder, OPTIONS).seal)),
}
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([-1, 2**53, 2**64, 10**30, -1e308, 0.5, "", "\x00", "\ud83d", "../x", OWN])
    | st.integers()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to each value inside a value of JSON."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [before, *(path for key, one in inside for path in paths(one, (*before, key)))]


@st.composite
def damage(draw: st.DrawFn, valid: bytes) -> bytes | None:
    """Return what may be in the place of a file, None for a folder."""
    kind = draw(st.sampled_from(("cut", "bytes", "bits", "deep", "digits", "folder", "member", "members")))
    if kind == "folder":
        return None
    if kind == "bytes":
        return draw(st.binary(max_size=200))
    if kind in ("deep", "digits"):
        return draw(st.sampled_from((b"[", b'{"board":', b"9"))) * 50_000
    at = draw(st.integers(0, len(valid) - 1))
    if kind == "cut":
        return valid[:at]
    try:
        whole = json.loads(valid)
    except ValueError:
        kind = "bits"
    if kind == "bits":
        return valid[:at] + draw(st.binary(max_size=3)) + valid[at + draw(st.integers(0, 3)) :]
    for _ in range(1 if kind == "member" else 3):
        whole = changed(whole, draw(st.sampled_from(paths(whole))), draw(st.none() | st.just(1)), draw(JUNK))
    return json.dumps(whole).encode()


def changed(whole: Any, path: tuple[Any, ...], is_left_out: object, junk: Any) -> Any:
    """Return a value of JSON in which one inside it is junk, or missing."""
    if not path:
        return junk
    place = whole
    for key in path[:-1]:
        place = place[key]
    if is_left_out:
        del place[path[-1]]
    else:
        place[path[-1]] = junk
    return whole


def folder_with(folder: Path, name: str, content: bytes | None) -> None:
    """Make a folder as a unit expects it, with this content in one file; None puts a folder in its place."""
    for other, valid in (("board.json", UNITS["identity"][1]), ("current", UNITS["current"][1])):
        if name in ("board.json", "current") or name.startswith("rooms/"):
            (folder / other).write_bytes(valid)
    path = folder / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
        path.chmod(0o600)


@pytest.mark.parametrize("unit", UNITS)
@costly(2)
@given(data=st.data())
def test_damaged_file_is_set_aside_said_and_survived(unit: str, data: st.DataObject) -> None:
    name, valid, use = UNITS[unit]
    content = data.draw(damage(valid))
    with TemporaryDirectory() as place:
        folder = Path(place)
        folder_with(folder, name, content)
        said = use(folder)
        path = folder / name
        aside = [one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}.damaged-")]
        assert len(aside) == len(said)
        for one in aside:
            assert one.is_dir() if content is None else one.read_bytes() == content
            assert one.name in " ".join(map(to_english, said))
        assert said or content is not None, "a folder can't be read as a file"


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("content", [b"\xff\xfe\x00 no file of ours", b"[" * 50_000, None])
def test_garbage_is_always_set_aside_and_said(unit: str, content: bytes | None, tmp_path: Path) -> None:
    name, _, use = UNITS[unit]
    folder_with(tmp_path, name, content)
    assert len(use(tmp_path)) == 1
    assert len(list(tmp_path.rglob(f"{Path(name).name}.damaged-*"))) == 1


@pytest.mark.parametrize("unit", [name for name in UNITS if name not in ("table", "certificate")])
def test_link_to_itself_is_set_aside_and_said(unit: str, tmp_path: Path) -> None:
    name, valid, use = UNITS[unit]
    folder_with(tmp_path, name, valid)
    path = tmp_path / name
    path.unlink()
    path.symlink_to(path.name)
    assert len(use(tmp_path)) == 1
    (aside,) = tmp_path.rglob(f"{path.name}.damaged-*")
    assert aside.is_symlink()
    assert use(tmp_path) == []


@pytest.mark.parametrize("unit", [name for name in UNITS if name not in ("table", "certificate")])
def test_whole_file_is_read_without_a_word(unit: str, tmp_path: Path) -> None:
    name, valid, use = UNITS[unit]
    folder_with(tmp_path, name, valid)
    assert use(tmp_path) == []
    assert not list(tmp_path.rglob("*.damaged-*"))


@costly(2)
@given(value=JUNK)
@pytest.mark.parametrize("member", ["record", "other", "room", "nonce", "roll", "offers"])
def test_stored_seat_is_never_half_read(member: str, value: Any) -> None:
    room = own_room()
    room["linked"]["seat"][member] = value
    try:
        LinkedSeat.restored(room["linked"], RULES, INVITATION.key, lambda _: None).save()
    except MillwrightError:
        return
    assert member in ("other", "offers")


@costly(2)
@given(text=st.text(max_size=30) | JUNK.map(json.dumps) | st.just("[" * 100_000))
def test_setting_that_cannot_be_read_is_kept_and_said(text: str) -> None:
    with TemporaryDirectory() as place:
        path = Path(place) / "games.db"
        store = SqliteStore(path, wall_ms=lambda: 0)
        store.put("theme", "contrast")
        assert store.finish(store.begin())
        assert store._file is not None
        text = text.encode(errors="replace").decode()
        store._file.write({}, {}, {"theme": text})
        store.close()
        again = SqliteStore(path, wall_ms=lambda: 0)
        again.last()
        assert again.finish(again.begin())
        assert again._file is not None
        found = again._file.settings()  # type: ignore[attr-defined]
        again.close()
    assert ("theme" in found) is ("games" not in again.troubles)
    assert found.get("theme", found.get("theme.damaged")) in (text, json.dumps(text))


def test_damaged_file_has_no_date_that_nobody_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_files, "_NAME_CLOCK", [])
    state_files.date_names_by(lambda: None)
    for _ in range(2):
        (tmp_path / "current").write_text("junk")
        assert state_files.read_state(tmp_path / "current", state_files.json_object) is None
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["current.damaged-undated", "current.damaged-undated-2"]


def test_folder_in_place_of_a_new_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / ".current.new" / "inner").mkdir(parents=True)
    state_files.write_state(tmp_path / "current", b"{}", state_files.json_object)
    assert (tmp_path / "current").read_bytes() == b"{}"
    assert [path.name for path in tmp_path.glob(".current.new.damaged-*/*")] == ["inner"]
