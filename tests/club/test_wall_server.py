"""The wall's server: its picture, its files, and nothing else."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from threading import Thread, current_thread
from typing import Any

import pytest

from firmware_host.club.wall_server import WallServer

PICTURE: dict[str, Any] = {"title": "Tuesday", "boards": []}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = WallServer(listening, lambda: PICTURE)
        thread = Thread(target=server.run)
        thread.start()
        yield listening.getsockname()[1]
        server.stop()
        thread.join()


def fetch(port: int, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(
            method, path, headers={key.replace("_", "-"): value for key, value in headers.items()}
        )
        answer = connection.getresponse()
        return answer, answer.read()


def test_picture_is_sent_once_while_it_is_the_same(port: int) -> None:
    answer, body = fetch(port, "/wall.json")
    assert (answer.status, json.loads(body)) == (200, PICTURE)
    again, nothing = fetch(port, "/wall.json", If_None_Match=answer.headers["etag"])
    assert (again.status, nothing) == (304, b"")


def test_front_leads_to_the_wall_whose_files_are_served(port: int) -> None:
    answer, _ = fetch(port, "/")
    assert answer.headers["location"] == "wall.html"
    for path in ("/wall.html", "/wall.js", "/tile.js", "/words/wall.en.json"):
        answer, _ = fetch(port, path)
        assert answer.status == 200
    assert fetch(port, "/nothing")[0].status == 404
    assert fetch(port, "/wall.json", "POST")[0].status == 405


@pytest.mark.parametrize("path", ["/ws", "/wall.json", "/"])
def test_connection_of_a_board_is_refused_without_a_trace(
    path: str, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    key = {"Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    answer, _ = fetch(port, path, Connection="Upgrade", Upgrade="websocket", **key)
    assert answer.status == 404
    assert answer.headers["x-frame-options"] == "DENY"
    assert not caplog.records


def test_pages_of_elsewhere_see_nothing(port: int) -> None:
    assert fetch(port, "/wall.json", Host="elsewhere.example")[0].status == 400
    assert fetch(port, "/wall.json", Origin="http://elsewhere.example")[0].status == 403
    answer, _ = fetch(port, "/wall.html")
    assert "default-src" in answer.headers["content-security-policy"]


def test_requests_have_nothing_drawn() -> None:
    drawn: list[str] = []

    def picture() -> dict[str, Any]:
        drawn.append(current_thread().name)
        return PICTURE

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = WallServer(listening, picture)
        thread = Thread(target=server.run)
        thread.start()
        before = len(drawn)
        for _ in range(50):
            assert fetch(listening.getsockname()[1], "/wall.json")[0].status == 200
        server.stop()
        thread.join()
    assert set(drawn[before:]) <= {"drawing"}
