"""Throw hostile messages at a link: `python -m tests.fuzz.link.hostile [--messages 1000000] [--seed 1]`.

They come on the topics of the other board, which holds the room's key, or of a stranger, who doesn't: random
bytes, cut and changed records and chat, members of every kind and size, deep nesting, huge numbers. The link
fails if it raises anything, publishes more than the protocol's repetitions, asks its board for a turn that is
not legal, or has a text to show that isn't a short line. Printed are how many messages it ignored, and the
memory in use after each tenth.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.far.invitation import new_invitation
from firmware_host.far.record import Roll
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import rule_set
from firmware_host.link.broker import PRESENT, Connected, Incoming
from firmware_host.link.member import RoomMember
from firmware_host.link.rooms import Room
from firmware_host.link.talk import MAX_TEXT
from firmware_host.link.topics import CARD, INFO, ON, RECORD, SAY, Topic
from firmware_host.maintenance.companion import Reply

ME, OTHER, STRANGER = "AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCC"
INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
RULES = rule_set("standard")
_TURNS = ("d6", "f4", "d2", "b4", "a1", "g7", "d6-d7", "d2xb4", "", "d6xd6", "xa1", "z9")
_MESSAGE_S = 0.001
_MESSAGE_US = 1_000


class Sink:
    """A board that does all that it is asked, and a broker that forgets what it is sent."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.requests = self.published = 0

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Take a request."""
        self.asked.append(request)
        self.requests += 1
        return self.requests

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        """Count a message."""
        self.published += kind is RECORD and bool(topic) and bool(payload)
        return True

    def subscribe(self, *filters: str) -> None:
        """Accept anything."""

    def save(self, linked: Mapping[str, Any]) -> None:
        """Keep nothing, but what can't be written is a fault."""
        json.dumps(linked)

    def nonce(self) -> str:
        """Return this board's number."""
        return "00" * 16


class Attacker:
    """The messages of one who knows the protocol."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        other = FarSeat(OTHER, ME, INVITATION.room, RULES).ready("11" * 16)
        self._honest = other.with_roll(Roll(nonce="00" * 16, commit="")).record.as_dict()

    def message(self) -> bytes:
        """Return the next message."""
        luck = self._luck
        kind = luck.random()
        if kind < 0.1:
            return luck.randbytes(luck.choice((0, 1, 20, 300, 20_000)))
        if kind < 0.15:
            return luck.choice((b"[", b'{"a":')) * luck.choice((3, 9, 5_000))
        members = dict(self._honest)
        if luck.random() < 0.3:
            members = {"v": 1, "board": OTHER, "id": f"{luck.random()}", "text": "hello", "name": "Attic"}
        for _ in range(luck.randrange(4)):
            members[luck.choice(list(members))] = self._value(2)
        if luck.random() < 0.4:
            turns = [luck.choice(_TURNS) for _ in range(luck.randrange(12))]
            members |= {"turns": turns, "used_ms": [luck.randrange(9_000) for _ in turns]}
        try:
            whole = sealed(members, INVITATION.key if luck.random() < 0.8 else b"another")
        except (ValueError, OSError):  # too large to send
            whole = json.dumps(members).encode()
        if luck.random() < 0.1:
            at = luck.randrange(len(whole))
            whole = whole[:at] + luck.randbytes(luck.randrange(3)) + whole[at + luck.randrange(3) :]
        return whole

    def _value(self, depth: int) -> Any:
        luck = self._luck
        plain = [
            None,
            True,
            0,
            -1,
            2**53,
            10**30,
            1.5,
            "",
            "x" * luck.randrange(2_000),
            "\x00",
            "\ud7ff",
            OTHER,
            ME,
        ]
        if depth == 0 or luck.random() < 0.7:
            return luck.choice(plain)
        if luck.random() < 0.5:
            return [self._value(depth - 1) for _ in range(luck.randrange(5))]
        return {str(luck.choice(plain)): self._value(depth - 1) for _ in range(luck.randrange(4))}


def state_of(turns: list[str]) -> dict[str, Any]:
    """Return the state of a board at which nobody does anything."""
    seats = {"white": "here", "black": "far"}
    far = {"status": "stands", "room": {}, "wish": None}
    state = {"turns": turns, "seats": seats, "outcome": None, "moves": [], "status": "ready", "rests": True}
    return {**state, "far": far}


def attack(messages: int, seed: int) -> tuple[int, list[int]]:
    """Throw that many messages; return the number that was ignored, and the memory after each tenth."""
    luck = Random(seed)
    attacker, sink = Attacker(luck), Sink()
    member = RoomMember(ME, Room(INVITATION, RULES), sink, 0, rest=0)
    member.broker_says(Connected(), 0)
    member.broker_says(Incoming(ON.at(board=OTHER), PRESENT), 0)
    room = INVITATION.room
    topics = [RECORD.at(room=room, board=board) for board in (OTHER, STRANGER, OTHER)]
    topics += [SAY.at(room=room, board=OTHER), SAY.at(room=room, board=STRANGER)]
    topics += [CARD.at(board=OTHER), INFO.at(room=room, board=OTHER)]
    used, led = [], 0
    for number in range(1, messages + 1):
        now = number * _MESSAGE_US
        member.broker_says(Incoming(luck.choice(topics), attacker.message()), now)
        if sink.asked:
            led = max((one["led"] for one in sink.asked if "led" in one), default=led)
            turns = [one["turn"] for one in sink.asked if one["do"] == "choose"]
            assert all(len(turn) < 20 for turn in turns)
            sink.asked.clear()
            member.board_says(Reply(sink.requests), now)
        if number % 100 == 0:
            wish = {"number": number, "what": "ready"}
            state = state_of([])
            member.board_says({**state, "far": {**state["far"], "wish": wish, "led": led}}, now)
            member.talk.is_free = True  # whatever the last message about the room was
        shown = [member.other_name, *(one.text for one in member.talk.messages)]
        assert all(len(text) <= MAX_TEXT and text.isprintable() for text in shown)
        if number % max(messages // 10, 1) == 0:
            used.append(memory_kb())
    assert sink.published <= messages * _MESSAGE_S + 100 + messages // 100, f"{sink.published} were published"
    return member.ignored, used


def memory_kb() -> int:
    """Return the memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def main() -> None:
    """Throw as many messages as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    ignored, used = attack(given.messages, given.seed)
    sys.stdout.write(f"{given.messages} messages, {ignored} ignored; memory in kB: {used}\n")


if __name__ == "__main__":
    main()
