"""Questions about another board: four points, being ready, offers and phrases, at one board with a link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.hands_that_ask import AskingHands, Said, named

ASKS = ("ask", "answer", "ask-closed")


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands()
    hands.ask("room", stage="outside")
    yield hands
    hands.close()


def report(hands: AskingHands, stage: str | None, **members: Any) -> Said:
    """Have the link report its room, and wait for what follows."""
    return hands.ask("room", stage=stage, **members) + hands.wait(0.1)


def wish(hands: AskingHands) -> dict[str, Any]:
    found: dict[str, Any] = hands.state["far"]["wish"]
    return found


def open_room(hands: AskingHands) -> dict[str, str]:
    """Open the menu about the room, and return its options."""
    hands.ask("ask")
    hands.touch(ROOM_AT[hands.state["rules"]])
    asking = hands.asking
    assert asking is not None
    options: dict[str, str] = asking["options"]
    return options


ROOM_AT = {"standard": "d6", "mitsudomoe": "c5"}


def test_without_a_link_no_other_board_is_offered() -> None:
    hands = AskingHands()
    hands.ask("ask")
    assert hands.asking is not None
    assert "room" not in hands.asking["options"].values()
    hands.close()


@pytest.mark.parametrize("points", [("a1", "g7", "d6", "a1"), ("d2", "d2", "d2", "d2")])
def test_four_touches_wish_for_the_room_of_these_points(hands: AskingHands, points: tuple[str, ...]) -> None:
    assert open_room(hands) == {"d5": "meet", "d2": "back"}
    hands.touch("d5")
    for number, point in enumerate(points, 1):
        assert hands.asking is not None
        assert set(hands.asking["options"].values()) == {f"meet:{number}"}
        assert len(hands.asking["options"]) == 24
        said = hands.touch(point)
    assert named(said, *ASKS) == ["answer meet:4", "ask-closed"]
    assert wish(hands) == {"number": 1, "what": "meet", "points": list(points)}
    report(hands, "alone", done=1)
    assert wish(hands) == {"number": 1, "what": "meet"}, "the points are a key"


def test_points_of_a_room_that_was_not_made_are_forgotten(hands: AskingHands) -> None:
    open_room(hands)
    hands.touch("d5")
    hands.touch("a1")
    assert named(hands.wait(61), *ASKS) == ["ask-closed"]
    open_room(hands)
    hands.touch("d5")
    assert hands.asking is not None
    assert set(hands.asking["options"].values()) == {"meet:1"}
    assert "a1" not in {point for point, cues in hands.state["cues"].items() if cues == ["asked"]}


def test_25_squares_meet_as_well() -> None:
    hands = AskingHands("mitsudomoe")
    hands.do(sweep=True)
    hands.wait(4)
    hands.ask("room", stage="outside")
    assert open_room(hands) == {"c4": "meet", "c1": "back"}
    hands.touch("c4")
    for point in ("a1", "e5", "c3", "b2"):
        hands.touch(point)
    assert wish(hands)["points"] == ["a1", "e5", "c3", "b2"]
    hands.close()


def test_a_board_that_comes_lights_the_point_to_be_ready(hands: AskingHands) -> None:
    report(hands, "alone")
    assert named(report(hands, "waiting"), *ASKS) == ["ask begin"]
    assert hands.asking is not None
    assert hands.asking["options"] == {"d5": "ready", "d2": "back"}
    assert named(hands.touch("d5"), *ASKS) == ["answer ready", "ask-closed"]
    assert wish(hands)["what"] == "ready"


@pytest.mark.parametrize("before", [("outside",), ("alone", "unconnected"), ("alone", None, "unconnected")])
def test_a_board_that_is_there_already_is_asked_about(
    hands: AskingHands, before: tuple[str | None, ...]
) -> None:
    """A link that has just come into the room may report both boards at once."""
    for stage in before:
        report(hands, stage)
    assert named(report(hands, "waiting"), *ASKS) == ["ask begin"]


@pytest.mark.parametrize("between", [("unconnected",), (None, "unconnected")])
def test_a_connection_that_returns_asks_nothing(hands: AskingHands, between: tuple[str | None, ...]) -> None:
    report(hands, "alone")
    report(hands, "waiting")
    assert named(hands.touch("d2"), *ASKS) == ["answer back", "ask-closed"]
    for stage in between:
        report(hands, stage)
    assert named(report(hands, "waiting"), *ASKS) == []


def test_a_board_that_came_while_the_menu_was_open_is_asked_about_afterwards(hands: AskingHands) -> None:
    hands.ask("ask")
    for stage in ("unconnected", "alone", "waiting", "unconnected"):
        assert named(report(hands, stage), *ASKS) == []
    hands.ask("ask")
    assert hands.asking is None
    assert named(report(hands, "waiting"), *ASKS) == ["ask begin"]


def test_a_game_that_goes_on_is_not_interrupted_by_a_board_that_comes(hands: AskingHands) -> None:
    hands.place("d6 f4")
    report(hands, "alone")
    assert named(report(hands, "waiting"), *ASKS) == []
    assert open_room(hands)["d5"] == "ready"


@pytest.mark.parametrize(("point", "does"), [("d5", "accept"), ("d3", "decline")])
def test_an_offer_is_answered_by_a_touch(hands: AskingHands, point: str, does: str) -> None:
    hands.place("d6 f4")
    assert named(report(hands, "playing", question="take-back"), *ASKS) == ["ask offer"]
    assert named(hands.touch(point), *ASKS) == [f"answer {does}", "ask-closed"]
    assert wish(hands)["what"] == does
    assert named(report(hands, "playing"), *ASKS) == []


def test_a_draw_is_accepted_by_two_touches(hands: AskingHands) -> None:
    hands.place("d6 f4")
    report(hands, "playing", question="draw")
    assert named(hands.touch("d5"), *ASKS) == []
    assert wish_or_none(hands) is None
    assert named(hands.touch("d5"), *ASKS) == ["answer accept", "ask-closed"]
    assert wish(hands)["what"] == "accept"


def wish_or_none(hands: AskingHands) -> dict[str, Any] | None:
    found: dict[str, Any] | None = hands.state["far"]["wish"]
    return found


def test_an_offer_waits_until_hands_have_finished(hands: AskingHands) -> None:
    hands.place("d6 f4 d7 a1 a4 g1")
    hands.do(lift="d6")
    hands.wait(0.3)
    assert named(report(hands, "playing", question="draw"), *ASKS) == []
    assert named(hands.do(put="d6") + hands.wait(1), *ASKS) == ["ask offer"]


def test_an_offer_waits_until_a_mill_is_answered(hands: AskingHands) -> None:
    hands.place("a1 d6 a4 f4 a7")
    assert hands.state["status"] == "remove"
    assert named(report(hands, "playing", question="draw"), *ASKS) == []
    hands.do(lift="d6")
    hands.do(box=True)
    assert named(hands.wait(1), *ASKS) == ["ask offer"]


def test_an_offer_that_is_withdrawn_is_asked_no_more(hands: AskingHands) -> None:
    report(hands, "playing", question="draw")
    assert named(report(hands, "playing"), *ASKS) == ["ask-closed"]


def test_an_offer_is_asked_for_a_minute_and_stays_in_the_menu(hands: AskingHands) -> None:
    report(hands, "playing", question="draw")
    assert named(hands.wait(59), *ASKS) == []
    assert named(hands.wait(2), *ASKS) == ["ask-closed"]
    options = open_room(hands)
    assert (options["d5"], options["d3"]) == ("accept", "decline")


@pytest.mark.parametrize(
    ("point", "phrase"),
    [
        ("a7", "good-game"),
        ("d7", "wait"),
        ("g7", "your-turn"),
        ("g1", "again"),
        ("d1", "thanks"),
        ("a1", "bye"),
    ],
)
def test_a_phrase_is_said_and_lit_at_the_same_point(hands: AskingHands, point: str, phrase: str) -> None:
    report(hands, "ready")
    open_room(hands)
    hands.touch(point)
    assert wish(hands) == {"number": 1, "what": "say", "phrase": phrase}
    said = report(hands, "ready", message={"number": 1, "phrase": phrase})
    assert named(said, "phrase") == ["phrase"]
    assert hands.state["cues"][point] == ["ask"]
    assert named(report(hands, "ready", message={"number": 1, "phrase": phrase}), "phrase") == []
    hands.wait(5)
    assert hands.state["cues"][point] == ["destination"]


def test_an_old_phrase_is_not_lit_when_the_link_comes_back(hands: AskingHands) -> None:
    hands.ask("room", stage=None)
    hands.wait(0.1)
    assert named(report(hands, "ready", message={"number": 4, "phrase": "bye"}), "phrase") == []
    assert named(report(hands, "ready", message={"number": 5, "phrase": "bye"}), "phrase") == ["phrase"]


def test_in_a_far_game_draw_and_take_back_are_offers(hands: AskingHands) -> None:
    hands.ask("new-game", black="far", white="here")
    hands.place("d6")
    report(hands, "playing")
    hands.ask("ask")
    assert hands.asking is not None
    assert hands.asking["options"]["d5"] == "offer-take-back"
    assert hands.asking["options"]["d3"] == "offer-draw"
    assert "rules" not in hands.asking["options"].values()
    hands.touch("d5")
    assert wish(hands)["what"] == "take-back"


def test_a_room_that_was_left_leaves_the_board_free(hands: AskingHands) -> None:
    hands.ask("new-game", black="far", white="here")
    hands.place("d6")
    report(hands, "playing")
    assert "another board" in hands.refusal("new-game")
    report(hands, "outside")
    hands.ask("ask")
    assert hands.asking is not None
    assert "rules" in hands.asking["options"].values()
    hands.ask("new-game")
    assert "seats" not in hands.state


@pytest.mark.parametrize(
    "members",
    [
        {"wish": "meet"},
        {"wish": "meet", "points": ["a1", "a1", "a1"]},
        {"wish": "meet", "points": ["a1", "a1", "a1", "z9"]},
        {"wish": "say"},
        {"wish": "say", "phrase": "hello"},
        {"wish": "ready", "phrase": "bye"},
        {"wish": "ready", "points": ["a1"]},
    ],
)
def test_a_wish_that_is_not_whole_is_refused(hands: AskingHands, members: dict[str, Any]) -> None:
    assert hands.refusal("wish", **members)
    assert wish_or_none(hands) is None


def test_a_sleeping_board_wakes_for_somebody_at_another_board(hands: AskingHands) -> None:
    report(hands, "alone")
    hands.wait(1000)
    assert set(map(str, hands.state["cues"].values())) == {"['resting']"}
    report(hands, "waiting")
    assert hands.state["cues"] == {"d5": ["ask"], "d2": ["ask"]}
    hands.wait(1000)
    report(hands, "waiting", message={"number": 1, "phrase": "bye"})
    assert hands.state["cues"]["a1"] == ["ask"]
