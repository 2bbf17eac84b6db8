"""The workshop begins by a touch at the board: a page alone can't take the board from its players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.i18n import Message
from firmware_host.views.instructions import instruction
from tests.support.hands_that_ask import AskingHands


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands()
    yield hands
    hands.close()


def begun(hands: AskingHands) -> str:
    return hands.board.life.play.controller.asks.workshop


def lit(hands: AskingHands) -> str:
    (point,) = hands.state["asking"]["options"]
    return str(point)


def touch(hands: AskingHands, point: str) -> None:
    for _ in range(2):
        hands.visit(point, 0.2, 0.2)


@pytest.mark.parametrize("kind", ["setup", "doctor"])
def test_two_touches_of_the_lit_point_begin_it(hands: AskingHands, kind: str) -> None:
    hands.ask("workshop", kind=kind)
    point = lit(hands)
    assert "workshop.touch" in str(instruction(hands.board.life.play.controller))
    assert begun(hands) == ""
    touch(hands, point)
    assert begun(hands) == kind


def test_a_page_cannot_answer_for_hands(hands: AskingHands) -> None:
    hands.ask("workshop")
    assert "on the board itself" in hands.refusal("answer", point=lit(hands))
    assert begun(hands) == ""


def test_a_touch_for_the_workshop_lets_no_phone_in(hands: AskingHands) -> None:
    hands.ask("workshop")
    touch(hands, lit(hands))
    assert "isn't waiting" in hands.refusal("take-phone")


def test_a_touch_for_a_phone_begins_no_workshop(hands: AskingHands) -> None:
    hands.ask("phone")
    assert "asking something else" in hands.refusal("workshop")
    touch(hands, lit(hands))
    assert begun(hands) == ""


def test_nobody_touches_and_the_game_goes_on(hands: AskingHands) -> None:
    hands.ask("workshop")
    hands.wait(61)
    assert hands.asking is None
    assert begun(hands) == ""


def test_without_light_the_plug_is_pulled_instead(hands: AskingHands) -> None:
    controller = hands.board.life.play.controller
    controller.fault("sensors", Message("fault.set-up", {"text": "no answer"}))
    assert "unplug it" in hands.refusal("workshop")
    controller.asks.plugged_in_until = controller.now + 1
    hands.ask("workshop")
    assert begun(hands) == "setup"


def test_a_workshop_that_does_not_exist_is_refused(hands: AskingHands) -> None:
    assert "one of setup, doctor" in hands.refusal("workshop", kind="kitchen")
