"""The clocks of a board: when they run, for whom, and what happens when time is up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.hands_that_ask import AskingHands, board_with_store, named


def board(control: str = "5+3", **options: Any) -> AskingHands:
    """Return a board with clocks, before the first turn."""
    hands = AskingHands(**options)
    hands.ask("set", clock=control)
    return hands


def clock(hands: AskingHands) -> dict[str, Any]:
    found: dict[str, Any] = hands.state["clock"]
    return found


def left(hands: AskingHands) -> tuple[float, float]:
    found = clock(hands)
    return found["white_s"], found["black_s"]


def near(times: tuple[float, float]) -> Any:
    """Return these times, give or take a frame and the rounding."""
    return pytest.approx(times, abs=0.11)


def clocks(said: list[dict[str, Any]]) -> list[str]:
    """Return what the clocks did."""
    events = [one for one in said if one.get("event") == "clock"]
    return [f"{one['what']} {one['player']} {one['seconds']}" for one in events]


def test_board_without_clocks_has_none() -> None:
    hands = AskingHands()
    assert "clock" not in hands.state
    assert clocks(hands.place("d6 f4") + hands.wait(100)) == []


def test_clock_runs_from_the_end_of_the_first_turn() -> None:
    hands = board()
    assert clock(hands) == {
        "control": "5+3",
        "white_s": 303.0,
        "black_s": 303.0,
        "running": None,
        "flag": None,
        "strict": False,
        "bar_leds": 0,
    }
    hands.wait(60)
    assert left(hands) == near((303, 303))
    assert clocks(hands.place("d6")) == ["start black 303"]
    hands.wait(8.5)
    assert clock(hands)["running"] == "black"
    assert left(hands) == near((306, 293))


def test_wait_of_the_board_is_nobodys_time() -> None:
    hands = board()
    hands.place("d6", wait=10)
    hands.do(put="f4", piece="black")
    hands.do(wait=0.1)
    assert clock(hands)["running"] == "black"
    hands.wait(0.9)
    assert left(hands) == near((305, 296))


def test_removal_is_part_of_its_turn() -> None:
    hands = board()
    hands.place("d6 a1 b6 a4", wait=5)
    before = left(hands)
    hands.do(put="f6", piece="white")
    hands.wait(5)
    assert left(hands) == near((before[0] - 5, before[1]))
    hands.do(lift="a1")
    hands.do(box=True)
    hands.wait(2)
    assert left(hands) == near((before[0] - 5 + 3, before[1] - 2))


def test_clock_stands_while_paused() -> None:
    hands = board()
    hands.place("d6", wait=10)
    assert clocks(hands.ask("pause")) == ["stop black 293"]
    hands.wait(100)
    assert left(hands) == near((306, 293))
    assert clocks(hands.ask("resume")) == ["start black 293"]
    hands.wait(5)
    assert left(hands) == near((306, 288))


def test_clock_stands_while_the_board_asks() -> None:
    hands = board()
    hands.place("d6", wait=10)
    hands.ask("ask")
    hands.wait(8)
    assert left(hands) == near((306, 293))
    hands.ask("ask")
    hands.wait(3)
    assert left(hands) == near((306, 290))


def test_clock_stands_from_the_menu_to_the_switched_off_board() -> None:
    hands = board()
    hands.place("d6", wait=10)
    said = hands.ask("ask") + hands.touch("f4") + hands.touch("f4") + hands.wait(4)
    assert clocks(said) == ["stop black 293"]
    assert "answer off" in named(said)


def test_clock_stands_while_sensors_fail() -> None:
    hands = board()
    hands.place("d6 f4 b4 g1 a7 c3", wait=10)
    for chip in range(3):
        hands.do(fault={"mux": chip, "kind": "dead"})
    hands.wait(1)
    assert hands.state["status"] == "fault"
    stood = left(hands)
    hands.wait(30)
    assert left(hands) == stood
    hands.do(repair=True)
    hands.wait(5)
    assert clock(hands)["running"] == "white"
    assert left(hands)[0] < stood[0] - 4


def test_clock_runs_on_for_a_minute_of_mismatch() -> None:
    hands = board()
    hands.place("d6 f4 b4 g1 a7 c3", wait=10)
    hands.do(lift="d6")
    hands.do(lift="f4")
    hands.wait(21)
    assert hands.state["status"] == "mismatch"
    assert clock(hands)["running"] == "white"
    hands.wait(50)
    stood = left(hands)
    assert clock(hands)["running"] is None
    hands.wait(100)
    assert left(hands) == stood
    hands.do(put="f4")
    hands.do(put="d6")
    hands.wait(1)
    assert clock(hands)["running"] == "white"


def test_take_back_restores_the_times_of_that_turn() -> None:
    hands = board()
    hands.place("d6 f4 b4", wait=10)
    assert left(hands) == near((299, 286))
    hands.ask("take-back")
    hands.do(lift="b4")
    hands.do(box=True)
    hands.wait(1)
    assert left(hands) == near((305, 296))


def test_revision_is_charged_to_its_player() -> None:
    hands = board()
    hands.place("d6 f4", wait=10)
    hands.do(put="b4", piece="white")
    hands.wait(3)
    hands.do(lift="b4")
    hands.wait(4)
    assert clock(hands)["running"] == "white"
    hands.do(put="b2")
    hands.wait(2)
    assert left(hands) == near((292, 294))


def test_flag_is_only_shown_where_that_is_agreed() -> None:
    hands = board("1")
    hands.place("d6", wait=10)
    said = hands.wait(60)
    assert clocks(said) == ["low black 30", "low black 10", "flag black 0"]
    assert clock(hands)["flag"] == "black"
    assert clock(hands)["black_s"] == 0
    assert "turn" in " ".join(named(hands.place("f4")))
    assert hands.state["status"] == "ready"


def test_strict_flag_loses_the_game() -> None:
    hands = board("1")
    hands.ask("set", clock_flag="strict")
    hands.place("d6", wait=10)
    said = hands.wait(49.9)
    assert "over" not in " ".join(named(said))
    said = hands.wait(0.2)
    assert clocks(said) == ["flag black 0", "stop black 0"]
    over = next(one for one in said if one["event"] == "over")
    assert (over["winner"], over["reason"]) == ("white", "time")
    assert over["t"] - (said[0]["t"] - 0) <= 0.1


def test_undone_time_out_goes_on_without_another() -> None:
    hands = board("1")
    hands.ask("set", clock_flag="strict")
    hands.place("d6", wait=70)
    assert hands.state["outcome"]["reason"] == "time"
    hands.ask("undo")
    hands.wait(30)
    assert hands.state["outcome"] is None
    assert clock(hands)["flag"] == "black"


def test_turn_that_landed_in_time_is_not_lost() -> None:
    hands = board("1")
    hands.ask("set", clock_flag="strict")
    hands.place("d6", wait=0)
    hands.wait(59.98)
    hands.do(put="f4", piece="black")
    said = hands.wait(2)
    assert hands.state["outcome"] is None
    assert "turn f4" in named(said)


@pytest.mark.parametrize("sensors", ["presence", "polarity"])
def test_time_of_a_board_that_plays_stands(sensors: str) -> None:
    hands = AskingHands(sensors=sensors, black="engine:1", engine=False)
    hands.ask("set", clock="5+3")
    hands.place("d6", wait=20)
    assert clock(hands)["running"] is None
    assert left(hands) == near((306, 303))
    hands.ask("choose", turn="f4")
    hands.place("f4", wait=0)
    assert left(hands) == near((306, 303)), "a turn that costs nothing earns no increment"


def test_next_game_gets_the_clock_that_was_set_during_one() -> None:
    hands = board("5+3")
    hands.place("d6", wait=10)
    hands.ask("set", clock="10")
    assert clock(hands)["control"] == "5+3"
    hands.ask("new-game")
    hands.do(lift="d6")
    hands.do(box=True)
    hands.wait(1)
    assert clock(hands)["control"] == "10"


def test_new_game_can_name_its_clock() -> None:
    hands = AskingHands()
    hands.ask("new-game", clock="3+2/5")
    assert left(hands) == near((182, 300))


def test_game_that_was_left_goes_on_with_its_times() -> None:
    hands = board()
    hands.place("d6 f4", wait=10)
    before = left(hands)
    hands.ask("new-game", clock="10")
    hands.wait(20)
    hands.ask("undo")
    assert left(hands) == near(before)
    hands.wait(5)
    assert left(hands) == near((before[0] - 5, before[1]))


def test_power_cut_pauses_and_loses_no_more_than_five_seconds(tmp_path: Any) -> None:
    hands = board_with_store(tmp_path)
    hands.ask("set", clock="5+3")
    hands.place("d6 f4", wait=10)
    hands.wait(23)
    before = left(hands)
    hands.do(power="off")
    hands.wait(100)
    hands.do(power="on")
    hands.wait(10)
    assert hands.state["status"] == "paused"
    white, black = left(hands)
    assert black == pytest.approx(before[1], abs=0.11)
    assert before[0] - 0.11 <= white <= before[0] + 5.11
    hands.ask("resume")
    hands.wait(5)
    assert left(hands) == near((white - 5, black))
    hands.ask("take-back")
    assert left(hands)[0] == 306
    hands.close()


def test_lesson_has_no_clock() -> None:
    hands = board("1")
    hands.ask("new-game", rules="lesson")
    assert "clock" not in hands.state
    hands.ask("new-game", rules="standard")
    assert left(hands) == near((60, 60))


def test_clock_is_agreed_by_touch() -> None:
    hands = AskingHands()
    hands.ask("ask")
    hands.touch("f2")
    assert hands.state["asking"]["question"] == "clock"
    hands.touch("e4")
    hands.wait(0.1)
    assert clock(hands)["control"] == "5+3"
