"""A board that listens to others in the house."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from firmware_host.ports import WallClock
from firmware_host.web import addresses as place
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import Asked
from tests.support.web.page_client import PageClient, get

PROXIED = {"X-Forwarded-For": "192.0.2.9"}
"""Headers that make a request from this machine one from elsewhere, as behind a proxy."""


class ListeningHouse:
    """A board that others in the house may reach, and what they send."""

    def __init__(self, devices: Path, clock: WallClock | None = None) -> None:
        self.board = Asked()
        self.server = WebServer(self.board.submit, place.EVERYWHERE, 0, others=devices, clock=clock)
        self.server.start()
        self.port = urlsplit(self.server.address).port or 80
        self.code: str = self.send("POST", "/pairing")[1]["code"]

    def send(self, method: str, path: str, **headers: str) -> tuple[int, Any]:
        """Send a request without a body: the status, and the JSON of the answer if there is any."""
        status, _, said = get(self.server.address, path, method, **headers)
        return status, json.loads(said) if said else None

    def enter(
        self, entered: Any, name: str = "", at: str = "127.0.0.1", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Enter a code from elsewhere: the status, the headers, and the text of the answer."""
        entry = {"code": entered, "name": name}
        body = entered if isinstance(entered, bytes) else json.dumps(entry).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(at, 0))
        connection.request("POST", "/code", body, {**PROXIED, **headers})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, said

    def paired(self, name: str = "") -> str:
        """Pair a device and return its cookie."""
        status, headers, _ = self.enter(self.code, name)
        assert status == 204
        return headers["set-cookie"].split(";")[0]

    def page(self, **more: str) -> PageClient:
        return PageClient(self.server.address, **more)
