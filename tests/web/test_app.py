"""A page that goes while the board tells it something, and answers it, at the same time."""

import asyncio
from contextlib import closing
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.web import app, messages
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import KINDS, START, Asked, FakeBoard
from tests.support.web.page_client import PageClient

BEFORE_IT_GOES = ("websocket.accept", "websocket.send", "websocket.send")
"""The messages that reach it: of those sent, the welcome and the board's state."""


class PageThatGoes:
    """An ASGI server with a page that asks for the state again, and is gone when it is answered."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self._asks = iter([{"type": "websocket.connect"}, *[self.request(number) for number in range(9)]])

    @staticmethod
    def request(number: int) -> dict[str, Any]:
        return {"type": "websocket.receive", "text": f'{{"id": {number}, "resync": true}}'}

    async def receive(self) -> dict[str, Any]:
        return next(self._asks)

    async def send(self, message: dict[str, Any]) -> None:
        if len(self.sent) == len(BEFORE_IT_GOES):
            raise OSError("gone")
        self.sent.append(message["type"])


@pytest.fixture
def server() -> WebServer:
    server = WebServer(Asked().submit, port=0)
    server.publish(messages.snapshot(MORRIS, START, table=None, rule_sets=["standard"], kinds=KINDS))
    return server


def test_page_that_goes_while_it_is_told_and_answered_is_no_error(server: WebServer) -> None:
    scope: Any = {
        "type": "websocket",
        "path": "/ws",
        "headers": [(b"host", f"127.0.0.1:{server._port}".encode())],
        "client": ("127.0.0.1", 50_000),
        "query_string": b"",
        "subprotocols": [],
    }
    page = PageThatGoes()
    application: Any = server._config.app
    asyncio.run(application(scope, page.receive, page.send))
    assert tuple(page.sent) == BEFORE_IT_GOES
    server.close()


@pytest.mark.parametrize(
    "request_", [{"setting": "rest.night", "value": ""}, {"log": True}, {"report": True}]
)
def test_what_writes_or_takes_long_has_the_lower_limit(
    request_: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[float] = []

    class CountingBucket:
        def __init__(self, a_second: float, _at_once: float) -> None:
            self._a_second = a_second

        def take(self, _now: float) -> float:
            counted.append(self._a_second)
            return 0.0

    monkeypatch.setattr(app, "Bucket", CountingBucket)
    board = FakeBoard()
    with closing(PageClient(board.server.address)) as page:
        page.ask({"id": 1, **request_})
    board.server.close()
    assert counted == [app._REQUESTS_A_SECOND, app._RARE_REQUESTS_A_SECOND]
