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
    return hands.board.life.play.controller.asks.touch_search.workshop


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


@pytest.mark.parametrize("kind", ["setup", "doctor", "network"])
def test_a_page_cannot_answer_for_hands(hands: AskingHands, kind: str) -> None:
    hands.ask("workshop", kind=kind)
    assert "on the board itself" in hands.refusal("answer", point=lit(hands))
    assert begun(hands) == ""


ASKED_FOR = {
    "phone": {"do": "phone"},
    "network": {"do": "workshop", "kind": "network"},
    "setup": {"do": "workshop", "kind": "setup"},
    "doctor": {"do": "workshop", "kind": "doctor"},
}


def agreed(hands: AskingHands) -> set[str]:
    """Return what the touches so far allow, and use it up."""
    taken = {kind for kind in ("phone", "network") if not hands.refusal(f"take-{kind}")}
    return taken | {begun(hands)} - {""}


@pytest.mark.parametrize("purpose", ASKED_FOR)
@pytest.mark.parametrize("meanwhile", ASKED_FOR)
def test_a_touch_serves_what_it_was_asked_for_and_that_alone(
    hands: AskingHands, purpose: str, meanwhile: str
) -> None:
    hands.do(**ASKED_FOR[purpose])
    assert agreed(hands) == set()
    if meanwhile != purpose:
        asked = dict(ASKED_FOR[meanwhile])
        assert "asking something else" in hands.refusal(asked.pop("do"), **asked)
    touch(hands, lit(hands))
    hands.wait(2)  # after which the touches for a phone are counted
    assert agreed(hands) == {purpose}
    assert agreed(hands) == {purpose} - {"phone", "network"}


@pytest.mark.parametrize("purpose", ASKED_FOR)
def test_touching_all_points_in_turn_finds_the_one(hands: AskingHands, purpose: str) -> None:
    """Contacts may be in another order than LEDs: the point that shines isn't the one that counts."""
    hands.do(**ASKED_FOR[purpose])
    for point in hands.board.life.play.controller.session.game.rules.layout.points:
        touch(hands, point.name)
    hands.wait(2)
    assert agreed(hands) == {purpose}


@pytest.mark.parametrize("purpose", ["phone", "network"])
def test_a_touch_that_was_not_taken_is_worth_nothing_later(hands: AskingHands, purpose: str) -> None:
    hands.do(**ASKED_FOR[purpose])
    touch(hands, lit(hands))
    hands.wait(2)
    hands.do(**ASKED_FOR[purpose])
    assert "hasn't been touched" in hands.refusal(f"take-{purpose}")


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
    assert "can't show its menu" in hands.refusal("workshop", kind="network")
    hands.ask("workshop")
    assert begun(hands) == "setup"


def test_ignored_sensors_dont_spare_the_touch_for_the_network(hands: AskingHands) -> None:
    for point in hands.board.life.play.controller.session.game.rules.layout.points:
        hands.ask("mask", point=point.name)
    assert "can't light a point" in hands.refusal("workshop", kind="network")


def test_a_board_just_plugged_in_still_wants_a_touch_for_its_network(hands: AskingHands) -> None:
    controller = hands.board.life.play.controller
    controller.asks.plugged_in_until = controller.now + 60_000_000
    hands.ask("workshop", kind="network")
    assert agreed(hands) == set()
    touch(hands, lit(hands))
    assert agreed(hands) == {"network"}


def test_a_workshop_that_does_not_exist_is_refused(hands: AskingHands) -> None:
    assert "one of setup, doctor, settings, network" in hands.refusal("workshop", kind="kitchen")
