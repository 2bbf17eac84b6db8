"""The page of the board's own Wi-Fi, over real connections: phones are led to it, strangers get nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.portal import PortalServer
from firmware_host.web.addresses import listening_socket
from tests.support.wifi.house import SECRET, HouseInReach

HOME = "http://board.local:8765/"


class PhoneInOwnWifi:
    """A phone in the Wi-Fi of the board in that house."""

    def __init__(self, house: HouseInReach, port: int) -> None:
        self.house, self.address = house, f"127.0.0.1:{port}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, str]:
        """Return the status of an answer, the place that it leads to, and its text."""
        host, _, port = self.address.partition(":")
        connection = HTTPConnection(host, int(port), timeout=10)
        text = body if isinstance(body, str | None) else json.dumps(body)
        connection.request(method, path, text, {"Host": self.address, **headers})
        answer = connection.getresponse()
        found = answer.status, answer.getheader("Location", ""), answer.read().decode()
        connection.close()
        return found

    def choose(self, **entry: str) -> tuple[int, Any]:
        """Choose a network; return the status of the answer and what it says."""
        status, _, text = self.ask("POST", "/wifi", entry)
        return status, json.loads(text).get("said", {}).get("key")


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[PhoneInOwnWifi]:
    house = HouseInReach(tmp_path)
    house.line.hold_button()
    house.after(1)
    with listening_socket("127.0.0.1", 0, others=False) as listening:
        server = PortalServer(listening, house.control, lambda: HOME)
        thread = Thread(target=server.run)
        thread.start()
        yield PhoneInOwnWifi(house, listening.getsockname()[1])
        server.stop()
        thread.join()


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204"),
        ("captive.apple.com", "/hotspot-detect.html"),
        ("www.msftconnecttest.com", "/connecttest.txt"),
        ("board.local:8765", "/"),
    ],
)
def test_a_phone_that_asks_for_the_internet_is_led_to_the_page(
    phone: PhoneInOwnWifi, host: str, path: str
) -> None:
    assert phone.ask("GET", path, Host=host)[:2] == (302, f"http://{phone.address}/")
    assert phone.ask("GET", "/")[:2] == (307, "wifi.html")
    assert "wifi-form" in phone.ask("GET", "/wifi.html")[2]


def test_the_page_learns_which_networks_there_are(phone: PhoneInOwnWifi) -> None:
    assert json.loads(phone.ask("GET", "/wifi.json")[2]) == {
        "stage": "own",
        "networks": [{"name": "Home", "strength": 70, "locked": True}],
        "chosen": None,
        "trouble": None,
        "home": HOME,
    }


def test_a_phone_chooses_the_network_of_the_house(phone: PhoneInOwnWifi) -> None:
    assert phone.choose(name="Home", password=SECRET) == (202, None)
    assert json.loads(phone.ask("GET", "/wifi.json")[2])["stage"] == "joining"
    phone.house.after(10)
    assert phone.house.nmcli.up == "Millwright: Home"


def test_a_choice_that_is_refused_says_why(phone: PhoneInOwnWifi) -> None:
    assert phone.choose(name="Home", password=SECRET[:5]) == (409, "wifi.refused.password")
    assert phone.choose(name="Elsewhere", password=SECRET) == (409, "wifi.refused.unknown")


def test_a_phone_that_nobody_confirms_stops_the_game_seldom(phone: PhoneInOwnWifi) -> None:
    phone.house.control._stages.was_pressed = False
    phone.house.line.refusal = Message("refused.asks-already")
    for _ in range(6):
        assert phone.choose(name="Home", password=SECRET) == (202, None)
        phone.house.after(1)
    assert phone.choose(name="Home", password=SECRET) == (409, "wifi.refused.often")
    phone.house.line.hold_button()
    phone.house.after(1)
    assert phone.choose(name="Home", password=SECRET) == (202, None)


@pytest.mark.parametrize(
    "body", ["", "[]", "\xff", '{"name": 3}', '{"name": "Home", "password": []}', "x" * 200_000]
)
def test_a_choice_that_cannot_be_read_is_refused(phone: PhoneInOwnWifi, body: str) -> None:
    assert phone.ask("POST", "/wifi", body)[0] in (400, 409)
    assert phone.house.control.view()["stage"] == "own"


def test_a_page_from_elsewhere_chooses_nothing(phone: PhoneInOwnWifi) -> None:
    entry = {"name": "Home", "password": SECRET}
    assert phone.ask("POST", "/wifi", entry, Origin="http://evil.example")[0] == 403
    assert phone.ask("POST", "/wifi", entry, Host="evil.example")[0] == 400
    assert phone.house.control.view()["stage"] == "own"


def test_who_looks_at_the_page_keeps_it_open(phone: PhoneInOwnWifi) -> None:
    for _ in range(3):
        phone.ask("GET", "/wifi.json")
        phone.house.after(500)
    assert phone.house.control.view()["stage"] == "own"
