"""Every answer of the server: what a browser may do with it, and whether it may keep it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import parse_headers
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from firmware_host.web import addresses as place
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import Asked
from tests.support.web.page_client import PATIENCE_S, get
from tests.support.web.pairing.listening_house import PROXIED

FOREIGN = {"Origin": "http://evil.example"}
PRIVATE = [
    ("GET", "/status", {}, 200),
    ("GET", "/games.json", {}, 200),
    ("GET", "/games.json?before=x", {}, 404),
    ("GET", "/games/1.txt", {}, 404),
    ("GET", "/games/1.json", {}, 404),
    ("GET", "/devices", {}, 200),
    ("GET", "/devices", PROXIED, 403),
    ("DELETE", "/devices", {}, 200),
    ("DELETE", "/devices/7", {}, 404),
    ("POST", "/pairing", {}, 200),
    ("DELETE", "/pairing", {}, 204),
    ("PUT", "/pairing", {}, 405),
    ("POST", "/code", {}, 400),
    ("GET", "/nothing-here", {}, 404),
    ("POST", "/", {}, 405),
    ("GET", "/", {"Host": "evil.example"}, 400),
    ("GET", "/", FOREIGN, 403),
    ("GET", "/status", FOREIGN, 403),
]
DOCUMENTS = [("GET", "/"), ("HEAD", "/setup.html"), ("GET", "/icon.svg")]
PARTS = [("GET", "/page.js"), ("HEAD", "/page.css"), ("GET", "/words/de.json"), ("HEAD", "/icon-180.png")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    devices: Path = tmp_path_factory.mktemp("state") / "devices.json"
    server = WebServer(Asked().submit, place.EVERYWHERE, 0, others=devices, tell_status=lambda: {"frames": 7})
    server.start()
    yield server.address
    server.close()


def check(headers: dict[str, str]) -> None:
    """Check the headers of an answer that a browser may show as a document."""
    policy = headers["content-security-policy"].split("; ")
    assert policy[0] == "default-src 'self'"
    assert {"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} <= set(policy)
    features = headers["permissions-policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "usb=()", "serial=()"} <= set(features)
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    check_part(headers)


def check_part(headers: dict[str, str]) -> None:
    """Check the headers of any answer."""
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(("method", "path", "sent", "expected"), PRIVATE)
def test_private_answers_and_errors_are_not_kept(
    address: str, method: str, path: str, sent: dict[str, str], expected: int
) -> None:
    status, headers, _ = get(address, path, method, **sent)
    assert status == expected
    assert headers["cache-control"] == "no-store"
    check(headers)


def answers(address: str, method: str, path: str) -> Iterator[dict[str, str]]:
    """The headers of a file of the page, and of what a browser gets that has it already."""
    status, headers, _ = get(address, path, method)
    assert status == 200
    assert headers["cache-control"] == "no-cache"
    yield headers
    status, again, _ = get(address, path, method, If_None_Match=headers["etag"])
    assert status == 304
    assert again["cache-control"] == "no-cache"
    yield again


@pytest.mark.parametrize(("method", "path"), DOCUMENTS)
def test_documents_are_kept_and_checked(address: str, method: str, path: str) -> None:
    for headers in answers(address, method, path):
        check(headers)


@pytest.mark.parametrize(("method", "path"), PARTS)
def test_parts_of_documents_are_sent_without_their_policy(address: str, method: str, path: str) -> None:
    for headers in answers(address, method, path):
        check_part(headers)
        assert "content-security-policy" not in headers
        assert "permissions-policy" not in headers


@pytest.mark.parametrize(
    ("method", "sent", "expected"),
    [("POST", {}, 405), ("GET", {"Host": "evil.example"}, 400), ("GET", FOREIGN, 403)],
)
def test_refusal_at_the_address_of_a_part_is_a_document(
    address: str, method: str, sent: dict[str, str], expected: int
) -> None:
    status, headers, _ = get(address, "/page.js", method, **sent)
    assert status == expected
    check(headers)


@pytest.mark.parametrize(("path", "sent"), [("/ws", FOREIGN), ("/nothing-here", {})])
def test_a_refused_connection_of_a_page_is_answered_alike(
    address: str, path: str, sent: dict[str, str]
) -> None:
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    status, headers, _ = get(address, path, **upgrade, **key, **sent)
    assert status in (403, 404)
    assert headers["cache-control"] == "no-store"
    check(headers)


UPGRADE = b"Host: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
NO_REQUESTS = {
    "noise": b"\0\1\r\n\r\n",
    "endless length": b"POST /code HTTP/1.1\r\nHost: %s\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "page without a key": b"GET /ws HTTP/1.1\r\n" + UPGRADE + b"\r\n",
    "page of another version": b"GET /ws HTTP/1.1\r\n" + UPGRADE.replace(b"13", b"8") + KEY + b"\r\n",
    "page without a host": b"GET /ws HTTP/1.0\r\n" + UPGRADE.replace(b"Host: %s\r\n", b"") + KEY + b"\r\n",
    "page with a strange protocol": b"GET /ws HTTP/1.1\r\n"
    + UPGRADE
    + KEY
    + b"Sec-WebSocket-Protocol: \xff\r\n\r\n",
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
def test_refusal_of_what_is_not_a_request_has_the_headers_too(address: str, sent: bytes) -> None:
    host = urlsplit(address)
    with socket.create_connection((host.hostname, host.port), PATIENCE_S) as connection:
        connection.sendall(sent.replace(b"%s", host.netloc.encode()))
        with connection.makefile("rb") as answer:
            assert answer.readline().split()[1] in (b"400", b"426")
            headers = {name.lower(): value for name, value in parse_headers(answer).items()}
            assert answer.read() in (b"", b"Invalid HTTP request received.")
    assert headers["cache-control"] == "no-store"
    check(headers)
