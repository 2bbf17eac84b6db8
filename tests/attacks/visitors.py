"""Hostile visitors, each kind in a process of its own.

`python -m tests.attacks.visitors KIND SECONDS [NUMBER]`: NUMBER visitors come at a time, 300 if it is left
out. At the end it prints how often they came, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from typing import Any

from tests.attacks.house import BOARD_IPV4, BOARD_IPV6, PORT, VISITORS, crowd, visitor

_HOST = f"{BOARD_IPV4}:{PORT}"
_UPGRADE = (
    f"GET /ws HTTP/1.1\r\nHost: {_HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
).encode()

Attack = Callable[[random.Random, str], Awaitable[Any]]


def _frame(request: dict[str, Any]) -> bytes:
    """Return a page's message as one frame, with a mask of zeros."""
    text = json.dumps(request).encode()
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


async def _connection(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    board = BOARD_IPV6 if ":" in address else BOARD_IPV4
    async with asyncio.timeout(5):
        return await asyncio.open_connection(board, PORT, local_addr=(address, 0))


async def _exchange(address: str, request: bytes, *, hold_s: float = 0.0) -> None:
    """Send `request`, wait for an answer or, with `hold_s`, that long without reading, and part."""
    reader, writer = await _connection(address)
    try:
        writer.write(request)
        if hold_s:
            await asyncio.sleep(hold_s)
        else:
            async with asyncio.timeout(5):
                while await reader.read(65_536):
                    pass
    finally:
        writer.transport.abort()


async def connects(_chance: random.Random, address: str) -> None:
    """Connect, say nothing, and stay."""
    await _exchange(address, b"", hold_s=3)


async def bursts(_chance: random.Random, address: str) -> None:
    """Connect ten times at the same moment, say nothing, and stay for a second."""
    with ExitStack() as opened:
        for _ in range(10):
            one = opened.enter_context(socket.socket())
            one.settimeout(0)
            one.bind((address, 0))
            one.connect_ex((BOARD_IPV4, PORT))
        await asyncio.sleep(1)


async def garbage(chance: random.Random, address: str) -> None:
    """Send what is no HTTP."""
    await _exchange(address, chance.randbytes(chance.randrange(1, 2000)) + b"\r\n\r\n")


async def wrong_host(_chance: random.Random, address: str) -> None:
    """Ask for a page by another site's name."""
    await _exchange(address, b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")


async def foreign_origin(_chance: random.Random, address: str) -> None:
    """Ask for the WebSocket as another site's page would."""
    await _exchange(address, _UPGRADE.replace(b"\r\n\r\n", b"\r\nOrigin: http://evil.example\r\n\r\n"))


async def wrong_codes(chance: random.Random, address: str) -> None:
    """Guess the code."""
    body = json.dumps({"code": f"{chance.randrange(10**8):08}"})
    head = f"POST /code HTTP/1.1\r\nHost: {_HOST}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    await _exchange(address, (head + body).encode())


async def deaf_pages(_chance: random.Random, address: str) -> None:
    """Open a page that asks for the board's state again and again, reads nothing, and answers no ping."""
    _, writer = await _connection(address)
    try:
        writer.write(_UPGRADE)
        for number in range(1_000):
            writer.write(_frame({"id": number, "resync": True}))
            await writer.drain()
            await asyncio.sleep(0.05)  # twice as often as the board answers
    finally:
        writer.transport.abort()


async def slow_requests(_chance: random.Random, address: str) -> None:
    """Begin a request and never end it."""
    await _exchange(address, b"GET / HTTP/1.1\r\nHost: ", hold_s=15)


async def files(_chance: random.Random, address: str) -> None:
    """Fetch the page's files over and over."""
    await _exchange(address, f"GET /wood.js HTTP/1.1\r\nHost: {_HOST}\r\nConnection: close\r\n\r\n".encode())


async def near_requests(chance: random.Random, address: str) -> None:
    """Send what is a request, or a page's greeting, but for some of its bytes."""
    sent = bytearray(_UPGRADE + chance.choice((b"", _frame({"id": 1, "box": True}))))
    for _ in range(chance.randrange(1, 4)):
        sent[chance.randrange(len(sent))] = chance.randrange(256)
    await _exchange(address, bytes(sent) + b"\r\n\r\n")


async def _pour(address: str, opening: bytes, again: bytes) -> None:
    """Send `opening`, and then `again` over and over, as fast as the board reads it."""
    _, writer = await _connection(address)
    try:
        writer.write(opening)
        async with asyncio.timeout(20):
            while True:
                writer.write(again)
                await writer.drain()
    finally:
        writer.transport.abort()


async def eager_pages(_chance: random.Random, address: str) -> None:
    """Open a page and have it ask for much more than is answered."""
    asked = b"".join(_frame({"id": number, "ask": "games"}) for number in range(100))
    await _pour(address, _UPGRADE, asked)


async def small_frames(chance: random.Random, address: str) -> None:
    """Open a page and send empty frames: pongs, or the parts of a message that never ends."""
    opening, first = chance.choice(((b"", 0x8A), (bytes((0x01, 0x80)) + bytes(4), 0x00)))
    await _pour(address, _UPGRADE + opening, 500 * (bytes((first, 0x80)) + bytes(4)))


async def small_parts(_chance: random.Random, address: str) -> None:
    """Send a body in parts of one byte."""
    head = f"POST /code HTTP/1.1\r\nHost: {_HOST}\r\nTransfer-Encoding: chunked\r\n\r\n"
    await _pour(address, b"", head.encode() + 4000 * b"1\r\n{\r\n" + b"0\r\n\r\n")


async def many_headers(_chance: random.Random, address: str) -> None:
    """Send requests of thousands of headers."""
    head = f"GET / HTTP/1.1\r\nHost: {_HOST}\r\n".encode()
    await _pour(address, b"", head + 2500 * b"a:b\r\n" + b"\r\n")


async def drips(_chance: random.Random, address: str) -> None:
    """Send a request byte by byte, as fast as the network takes them."""
    _, writer = await _connection(address)
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for byte in f"GET / HTTP/1.1\r\nHost: {_HOST}\r\nX: {'x' * 10_000}".encode():
            if writer.transport.is_closing():
                break
            writer.write(bytes((byte,)))
            await asyncio.sleep(0)
    finally:
        writer.transport.abort()


async def pictures(_chance: random.Random, address: str) -> None:
    """Ask for the picture of the board's address over and over."""
    await _exchange(address, f"GET /qr.svg HTTP/1.1\r\nHost: {_HOST}\r\nConnection: close\r\n\r\n".encode())


async def seats(chance: random.Random, _address: str) -> None:
    """Ask the board to light a point for a phone, from a new address each time."""
    head = f"POST /seat HTTP/1.1\r\nHost: [{BOARD_IPV6}]:{PORT}\r\nContent-Length: 2\r\n"
    request = f"{head}Connection: close\r\n\r\n{{}}"
    await _exchange(crowd(chance.randrange(1 << 32)), request.encode())


async def many_addresses(chance: random.Random, _address: str) -> None:
    """Connect from a new address each time, say nothing, and stay."""
    await _exchange(crowd(chance.randrange(1 << 32)), b"", hold_s=3)


ATTACKS: dict[str, Attack] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        connects,
        bursts,
        garbage,
        wrong_host,
        foreign_origin,
        wrong_codes,
        deaf_pages,
        slow_requests,
        files,
        near_requests,
        eager_pages,
        small_frames,
        small_parts,
        many_headers,
        drips,
        pictures,
        seats,
        many_addresses,
    )
}
_AT_ONCE = 300
_ADDRESSES = 10


async def attack(kind: str, seconds: float, at_once: int) -> int:
    """Attack from ten addresses, as often as the board lets `at_once` visitors; return how often."""
    end, count = time.monotonic() + seconds, 0

    async def again(number: int) -> None:
        nonlocal count
        chance = random.Random(number)
        address = visitor(number % _ADDRESSES)
        while (left := end - time.monotonic()) > 0:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(left):
                    await ATTACKS[kind](chance, address)
            count += 1
            await asyncio.sleep(0.001)

    async with asyncio.TaskGroup() as group:
        for number in range(at_once):
            group.create_task(again(number))
    return count


def main() -> None:
    """Attack as the arguments say."""
    assert VISITORS >= _ADDRESSES
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    kind, seconds, *number = sys.argv[1:]
    at_once = int(number[0]) if number else _AT_ONCE
    print(json.dumps({"count": asyncio.run(attack(kind, float(seconds), at_once))}))  # noqa: T201


if __name__ == "__main__":
    main()
