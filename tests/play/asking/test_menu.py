"""The ask at a whole board: opened by hands, answered by touches, and gone without a trace."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from firmware_host.errors import RequestError
from tests.support.hands_that_ask import AskingHands, named

ASKS = ("ask", "answer", "ask-closed")


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands()
    yield hands
    hands.close()


def position(hands: AskingHands) -> str:
    return str(hands.state["position"])


# ---- opening -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["standard", "lasker", "mitsudomoe"])
@pytest.mark.parametrize("sensors", ["presence", "polarity"])
def test_knock_before_a_game_opens_the_ask(rules: str, sensors: str) -> None:
    hands = AskingHands(rules, sensors)
    if rules == "mitsudomoe":
        hands.do(sweep=True)
        hands.wait(4)
    assert named(hands.knock("c3"), *ASKS) == ["ask game"]
    assert hands.state["status"] == "asking"
    hands.close()


@pytest.mark.parametrize(("down", "up"), list(product((0.05, 0.24, 0.6), (0.05, 0.24, 0.6))))
def test_knock_while_placing_leaves_no_trace(hands: AskingHands, down: float, up: float) -> None:
    hands.place("a1 g7")
    before = position(hands)
    assert named(hands.knock("d6", down, up), "ask") == ["ask game"]
    assert position(hands) == before
    assert named(hands.wait(13), "ask-closed", "mismatch", "step") == ["ask-closed"]
    assert position(hands) == before
    assert hands.state["status"] == "ready"
    assert "redo" not in hands.state


def test_slow_knock_does_not_end_what_can_be_redone(hands: AskingHands) -> None:
    hands.place("a1 g7")
    hands.ask("take-back")
    hands.do(lift="g7")
    hands.wait(1)
    hands.knock("d6", 0.4, 0.4)
    assert hands.asking is not None
    assert hands.state["redo"] == ["g7"]


def test_knock_with_all_pieces_placed_opens_nothing() -> None:
    hands = AskingHands(switches=("pieces=3",))
    hands.place("a1 g7 d6 f4 b2 e3")
    hands.do(lift="a1")
    assert named(hands.knock("d1"), "ask") == []
    hands.close()


def test_two_held_pieces_open_the_ask_once(hands: AskingHands) -> None:
    hands.place("d6 f4 d7 a1 a4 g1 b2 c4")
    said = hands.do(lift="d6") + hands.wait(0.3) + hands.do(lift="d7") + hands.wait(3)
    assert named(said, *ASKS, "mismatch") == ["mismatch", "ask game"]
    assert hands.state["status"] == "asking"
    assert named(hands.wait(30), *ASKS) == ["ask-closed"]  # they are still in the hands
    hands.do(put="d6")
    hands.do(put="d7")
    assert named(hands.wait(1), *ASKS, "restored") == ["restored"]
    assert named(hands.hold_up("d6", "d7"), "ask") == ["ask game"]


def test_held_pieces_are_put_back_and_another_point_touched(hands: AskingHands) -> None:
    hands.place("d6 f4 d7 a1 a4 g1 b2 c4")
    hands.hold_up("d6", "d7")
    assert hands.asking is not None
    assert named(hands.touch("d5")) == ["answer take-back", "ask-closed", "taken-back", "mismatch"]
    assert hands.state["extra"] == ["c4"]


def test_a_held_piece_can_touch_at_once(hands: AskingHands) -> None:
    hands.place("d6 f4 d7 a1 a4 g1 b2 c4")
    hands.do(lift="d6")
    hands.wait(0.3)
    hands.do(lift="d7")
    hands.wait(2.1)
    assert named(hands.touch("e3"), *ASKS, "paused") == ["answer pause", "ask-closed", "paused"]


@pytest.mark.parametrize("status", ["ready", "paused", "over", "lifted", "mismatch", "clear"])
def test_ask_opens_by_request_at_every_status(hands: AskingHands, status: str) -> None:
    hands.place("a1 g7 d6 f4")
    match status:
        case "paused":
            hands.ask("pause")
        case "over":
            hands.ask("draw")
        case "lifted":
            hands.do(lift="f4")
            hands.wait(0.5)
        case "mismatch":
            hands.do(lift="a1")
            hands.do(put="b2")
            hands.do(put="b4", piece="black")
            hands.wait(3)
        case "clear":
            hands.ask("new-game")
    assert hands.state["status"] == status
    before = hands.state
    assert named(hands.ask("ask"), *ASKS) == ["ask game"]
    assert hands.state["asking"]["options"]
    assert hands.state["status"] == (status if status in ("paused", "over") else "asking")
    assert named(hands.ask("ask"), *ASKS) == ["ask-closed"]
    hands.wait(2)
    if status != "lifted":  # by now, that takes the turn back
        assert {**hands.state, "leds": 0} == {**before, "leds": 0}


@pytest.mark.parametrize("status", ["paused", "over"])
def test_held_pieces_ask_while_paused_and_after_the_end(hands: AskingHands, status: str) -> None:
    hands.place("d6 f4 d7 a1 a4 g1 b2 c4")
    hands.ask("pause" if status == "paused" else "draw")
    assert named(hands.hold_up("d6", "d7"), "ask") == ["ask game"]
    options = hands.state["asking"]["options"].values()
    assert ("resume" if status == "paused" else "undo") in options


# ---- closing -----------------------------------------------------------------------------------------------


def test_ask_closes_after_twelve_seconds(hands: AskingHands) -> None:
    hands.ask("ask")
    assert hands.state["asking"]["seconds"] == 12
    assert named(hands.wait(11.9)) == []
    assert named(hands.wait(0.2)) == ["ask-closed"]
    assert hands.state["status"] == "ready"


def test_the_point_it_was_opened_on_closes_it(hands: AskingHands) -> None:
    hands.knock("g1")
    assert named(hands.touch("g1")) == ["ask-closed"]


def test_a_piece_that_is_left_closes_it_and_is_placed(hands: AskingHands) -> None:
    hands.knock("g1")
    hands.do(put="d5")
    assert named(hands.wait(3)) == []
    assert named(hands.wait(0.5)) == ["ask-closed", "step d5", "turn d5"]


def test_a_request_of_the_page_closes_it(hands: AskingHands) -> None:
    hands.place("a1 g7")
    hands.ask("ask")
    assert named(hands.ask("pause")) == ["paused", "ask-closed"]


def test_a_request_that_is_refused_leaves_it_open(hands: AskingHands) -> None:
    hands.ask("ask")
    with pytest.raises(RequestError):
        hands.ask("take-back")
    assert hands.asking is not None


def test_settings_leave_it_open(hands: AskingHands) -> None:
    hands.ask("ask")
    assert named(hands.ask("set", hints=False)) == []
    assert hands.asking is not None


def test_a_sensor_fault_closes_it(hands: AskingHands) -> None:
    hands.place("a1 g7 d6 f4 b2 e3 d1 c4")
    hands.ask("ask")
    for mux in range(3):
        hands.do(fault={"mux": mux, "kind": "dead"})
    said = hands.wait(1)
    assert named(said, "ask-closed", "taken-back") == ["ask-closed"]
    with pytest.raises(RequestError, match="can't show its menu"):
        hands.ask("ask")
    hands.do(repair=True)
    assert named(hands.wait(1), "fault-cleared") == ["fault-cleared"]
    assert named(hands.ask("ask"), "ask") == ["ask game"]


def test_without_light_nothing_is_asked(hands: AskingHands) -> None:
    hands.ask("ask")
    hands.do(fault={"leds": "unplugged"})
    assert named(hands.wait(1), "ask-closed") == ["ask-closed"]
    assert named(hands.knock("d6"), "ask") == []
    hands.do(repair=True)
    hands.wait(2)
    assert named(hands.knock("d6"), "ask") == ["ask game"]


def test_a_cleared_board_closes_it_and_ends_the_game(hands: AskingHands) -> None:
    hands.place("a1 g7 d6")
    hands.ask("ask")
    hands.do(sweep=True)
    said = hands.wait(4)
    assert named(said) == ["over abandoned", "game", "ask-closed", "ask result"]


def test_a_power_cut_forgets_it(tmp_path: Path) -> None:
    hands = AskingHands(store=tmp_path / "games.db")
    hands.place("a1 g7")
    before = position(hands)
    hands.knock("d6")
    hands.touch("c4")
    assert hands.state["asking"]["sure"] == "c4"
    hands.do(power="off")
    hands.wait(1)
    hands.do(power="on")
    hands.wait(1)
    assert (hands.asking, hands.state["status"], position(hands)) == (None, "ready", before)
    hands.close()


# ---- answering ---------------------------------------------------------------------------------------------


def test_hands_do_not_count_while_it_is_open(hands: AskingHands) -> None:
    hands.place("a1 g7")
    before = position(hands)
    hands.ask("ask")
    for point in ("g1", "d7", "a1", "g7"):  # none of them is lit
        assert named(hands.touch(point, 0.6)) == []
    hands.wait(12)
    assert position(hands) == before


def test_a_touch_is_answered_by_light_within_sixty_milliseconds(hands: AskingHands) -> None:
    hands.ask("ask")
    hands.do(put="f6", piece="white")
    hands.wait(0.2)
    hands.do(lift="f6")
    said = hands.wait(0.06)
    assert named(said) == ["answer opponent", "ask opponent"]
    assert hands.state["cues"]["d5"] == ["asked"]
    assert "d7" in hands.state["leds"]


def test_groups_lead_on_and_back(hands: AskingHands) -> None:
    hands.ask("ask")
    assert named(hands.touch("b2")) == ["answer board", "ask board"]
    assert named(hands.touch("d2")) == ["answer back", "ask game"]
    assert named(hands.touch("d2")) == ["answer back", "ask-closed"]


def test_what_ends_a_game_needs_two_touches(hands: AskingHands) -> None:
    hands.place("a1 g7 d6")
    hands.ask("ask")
    assert named(hands.touch("e4")) == []
    assert hands.state["cues"] == {"e4": ["sure"]}
    assert hands.state["asking"] == {
        "question": "game",
        "options": {"e4": "black-won"},
        "sure": "e4",
        "seconds": hands.state["asking"]["seconds"],
    }
    assert named(hands.touch("d5")) == []
    assert named(hands.touch("e4")) == ["answer black-won", "ask-closed", "over resigned"]
    assert hands.state["outcome"] == {"winner": "black", "reason": "resigned"}


def test_one_touch_of_what_ends_a_game_ends_nothing(hands: AskingHands) -> None:
    hands.place("a1 g7 d6")
    hands.ask("ask")
    hands.touch("e4")
    assert named(hands.wait(7)) == ["ask-closed"]
    assert hands.state["outcome"] is None


def test_an_answer_by_request_is_a_touch(hands: AskingHands) -> None:
    hands.place("a1 g7 d6")
    hands.ask("ask")
    assert named(hands.ask("answer", point="d5")) == [
        "answer take-back",
        "ask-closed",
        "taken-back",
        "mismatch",
    ]
    with pytest.raises(RequestError, match="isn't asking"):
        hands.ask("answer", point="d5")
    hands.ask("ask")
    with pytest.raises(RequestError, match="g7 can't be touched"):
        hands.ask("answer", point="g7")
    with pytest.raises(RequestError, match="z9 can't be touched"):
        hands.ask("answer", point="z9")


def test_a_masked_point_offers_nothing(hands: AskingHands) -> None:
    hands.ask("mask", point="f6")
    hands.ask("ask")
    assert "f6" not in hands.state["asking"]["options"]


def test_the_board_does_not_think_while_it_asks(hands: AskingHands) -> None:
    hands.place("a1")
    hands.ask("ask")
    hands.touch("f6")
    assert named(hands.touch("e4"), "answer", "seats") == ["answer board-black", "seats"]
    assert named(hands.wait(5), "chosen") == []
    hands.ask("ask")
    assert [one["by"] for one in hands.wait(1) if one.get("event") == "chosen"] == ["black"]


def test_a_hint_is_shown_once_the_ask_has_closed() -> None:
    hands = AskingHands(black="engine:1")
    hands.ask("ask")
    assert hands.state["asking"]["options"]["c5"] == "hint"
    said = hands.touch("c5") + hands.wait(1)
    assert named(said, "answer", "ask-closed", "hint")[:3] == ["answer hint", "ask-closed", "hint"]
    hands.ask("set", hint_white="off")
    hands.ask("ask")
    assert "c5" not in hands.state["asking"]["options"]
    hands.close()


def test_other_rules_fill_the_box(hands: AskingHands) -> None:
    hands.ask("ask")
    hands.touch("b6")
    said = hands.touch("c5")
    options = [one["does"] for one in said if one.get("event") == "answer"]
    assert options == ["rules:pounding-0.3b"]
    hands.ask("new-game", rules="standard")
    hands.ask("ask")
    hands.touch("b6")
    assert named(hands.touch("d7"), "answer") == ["answer rules:twelve"]
    kinds = [piece.kind for piece in hands.board.life.play.electronics.table.box]
    assert (kinds + hands.state["held"]).count("white") == 12


# ---- how a cleared game ended ------------------------------------------------------------------------------


def cleared(hands: AskingHands) -> None:
    hands.place("a1 g7 d6 f4")
    hands.do(sweep=True)
    assert named(hands.wait(3.5), "over", *ASKS) == ["over abandoned", "ask result"]


@pytest.mark.parametrize("lasts", [0.1, 0.4, 2.5])
@pytest.mark.parametrize(
    ("point", "does", "outcome"),
    [
        ("c4", "white-won", {"winner": "white", "reason": "resigned"}),
        ("e4", "black-won", {"winner": "black", "reason": "resigned"}),
        ("d3", "draw", {"winner": None, "reason": "agreed"}),
    ],
)
def test_two_touches_say_how_a_cleared_game_ended(
    tmp_path: Path, point: str, does: str, outcome: dict[str, str | None], lasts: float
) -> None:
    hands = AskingHands(store=tmp_path / "games.db")
    cleared(hands)
    start = position(hands)
    said = hands.touch(point, lasts) + hands.wait(0.3) + hands.touch(point, lasts)
    endings = named(said, "answer", "ask-closed", "end-undone", "over", "game")
    assert endings == [f"answer {does}", "ask-closed", "end-undone", f"over {outcome['reason']}", "game"]
    assert [one["winner"] for one in said if one.get("event") == "over"] == [outcome["winner"]]
    assert named(hands.wait(5), "step", "over", "mismatch") == []
    assert (position(hands), hands.state["status"]) == (start, "ready")
    hands.place("b2")
    hands.close()
    with sqlite3.connect(tmp_path / "games.db") as database:
        rows = database.execute("SELECT reason, winner FROM games ORDER BY id").fetchall()
    database.close()
    assert rows == [(outcome["reason"], outcome["winner"]), (None, None)]


def test_one_touch_leaves_a_cleared_game_abandoned(hands: AskingHands) -> None:
    cleared(hands)
    assert named(hands.touch("c4", 0.2)) == []
    assert hands.state["cues"]["c4"] == ["destination", "sure"]
    assert named(hands.wait(8), "ask-closed", "over") == ["ask-closed"]


def test_a_first_move_is_no_result(hands: AskingHands) -> None:
    cleared(hands)
    hands.do(put="c4", piece="white")
    said = hands.wait(4)
    assert named(said) == ["ask-closed", "step c4", "turn c4"]


def test_a_first_move_elsewhere_counts_at_once(hands: AskingHands) -> None:
    cleared(hands)
    hands.do(put="a1", piece="white")
    assert named(hands.wait(0.5)) == ["step a1", "turn a1"]


def test_an_error_in_the_next_game_ends_the_question(hands: AskingHands) -> None:
    cleared(hands)
    hands.do(put="a1", piece="white")
    hands.wait(0.5)
    hands.do(lift="a1")
    hands.do(put="d1")
    hands.do(put="g1", piece="white")
    hands.do(put="g7", piece="white")
    assert named(hands.wait(2.5), *ASKS) == ["ask-closed"]  # sooner than a piece that is left would close it
    assert hands.state["status"] in ("undecided", "mismatch")


def test_a_cleared_game_of_stacks_is_asked_about_while_pieces_are_set_up() -> None:
    hands = AskingHands("mitsudomoe")
    hands.do(put="b2", piece="white-ring")
    hands.wait(1)
    hands.do(lift="b1")
    hands.wait(0.2)
    hands.do(put="b2")
    hands.wait(1)
    hands.do(sweep=True)
    assert named(hands.wait(4), "over", *ASKS) == ["over abandoned", "ask result"]
    hands.wait(1)
    assert hands.state["status"] == "mismatch"
    hands.touch("b3")
    assert named(hands.touch("b3"), "answer", "over") == ["answer white-won", "over resigned"]
    hands.close()


def test_the_question_ends_by_itself(hands: AskingHands) -> None:
    cleared(hands)
    assert named(hands.wait(12.1)) == ["ask-closed"]
    with pytest.raises(RequestError, match="wasn't cleared in mid-game"):
        hands.ask("result", winner="white")


def test_a_result_can_be_named_by_request(hands: AskingHands) -> None:
    cleared(hands)
    assert named(hands.ask("result", winner="black")) == ["end-undone", "over resigned", "game", "ask-closed"]


def test_game_that_was_over_is_not_asked_about(hands: AskingHands) -> None:
    hands.place("a1 g7 d6 f4")
    hands.ask("draw")
    hands.do(sweep=True)
    assert named(hands.wait(4), *ASKS) == []


def test_an_undone_end_is_not_asked_about(hands: AskingHands) -> None:
    cleared(hands)
    assert named(hands.ask("undo"), "ask-closed", "end-undone") == ["end-undone", "ask-closed"]
    assert hands.asking is None


def test_the_next_game_keeps_who_begins() -> None:
    for seed in range(4):
        hands = AskingHands("the-mill", seed=seed)
        hands.place("a1 g7 d6")
        hands.do(sweep=True)
        hands.wait(3.5)
        following = hands.state["to_move"]
        hands.touch("c4")
        hands.touch("c4")
        assert hands.state["to_move"] == following
        hands.close()


def test_a_menu_takes_the_place_of_the_question(hands: AskingHands) -> None:
    cleared(hands)
    assert named(hands.ask("ask"), *ASKS) == ["ask-closed", "ask game"]
    hands.wait(13)
    assert hands.asking is None


@pytest.mark.ci("games")
@pytest.mark.parametrize("waits", ["ask", "pause"])
def test_a_sensor_that_chatters_counts_nothing_when_hands_count_again(hands: AskingHands, waits: str) -> None:
    hands.place("d6")
    hands.do(fault={"point": "b6", "kind": "chatter"})
    hands.wait(2)
    for number in range(20):
        hands.ask(waits)
        hands.wait(1 + number / 50)
        said = hands.ask("ask" if waits == "ask" else "resume") + hands.wait(0.1)
        assert named(said, "step", "turn") == []
