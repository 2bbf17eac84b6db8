"""The state of a board for its house, and the events of its game."""

from __future__ import annotations

from typing import Any

from firmware_host.link.house.entities import EVENT_TYPES, game_events, house_state
from tests.link.house.states import played

MILL = "d6 d2 f6 f2 b6"
"""White closes a mill with the last of these turns, and has to take a piece."""


def events(before: dict[str, Any], *states: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for state in states:
        found += list(game_events(before, state))
        before = state
    assert {event["event_type"] for event in found} <= set(EVENT_TYPES)
    return found


def test_state_has_what_entities_show() -> None:
    state = house_state(played("d6 f4"))
    assert (state["status"], state["to_move"], state["turns"]) == ("ready", "white", 2)
    assert (state["rules"], state["problem"], state["far_is_here"]) == ("standard", "OFF", "OFF")
    assert (state["brightness"], state["light"]) == (60, "on")
    assert (state["white_s"], state["winner"]) == (None, None)


def test_state_names_faults_the_other_board_and_clocks() -> None:
    page = played("d6")
    page |= {
        "faults": ["x" * 500] * 9,
        "far": {"status": "sent"},
        "outcome": {"winner": "white", "reason": "time"},
    }
    page["clock"] = {"white_s": 12.5, "black_s": 0.0}
    state = house_state(page)
    assert (state["problem"], len(state["faults"]), len(state["faults"][0])) == ("ON", 5, 200)
    assert state["far_is_here"] == "ON"
    assert (state["white_s"], state["black_s"]) == (12.5, 0.0)
    assert (state["winner"], state["reason"]) == ("white", "time")
    assert house_state({**page, "far": {"status": "away"}})["far_is_here"] == "OFF"
    assert house_state({**page, "settings": {**page["settings"], "brightness": 0.05}})["light"] == "off"


def test_each_turn_is_an_event_with_its_player() -> None:
    found = events(played(), played("d6"), played("d6 f4"))
    assert found == [
        {"event_type": "turn", "turn": "d6", "by": "white", "number": 1},
        {"event_type": "turn", "turn": "f4", "by": "black", "number": 2},
    ]
    at_once = events(played(), played("d6 f4"))
    assert at_once == found


def test_a_mill_and_its_removal_are_events() -> None:
    due, taken = played(MILL), played(f"{MILL}xd2")
    assert due["status"] == "remove"
    found = events(played(MILL.rpartition(" ")[0]), due, taken)
    assert found == [
        {"event_type": "mill", "by": "white"},
        {"event_type": "turn", "turn": "b6xd2", "by": "white", "number": 5},
        {"event_type": "removal", "by": "white", "points": ["d2"]},
    ]


def test_events_while_a_piece_is_lifted_wait_for_the_removal() -> None:
    due = played(MILL)
    lifted = {**due, "status": "lifted"}
    before = played(MILL.rpartition(" ")[0])
    found = events(before, due, lifted, due, lifted, played(f"{MILL}xd2"))
    assert found == events(before, due, played(f"{MILL}xd2"))
    assert [(event["event_type"], event["by"]) for event in found] == [
        ("mill", "white"),
        ("turn", "white"),
        ("removal", "white"),
    ]


def test_a_take_back_is_no_turn() -> None:
    assert events(played("d6 f4 d2"), played("d6"), played()) == []


def test_the_end_a_mismatch_and_a_question_are_events_once() -> None:
    page = played("d6")
    over = {**page, "outcome": {"winner": "black", "reason": "resigned"}, "status": "over"}
    assert events(page, over, over) == [{"event_type": "over", "winner": "black", "reason": "resigned"}]
    wrong = {**page, "status": "mismatch"}
    (found,) = events(page, wrong, wrong)
    assert (found["event_type"], found["sentence"]) == ("mismatch", wrong["sentence"])
    asking = {**page, "asking": {"question": "game", "options": {}, "sure": None, "seconds": 5}}
    assert events(page, asking, asking, page) == [{"event_type": "ask", "question": "game"}]


def utterance(number: int, text: str, *, aloud: bool = True) -> dict[str, Any]:
    """Return an utterance with a report and a prompt."""
    sentences = {name: [{"text": text, "said": {}}] for name in ("reports", "prompts")}
    return {"number": number, "level": "turns", "aloud": aloud, "soft": False, "to": None, **sentences}


def test_all_that_a_board_says_aloud_is_an_event_once() -> None:
    before = played()
    first, second = utterance(1, "Weiß: d6."), utterance(2, "Schwarz: f4.")
    found = events(
        before,
        {**before, "speech": [first]},
        {**before, "speech": [first]},
        {**before, "speech": [first, second, utterance(3, "only here", aloud=False)]},
    )
    assert found == [
        {"event_type": "said", "sentence": "Weiß: d6. Weiß: d6.", "level": "turns"},
        {"event_type": "said", "sentence": "Schwarz: f4. Schwarz: f4.", "level": "turns"},
    ]
