"""Hostile messages for the wall: whatever a broker passes on is taken over or refused, and memory stays flat.

`python -m tests.club.hostile --messages 1000000` sends many, and prints how it went.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import click

from firmware_host.club.wall import Wall
from firmware_host.errors import FarError
from firmware_host.link.topics import CARD, INFO, ON
from tests.club.rooms import match, named

_ROOMS, _BOARDS = 5_000, 9_000
"""More than the wall keeps."""


def hostile_messages(count: int, seed: int = 7) -> Iterator[tuple[str, bytes]]:
    """Yield topics and messages: records of thirty games, most of them damaged, and much else."""
    luck = Random(seed)
    games = (match(n, (named(2 * n, 16), named(2 * n + 1, 16)), luck.randrange(1, 12)) for n in range(30))
    records = [list(game.messages()) for game in games]
    for _ in range(count):
        topic, message = luck.choice(luck.choice(records))
        match luck.randrange(20):
            case 0:
                board = named(luck.randrange(_BOARDS), 16)
                message = json.dumps({"v": 1, "board": board, "name": "x"}).encode()
                topic = INFO.at(room=named(luck.randrange(_ROOMS), 10), board=board)
            case 1:
                topic = CARD.at(board=named(luck.randrange(_BOARDS), 16))
            case 2:
                topic = ON.at(board=named(luck.randrange(_BOARDS), 16))
            case 3:
                topic = "mw/1/" + "".join(chr(luck.randrange(32, 0x300)) for _ in range(luck.randrange(30)))
        yield topic, message if luck.randrange(20) == 0 else damaged(message, luck)


def damaged(message: bytes, luck: Random) -> bytes:
    """Return a message of which something is wrong."""
    match luck.randrange(6):
        case 0:
            return luck.randbytes(luck.randrange(60))
        case 1:
            return message[: luck.randrange(len(message))]
        case 2:
            return b"[" * luck.randrange(40)
        case 3:
            return b'{"name":%d}' % luck.getrandbits(80)
    changed = bytearray(message)
    for _ in range(luck.randrange(1, 4)):
        changed[luck.randrange(len(changed))] = luck.randrange(256)
    return bytes(changed)


def sent(wall: Wall, count: int) -> int:
    """Send messages to a wall, and return how many it refused; whatever else it raises is a fault."""
    refused = count
    for now, (topic, message) in enumerate(hostile_messages(count)):
        with suppress(FarError):
            wall.receive(topic, message, now)
            refused -= 1
    return refused


def main() -> None:
    """Send as many messages as the command line says, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    count = parser.parse_args().messages
    began, refused = time.process_time(), sent(Wall(), count)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    took = time.process_time() - began
    click.echo(f"{count} messages, {refused} refused, {memory} MB at most, {took:.1f} s of processor time")


if __name__ == "__main__":
    main()
