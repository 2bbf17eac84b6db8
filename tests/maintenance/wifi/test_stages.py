"""The stages of a board's way into the house's Wi-Fi: when its own opens, and how every way leads back."""

from __future__ import annotations

from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.stages import (
    LINGER,
    OPEN_AT_MOST,
    OPEN_FOR,
    SEARCH_FOR,
    TOUCH_FOR,
    NetworkChange,
    WifiStage,
    WifiStages,
)


def due(
    stages: WifiStages, now: float, *, has_network: bool = False, is_used: bool = False
) -> NetworkChange | None:
    return stages.due(now, has_network=has_network, is_used=is_used)


def opened(at: float = SEARCH_FOR) -> WifiStages:
    stages = WifiStages(0)
    assert due(stages, at) is NetworkChange.OPEN
    stages.opened(at)
    return stages


def test_own_wifi_opens_after_two_minutes_without_a_network() -> None:
    stages = WifiStages(0)
    assert due(stages, SEARCH_FOR - 1) is None
    assert due(stages, SEARCH_FOR) is NetworkChange.OPEN


def test_own_wifi_stays_closed_while_there_is_a_network() -> None:
    stages = WifiStages(0)
    for now in range(0, 1000, 50):
        assert due(stages, now, has_network=True) is None
    assert stages.stage is WifiStage.HOUSE


def test_a_network_that_goes_away_is_waited_for_from_then_on() -> None:
    stages = WifiStages(0)
    due(stages, 500, has_network=True)
    assert due(stages, 500 + SEARCH_FOR - 1) is None
    assert due(stages, 500 + SEARCH_FOR) is NetworkChange.OPEN


def test_own_wifi_that_nobody_uses_gives_known_networks_a_chance() -> None:
    stages = opened()
    assert due(stages, SEARCH_FOR + OPEN_FOR - 1) is None
    assert due(stages, SEARCH_FOR + OPEN_FOR) is NetworkChange.CLOSE
    assert due(stages, SEARCH_FOR + OPEN_FOR + 5, has_network=True) is None
    assert stages.stage is WifiStage.HOUSE


def test_own_wifi_comes_back_if_no_known_network_does() -> None:
    stages = opened()
    closed = SEARCH_FOR + OPEN_FOR
    due(stages, closed)
    assert due(stages, closed + SEARCH_FOR - 1) is None
    assert due(stages, closed + SEARCH_FOR) is NetworkChange.OPEN


def test_own_wifi_stays_open_while_somebody_is_in_it() -> None:
    stages = opened()
    for now in range(200, 3700, 100):
        assert due(stages, now, is_used=True) is None
    assert stages.stage is WifiStage.OWN


def test_nobody_keeps_the_board_from_known_networks() -> None:
    stages = opened()
    over = SEARCH_FOR + OPEN_AT_MOST
    assert stages.choose(200, needs_touch=False)
    stages.fail_to_join(Message("wifi.trouble.password"), 210)
    stages.opened(212)
    assert stages.choose(over - 1, needs_touch=True)
    assert due(stages, over - 1 + TOUCH_FOR, is_used=True) is None
    assert not stages.choose(over - 1 + TOUCH_FOR, needs_touch=True)
    assert due(stages, over + TOUCH_FOR, is_used=True) is NetworkChange.CLOSE


def test_the_button_opens_it_in_any_stage() -> None:
    for stages in (WifiStages(0), opened()):
        assert stages.press(1000) is NetworkChange.OPEN
        assert stages.was_pressed
    stages = opened()
    stages.choose(300, needs_touch=True)
    assert stages.press(301) is NetworkChange.OPEN
    assert stages.stage is WifiStage.SEARCHING


def test_what_opens_by_itself_was_not_opened_by_the_button() -> None:
    stages = WifiStages(0)
    stages.press(10)
    stages.opened(10)
    due(stages, 10 + OPEN_FOR)
    assert due(stages, 10 + OPEN_FOR + SEARCH_FOR) is NetworkChange.OPEN
    assert not stages.was_pressed


def test_a_choice_counts_once_the_point_was_touched() -> None:
    stages = opened()
    assert stages.choose(200, needs_touch=True)
    assert due(stages, 230) is None
    stages.touch(230)
    assert due(stages, 231) is None  # the phone still has to read what comes next
    assert due(stages, 230 + LINGER) is NetworkChange.JOIN


def test_a_choice_that_nobody_confirms_is_given_up() -> None:
    stages = opened()
    stages.choose(200, needs_touch=True)
    due(stages, 200 + TOUCH_FOR)
    assert stages.stage is WifiStage.OWN
    assert stages.trouble == Message("wifi.trouble.untouched")


def test_no_other_phone_chooses_in_the_meantime() -> None:
    stages = opened()
    assert stages.choose(200, needs_touch=False)
    assert not stages.choose(201, needs_touch=False)


def test_nobody_chooses_while_it_is_closed() -> None:
    stages = WifiStages(0)
    assert not stages.choose(1, needs_touch=False)
    stages.press(2)
    assert not stages.choose(3, needs_touch=False)
    stages.opened(4)
    assert stages.is_open
    assert stages.choose(5, needs_touch=False)


def test_a_network_that_refuses_the_board_leaves_its_own_open() -> None:
    stages = opened()
    stages.choose(200, needs_touch=False)
    stages.fail_to_join(Message("wifi.trouble.password"), 240)
    stages.opened(242)
    assert stages.trouble == Message("wifi.trouble.password")
    assert stages.choose(250, needs_touch=False)
    assert stages.trouble is None


def test_a_board_that_cannot_open_it_tries_again() -> None:
    stages = opened()
    stages.fail_to_open(SEARCH_FOR)
    assert due(stages, 2 * SEARCH_FOR - 1) is None
    assert due(stages, 2 * SEARCH_FOR) is NetworkChange.OPEN


def test_a_board_in_the_network_of_the_house_looks_after_it() -> None:
    stages = opened()
    stages.choose(200, needs_touch=False)
    stages.join(240)
    assert due(stages, 240 + SEARCH_FOR - 1) is None
    assert due(stages, 240 + SEARCH_FOR) is NetworkChange.OPEN
