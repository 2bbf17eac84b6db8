"""A device whose owner sits at the board is paired by a touch there, and no other is."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.web import addresses as place
from firmware_host.web.pairing.window import SeatPairing
from firmware_host.web.qr import qr_svg
from tests.support.web.page_client import get
from tests.support.web.pairing.listening_house import PROXIED, ListeningHouse

WAITS = Message("refused.phone-waits")
MISCOUNTED = Message("workshop.phone-out")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ListeningHouse]:
    house = ListeningHouse(tmp_path / "devices.json")
    yield house
    house.server.close()


def post(house: ListeningHouse, path: str, body: object, **headers: str) -> tuple[int, dict[str, str], Any]:
    """Send an object: the status, the headers, and the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    connection.request("POST", path, json.dumps(body).encode(), headers)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    found = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, found, json.loads(said) if said else None


def sit(house: ListeningHouse, name: str = "phone") -> str:
    status, _, said = post(house, "/seat", {"name": name})
    assert status == 200
    assert said["left_s"] == 60
    return str(said["token"])


def test_a_touched_point_pairs_the_device_that_waits(house: ListeningHouse) -> None:
    token = sit(house)
    ((asked),) = house.board.requests
    assert asked == {"do": "phone", "times": asked["times"], "first": True}
    house.board.refusal = RequestError(WAITS)
    assert post(house, "/seat/claim", {"token": token})[0] == 202
    house.board.refusal = None
    status, headers, _ = post(house, "/seat/claim", {"token": token})
    assert status == 204
    cookie = headers["set-cookie"].split(";")[0]
    page = house.page(Cookie=cookie, **PROXIED)
    assert page.may_play
    page.close()
    assert post(house, "/seat/claim", {"token": token})[0] == 410


@pytest.mark.parametrize("token", ["", "x", "\u0663" * 22])
def test_without_its_token_no_device_is_paired(house: ListeningHouse, token: str) -> None:
    sit(house)
    status, headers, _ = post(house, "/seat/claim", {"token": token})
    assert status == 410
    assert "set-cookie" not in headers
    assert {"do": "take-phone"} not in house.board.requests


def test_the_device_that_waits_alone_learns_how_often_to_touch(house: ListeningHouse) -> None:
    _, _, said = post(house, "/seat", {"name": "phone"})
    assert house.board.requests[-1]["times"] == said["touches"]
    assert "touches" not in post(house, "/seat", {"name": "other"})[2]
    assert {SeatPairing(lambda: 0.0).claim("phone").touches for _ in range(300)} == {3, 4, 5, 6}


def test_one_device_waits_at_a_time(house: ListeningHouse) -> None:
    sit(house)
    assert post(house, "/seat", {"name": "other"})[0] == 409
    assert len(house.board.requests) == 1


def test_a_late_answer_to_one_device_ends_no_other_wait() -> None:
    seat = SeatPairing(lambda: 0.0)
    first, second = seat.claim("first"), seat.claim("second")
    seat.leave(first)
    assert seat.of(second.token) == second


def test_nobody_sits_at_the_board_from_elsewhere(house: ListeningHouse) -> None:
    token = sit(house)
    assert post(house, "/seat", {"name": ""}, **PROXIED)[0] == 403
    assert post(house, "/seat/claim", {"token": token}, **PROXIED)[0] == 410


def test_no_other_site_can_have_the_board_ask(house: ListeningHouse) -> None:
    status, *_ = get(house.server.address, "/seat", "POST", Origin="http://evil.example")
    assert status == 403
    assert house.board.requests == []


def test_a_busy_board_is_left_alone(house: ListeningHouse) -> None:
    house.board.refusal = RequestError(Message("refused.asks-already"))
    status, _, answer = post(house, "/seat", {"name": ""})
    assert (status, answer["said"]["key"]) == (409, "refused.asks-already")
    house.board.refusal = None
    sit(house)


def test_the_wait_ends_with_the_boards(house: ListeningHouse) -> None:
    token = sit(house)
    house.board.refusal = RequestError(Message("refused.phone-over"))
    assert post(house, "/seat/claim", {"token": token})[0] == 410
    house.board.refusal = None
    assert post(house, "/seat/claim", {"token": token})[0] == 410
    sit(house)


def test_another_number_of_touches_ends_the_wait(house: ListeningHouse) -> None:
    token = sit(house)
    house.board.refusal = RequestError(MISCOUNTED)
    status, headers, answer = post(house, "/seat/claim", {"token": token})
    assert (status, answer["said"]["key"]) == (410, "workshop.phone-out")
    assert "set-cookie" not in headers
    house.board.refusal = None
    assert post(house, "/seat/claim", {"token": token})[0] == 410
    sit(house)


def test_a_touch_in_the_last_second_is_not_too_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=7.0)
    monkeypatch.setattr("firmware_host.web.server.time", SimpleNamespace(monotonic=lambda: clock.now))
    house = ListeningHouse(tmp_path / "devices.json")
    token = sit(house)
    clock.now += 61.5  # the page looks once a second
    assert post(house, "/seat/claim", {"token": token})[0] == 204
    house.server.close()


def test_requests_that_come_slowly_pass_no_limit(house: ListeningHouse) -> None:
    """All of them were begun while the first was still allowed."""
    held = [http.client.HTTPConnection("127.0.0.1", house.port, timeout=60) for _ in range(8)]
    for connection in held:
        connection.putrequest("POST", "/seat")
        connection.putheader("Content-Length", "2")
        connection.endheaders(b"{")
    house.board.refusal = RequestError(Message("refused.asks-already"))
    answers = []
    for connection in held:
        connection.send(b"}")
        answers.append(connection.getresponse().status)
        connection.close()
    assert answers == 6 * [409] + 2 * [429]


def test_six_times_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=7.0)
    monkeypatch.setattr("firmware_host.web.server.time", SimpleNamespace(monotonic=lambda: clock.now))
    house = ListeningHouse(tmp_path / "devices.json")
    for _ in range(6):
        sit(house)
        clock.now += 61
    status, headers, _ = post(house, "/seat", {"name": ""})
    assert status == 429
    assert 0 < int(headers["retry-after"]) <= 600
    clock.now += 600
    sit(house)
    house.server.close()


@pytest.mark.parametrize("body", [[], {"name": 3}, "x"])
def test_anything_else_is_refused(house: ListeningHouse, body: object) -> None:
    assert post(house, "/seat", body)[0] == 400
    assert post(house, "/seat/claim", body)[0] == 400
    assert house.board.requests == []


def test_the_address_is_drawn_once_for_all_visitors(house: ListeningHouse) -> None:
    qr_svg.cache_clear()
    pictures = {get(house.server.address, "/qr.svg")[2] for _ in range(5)}
    assert len(pictures) == qr_svg.cache_info().misses == 1


def test_the_address_is_drawn_for_a_camera(house: ListeningHouse) -> None:
    status, headers, said = get(house.server.address, "/qr.svg")
    assert status == 200
    assert headers["content-type"] == "image/svg+xml"
    assert said.startswith("<svg")


def test_qr_code_has_the_number_that_is_this_machines(
    house: ListeningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "_default_route_addresses", lambda: ["192.0.2.7"])
    _, _, picture = get(house.server.address, "/qr.svg")
    assert picture == qr_svg(f"http://192.0.2.7:{urlsplit(house.server.address).port}/")
