"""The next game: people change sides by turns, for the loser or by lot, and their names with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import rule_set
from firmware_host.play.seats import changes_sides, corner_of_white
from tests.support.hands_that_ask import AskingHands, board_with_store, named

WHITE, BLACK = Player


def over(first: Player, winner: Player | None, plies: int = 2) -> Game:
    rules = rule_set("standard", [f"first={first}"])
    game = Game.begin(rules, rules.start(first))
    for _ in range(plies):
        game = game.play(game.position.legal_steps()[0])
    return game.declare(Outcome(Reason.RESIGNED if winner else Reason.AGREED, winner))


def no_lot() -> Player:
    raise AssertionError("no lot is drawn")


@pytest.mark.parametrize(
    ("starts", "last", "first", "changes"),
    [
        ("rules", over(WHITE, WHITE), WHITE, False),
        ("turns", over(WHITE, WHITE), WHITE, True),
        ("turns", over(WHITE, BLACK), WHITE, True),
        ("turns", over(WHITE, None), BLACK, False),
        ("turns", over(BLACK, None), BLACK, True),
        ("turns", over(WHITE, None, plies=0), WHITE, False),
        ("loser", over(WHITE, WHITE), WHITE, True),
        ("loser", over(WHITE, BLACK), WHITE, False),
        ("loser", over(WHITE, BLACK), BLACK, True),
        ("loser", over(WHITE, None), WHITE, True),
    ],
)
def test_people_change_sides(starts: str, last: Game, first: Player, changes: bool) -> None:
    assert changes_sides(starts, last, first, no_lot) == changes


@pytest.mark.parametrize("drawn", list(Player))
def test_a_lot_decides_about_each_game(drawn: Player) -> None:
    assert changes_sides("lot", over(WHITE, None, plies=0), WHITE, lambda: drawn) == (drawn is BLACK)
    assert changes_sides("lot", over(WHITE, WHITE), WHITE, lambda: drawn) == (drawn is BLACK)


def test_corners() -> None:
    assert [corner_of_white(MORRIS, turned=turned).name for turned in (False, True)] == ["g1", "a7"]
    assert [corner_of_white(SQUARES, turned=turned).name for turned in (False, True)] == ["e1", "a5"]


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands(engine=False)
    hands.ask("set", starts="turns")
    yield hands
    hands.close()


def clear(hands: AskingHands) -> list[dict[str, object]]:
    hands.do(sweep=True)
    said = hands.wait(4)
    hands.wait(13)
    return said


def corner(hands: AskingHands) -> list[str]:
    return [point for point, cues in hands.state["cues"].items() if cues == ["white"]]


def test_the_corner_of_white_is_lit_until_the_first_step(hands: AskingHands) -> None:
    assert corner(hands) == ["g1"]
    hands.place("g1 d6")
    assert corner(hands) == []
    clear(hands)
    assert corner(hands) == ["a7"]
    hands.place("a7 d6")
    clear(hands)
    assert corner(hands) == ["g1"]


def test_without_it_no_corner_is_lit(hands: AskingHands) -> None:
    hands.ask("set", starts=None)
    assert corner(hands) == []


def test_names_and_seats_go_with_the_people(hands: AskingHands) -> None:
    hands.ask("names", names={"white": "Anna", "black": "Ben"})
    hands.place("a1 d6")
    said = clear(hands)
    assert named(said, "over", "game", "names") == ["over abandoned", "game", "names"]
    assert hands.state["names"] == {"white": "Ben", "black": "Anna"}
    hands.ask("seats", white="engine:1")
    hands.place("a1")
    hands.ask("new-game")
    assert hands.state["seats"] == {"white": "engine:1", "black": "here"}  # nothing was played


def test_a_new_game_that_names_a_side_leaves_all_as_they_sit(hands: AskingHands) -> None:
    hands.place("a1 d6")
    hands.ask("new-game", black="engine:2")
    hands.do(sweep=True)
    hands.wait(1)
    assert hands.state["seats"] == {"white": "here", "black": "engine:2"}
    assert corner(hands) == ["g1"]


def test_undoing_an_end_undoes_the_change(hands: AskingHands) -> None:
    hands.ask("names", names={"white": "Anna", "black": "Ben"})
    hands.place("a1 d6")
    hands.ask("new-game")
    assert hands.state["names"] == {"white": "Ben", "black": "Anna"}
    hands.ask("undo")
    assert hands.state["names"] == {"white": "Anna", "black": "Ben"}
    clear(hands)
    assert hands.state["names"] == {"white": "Ben", "black": "Anna"}
    hands.ask("undo")
    assert hands.state["names"] == {"white": "Anna", "black": "Ben"}


def test_a_result_by_touch_decides_who_begins(hands: AskingHands) -> None:
    hands.ask("set", starts="loser")
    hands.place("a1 d6")
    hands.do(sweep=True)
    hands.wait(4)
    hands.touch("e4")
    hands.touch("e4")
    hands.wait(1)
    assert corner(hands) == ["g1"]  # Black has won, and the loser has White already
    hands.place("a1 d6")
    hands.do(sweep=True)
    hands.wait(4)
    hands.touch("c4")
    hands.touch("c4")
    hands.wait(1)
    assert corner(hands) == ["a7"]


def test_sides_hold_over_a_power_cut(tmp_path: Path) -> None:
    hands = board_with_store(tmp_path)
    hands.ask("set", starts="turns")
    hands.place("a1 d6")
    clear(hands)
    assert corner(hands) == ["a7"]
    hands.do(power="off")
    hands.wait(1)
    hands.do(power="on")
    hands.wait(1)
    assert corner(hands) == ["a7"]
    hands.close()


def test_mitsudomoe_lights_the_corner_while_its_pieces_are_missing() -> None:
    hands = AskingHands("mitsudomoe")
    hands.ask("set", starts="turns")
    assert corner(hands) == []
    hands.do(sweep=True)
    hands.wait(4)
    assert corner(hands) == ["e1"]
    hands.close()


# ---- handicaps ---------------------------------------------------------------------------------------------


def test_a_handicap_is_part_of_the_rules(hands: AskingHands) -> None:
    hands.ask("new-game", set={"odds": "white:-2"})
    assert hands.state["rules"] == "standard odds=white:-2"
    assert hands.state["position"].split()[4:8] == ["0", "7", "0", "9"]
    hands.ask("new-game", set={"odds": "black:-3"})
    assert hands.state["position"].split()[4:8] == ["0", "9", "0", "6"]


def test_a_handicap_is_chosen_by_touch(hands: AskingHands) -> None:
    hands.knock("c3")
    hands.touch("b6")
    hands.touch("f6")
    assert hands.state["asking"]["question"] == "starting"
    said = hands.touch("a7")
    assert named(said, "answer", "game") == ["answer odds:white-1", "game"]
    assert hands.state["position"].split()[4:8] == ["0", "8", "0", "9"]
    hands.knock("c3")
    hands.touch("b6")
    hands.touch("f6")
    assert "a7" in hands.state["cues"]
    hands.touch("d3")
    preferences = hands.board.life.play.controller.preferences
    assert preferences.effective.play.starts == "loser"


def test_a_handicap_that_leaves_too_few_pieces_is_refused(hands: AskingHands) -> None:
    assert "fewer than 3" in hands.refusal("new-game", set={"pieces": 4, "odds": "white:-2"})
