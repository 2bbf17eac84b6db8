"""Pairing as devices in the house meet it: codes, the list of devices, and who may change it."""

from __future__ import annotations

import http.client
import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_host.web.pairing.devices import open_devices
from tests.support.web.page_client import get
from tests.support.web.pairing.listening_house import PROXIED, ListeningHouse


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ListeningHouse]:
    house = ListeningHouse(tmp_path / "devices.json")
    yield house
    house.server.close()


def plays(house: ListeningHouse, cookie: str) -> bool:
    page = house.page(Cookie=cookie, **PROXIED)
    page.close()
    return page.may_play


def names(house: ListeningHouse) -> list[str]:
    return [device["name"] for device in house.send("GET", "/devices")[1]["devices"]]


def test_a_code_is_valid_for_as_many_devices_as_like(house: ListeningHouse) -> None:
    cookies = [house.paired(name) for name in ("Ada's phone", "tablet", "")]
    assert len(set(cookies)) == 3
    assert all(plays(house, cookie) for cookie in cookies)
    assert sorted(names(house)) == ["", "Ada's phone", "tablet"]


def test_the_address_of_a_paired_device_is_recognised_and_no_other(house: ListeningHouse) -> None:
    assert not plays(house, "millwright-7=guessed")
    assert not house.server._visitors._familiar
    assert plays(house, house.paired())
    assert house.server._visitors._familiar


def test_a_new_code_ends_the_one_before(house: ListeningHouse) -> None:
    new = house.send("POST", "/pairing")[1]["code"]
    assert house.enter(house.code)[0] == 403
    assert house.enter(new)[0] == 204


def test_without_an_open_window_no_code_is_valid(house: ListeningHouse) -> None:
    house.send("DELETE", "/pairing")
    for entered in (house.code, ""):
        status, headers, said = house.enter(entered)
        assert status == 409
        assert "set-cookie" not in headers
        assert json.loads(said)["error"] == "No code is valid now."


def test_a_window_ends_after_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=7.0)
    monkeypatch.setattr("firmware_host.web.server.time", SimpleNamespace(monotonic=lambda: clock.now))
    house = ListeningHouse(tmp_path / "devices.json")
    cookie = house.paired()
    clock.now += 601
    assert house.enter(house.code)[0] == 409
    assert house.send("GET", "/devices")[1]["pairing"] is None
    assert plays(house, cookie)  # which was paired in time
    house.server.close()


def test_codes_end_and_devices_stay_with_a_restart(tmp_path: Path) -> None:
    first = ListeningHouse(tmp_path / "devices.json")
    cookie = first.paired("phone")
    first.server.close()
    again = ListeningHouse(tmp_path / "devices.json")
    assert again.code != first.code
    assert again.enter(first.code)[0] == 403
    assert plays(again, cookie)
    assert names(again) == ["phone"]
    again.server.close()


def test_a_cookie_is_for_one_board_alone(house: ListeningHouse, tmp_path: Path) -> None:
    other = ListeningHouse(tmp_path / "other" / "devices.json")
    cookie = house.paired()
    assert cookie.partition("=")[0] != other.paired().partition("=")[0]
    assert not plays(other, cookie)
    other.server.close()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("POST", "/pairing"), ("DELETE", "/pairing")),
        *(("GET", "/devices"), ("DELETE", "/devices"), ("DELETE", "/devices/1")),
    ],
)
def test_only_who_may_play_manages_devices(house: ListeningHouse, method: str, path: str) -> None:
    cookie = house.paired("phone")
    status, answer = house.send(method, path, **PROXIED)
    assert status == 403
    assert set(answer) == {"error", "wait_s"}
    assert names(house) == ["phone"]
    assert house.send("GET", "/devices")[1]["pairing"]["code"] == house.code
    foreign = get(house.server.address, path, method, Origin="http://evil.example", Cookie=cookie)
    assert foreign[0] == 403
    assert names(house) == ["phone"]


def test_a_paired_device_lets_another_be_paired(house: ListeningHouse) -> None:
    phone = house.paired("phone")
    status, pairing = house.send("POST", "/pairing", Cookie=phone, **PROXIED)
    assert status == 200
    assert pairing["addresses"]
    assert house.enter(pairing["code"], "tablet")[0] == 204
    listed = house.send("GET", "/devices", Cookie=phone, **PROXIED)[1]["devices"]
    assert {device["name"]: device["this"] for device in listed} == {"phone": True, "tablet": False}


def test_a_removed_device_loses_its_pages_at_once(house: ListeningHouse) -> None:
    phone, tablet = house.paired("phone"), house.paired("tablet")
    page = house.page(Cookie=phone, **PROXIED)
    listed = {device["name"]: device for device in house.send("GET", "/devices")[1]["devices"]}
    assert {name: device["playing"] for name, device in listed.items()} == {"phone": True, "tablet": False}
    assert house.send("DELETE", f"/devices/{listed['phone']['number']}")[0] == 200
    with pytest.raises(ConnectionError):
        page.until("nothing more")
    page.socket.close()
    assert not plays(house, phone)
    assert plays(house, tablet)
    assert house.send("GET", "/devices", Cookie=phone, **PROXIED)[0] == 403


def test_a_device_that_another_program_removed_plays_no_more(house: ListeningHouse, tmp_path: Path) -> None:
    page = house.page(Cookie=house.paired("phone"), **PROXIED)
    assert page.ask({"id": 1, "do": "draw"}).get("error") is None
    open_devices(tmp_path / "devices.json").change(lambda devices: devices.remove(1))
    with suppress(ConnectionError):  # the refusal may not come any more
        assert "error" in page.ask({"id": 2, "do": "resign"})
    with pytest.raises(ConnectionError):
        page.until("nothing more")
    page.socket.close()
    assert house.board.requests == [{"do": "draw"}]


@pytest.mark.parametrize("request_", ["take-phone", "take-network", "wifi"])
def test_a_paired_page_does_not_stand_in_for_a_companion(house: ListeningHouse, request_: str) -> None:
    page = house.page(Cookie=house.paired("phone"), **PROXIED)
    assert "own machine" in page.ask({"id": 1, "do": request_})["error"]
    assert page.ask({"id": 2, "do": ["wifi"]}).get("error") is None
    page.close()
    assert house.board.requests == [{"do": ["wifi"]}]


@pytest.mark.parametrize("number", ["0", "9", "-1", "x", "1" * 5000, "%00", "1%20"])
def test_a_device_that_does_not_exist_is_not_removed(house: ListeningHouse, number: str) -> None:
    house.paired("phone")
    assert house.send("DELETE", f"/devices/{number}")[0] == 404
    assert names(house) == ["phone"]


def test_a_device_can_remove_all_others(house: ListeningHouse) -> None:
    cookies = [house.paired(name) for name in ("phone", "tablet", "laptop")]
    status, answer = house.send("DELETE", "/devices", Cookie=cookies[1], **PROXIED)
    assert (status, sorted(answer["removed"])) == (200, [1, 3])
    assert [plays(house, cookie) for cookie in cookies] == [False, True, False]
    assert house.send("DELETE", "/devices")[1]["removed"] == [2]
    assert names(house) == []


def test_a_visit_is_written_once_an_hour(tmp_path: Path) -> None:
    wall = SimpleNamespace(ms=1_767_268_800_000, now=lambda: wall.ms, dated=lambda moment: moment)
    path = tmp_path / "devices.json"
    house = ListeningHouse(path, wall)
    cookie = house.paired()
    for ms, is_written in [(60_000, False), (3_600_000, True), (1, False), (-40_000_000, True)]:
        before = path.stat().st_ino
        wall.ms += ms
        plays(house, cookie)
        house.server.close()  # which waits until it is written
        assert (path.stat().st_ino != before) == is_written
        house = ListeningHouse(path, wall)
        seen = house.send("GET", "/devices")[1]["devices"][0]["seen_ms"]
        assert not is_written or seen == wall.ms
    house.server.close()


def test_a_visit_makes_the_browser_keep_its_cookie(house: ListeningHouse) -> None:
    cookie = house.paired()
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    connection.request("GET", "/ws", headers={**upgrade, **key, **PROXIED, "Cookie": cookie})
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 101
    renewed = answer.getheader("set-cookie") or ""
    assert renewed.startswith(f"{cookie}; Max-Age=31536000")
    assert "HttpOnly" in renewed


def test_the_right_code_lets_in_while_forty_others_guess(house: ListeningHouse) -> None:
    """Each guesses from an address of its own, all at the same time and as often as they can."""

    def guess(number: int) -> set[int]:
        return {house.enter(f"{number:08}", at=f"127.0.0.{100 + number}")[0] for _ in range(5)}

    with ThreadPoolExecutor(20) as pool:
        guesses = [pool.submit(guess, number) for number in range(40)]
        status = house.enter(house.code, "phone", at="127.0.0.99")[0]
        answers = set().union(*(guess.result() for guess in guesses))
    assert status == 204
    assert answers <= {403, 429}
    assert house.enter(house.code, "tablet", at="127.0.0.98")[0] == 204
    assert sorted(names(house)) == ["phone", "tablet"]


def test_attempts_are_logged_without_the_code(
    house: ListeningHouse, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    house.enter("1234 5678", "Ada's phone")
    house.enter(house.code, "Ada's phone")
    house.send("DELETE", "/devices/1")
    assert "a wrong code was entered from 127.0.0.1" in caplog.text
    assert "device 1 was paired from 127.0.0.1" in caplog.text
    assert "device 1 was removed" in caplog.text
    for private in ("1234", house.code, "Ada"):
        assert private not in caplog.text
