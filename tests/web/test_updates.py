"""A package that a page sends, up to the file that root's part takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.runtime.page import PageAddress
from firmware_host.settings import Web
from firmware_host.web.server import WebServer
from firmware_host.web.updates import MAX_PACKAGE, Updates

PACKAGE = bytes(range(256)) * 1000
PIECE = 100_000


class UpdatedBoard:
    """The server of a board that can be updated."""

    def __init__(self, folder: Path) -> None:
        self.upload, self.result = folder / "update.deb", folder / "result"
        self.server = WebServer(_nothing, port=0, updates=Updates(folder, self.result))
        self.server.start()

    def ask(
        self, query: str = "", data: bytes | None = None, host: str = "127.0.0.1"
    ) -> tuple[int, dict[str, Any]]:
        address = urlsplit(self.server.address)
        with closing(HTTPConnection(host, address.port, timeout=60)) as connection:
            connection.request("GET" if data is None else "PUT", f"/update{query}", data)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def send(self, package: bytes) -> list[int]:
        """Send a package in pieces; return the statuses."""
        return [
            self.ask(f"?at={at}&of={len(package)}", package[at : at + PIECE])[0]
            for at in range(0, len(package), PIECE)
        ]


def _nothing(_request: object) -> Future[Any]:
    return Future()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[UpdatedBoard]:
    board = UpdatedBoard(tmp_path)
    yield board
    board.server.close()


def test_a_package_in_pieces_is_there_once_it_is_whole(board):
    assert board.ask(f"?at=0&of={len(PACKAGE)}", PACKAGE[:PIECE]) == (200, {"at": PIECE})
    assert not board.upload.exists()
    assert board.send(PACKAGE) == [200, 200, 200]
    assert board.upload.read_bytes() == PACKAGE
    assert board.ask()[1]["is_waiting"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?at=7&of=100", 409),
        (f"?at=0&of={MAX_PACKAGE + 1}", 413),
        ("?at=0&of=1", 400),
        ("?at=-1&of=100", 413),
        ("", 413),
    ],
)
def test_a_piece_that_does_not_fit_is_refused(board, query, status):
    board.ask("?at=0&of=100", b"12")
    assert board.ask(query, b"34")[0] == status
    assert not board.upload.exists()


def test_a_piece_has_a_limit(board):
    assert board.ask(f"?at=0&of={MAX_PACKAGE}", bytes(131_073))[0] == 413


def test_a_page_learns_the_version_and_the_last_result(board):
    assert board.ask()[1] == {"version": __version__, "result": None, "is_waiting": False}
    board.result.write_text("undone 9.9\n")
    said = {"key": "update.result.undone", "slots": {"text": "9.9"}}
    assert board.ask()[1]["result"] == said
    board.result.write_text("nonsense\n")
    assert board.ask()[1]["result"] is None


def test_a_full_card_is_reported(board, monkeypatch):
    def full(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Updates, "take", full)
    status, answer = board.ask("?at=0&of=2", b"12")
    assert (status, answer["said"]["key"]) == (507, "update.unsaved")


@pytest.mark.parametrize("query", ["", "?at=0&of=2"])
def test_who_only_watches_can_not_update(board, monkeypatch, query):
    monkeypatch.setattr("firmware_host.web.access.is_here", lambda _: False)
    assert board.ask(query, b"12" if query else None)[0] == 403
    assert not board.upload.exists()


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [("release ssh-ed25519 AAAA\n", True), ("# none yet\n", False), (None, False)],
)
def test_updates_need_a_key_and_a_service(tmp_path, text, is_offered):
    signers = tmp_path / "signers"
    if text is not None:
        signers.write_text(text)
    environ = {"STATE_DIRECTORY": str(tmp_path)}
    assert (Updates.of(environ, (tmp_path / "none", signers)) is not None) is is_offered
    assert Updates.of({}, (signers,)) is None


@pytest.mark.parametrize(("update", "status"), [(True, 200), (False, 404)])
def test_a_setting_switches_updates_off(tmp_path, monkeypatch, update, status):
    monkeypatch.setattr(Updates, "of", lambda: Updates(tmp_path))
    config = replace(Config(), web=Web(update=update))
    with closing(PageAddress(port=0).server(config, _nothing, None)) as server:
        server.start()
        with closing(HTTPConnection(urlsplit(server.address).netloc, timeout=60)) as connection:
            connection.request("GET", "/update")
            assert connection.getresponse().status == status


def test_a_board_without_updates_has_no_address_for_them():
    with closing(WebServer(_nothing, port=0)) as server:
        server.start()
        with closing(HTTPConnection(urlsplit(server.address).netloc, timeout=60)) as connection:
            connection.request("GET", "/update")
            assert connection.getresponse().status == 404
