"""The page as others in the house see it, and as whoever attacks from there or from a page elsewhere."""

from __future__ import annotations

import errno
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn
from urllib.parse import urlsplit

import pytest

from firmware_host.errors import PageError
from firmware_host.web import addresses as place
from firmware_host.web.server import WebServer
from tests.support.matrix import CI, sampled
from tests.support.web.fake_board import Asked
from tests.support.web.page_client import PageClient, get
from tests.support.web.pairing.listening_house import PROXIED, ListeningHouse


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ListeningHouse]:
    house = ListeningHouse(tmp_path / "devices.json")
    yield house
    house.server.close()


def outside() -> str | None:
    """This machine's own address that is not loopback, if it has one."""
    return next((urlsplit(url).hostname for url in place.network_urls(80)[:-1]), None)


def test_looking_is_free_and_doing_needs_the_code(house: ListeningHouse) -> None:
    phone = house.page(**PROXIED)
    assert (phone.may_play, phone.needs_code) == (False, True)
    reply = phone.ask({"id": 1, "do": "pause"})
    assert reply["error"] == "enter the board's code to play from this device"
    assert phone.ask({"id": 2, "ask": "rules"})["ok"]
    assert house.board.requests == [{"ask": "rules"}]
    phone.close()


def test_the_code_is_exchanged_for_a_cookie_that_lets_play(house: ListeningHouse) -> None:
    status, headers, _ = house.enter(house.code)
    assert status == 204
    cookie = headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
        assert part in cookie
    phone = house.page(Cookie=cookie.split(";")[0], **PROXIED)
    assert phone.may_play
    assert phone.ask({"id": 1, "box": True})["ok"]
    phone.close()


@pytest.mark.parametrize(
    "value",
    sampled(["", "0", "00000000", "1234 5678", "x" * 5000], 2, others=CI),
)
def test_a_wrong_cookie_lets_nobody_play(house: ListeningHouse, value: str) -> None:
    own = house.paired().partition("=")[0]
    for name in (own, f"millwright-{house.port}"):
        phone = house.page(Cookie=f"{name}={value}", **PROXIED)
        assert not phone.may_play
        phone.close()


def test_who_sits_at_the_machine_needs_no_code(house: ListeningHouse) -> None:
    page = house.page(origin=f"http://127.0.0.1:{house.port}")
    assert page.may_play
    page.close()


@pytest.mark.parametrize(
    "header",
    sampled(["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"], 2, others=CI),
)
def test_who_comes_by_a_proxy_on_this_machine_does(house: ListeningHouse, header: str) -> None:
    page = house.page(**{header: "127.0.0.1"})
    assert not page.may_play
    page.close()


def test_a_proxy_in_front_of_a_board_for_this_machine_alone_lets_only_look() -> None:
    server = WebServer(Asked().submit, port=0)
    server.start()
    page = PageClient(server.address, **PROXIED)
    assert (page.may_play, page.needs_code) == (False, False)
    of_the_workshop = (
        {"answer": "q"},
        {"report": True},
        {"log": True},
        {"setting": "store.keep", "value": False},
    )
    for request in ({"box": True}, *of_the_workshop):
        assert "error" in page.ask({"id": 1, **request})
    page.close()
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.address).port, timeout=60)
    connection.request("POST", "/code", b'{"code": "1"}')
    assert connection.getresponse().status == 404
    connection.close()
    server.close()


@pytest.mark.parametrize(
    "entered",
    sampled(["", "00000000", "1234 567", "12345678 9", "٣٣٣٣٣٣٣٣", "\ud800", "x" * 3000], 3, others=CI),
)
def test_a_wrong_code_is_refused(house: ListeningHouse, entered: str) -> None:
    status, headers, said = house.enter(entered)
    assert status == (400 if entered == "\ud800" else 403)  # half a character is no text at all
    assert "set-cookie" not in headers
    assert json.loads(said)["error"]


@pytest.mark.parametrize(
    "body",
    sampled([b"", b"{", b"[]", b"{}", b'{"code": 12345678}', b"\xff\xfe", b"[" * 4000], 2, others=CI),
)
def test_what_is_no_code_at_all_is_refused_and_no_guess(house: ListeningHouse, body: bytes) -> None:
    for _ in range(20):
        assert house.enter(body)[0] == 400
    assert house.enter(house.code)[0] == 204


def test_a_code_that_does_not_end_is_refused(house: ListeningHouse) -> None:
    assert house.enter(b'{"code": "' + b"1" * 5000 + b'"}')[0] == 400


def test_guessing_has_to_wait_longer_and_longer_while_the_right_code_still_counts_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.web.server.time", SimpleNamespace(monotonic=lambda: 7.0))
    house = ListeningHouse(tmp_path / "devices.json")
    status = [house.enter(f"{number:08}")[0] for number in range(12)]
    assert status[:3] == [403, 403, 403]
    assert status[3:] == [429] * 9
    status_, headers, said = house.enter(house.code)
    assert status_ == 429
    assert int(headers["retry-after"]) == json.loads(said)["wait_s"] == 1
    page = house.page()
    assert page.may_play  # who sits at the machine is not kept out
    page.close()
    house.server.close()


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "http://127.0.0.1:1"])
def test_no_other_page_can_enter_codes(house: ListeningHouse, origin: str) -> None:
    assert house.enter(house.code, Origin=origin)[0] == 403


def test_names_are_those_of_this_machine_and_no_other(house: ListeningHouse) -> None:
    own = [f"{place.mdns_name()}:{house.port}", f"127.0.0.1:{house.port}", f"[::1]:{house.port}"]
    for host in own:
        assert get(house.server.address, Host=host)[0] == 200
    other = [
        "evil.example",
        "millwright.evil",
        f"{place.mdns_name()}.evil",
        "192.0.2.1",
        "[2001:db8::1]",
        "0.0.0.0",  # noqa: S104
    ]
    for host in other:
        assert get(house.server.address, Host=f"{host}:{house.port}")[0] == 400
    assert get(house.server.address, Host=f"{place.mdns_name()}:{house.port + 1}")[0] == 400
    assert get(house.server.address, Host=place.mdns_name())[0] == 400


def test_a_board_for_this_machine_alone_does_not_answer_to_its_name_in_the_house() -> None:
    server = WebServer(Asked().submit, port=0)
    server.start()
    port = urlsplit(server.address).port
    assert get(server.address, Host=f"{place.mdns_name()}:{port}")[0] == 400
    server.close()


def test_from_the_house_it_is_reached_by_its_own_address(house: ListeningHouse) -> None:
    own = outside()
    if own is None:
        pytest.skip("this machine has no address but loopback")
    address = f"http://{own}:{house.port}/"
    assert get(address)[0] == 200
    page = PageClient(address, origin=address.rstrip("/"))
    assert not page.may_play
    page.close()
    page = PageClient(address, origin=f"http://127.0.0.1:{house.port}")
    assert page.status == 403
    page.close()


def test_it_is_reached_by_ipv6_where_there_is_any(house: ListeningHouse) -> None:
    try:
        raw = socket.create_connection(("::1", house.port), timeout=60)
    except OSError:
        pytest.skip("this machine has no IPv6")
    raw.close()
    page = PageClient(f"http://[::1]:{house.port}/", origin=f"http://[::1]:{house.port}")
    assert page.may_play
    page.close()


def test_the_invitation_has_addresses_and_the_code(house: ListeningHouse) -> None:
    said = house.server.invitation or ""
    assert f"http://{place.mdns_name()}:{house.port}/" in said
    assert f"{house.code} (valid for 10 minutes" in said
    assert house.send("DELETE", "/pairing")[0] == 204
    assert "`millwright devices pair`" in (house.server.invitation or "")


def test_the_code_is_told_on_this_machine_and_nowhere_else(tmp_path: Path) -> None:
    server = WebServer(
        *(Asked().submit, place.EVERYWHERE, 0),
        others=tmp_path / "devices.json",
        pairs=True,
        tell_status=lambda: {"frames": 7},
    )
    server.start()
    here = json.loads(get(server.address, "/status")[2])
    assert here["code"] in (server.invitation or "")
    assert 590 < here["code_left_s"] <= 600
    assert json.loads(get(server.address, "/status", **PROXIED)[2]) == {"frames": 7}
    get(server.address, "/pairing", "DELETE")
    assert json.loads(get(server.address, "/status")[2]) == {"frames": 7}
    server.close()


def test_without_a_place_for_devices_nobody_else_is_let_in() -> None:
    for host in (place.EVERYWHERE, "0.0.0.0", "192.0.2.1"):  # noqa: S104
        with pytest.raises(PageError):
            WebServer(Asked().submit, host, 0)


def test_a_socket_that_was_opened_to_others_is_served_to_them(tmp_path: Path) -> None:
    opened = socket.create_server(("0.0.0.0", 0))  # noqa: S104
    server = WebServer(Asked().submit, listening=opened, others=tmp_path / "devices.json")
    server.start()
    assert server.invitation is not None
    page = PageClient(server.address, **PROXIED)
    assert not page.may_play
    page.close()
    server.close()


def test_a_process_that_may_open_no_socket_has_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the service, which its unit allows local sockets alone."""

    def refused(*_: object) -> NoReturn:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refused)
    assert place.network_urls(8765) == [place.url(place.mdns_name(), 8765)]
