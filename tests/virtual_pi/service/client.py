"""Asks a page, from the network namespace that this runs in.

Usage: client.py ADDRESS PORT METHOD PATH [FILE [COOKIE [HOST]]]
Sends what FILE has; with PUT, in pieces, with `at` and `of` behind PATH. Prints the last answer as JSON: its
status, its headers and its text.
"""

from __future__ import annotations

import http.client
import json
import sys
from pathlib import Path

PIECE = 100_000


def main(
    address: str, port: str, method: str, path: str, file: str = "", cookie: str = "", host: str = ""
) -> None:
    """Ask, and print the answer."""
    sent = Path(file).read_bytes() if file else b""
    pieces = range(0, len(sent), PIECE) if method == "PUT" else [0]
    headers = {**({"Cookie": cookie} if cookie else {}), **({"Host": host} if host else {})}
    for at in pieces:
        connection = http.client.HTTPConnection(address, int(port), timeout=30)
        where = f"{path}?at={at}&of={len(sent)}" if method == "PUT" else path
        body = sent[at : at + PIECE] if method == "PUT" else sent
        connection.request(method, where, body or None, headers)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        if answer.status not in (200, 202, 204):
            break
    print(json.dumps([answer.status, dict(answer.getheaders()), text]))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
