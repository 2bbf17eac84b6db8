"""The guard in front of everything that is served: it slows down who fetches too much, after its checks."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from firmware_host.web.origin_guard import OriginGuard
from firmware_host.web.rate_limits import Visitors

PORT = 8765


def scope(host: str) -> dict[str, Any]:
    return {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [(b"host", host.encode())],
        "client": ("192.168.1.7", 50_000),
        "server": ("127.0.0.1", PORT),
    }


def fetch(guard: OriginGuard, host: str, times: int) -> list[int]:
    """The statuses of `times` requests."""
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def run() -> None:
        for _ in range(times):
            await guard(scope(host), receive, send)

    asyncio.run(run())
    return statuses


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wait of each request, in seconds, on a clock that stands still."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    return waits


def test_guard_slows_down_a_visitor_that_fetches_too_much(waits: list[float]) -> None:
    guard = OriginGuard(PlainTextResponse("page"), PORT, Visitors())
    assert set(fetch(guard, f"127.0.0.1:{PORT}", 1_000)) == {200}
    assert waits[0] == 0
    assert waits[-1] > 1


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("mill.local", 200),
        ("mill.local.", 200),
        ("MILL-2.local", 200),
        ("mill-12.local.", 200),
        ("localhost.", 200),
        ("mill-x.local", 400),
        ("mill-2.example", 400),
        ("other-2.local", 400),
        ("mill.local..", 400),
    ],
)
def test_guard_answers_the_names_that_mdns_may_give(waits: list[float], host: str, status: int) -> None:
    guard = OriginGuard(PlainTextResponse("page"), PORT, Visitors(), "mill.local")
    assert fetch(guard, f"{host}:{PORT}", 1) == [status]


def test_guard_slows_down_wrong_hosts_and_not_the_right_one(waits: list[float]) -> None:
    guard = OriginGuard(PlainTextResponse("page"), PORT, Visitors())
    assert set(fetch(guard, f"elsewhere.example:{PORT}", 1_000)) == {400}
    assert waits[-1] > 100
    fetch(guard, f"127.0.0.1:{PORT}", 1)
    assert waits[-1] == 0
