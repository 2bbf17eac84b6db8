"""The whole way of a board into the house's Wi-Fi, with stand-ins for NetworkManager and for the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import PageError, RequestError
from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.network_manager import OWN
from firmware_host.maintenance.wifi.stages import LINGER, OPEN_FOR, SEARCH_FOR, TOUCH_FOR
from tests.support.wifi.house import SECRET, HouseInReach

WAITS, NO_LIGHT, BUSY = (Message(f"refused.{key}") for key in ("phone-waits", "no-light", "asks-already"))


@pytest.fixture
def house(tmp_path: Path) -> HouseInReach:
    return HouseInReach(tmp_path)


def test_a_phone_brings_the_board_into_the_house(house: HouseInReach) -> None:
    house.after(SEARCH_FOR)
    assert house.nmcli.up == OWN
    assert house.line.shown == [False, True]
    assert house.control.view()["networks"] == [{"name": "Home", "strength": 70, "locked": True}]
    house.control.choose("Home", SECRET)
    house.line.refusal = None
    house.after(1)
    house.line.refusal = WAITS
    house.after(1)
    assert house.control.view()["stage"] == "touching"
    house.line.refusal = None
    house.after(1)
    assert house.line.asked == ["workshop", "take-network", "take-network"]
    assert (house.control.view()["stage"], house.nmcli.up) == ("joining", OWN)
    house.after(LINGER)
    assert house.nmcli.up == "Millwright: Home"
    assert house.line.shown == [False, True, False]
    assert house.control.view()["stage"] == "house"


def test_a_wrong_password_brings_the_own_wifi_back(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.control.choose("Home", "wrong password")
    house.after(LINGER)
    assert (house.nmcli.up, house.trouble) == (OWN, "wifi.trouble.password")
    house.control.choose("Home", SECRET)
    house.after(LINGER)
    assert (house.nmcli.up, house.trouble) == ("Millwright: Home", None)


def test_a_network_that_is_gone_brings_the_own_wifi_back(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.control.choose("Home", SECRET)
    del house.nmcli.air["Home"]
    house.after(LINGER)
    assert (house.nmcli.up, house.trouble) == (OWN, "wifi.trouble.gone")


def test_in_another_house_the_button_opens_it_at_once(house: HouseInReach) -> None:
    house.nmcli.up = "Millwright: Home"
    house.after(1)
    assert house.control.view()["stage"] == "house"
    house.line.hold_button()
    house.after(1)
    assert house.nmcli.up == OWN


def test_networks_are_looked_for_again_when_the_button_is_held_again(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.nmcli.air["Neighbour"] = "whatever1"
    house.line.hold_button()
    house.after(1)
    assert [one["name"] for one in house.control.view()["networks"]] == ["Home", "Neighbour"]
    assert house.nmcli.changes[-2:] == [("down", OWN), ("up", OWN)]


def test_who_has_held_the_button_needs_no_touch(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.control.choose("Home", SECRET)
    house.after(LINGER)
    assert house.line.asked == []
    assert house.nmcli.up == "Millwright: Home"


def test_nothing_is_joined_unless_somebody_touches_the_board(house: HouseInReach) -> None:
    house.after(SEARCH_FOR)
    house.control.choose("Home", SECRET)
    house.after(1)
    house.line.refusal = WAITS
    house.after(TOUCH_FOR)
    assert (house.nmcli.up, house.trouble) == (OWN, "wifi.trouble.untouched")
    house.after(LINGER)
    assert house.nmcli.up == OWN


def test_a_board_that_asks_something_else_is_not_passed_by(house: HouseInReach) -> None:
    house.after(SEARCH_FOR)
    house.line.refusal = BUSY
    house.control.choose("Home", SECRET)
    house.after(1)
    assert (house.nmcli.up, house.trouble) == (OWN, "wifi.trouble.busy")


def test_a_board_that_has_gone_is_not_passed_by(house: HouseInReach, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_request: dict[str, Any]) -> None:
        raise PageError("it doesn't answer")

    house.after(SEARCH_FOR)
    house.control.choose("Home", SECRET)
    monkeypatch.setattr(house.line, "ask", gone)
    house.after(1)
    assert house.trouble == "wifi.trouble.busy"


def test_a_board_without_sensors_asks_for_no_touch(house: HouseInReach) -> None:
    house.after(SEARCH_FOR)
    house.line.refusal = NO_LIGHT
    house.control.choose("Home", SECRET)
    house.after(1)
    house.after(LINGER)
    assert house.nmcli.up == "Millwright: Home"


def test_a_board_that_is_being_set_up_asks_for_no_touch(house: HouseInReach) -> None:
    house.line.plays = False
    house.after(SEARCH_FOR)
    house.control.choose("Home", SECRET)
    house.after(LINGER)
    assert house.nmcli.up == "Millwright: Home"


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("Elsewhere", SECRET, "wifi.refused.unknown"),
        ("Home", "short", "wifi.refused.password"),
        ("Home", "x" * 64, "wifi.refused.password"),
        ("Home", "line\nbreak1", "wifi.refused.password"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(
    house: HouseInReach, name: str, password: str, why: str
) -> None:
    house.line.hold_button()
    house.after(1)
    with pytest.raises(RequestError) as refusal:
        house.control.choose(name, password)
    assert refusal.value.message == Message(why)


def test_two_phones_do_not_choose_at_once(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.control.choose("Home", SECRET)
    with pytest.raises(RequestError) as refusal:
        house.control.choose("Home", SECRET)
    assert refusal.value.message == Message("wifi.refused.busy")


def test_a_visit_keeps_the_own_wifi_open(house: HouseInReach) -> None:
    house.after(SEARCH_FOR)
    for _ in range(4):
        house.control.visit()
        house.after(OPEN_FOR / 2)
    assert house.nmcli.up == OWN
    house.after(OPEN_FOR)
    assert house.nmcli.up is None


def test_no_password_is_kept_or_shown(house: HouseInReach) -> None:
    house.line.hold_button()
    house.after(1)
    house.control.choose("Home", "wrong password")
    assert "wrong password" not in str(house.control.view()) + repr(vars(house.control))
    house.after(LINGER)
    assert house.control._choice is None
