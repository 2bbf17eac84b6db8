"""An honest visitor, who opens the page over and over: `python -m tests.attacks.guest SECONDS`.

At the end it prints how long each visit took, in seconds, as JSON; a visit that failed counts as endless.
"""

from __future__ import annotations

import http.client
import json
import sys
import time

from tests.attacks.house import BOARD_IPV4, PORT, VISITORS, visitor

_PAUSE_S = 1.0
_FILES = ("/", "/page.js", "/wood.js")


def visit(address: str) -> float:
    """Fetch the page's first files and return the seconds that took."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(BOARD_IPV4, PORT, timeout=10, source_address=(address, 0))
    try:
        for path in _FILES:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                return float("inf")
    except (OSError, http.client.HTTPException):
        return float("inf")
    finally:
        connection.close()
    return time.monotonic() - began


def main() -> None:
    """Visit until the time is over."""
    end, visits = time.monotonic() + float(sys.argv[1]), []
    while time.monotonic() < end:
        visits.append(visit(visitor(VISITORS - 1)))
        time.sleep(_PAUSE_S)
    print(json.dumps(visits))  # noqa: T201


if __name__ == "__main__":
    main()
