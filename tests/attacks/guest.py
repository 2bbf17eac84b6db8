"""An honest visitor, who opens the page over and over: `python -m tests.attacks.guest SECONDS`.

At the end it prints how long each visit took, in seconds, as JSON; a visit that failed counts as endless.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time

from wsproto import ConnectionType, WSConnection
from wsproto.events import Message, RejectConnection, Request

from tests.attacks.house import BOARD_IPV4, PORT, VISITORS, visitor

_PAUSE_S = 1.0
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
    board = (BOARD_IPV4, PORT)
    with socket.create_connection(board, timeout=10, source_address=(address, 0)) as connection:
        wire = WSConnection(ConnectionType.CLIENT)
        connection.sendall(wire.send(Request(host=f"{BOARD_IPV4}:{PORT}", target="/ws")))
        while data := connection.recv(65_536):
            wire.receive_data(data)
            for event in wire.events():
                if isinstance(event, Message | RejectConnection):
                    return isinstance(event, Message)
    return False


def main() -> None:
    """Visit until the time is over."""
    end, visits = time.monotonic() + float(sys.argv[1]), []
    while time.monotonic() < end:
        visits.append(visit(visitor(VISITORS - 1)))
        time.sleep(_PAUSE_S)
    print(json.dumps(visits))  # noqa: T201


if __name__ == "__main__":
    main()
