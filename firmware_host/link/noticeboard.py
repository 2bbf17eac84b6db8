"""The parts of the link that pages show, sent to the board's page when they change.

Invariants: a part is sent when it differs from what the page has, and never otherwise; after another
connection all of them are. A part that isn't shown any more is withdrawn, whichever room it was of. A part
that is too large for the page is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.far.record import common_turns
from firmware_host.far.seat import FarSeat, declined_now
from firmware_host.link.member import RoomMember
from firmware_host.link.rooms import Room
from firmware_host.settings import MESSAGE_BYTES, PHRASES

_AROUND = 6
"""The number of turns that are shown of two games which differ."""
_ENVELOPE = 200
"""More bytes than the rest of a message takes."""

Ask = Callable[[Mapping[str, Any]], object]


class Noticeboard:
    """The parts that the page has of the link."""

    def __init__(self, ask: Ask) -> None:
        """Begin with nothing shown; `ask` sends a request to the page, and returns None if there is none."""
        self._ask = ask
        self._shown: dict[str, Any] = {}

    def forget(self) -> None:
        """Show everything again: the page has lost it."""
        self._shown = {}

    def show(self, parts: Mapping[str, Any]) -> None:
        """Show these parts, and no others."""
        for name in [name for name in self._shown if name not in parts]:
            self._send(name, None)
        for name, value in parts.items():
            if self._shown.get(name) != value:
                self._send(name, value if len(json.dumps(value)) < MESSAGE_BYTES - _ENVELOPE else None)

    def _send(self, name: str, value: object) -> None:
        if value is None and name not in self._shown:
            return
        if self._ask({"link": {"do": "show", "part": name, "value": value}}) is None:
            return
        if value is None:
            self._shown.pop(name, None)
        else:
            self._shown[name] = value


def parts_of_room(room: Room, member: RoomMember) -> dict[str, Any]:
    """Return the parts of the room that the board is in."""
    seat, talk = member.seat, member.talk
    other = None
    if seat is not None and seat.other:
        ready = member.others_ready_round >= seat.round + bool(seat.nonce)
        other = {"name": member.other_name, "here": member.is_other_here, "ready": ready}
    about = {
        "room": room.invitation.room,
        "title": room.title,
        "invitation": str(room.invitation),
        "public": room.is_public,
        "rules": None if seat is None else seat.rules.describe(),
        "other": other,
        "full": member.is_full,
        "roll": None if seat is None else _roll(seat),
        "declined": [] if seat is None else declined_now(seat),
        "offered": None if seat is None or seat.offer is None else seat.offer.what,
        "differs": None if seat is None else _difference(seat),
    }
    chat = {"free": talk.is_free, "muted": talk.is_muted, "phrases": list(PHRASES)}
    messages = {f"message:{one.number}": one.as_dict() for one in talk.messages}
    return {"room": about, "chat": chat, **messages}


def _roll(seat: FarSeat) -> dict[str, Any] | None:
    """Return both numbers of the roll, shortened, and whether it gave White to this board."""
    if seat.game is None:
        return None
    numbers = {"mine": seat.nonce[-4:], "theirs": seat.others_roll.nonce[-4:]}
    return {"round": seat.round, "white": seat.white == seat.board, **numbers}


def _difference(seat: FarSeat) -> dict[str, Any] | None:
    """Return the turns of both games from the first that differs, while the boards disagree."""
    if seat.trouble is None or seat.theirs is None:
        return None
    first = common_turns(seat.turns, seat.theirs.turns)
    mine, theirs = (list(turns[first : first + _AROUND]) for turns in (seat.turns, seat.theirs.turns))
    return {"from": first + 1, "mine": mine, "theirs": theirs}
