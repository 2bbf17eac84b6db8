"""A phone at the board: one empty point is lit by chance, and touching it as often as asked lets it in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.i18n import to_english
from firmware_host.views.instructions import instruction
from tests.support.hands_that_ask import AskingHands, named


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands()
    yield hands
    hands.close()


def lit(hands: AskingHands) -> str:
    ((point, does),) = hands.state["asking"]["options"].items()
    assert does == "phone-here"
    return str(point)


def take(hands: AskingHands) -> str:
    """Return why no device can be paired now, or nothing."""
    return hands.refusal("take-phone")


def pause(hands: AskingHands) -> list[dict[str, Any]]:
    """Wait until the touches have been counted."""
    return hands.wait(2.2)


def test_two_touches_let_one_device_be_paired(hands: AskingHands) -> None:
    hands.ask("phone")
    point = lit(hands)
    assert hands.state["cues"] == {point: ["ask"]}
    assert "hasn't been touched" in take(hands)
    hands.touch(point)
    assert "hasn't been touched" in take(hands)
    assert named(hands.touch(point) + pause(hands), "answer") == ["answer phone-here"]
    assert take(hands) == ""
    assert "isn't waiting" in take(hands)


@pytest.mark.parametrize("is_first", [False, True])
def test_a_phone_is_let_in_by_the_number_of_touches_that_it_shows(hands: AskingHands, is_first: bool) -> None:
    plug_in(hands)
    hands.ask("phone", times=4, first=is_first)
    point = next(iter(hands.state["asking"]["options"]))
    for _ in range(4):
        hands.touch(point)
        assert "hasn't been touched" in take(hands)
    pause(hands)
    assert take(hands) == ""


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("touches", [1, 2, 3, 5, 6, 9])
def test_another_number_of_touches_ends_the_search(hands: AskingHands, touches: int, is_first: bool) -> None:
    """So trying the lit point out passes by the number, and a guess is one."""
    plug_in(hands)
    hands.ask("phone", times=4, first=is_first)
    point = next(iter(hands.state["asking"]["options"]))
    for _ in range(touches):
        hands.touch(point)
        assert "hasn't been touched" in take(hands)
    pause(hands)
    assert "isn't the number" in take(hands)
    for _ in range(4):
        hands.touch(point)
    pause(hands)
    assert "isn't the number" in take(hands)
    hands.ask("phone", times=4)
    assert "hasn't been touched" in take(hands)


def test_each_touch_is_answered_by_light_and_so_is_their_number(hands: AskingHands) -> None:
    for times, cue, says in ((4, "asked", "may play now"), (5, "wrong", "isn't the number")):
        hands.ask("phone", times=times)
        point, shown = lit(hands), []
        for _ in range(4):
            hands.touch(point)
            shown.append(hands.state["cues"])
        assert shown == 2 * [{point: ["sure"]}, {point: ["asked"]}]
        pause(hands)
        assert set(map(tuple, hands.state["cues"].values())) == {(cue,)}
        assert len(hands.state["cues"]) == 24
        assert says in to_english(instruction(hands.board.life.play.controller))
        hands.wait(3)
        assert hands.asking is None


def test_a_pause_is_counted_from_the_last_touch_of_any_point(hands: AskingHands) -> None:
    """Contacts of a new board may be in any order, so whoever looks for the point touches others."""
    hands.ask("phone", times=3)
    point = lit(hands)
    others = [name for name in ("a1", "g7", "d6", "f4") if name != point][:3]
    for other in others:
        hands.touch(point)
        hands.wait(1)
        hands.touch(other, 1.5)
    pause(hands)
    assert take(hands) == ""


def test_a_standing_piece_that_seems_lifted_is_no_touch(hands: AskingHands) -> None:
    """A weak sensor drops out again and again, and the pause would never come."""
    hands.place("a1 g7")
    hands.ask("phone", times=3)
    point = lit(hands)
    for _ in range(3):
        hands.touch(point)
    for _ in range(5):
        hands.wait(0.3)
        hands.touch("a1", 0.1)
    assert take(hands) == ""


def test_touches_that_end_with_the_minute_are_counted(hands: AskingHands) -> None:
    hands.ask("phone", times=3)
    point = lit(hands)
    hands.wait(56)
    for _ in range(3):
        hands.wait(0.6)
        hands.touch(point)
    pause(hands)
    assert take(hands) == ""


def test_no_phone_stops_the_board_from_switching_itself_off(hands: AskingHands) -> None:
    """A page looks once a second whether it is let in; a stranger may ask at any time."""
    hands.ask("phone")
    hands.ask("off")
    assert "isn't waiting" in take(hands)
    assert "asking something else" in hands.refusal("phone")
    assert hands.state["off"] == "counting"


def test_hands_faster_than_a_sensor_can_count_are_told(hands: AskingHands) -> None:
    hands.ask("phone", times=6)
    point = lit(hands)
    for _ in range(6):
        hands.visit(point, 0.07, 0.06)
    pause(hands)
    assert "isn't the number" in take(hands)


def test_only_hands_can_touch_for_a_phone(hands: AskingHands) -> None:
    hands.ask("phone", times=3)
    assert "on the board itself" in hands.refusal("answer", point=lit(hands))


def test_the_number_of_touches_is_nowhere_in_public(hands: AskingHands) -> None:
    plug_in(hands)
    states = []
    for times in (3, 4):
        hands.ask("phone", times=times, first=True)
        hands.touch("g1")
        states.append((hands.state["asking"] | {"seconds": 0}, instruction(hands.board.life.play.controller)))
    assert states[0] == states[1]


@pytest.mark.parametrize("times", [1, 10, True, "3", 3.0])
def test_a_number_of_touches_nobody_could_mean_is_refused(hands: AskingHands, times: object) -> None:
    assert "from 2 to 9" in hands.refusal("phone", times=times)


def test_a_knock_touches_twice(hands: AskingHands) -> None:
    hands.ask("phone")
    hands.visit(lit(hands), 0.15, 0.15)
    hands.visit(lit(hands), 0.15, 0.15)
    pause(hands)
    assert take(hands) == ""


def test_the_point_is_empty_and_another_each_time(hands: AskingHands) -> None:
    hands.place("a1 g7 d6 f4")
    points = set()
    for _ in range(30):
        hands.ask("phone")
        points.add(lit(hands))
    assert len(points) > 8
    assert not points & {"a1", "g7", "d6", "f4"}


def test_it_waits_for_a_minute(hands: AskingHands) -> None:
    hands.ask("phone")
    hands.wait(50)
    assert named(hands.wait(8), "ask-closed") == []
    assert named(hands.wait(3), "ask-closed") == ["ask-closed"]
    assert "isn't waiting" in take(hands)


def test_other_points_let_nobody_in(hands: AskingHands) -> None:
    hands.ask("phone")
    (other, *_) = {"a1", "g7", "d6"} - {lit(hands)}
    hands.touch(other)
    hands.touch(other)
    assert "hasn't been touched" in take(hands)


def test_hands_that_play_on_end_it(hands: AskingHands) -> None:
    hands.ask("phone")
    (other, *_) = {"a1", "g7", "d6"} - {lit(hands)}
    hands.do(put=other, piece="white")
    assert named(hands.wait(5), "ask-closed", "turn") == ["ask-closed", f"turn {other}"]


def test_an_open_menu_is_not_disturbed(hands: AskingHands) -> None:
    hands.ask("ask")
    assert "asking something else" in hands.refusal("phone")
    assert hands.state["asking"]["question"] == "game"


def test_without_light_nobody_is_let_in(hands: AskingHands) -> None:
    hands.do(fault={"leds": "unplugged"})
    hands.wait(1)
    assert "can't show its menu" in hands.refusal("phone")


def plug_in(hands: AskingHands) -> None:
    controller = hands.board.life.play.controller
    controller.asks.plugged_in_until = controller.now + 60_000_000


def test_the_first_phone_of_a_board_just_plugged_in_needs_no_certain_point(hands: AskingHands) -> None:
    plug_in(hands)
    hands.ask("phone", first=True)
    assert len(hands.state["asking"]["options"]) == 24
    assert "any point" in to_english(instruction(hands.board.life.play.controller))
    hands.touch("g1")
    hands.touch("a7")
    assert "hasn't been touched" in take(hands)
    hands.touch("g1")
    pause(hands)
    assert take(hands) == ""


@pytest.mark.parametrize(("first", "is_plugged_in"), [(False, True), (True, False)])
def test_any_later_phone_needs_the_point_that_is_lit(
    hands: AskingHands, first: bool, is_plugged_in: bool
) -> None:
    if is_plugged_in:
        plug_in(hands)
    hands.ask("phone", first=first)
    assert lit(hands)
