"""Honest visitors: `python -m tests.attacks.guest SECONDS [PAGES]`.

First several visitors open PAGES at once, and close them again. Then one visitor opens the page over and
over. At the end it prints how long each of its visits took, in seconds, as JSON; a visit that failed counts
as endless.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from contextlib import ExitStack

from wsproto import ConnectionType, WSConnection
from wsproto.events import Message, RejectConnection, Request

from tests.attacks.house import BOARD_IPV4, PORT, VISITORS, visitor

_PAUSE_S = 1.0
_PAGES_OF_ONE = 4
_FILES = ("/", "/page.js", "/wood.js")


def visit(address: str) -> float:
    """Fetch the page's first files, wait for the board's state, and return the seconds that took."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(BOARD_IPV4, PORT, timeout=10, source_address=(address, 0))
    try:
        for path in _FILES:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                return float("inf")
        if not sees_the_board(address):
            return float("inf")
    except (OSError, http.client.HTTPException):
        return float("inf")
    finally:
        connection.close()
    return time.monotonic() - began


def sees_the_board(address: str) -> bool:
    """Open the page's connection, and return whether the board's state comes. Raises OSError."""
    with socket.create_connection((BOARD_IPV4, PORT), timeout=10, source_address=(address, 0)) as page:
        return shows_the_board(page)


def shows_the_board(page: socket.socket) -> bool:
    """Return whether the board's state comes by a new connection. Raises OSError."""
    wire = WSConnection(ConnectionType.CLIENT)
    page.sendall(wire.send(Request(host=f"{BOARD_IPV4}:{PORT}", target="/ws")))
    while data := page.recv(65_536):
        wire.receive_data(data)
        for event in wire.events():
            if isinstance(event, Message | RejectConnection):
                return isinstance(event, Message)
    return False


def come_together(pages: int) -> None:
    """Open this number of pages at once, a few of each visitor, and close them again. Raises OSError."""
    with ExitStack() as house:
        for number in range(pages):
            address = (visitor(number // _PAGES_OF_ONE), 0)
            page = socket.create_connection((BOARD_IPV4, PORT), timeout=10, source_address=address)
            if not shows_the_board(house.enter_context(page)):
                raise ConnectionError(f"page {number} of {pages} was not let in")


def main() -> None:
    """Visit as the arguments say."""
    come_together(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    end, visits = time.monotonic() + float(sys.argv[1]), []
    while time.monotonic() < end:
        visits.append(visit(visitor(VISITORS - 1)))
        time.sleep(_PAUSE_S)
    print(json.dumps(visits))  # noqa: T201


if __name__ == "__main__":
    main()
