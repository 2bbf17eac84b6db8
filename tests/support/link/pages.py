"""A page that follows the rooms of its board's link, and wishes for things there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.support.web.page_client import PageClient

_TIMEOUT_S = 60.0


class RoomsPage:
    """A page of the board at a port, with the parts that the link shows."""

    def __init__(self, port: int) -> None:
        """Open the page as soon as its board serves it, and follow the link."""
        self._client = _opened(f"http://127.0.0.1:{port}")
        self._number = 0
        self.parts: dict[str, Any] = {}
        self.ask({"rooms": {"do": "follow"}})

    def ask(self, request: dict[str, Any]) -> str:
        """Send a request, and return the error of its reply, or nothing."""
        self._number += 1
        number = self._number
        self._client.send({"id": number, **request})
        while not ((message := self._next())["type"] == "reply" and message["id"] == number):
            pass
        return str(message.get("error", ""))

    def want(self, **wish: Any) -> str:
        """Wish for something; return the error of the link's answer, or nothing."""
        return self.ask({"rooms": wish})

    def until(self, holds: Callable[[dict[str, Any]], object]) -> None:
        """Wait until something holds of the parts."""
        end = time.monotonic() + _TIMEOUT_S
        while not holds(self.parts):
            assert time.monotonic() < end, f"it doesn't come: {self.parts}"
            self._next()

    @property
    def rows(self) -> dict[str, Any]:
        """The rows of the lobby, by the boards that list the rooms."""
        return {name.partition(":")[2]: row for name, row in self.parts.items() if name.startswith("lobby:")}

    def close(self) -> None:
        """Leave the page."""
        self._client.close()

    def _next(self) -> dict[str, Any]:
        message = self._client.receive()
        if message["type"] == "parts":
            self.parts = {} if message["all"] else self.parts
            for name, value in message["parts"].items():
                self.parts[name] = value
                if value is None:
                    del self.parts[name]
        return message


def _opened(address: str) -> PageClient:
    until = time.monotonic() + _TIMEOUT_S
    while True:
        try:
            return PageClient(address)
        except ConnectionError:
            assert time.monotonic() < until, f"{address} isn't served"
            time.sleep(0.1)
