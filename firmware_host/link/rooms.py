"""The files of a link: who its board is, and its rooms with their games.

Invariants: a file is written in one step, and only if it can be read again. All but the notes about absences
are on the disk before anybody relies on them. A room that was left is kept, and goes on when its invitation
is used again: the whole invitation, since names of rooms are public, and a false one may have come first.
Nobody but its user reads the files, which have keys. A file that is damaged, or has the seat of another
board, is set aside. The time for which a link was away is never judged by a clock that may be wrong.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import FarError, LinkError, UnreadableStateError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import DIGEST_LENGTH, Invitation, Meeting
from firmware_host.far.linked_seat import stored_seat
from firmware_host.far.parsing import BOARD_LENGTH, ROOM_LENGTH, is_count, is_name
from firmware_host.frozen import frozen
from firmware_host.games.game import Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message
from firmware_host.link.identity import Identity
from firmware_host.link.messages.pair_seal import stored_seal
from firmware_host.ports import UNKNOWN, Moment, date_of
from firmware_host.runtime.clock import MachineClock, machine_clock
from firmware_host.state_files import DamagedFile, json_object, put_aside, read_state, set_aside, write_state
from firmware_host.store.ownership import acting_as, nearest

_T = TypeVar("_T")

KEPT_DAYS = 30
"""The time for which a room is kept after its game was saved last."""
KEPT_ROOMS = 50
"""The number of rooms that are kept even longer: a clock that was ahead once lets all of them seem old."""
SERVICE_FOLDER = Path("/var/lib/millwright-link")
"""The folder of the service."""
_IDENTITY, _CURRENT, _ROOMS = "board.json", "current", "rooms"
_SEEN = ".seen"
"""The end of the name of the file beside a room's in which the link notes when it was there."""
_DAY_MS = 86_400_000
_MAX_NOTICES = 5
_MAX_TITLE = 1000


@frozen
class Absence:
    """The time for which a link was away from a room; if it isn't known, at least this long."""

    ms: int
    is_known: bool


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

    @classmethod
    def parse(cls, found: Mapping[str, Any]) -> Room:
        """Return the room of the form in which it is stored, without a look at the seat.

        Raises KeyError, TypeError, FarError or NotationError for anything else.
        """
        rules, linked, then = found["rules"], found["linked"], found.get("then")
        moves_at, host = found.get("moves_at", 0), found.get("host", "")
        if not is_count(moves_at) or not (linked is None or isinstance(linked, dict)):
            raise TypeError('"moves_at" must be a count, and "linked" an object')
        if host != "" and not is_name(host, BOARD_LENGTH):
            raise TypeError('"host" must be the name of a board, or empty')
        return cls(
            Invitation.parse(_text(found["invitation"])),
            None if rules is None else parse_rules(_text(rules)),
            linked,
            _text(found.get("title", "")),
            found.get("public") is True,
            found.get("touched") is True,
            None if then is None else Invitation.parse(_text(then)),
            moves_at,
            host,
        )

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
    """The folder of one link; all methods raise LinkError if the disk refuses.

    A damaged file is set aside, and they go on without it.
    """

    def __init__(self, path: Path, shown: Path | None = None, clock: MachineClock | None = None) -> None:
        """Use the folder at `path`, which errors call `shown`."""
        self.path = path
        self._clock = machine_clock() if clock is None else clock
        self._shown = path if shown is None else shown
        self._damaged: deque[DamagedFile] = deque(maxlen=_MAX_NOTICES)
        self._board: tuple[int, str] = (0, "")
        """The name in the file of the identity, after the time at which that was written."""

    @property
    def notices(self) -> tuple[Message, ...]:
        """The files that were set aside, for people."""
        return tuple(one.message for one in self._damaged)

    def identity(self, known_at: Iterable[BrokerAddress] = ()) -> Identity:
        """Return who this board is, which is drawn once.

        One of an earlier version gets a secret. Its password is `known_at` these brokers, and at those of
        the rooms that are stored.
        """
        found = self._read(_IDENTITY, Identity.parse)
        if found is None:
            found = Identity.drawn()
            self._write(_IDENTITY, found.as_bytes(), Identity.parse)
        elif found.needs_secret:
            found = found.with_secret([*known_at, *self._brokers_of_rooms()])
            self._write(_IDENTITY, found.as_bytes(), Identity.parse)
        return found

    def renew(self) -> Identity:
        """Return another identity, which this board has from now on; it leaves its room.

        The file of the one before is kept, and so are its rooms.
        """
        self.leave()
        with self._reporting(), suppress(FileNotFoundError):
            set_aside(self.path / _IDENTITY, self._clock.time_s(), kind="before")
        return self.identity()

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
        folder = self.path / _ROOMS
        if os.path.lexists(folder) and not folder.is_dir():
            self._damaged.append(put_aside(folder, "it is not a folder"))
        self._forget_old_rooms()
        name = self._name_of(room.invitation)
        stored = self._room(name)
        if stored is not None and stored.invitation != room.invitation:
            name, stored = room.invitation.unique_name, None
        if stored is None:
            self._write_room(room, name)
            self.touch(room)
        self._write(_CURRENT, json.dumps({"room": name}).encode(), _current_room)

    def leave(self) -> None:
        """Leave the current room, which is kept."""
        if self._read(_CURRENT, _current_room) is not None:
            with self._reporting():
                (self.path / _CURRENT).unlink(missing_ok=True)

    def current(self) -> Room | None:
        """Return the current room; None if there is none."""
        name = self._read(_CURRENT, _current_room)
        return None if name is None else self._room(name)

    def changed_at(self) -> tuple[int, str]:
        """Return a value that is another one once the current room or the board's identity has changed.

        Its number is not a time to judge anything by.
        """
        return self._time_of(_CURRENT), self._own_board()

    def save(self, room: Room, linked: Mapping[str, Any]) -> None:
        """Save what survives a power cut; raise FarError if it could not be read again."""
        try:
            self._write_room(replace(room, linked=linked), self._name_of(room.invitation))
        except UnreadableStateError as error:
            raise FarError(Message("link.failed", {"text": str(error)})) from error
        self.touch(room)

    def absence(self, room: Room) -> Absence:
        """Return for how long the link has been away from a room: since it was saved or touched last."""
        stamp, date = self._seen(_file_of(self._name_of(room.invitation)))
        for moment in (stamp, date):  # that of this boot doesn't depend on any date
            age_ms = self._clock.age_ms(moment)
            if age_ms is not None and age_ms >= 0:
                return Absence(age_ms, is_known=True)
        is_of_another_boot = self._clock.knows_boot and stamp != UNKNOWN
        return Absence(self._clock.since_boot_ms if is_of_another_boot else 0, is_known=False)

    def touch(self, room: Room) -> None:
        """Note that the board is connected; after a power cut, it may be one of the last notes."""
        name = _file_of(self._name_of(room.invitation))
        self._seen(name)  # sets aside what can't be replaced
        note = f"{self._clock.stamp()} {date_of(self._clock.now())}\n"
        self._write(f"{name}{_SEEN}", note.encode(), _note, is_synced=False)

    def _seen(self, name: str) -> tuple[Moment, Moment]:
        """Return when a room was touched last, without a date and with one.

        The room of an older version has no note, and is dated by its file.
        """
        if not os.path.lexists(self.path / f"{name}{_SEEN}"):
            return UNKNOWN, round(self._time_of(name) / 1e6) or UNKNOWN
        return self._read(f"{name}{_SEEN}", _note) or (UNKNOWN, UNKNOWN)

    def _room(self, name: str) -> Room | None:
        return self._read(_file_of(name), self._room_parser(name))

    def _name_of(self, invitation: Invitation) -> str:
        """Return the name of a room's file: longer if another invitation has used the room's own name."""
        longer = invitation.unique_name
        return longer if os.path.lexists(self.path / _file_of(longer)) else invitation.room

    def _write_room(self, room: Room, name: str) -> None:
        self._write(_file_of(name), json.dumps(room.as_dict()).encode(), self._room_parser(name))

    def _room_parser(self, name: str) -> Callable[[bytes], Room]:
        """Return the function that reads the file of a room, or raises an error that says what is wrong."""
        own = self._own_board()

        def parse(data: bytes) -> Room:
            room = Room.parse(json_object(data))
            if name not in (room.invitation.room, room.invitation.unique_name):
                raise FarError(f"it is that of room {room.invitation.room}")
            if room.linked is not None:
                seat, _ = stored_seat(room.linked), stored_seal(room.linked)
                if (seat.room, seat.board) != (room.invitation.room, own or seat.board):
                    raise FarError(f"it has the seat of board {seat.board} in room {seat.room}")
            return room

        return parse

    def _own_board(self) -> str:
        """Return the name of this board; empty before it is drawn, or after its file was damaged."""
        changed = self._time_of(_IDENTITY)
        if changed != self._board[0]:
            found = self._read(_IDENTITY, Identity.parse)
            self._board = changed, "" if found is None else found.board
        return self._board[1]

    def _brokers_of_rooms(self) -> Iterator[BrokerAddress]:
        with self._reporting():
            names = [path.stem for path in sorted((self.path / _ROOMS).glob("*.json"))]
        for name in names:
            room = self._room(name) if _is_room_name(name) else None
            if room is not None:
                yield BrokerAddress(room.invitation.host, room.invitation.port)

    def _forget_old_rooms(self) -> None:
        with self._reporting():
            rooms = [path for path in sorted((self.path / _ROOMS).glob("*.json")) if path.is_file()]
            names = [f"{_ROOMS}/{path.name}" for path in rooms]
            seen = {name: date for name in names if (date := self._seen(name)[1])}
            newest = max(seen.values(), default=UNKNOWN)
            for name, date in sorted(seen.items(), key=itemgetter(1))[:-KEPT_ROOMS]:
                if date < newest - KEPT_DAYS * _DAY_MS:
                    (self.path / name).unlink()
                    (self.path / f"{name}{_SEEN}").unlink(missing_ok=True)

    def _time_of(self, name: str) -> int:
        with self._reporting(), suppress(FileNotFoundError, NotADirectoryError):
            return (self.path / name).lstat().st_mtime_ns  # also that of a link that leads nowhere
        return 0

    def _read(self, name: str, parse: Callable[[bytes], _T]) -> _T | None:
        with self._reporting():
            return read_state(self.path / name, parse, self._damaged.append)

    def _write(
        self, name: str, data: bytes, parse: Callable[[bytes], object], *, is_synced: bool = True
    ) -> None:
        with self._reporting():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_state(path, data, parse, is_synced=is_synced)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise LinkError(f"{self._shown} can't be used: {error}") from error


def _current_room(data: bytes) -> str:
    """Return the name of the room in the file `current`; raise ValueError for anything else."""
    name = json_object(data).get("room")
    if not _is_room_name(name):
        raise ValueError("it doesn't name a room")
    return str(name)


def _is_room_name(name: object) -> bool:
    """Return whether a file may be called so: by a room, or by a room and a digest of its invitation."""
    if not isinstance(name, str):
        return False
    room, has_digest, digest = name.partition("-")
    return is_name(room, ROOM_LENGTH) and (not has_digest or is_name(digest, DIGEST_LENGTH))


def _file_of(name: str) -> str:
    return f"{_ROOMS}/{name}.json"


def _note(data: bytes) -> tuple[Moment, Moment]:
    """Return the moments of a note; unknown ones if a power cut left it incomplete; it is not damage."""
    try:
        stamp, date = data.decode("ascii").split()
        return (int(stamp), int(date)) if data.endswith(b"\n") else (UNKNOWN, UNKNOWN)
    except ValueError:
        return UNKNOWN, UNKNOWN


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TITLE:
        raise TypeError(f"a text is too long, or {type(value).__name__}")
    return value
