"""The server as a browser sees it, over real sockets on the loopback."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from wsproto.events import TextMessage

from firmware_host.errors import PageError
from firmware_host.games.layout import MORRIS
from firmware_host.settings import MESSAGE_BYTES
from firmware_host.web import app, messages
from firmware_host.web import server as server_module
from firmware_host.web.messages import PageMessage
from firmware_host.web.rate_limits import MAX_PAGES
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import KINDS, START, Asked
from tests.support.web.page_client import PageClient, get

Pages = Callable[..., PageClient]


@pytest.fixture(scope="module")
def board() -> Asked:
    return Asked()


@pytest.fixture(scope="module")
def server(board: Asked) -> Iterator[WebServer]:
    server = WebServer(board.submit, port=0)
    server.start()
    yield server
    server.close()


@pytest.fixture
def fresh_server() -> Iterator[WebServer]:
    server = WebServer(Asked().submit, port=0)
    server.start()
    yield server
    server.close()


def pages_of(server: WebServer) -> Iterator[Pages]:
    opened: list[PageClient] = []

    def open_page(**how: str) -> PageClient:
        opened.append(PageClient(server.address, **how))
        return opened[-1]

    yield open_page
    for client in opened:
        client.close()


@pytest.fixture
def page(server: WebServer) -> Iterator[Pages]:
    yield from pages_of(server)


@pytest.fixture
def fresh_page(fresh_server: WebServer) -> Iterator[Pages]:
    yield from pages_of(fresh_server)


def snapshot(**state: Any) -> PageMessage:
    return messages.snapshot(MORRIS, {**START, **state}, table=None, rule_sets=["standard"], kinds=KINDS)


def test_the_page_is_at_the_address(server: WebServer) -> None:
    status, headers, body = get(server.address)
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert "Millwright" in body


@pytest.mark.parametrize(
    "path", ["/server.py", "/../server.py", "/%2e%2e/server.py", "//etc/passwd", "/.git/HEAD"]
)
def test_nothing_but_the_page_is_served(server: WebServer, path: str) -> None:
    assert get(server.address, path)[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_page_can_only_be_read(server: WebServer, method: str) -> None:
    assert get(server.address, method=method)[0] == 405


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_the_board_answers_to_each_loopback_name(server: WebServer, page: Pages, name: str) -> None:
    host = f"{name}:{port_of(server)}"
    assert get(server.address, Host=host)[0] == 200
    assert page(host=host, origin=f"http://{host.lower()}").status == 101


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "127.0.0.1.evil:{port}"]
)
def test_any_other_name_is_refused(server: WebServer, page: Pages, host: str) -> None:
    host = host.format(port=port_of(server))
    assert get(server.address, Host=host)[0] == 400
    assert page(host=host).status == 400


def test_a_request_that_names_no_host_is_refused(server: WebServer) -> None:
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=60) as raw:
        raw.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert raw.recv(4096).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil",
    ],
)
def test_the_page_of_another_origin_is_refused(server: WebServer, page: Pages, origin: str) -> None:
    origin = origin.format(port=port_of(server))
    assert page(origin=origin).status == 403
    assert get(server.address, Origin=origin)[0] == 403


def test_the_boards_own_page_and_programs_without_one_are_let_in(server: WebServer, page: Pages) -> None:
    assert page(origin=server.address.rstrip("/")).status == 101
    assert page().status == 101


def test_a_websocket_elsewhere_is_told_so(page: Pages) -> None:
    assert page(path="/elsewhere").status == 404


def test_a_request_reaches_the_board_without_its_number_and_is_answered_with_it(
    board: Asked, page: Pages
) -> None:
    assert page().ask({"id": 3, "lift": "d6"}) == {"type": "reply", "id": 3, "ok": True}
    assert board.requests[-1] == {"lift": "d6"}


def test_what_the_board_cannot_do_is_said_in_the_reply(page: Pages) -> None:
    reply = page().ask({"id": 4, "lift": "a1"})
    said = {"key": "hands.none-there", "slots": {"points": ["a1"]}}
    assert reply == {"type": "reply", "id": 4, "error": "there is no piece on a1 to lift", "said": said}


@pytest.mark.parametrize("bad", ["{", "[]", b"{}", '{"id": "x"}', "[" * 4000, '{"id": 1, "wait": NaN}'])
def test_bad_input_is_answered_and_the_page_goes_on(page: Pages, bad: str | bytes) -> None:
    client = page()
    reply = client.ask(bad)
    assert reply["id"] is None
    assert reply["error"]
    assert client.ask({"id": 1, "box": True})["ok"]


def test_a_message_that_is_too_long_ends_that_connection_only(page: Pages) -> None:
    client, other = page(), page()
    client.send('{"id": 1, "lift": "' + "x" * MESSAGE_BYTES + '"}')
    with pytest.raises(ConnectionError, match="1009"):
        client.receive()
    assert other.ask({"id": 1, "box": True})["ok"]


def test_a_long_message_in_pieces_is_too_long_all_the_same(page: Pages) -> None:
    client = page()
    for _ in range(9):
        client.write(TextMessage(data="x" * (MESSAGE_BYTES // 8), message_finished=False))
    with pytest.raises(ConnectionError, match="1009"):
        client.receive()


def test_every_page_is_told_everything_and_then_what_changes(
    fresh_server: WebServer, fresh_page: Pages
) -> None:
    first = fresh_page()
    fresh_server.publish(snapshot(sentence="New."))
    second = fresh_page()
    assert first.receive() == second.receive() == {**snapshot(sentence="New."), "seq": 1}
    fresh_server.publish({"type": "leds", "leds": {"d6": "#ff0000"}})
    change = {"type": "change", "seq": 2, "after": 1, "state": {"leds": {"d6": "#ff0000"}}}
    assert first.receive() == second.receive() == change


def test_a_page_that_asks_is_told_everything_anew(fresh_server: WebServer, fresh_page: Pages) -> None:
    page = fresh_page()
    fresh_server.publish(snapshot())
    first = page.receive()
    page.send({"id": 1, "resync": True})
    told = [page.receive(), page.receive()]
    assert {"type": "reply", "id": 1, "ok": True} in told
    assert first in told


def felt(**readings: int) -> PageMessage:
    return messages.sensor_readings(
        raw=readings, stable={}, shown={}, masked=[], glitches={}, levels={}, leds={}
    )


def test_what_sensors_say_is_told_to_pages_that_watch_alone(
    fresh_server: WebServer, fresh_page: Pages
) -> None:
    watcher, other = fresh_page(), fresh_page()
    fresh_server.publish(snapshot())
    assert (watcher.receive()["type"], other.receive()["type"]) == ("snapshot", "snapshot")
    assert fresh_server.watchers == 0
    assert watcher.ask({"id": 1, "watch": True})["ok"] is True
    assert fresh_server.watchers == 1
    fresh_server.publish(felt(d6=1))
    fresh_server.publish(snapshot(sentence="New."))
    assert watcher.receive() == felt(d6=1)
    assert watcher.receive()["seq"] == other.receive()["seq"] == 2
    assert watcher.ask({"id": 2, "watch": False})["ok"] is True
    assert watcher.ask({"id": 3, "watch": False})["ok"] is True
    fresh_server.publish(felt(a1=1))
    assert watcher.ask({"id": 4, "watch": True})["ok"] is True
    watcher.close()
    due = time.monotonic() + 60
    while fresh_server.watchers:
        assert time.monotonic() < due, "one who has left watches on"
        other.ask({"id": 1, "watch": False})


def test_what_was_published_before_the_start_is_shown(board: Asked) -> None:
    server = WebServer(board.submit, port=0)
    server.publish(snapshot(sentence="Early."))
    server.start()
    client = PageClient(server.address)
    assert client.receive()["state"]["sentence"] == "Early."
    client.close()
    server.close()


def test_what_a_request_asks_for_is_in_its_reply() -> None:
    def submit(request: dict[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result({"script": f"{request['lift']}\n"})
        return future

    server = WebServer(submit, port=0)
    server.start()
    client = PageClient(server.address)
    assert client.ask({"id": 5, "lift": "d6"}) == {
        "type": "reply",
        "id": 5,
        "ok": True,
        "result": {"script": "d6\n"},
    }
    client.close()
    server.close()


@pytest.mark.ci("examples")
def test_a_page_that_reads_nothing_is_dropped_and_keeps_neither_the_board_nor_the_others(
    fresh_server: WebServer, fresh_page: Pages
) -> None:
    deaf, reader = fresh_page(), fresh_page()
    for n in range(600):
        fresh_server.publish(snapshot(sentence=f"{n} {'x' * 100_000}"))
        while not reader.until("snapshot")["state"]["sentence"].startswith(f"{n} "):
            pass
    assert reader.ask({"id": 1, "box": True})["ok"]
    with pytest.raises(ConnectionError):
        list(iter(deaf.receive, None))


def test_only_so_many_pages_are_let_in(fresh_page: Pages) -> None:
    clients = [fresh_page() for _ in range(MAX_PAGES)]
    assert {client.ask({"id": 1, "box": True})["ok"] for client in clients} == {True}
    assert fresh_page().status == 503


def test_what_a_page_asked_for_is_done_although_the_page_has_left(
    board: Asked, server: WebServer, page: Pages
) -> None:
    client = page()
    client.send({"id": 1, "do": "pause"})
    assert board.paused.wait(60)
    client.close()
    assert page().ask({"id": 2, "box": True})["ok"]
    board.waiting[0].set_result(None)
    assert not board.waiting[0].cancelled()


def test_closing_parts_from_open_pages(board: Asked) -> None:
    server = WebServer(board.submit, port=0)
    server.start()
    client = PageClient(server.address)
    assert client.ask({"id": 1, "box": True})["ok"]
    server.close()
    server.close()
    with pytest.raises(ConnectionError, match="1012"):
        client.receive()
    client.close()
    with pytest.raises(ConnectionRefusedError):
        PageClient(server.address)


def test_closing_while_the_board_has_not_answered_leaves_no_trace_of_an_error(
    board: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    server = WebServer(board.submit, port=0)
    server.start()
    client = PageClient(server.address)
    client.send({"id": 1, "do": "pause"})
    assert board.paused.wait(60)
    server.close()
    client.close()
    assert not [record for record in caplog.records if record.exc_info]


def test_close_sends_the_reply_to_a_request_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the server's thread is: by itself, uvicorn closes within a tenth of a second."""
    answered = app._Listener._answered

    async def slowly(listener: app._Listener, text: str | None) -> PageMessage:
        result = await answered(listener, text)
        await asyncio.sleep(0.4)
        return result

    monkeypatch.setattr(app._Listener, "_answered", slowly)
    asked: Queue[Future[None]] = Queue()

    def submit(_request: dict[str, Any]) -> Future[None]:
        future: Future[None] = Future()
        asked.put(future)
        return future

    server = WebServer(submit, port=0)
    server.start()
    client = PageClient(server.address)
    client.send({"id": 7, "do": "try-again"})
    asked.get(timeout=60).set_result(None)
    server.close()
    reply = client.receive()
    assert (reply["type"], reply["id"], reply["ok"]) == ("reply", 7, True)
    with pytest.raises(ConnectionError, match="1012"):
        client.receive()
    client.close()


def test_close_waits_for_no_request_that_nobody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_FLUSH_TIMEOUT_S", 600.0)
    asked = threading.Event()

    def submit(_request: dict[str, Any]) -> Future[None]:
        asked.set()
        return Future()

    server = WebServer(submit, port=0)
    server.start()
    client = PageClient(server.address)
    client.send({"id": 7, "do": "new-game"})
    assert asked.wait(60)
    began = time.monotonic()
    server.close()
    assert time.monotonic() - began < 60
    client.close()


def test_an_address_that_is_taken_is_named(server: WebServer, board: Asked) -> None:
    with pytest.raises(PageError, match=str(port_of(server))):
        WebServer(board.submit, port=port_of(server))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "board.example", ""])  # noqa: S104
def test_the_page_is_not_served_to_other_machines(board: Asked, host: str) -> None:
    with pytest.raises(PageError):
        WebServer(board.submit, host=host, port=0)


def test_a_socket_that_was_opened_for_the_page_is_served(board: Asked) -> None:
    opened = socket.create_server(("127.0.0.1", 0))
    server = WebServer(board.submit, listening=opened)
    server.start()
    assert port_of(server) == opened.getsockname()[1]
    client = PageClient(server.address)
    assert client.ask({"id": 1, "box": True})["ok"]
    client.close()
    server.close()


@pytest.mark.parametrize("where", ["network", "path"])
def test_a_socket_that_others_can_reach_is_not_served(board: Asked, where: str, tmp_path: Path) -> None:
    if where == "network":
        opened = socket.create_server(("0.0.0.0", 0))  # noqa: S104 - it is refused
    else:
        opened = socket.socket(socket.AF_UNIX)
        opened.bind(str(tmp_path / "page"))
    with pytest.raises(PageError, match=r"this machine only|not an address with a port"):
        WebServer(board.submit, listening=opened)
    assert opened.fileno() == -1


def test_how_the_board_is_is_told_to_who_asks_and_to_no_other_site(board: Asked) -> None:
    server = WebServer(board.submit, port=0, tell_status=lambda: {"frames": 7})
    server.start()
    status, headers, text = get(server.address, "/status")
    assert (status, headers["content-type"], text) == (200, "application/json", '{"frames":7}')
    assert get(server.address, "/status", Origin="http://elsewhere.example")[0] == 403
    assert get(server.address, "/status", Host="elsewhere.example")[0] == 400
    server.close()


def test_a_board_that_does_not_answer_is_told_to_who_asks(board: Asked) -> None:
    def hang() -> dict[str, int]:
        raise TimeoutError

    server = WebServer(board.submit, port=0, tell_status=hang)
    server.start()
    assert get(server.address, "/status")[0] == 503
    server.close()


def test_where_nobody_tells_how_the_board_is_there_is_no_such_page(server: WebServer) -> None:
    assert get(server.address, "/status")[0] == 404


def port_of(server: WebServer) -> int:
    return int(server.address.rstrip("/").rpartition(":")[2])
