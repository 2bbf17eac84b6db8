"""The files of a link: who its board is, and its rooms with their games.

Invariants: a file is written in one step and is on the disk before anybody relies on it. A room that was left
is kept, and goes on when its invitation is used again. Nobody but its user reads the files, which have keys.
The time for which a link was away is never judged by a clock that may be wrong.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from firmware_host.errors import FarError, LinkError, NotationError
from firmware_host.far.invitation import Invitation, Meeting
from firmware_host.far.parsing import BOARD_LENGTH, is_name
from firmware_host.frozen import frozen
from firmware_host.games.game import Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.ports import UNKNOWN, Moment, date_of
from firmware_host.runtime.daytime.clock import MachineClock, machine_clock
from firmware_host.store.ownership import acting_as, nearest

KEPT_DAYS = 30
"""The time for which a room is kept after its game was saved last."""
SERVICE_FOLDER = Path("/var/lib/millwright-link")
"""The folder of the service."""
_IDENTITY, _CURRENT, _ROOMS = "board.json", "current", "rooms"
_SEEN = ".seen"
"""The end of the name of the file beside a room's in which the link notes when it was there."""
_DAY_MS = 86_400_000


@frozen
class Absence:
    """The time for which a link was away from a room; if it isn't known, at least this long."""

    ms: int
    is_known: bool


@frozen
class Identity:
    """The name of a board on brokers, and its password there."""

    board: str
    password: str = field(repr=False)


@frozen
class Room:
    """A room as it is stored."""

    invitation: Invitation
    rules: Rules | None
    """The rules of the board that opened the room; None on the other one."""
    linked: Mapping[str, Any] | None = None
    """The seat as `LinkedSeat` saved it; None before the first time."""
    title: str = ""
    """The name that its host gave it."""
    is_public: bool = False
    """True if the club's lobby lists it."""
    is_touched: bool = False
    """True if it was made from four touched points, and is left unless another board comes soon."""
    then: Invitation | None = None
    """The room of the next hour, to which a board goes that is still alone in this one."""
    moves_at: int = 0
    """The time at which it does, in seconds since 1970."""
    host: str = ""
    """The board that listed the room in the lobby where it was found; empty for other rooms."""

    def as_dict(self) -> dict[str, Any]:
        """Return the form in which it is stored."""
        return {
            "invitation": str(self.invitation),
            "rules": None if self.rules is None else self.rules.describe(),
            "linked": self.linked,
            "title": self.title,
            "public": self.is_public,
            "touched": self.is_touched,
            "then": None if self.then is None else str(self.then),
            "moves_at": self.moves_at,
            "host": self.host,
        }


def link_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a link: that of systemd, or of the service for root, or of the user."""
    if folder := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(folder)
    if os.geteuid() == 0 and SERVICE_FOLDER.exists():
        return SERVICE_FOLDER.resolve()
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = Path(environ.get("HOME") or "~").expanduser() / ".local/state"
    return base / "millwright" / "link"


@contextmanager
def opened_link_folder(environ: Mapping[str, str] = os.environ) -> Iterator[LinkFolder]:
    """Return the folder of a link; root acts as its owner while the context lasts.

    It belongs to the service, which speaks to the network and must not lead root to other files. Only root
    reaches it, so its path is followed before root's rights are given up. Belongs to the main thread.
    """
    path = link_folder(environ)
    if os.geteuid() != 0:
        yield LinkFolder(path)
        return
    there = nearest(path)
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.chdir(there)
        with acting_as(Path().stat()):
            yield LinkFolder(path.absolute().relative_to(there.absolute()), path)
    finally:
        os.fchdir(before)
        os.close(before)


class LinkFolder:
    """The folder of one link; all methods raise LinkError if the disk refuses."""

    def __init__(self, path: Path, shown: Path | None = None, clock: MachineClock | None = None) -> None:
        """Use the folder at `path`, which errors call `shown`."""
        self.path = path
        self._clock = machine_clock() if clock is None else clock
        self._shown = path if shown is None else shown

    def identity(self) -> Identity:
        """Return who this board is, which is drawn once."""
        with suppress(FileNotFoundError):
            found = self._read(_IDENTITY)
            board, password = str(found.get("board")), str(found.get("password"))
            if not is_name(board, BOARD_LENGTH):
                raise LinkError(
                    f"{self._shown / _IDENTITY} is damaged; without it, the board gets another name"
                )
            return Identity(board, password)
        drawn = Identity(_drawn(BOARD_LENGTH), secrets.token_hex(16))
        self._write(_IDENTITY, {"board": drawn.board, "password": drawn.password})
        return drawn

    def enter(
        self,
        invitation: Invitation,
        rules: Rules | None = None,
        *,
        title: str = "",
        is_public: bool = False,
        host: str = "",
    ) -> None:
        """Make a room the current one; if it is known already, its game goes on."""
        self._enter(Room(invitation, rules, None, title, is_public, host=host))

    def meet(self, found: Meeting, rules: Rules | None, title: str) -> None:
        """Enter the room of four touched points; if it is known already, its game goes on."""
        room = Room(found.room, rules, None, title, is_touched=True)
        self._enter(replace(room, then=found.then, moves_at=found.moves_at))

    def _enter(self, room: Room) -> None:
        self._forget_old_rooms()
        name = self._room_name(room.invitation.room)
        if not (self.path / name).exists():
            self._write(name, room.as_dict())
            self.touch(room)
        self._write(_CURRENT, {"room": room.invitation.room})

    def leave(self) -> None:
        """Leave the current room, which is kept."""
        with self._reporting():
            (self.path / _CURRENT).unlink(missing_ok=True)

    def current(self) -> Room | None:
        """Return the current room; None if there is none."""
        try:
            return self._room(str(self._read(_CURRENT).get("room")))
        except FileNotFoundError:
            return None

    def changed_at(self) -> int:
        """Return a number that is another one once the current room has changed, which is not a time."""
        try:
            return (self.path / _CURRENT).stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def save(self, room: Room, linked: Mapping[str, Any]) -> None:
        """Save what survives a power cut."""
        self._write(self._room_name(room.invitation.room), replace(room, linked=linked).as_dict())
        self.touch(room)

    def absence(self, room: Room) -> Absence:
        """Return for how long the link has been away from a room: since it was saved or touched last."""
        stamp, date = self._seen(self._room_name(room.invitation.room))
        for moment in (stamp, date):  # that of this boot doesn't depend on any date
            age_ms = self._clock.age_ms(moment)
            if age_ms is not None and age_ms >= 0:
                return Absence(age_ms, is_known=True)
        is_of_another_boot = self._clock.knows_boot and stamp != UNKNOWN
        return Absence(self._clock.since_boot_ms if is_of_another_boot else 0, is_known=False)

    def touch(self, room: Room) -> None:
        """Note that the board is connected; after a power cut, it may be one of the last notes."""
        path = self.path / f"{self._room_name(room.invitation.room)}{_SEEN}"
        new = path.with_name(f".{path.name}.new")
        with self._reporting():
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{self._clock.stamp()} {date_of(self._clock.now())}\n")
            new.replace(path)

    def _seen(self, name: str) -> tuple[Moment, Moment]:
        """Return when a room was touched last, without a date and with one.

        The room of an older version has no note, and is dated by its file.
        """
        path = self.path / name
        try:
            stamp, date = path.with_name(f"{path.name}{_SEEN}").read_text("ascii").split()
            return int(stamp), int(date)
        except FileNotFoundError:
            with suppress(OSError):
                return UNKNOWN, round(path.stat().st_mtime * 1000)
        except (OSError, ValueError):  # a note that the power cut short
            pass
        return UNKNOWN, UNKNOWN

    def _room(self, name: str) -> Room | None:
        found = self._read(self._room_name(name))
        try:
            rules = None if found["rules"] is None else parse_rules(found["rules"])
            then = found.get("then")
            return Room(
                Invitation.parse(found["invitation"]),
                rules,
                found["linked"],
                str(found.get("title", "")),
                found.get("public") is True,
                found.get("touched") is True,
                None if then is None else Invitation.parse(then),
                int(found.get("moves_at", 0)),
                str(found.get("host", "")),
            )
        except (KeyError, TypeError, ValueError, AttributeError, FarError, NotationError) as error:
            raise LinkError(f"{self._shown / self._room_name(name)} is damaged: {error}") from error

    @staticmethod
    def _room_name(room: str) -> str:
        return f"{_ROOMS}/{room}.json"

    def _forget_old_rooms(self) -> None:
        with self._reporting():
            names = [f"{_ROOMS}/{path.name}" for path in (self.path / _ROOMS).glob("*.json")]
            seen = {name: date for name in names if (date := self._seen(name)[1])}
            newest = max(seen.values(), default=UNKNOWN)
            for name, date in seen.items():
                if date < newest - KEPT_DAYS * _DAY_MS:
                    (self.path / name).unlink()
                    (self.path / f"{name}{_SEEN}").unlink(missing_ok=True)

    def _read(self, name: str) -> dict[str, Any]:
        """Return the object in a file; raise FileNotFoundError without one."""
        path = self._shown / name
        try:
            found = json.loads((self.path / name).read_text("utf-8"))
        except FileNotFoundError:
            raise
        except (OSError, ValueError, RecursionError) as error:
            raise LinkError(f"{path} can't be read: {error}") from error
        if not isinstance(found, dict):
            raise LinkError(f"{path} is damaged")
        return found

    def _write(self, name: str, members: Mapping[str, Any]) -> None:
        path = self.path / name
        with self._reporting():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = path.with_name(f".{path.name}.new")
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(members, file)
                file.flush()
                os.fsync(descriptor)
            new.replace(path)
            _sync(path.parent)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise LinkError(f"{self._shown} can't be used: {error}") from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)  # so that the new name is on disk as well
    finally:
        os.close(descriptor)


def _drawn(length: int) -> str:
    return base64.b32encode(secrets.token_bytes(length)).decode()[:length]
