"""The oracle of readings, tried on cases whose readings were worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import Felt, FeltChange
from tests.fuzz.oracle.plain_rules import BLACK, RULE_SETS, WHITE, MillMoment
from tests.fuzz.oracle.readings import Agreed, TurnRun, cheapest, readings
from tests.fuzz.oracle.table import POINTS


def after(turns: str, rules: str = "standard") -> Agreed:
    """The agreement after whole turns, each of which closes at most one mill."""
    moment = plain.start(RULE_SETS[rules], WHITE)
    before: MillMoment | None = None
    last: tuple[str, ...] = ()
    for text in turns.split():
        found = [turn for turn in plain.whole_turns(moment) if "".join(turn) == text]
        assert found, f"{text} is not legal"
        before, last = moment, found[0]
        for step in last:
            moment = plain.play(moment, step)
    return Agreed(moment, before, last)


def on(white: str, black: str, to_move: str = WHITE, hand: int = 0) -> Agreed:
    """An agreement on a position in the middle of a game."""
    board = {**dict.fromkeys(white.split(), WHITE), **dict.fromkeys(black.split(), BLACK)}
    hands = {WHITE: hand, BLACK: hand}
    return Agreed(MillMoment(RULE_SETS["standard"], board, hands, to_move, WHITE, placing=bool(hand)))


def read(agreed: Agreed, script: str, *, colours: bool = False) -> list[TurnRun]:
    """The readings of a script: `-d6` opens a point, `+d6` and `@d6` fill it, a number waits milliseconds."""
    at, changes = 5_000_000, []
    for word in script.split():
        if word.isdigit():
            at += int(word) * 1000
            continue
        colour = {"+": WHITE, "@": BLACK, "-": ""}[word[0]]
        changes.append(FeltChange(at, word[1:], colour if colours or not colour else "piece"))
    board = agreed.now.board
    before = {p: (board[p] if colours else "piece") if p in board else "" for p in POINTS}
    return readings(agreed, Felt(before, tuple(changes)), colours=colours)


def turns(found: list[TurnRun]) -> set[str]:
    return {" ".join(one.steps) for one in cheapest(found)} if found else set()


MIDDLE = on("d2 a1 c4 f6", "d6 g1 e5 b6")


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("-d2 300 +d1", {"d2-d1"}),
        ("-d2 90 -d6 90 +d1 90 @d7", {"d2-d1 d6-d7"}),
        ("-d2 90 -d6 90 @d7 90 +d1", {"d2-d1 d6-d7"}),
        ("-d2 90 +b2 100 -b2 90 +d1", {"d2-d1"}),
        ("-d2 90 -b6 90 @b6 90 +d1", {"d2-d1"}),
        ("-d2 +d1 90 -d1 700 +d1", {"d2-d1"}),
        ("-d6 90 @d7", set()),
        ("-d2 300", set()),
        ("-d2 300 +d2", {""}),
        ("-d2 3000 +d2 100 -a1 300 +d1", {"a1-d1"}),
    ],
)
def test_readings_of_moves(script: str, wanted: set[str], colours: bool) -> None:
    assert turns(read(MIDDLE, script, colours=colours)) == wanted


def test_readings_of_flights_that_cross_differ_by_colour() -> None:
    agreed = on("a1 d2 f4", "c5 e5 g7")
    crossing = "-a1 90 -c5 90 +b6 90 @c3"
    assert turns(read(agreed, crossing)) == {"a1-b6 c5-c3", "a1-c3 c5-b6"}
    assert turns(read(agreed, crossing, colours=True)) == {"a1-b6 c5-c3"}


def test_readings_of_reply_placed_first_are_told_apart_by_colour() -> None:
    agreed = after("d6 f4", "lasker")
    assert turns(read(agreed, "-d6 200 +d5 300 +b6")) == {"d6-d5 b6"}
    assert turns(read(agreed, "-d6 200 @d5 300 +b6", colours=True)) == {"d6-b6 d5"}


def test_readings_of_placements_follow_their_order() -> None:
    agreed = on("a1", "g1", hand=5)
    assert turns(read(agreed, "+d6 5 @f4")) == {"d6 f4"}
    assert turns(read(agreed, "+d6 @f4")) == {"d6 f4", "f4 d6"}
    assert turns(read(agreed, "+d6 @f4", colours=True)) == {"d6 f4"}
    assert turns(read(agreed, "@d6 90 +f4", colours=True)) == set()


def due(white: str, black: str) -> Agreed:
    """White has just closed a mill with d2-d1 and has to take a piece."""
    before = on(white, black).now
    return Agreed(plain.play(before, "d2-d1"))


@pytest.mark.parametrize("colours", [False, True])
def test_readings_of_brush_beside_capture_is_the_capture(colours: bool) -> None:
    agreed = due("d2 a1 g1 f6", "d6 b6 e5 c3")
    assert turns(read(agreed, "-b6 150 -d6 50 @b6", colours=colours)) == {"xd6"}
    assert turns(read(agreed, "-b6 150 -d6 2000 @b6", colours=colours)) == {"xb6 d6-b6"}


def test_readings_of_reply_onto_captured_point_where_its_piece_is_safe() -> None:
    agreed = due("d2 a1 g1 f6", "d6 d5 d7 b6 a7")
    assert turns(read(agreed, "-b6 300 -d6 300 @b6")) == {"xb6 d6-b6"}


def test_readings_of_bounce_on_captured_point() -> None:
    before = on("a1 d1 f6", "d6 b6 e5 c3", hand=4).now
    closed = plain.play(plain.play(before, "g1"), "xc3")
    agreed = Agreed(closed, before, ("g1", "xc3"), {"c3": 0})
    assert turns(read(agreed, "@c3 100 -c3 700 @c3")) == {"c3"}
    at_once = Agreed(closed, before, ("g1", "xc3"), {"c3": 4_500_000})
    assert turns(read(at_once, "@c3")) == {"g1"}


def test_readings_of_capture_on_captured_point_and_of_turn_undone() -> None:
    before = on("d6 b6 e5 c3", "a1 d1 f6", BLACK, hand=4).now
    agreed = Agreed(plain.play(plain.play(before, "g1"), "xd6"), before, ("g1", "xd6"), {"d6": 0})
    closing = replace(agreed, now=replace(agreed.now, board={**agreed.now.board, "f6": WHITE}))
    assert turns(read(agreed, "+d6 600 -g1", colours=True)) == {""}
    assert turns(read(agreed, "-g1 600 +d6", colours=True)) == {""}
    assert turns(read(closing, "+d6 600 -g1", colours=True)) == {"d6 xg1"}


def test_readings_of_piece_just_played_that_is_lifted_again() -> None:
    agreed = after("a1 d6 f4 f6 d2")
    assert turns(read(agreed, "-d2 300 +c3")) == {"c3"}
    assert turns(read(agreed, "-d2 300 +b6")) == {"b6", "b6 xd2"}
    assert turns(read(agreed, "-d2 300 @b6", colours=True)) == {"b6 xd2"}
    assert turns(read(agreed, "-d2 300 +b6", colours=True)) == {"b6"}
    assert turns(read(agreed, "-d2 2000")) == {""}


@pytest.mark.parametrize(("stood", "price"), [(200, 2), (600, 1)])
def test_readings_of_next_piece_taken_back_cost_as_much_as_haste(stood: int, price: int) -> None:
    found = read(on("a1 c5 f6", "d6 g1 e5", hand=2), f"+d2 600 +b4 {stood} -b4")
    assert [one.price for one in cheapest(found)] == [price]
    assert turns(found) == {"d2"}


def test_readings_of_straightening_swap_no_owners() -> None:
    agreed = after("a1 d3")
    assert turns(read(agreed, "+g7 60 -d3 80 +d3")) == {"g7"}
    assert turns(read(agreed, "-d3 60 +g7 80 +d3")) == {"g7"}


def test_readings_of_removal_that_may_be_declined() -> None:
    before = MillMoment(
        RULE_SETS["simple"], MIDDLE.now.board, {WHITE: 0, BLACK: 0}, WHITE, WHITE, placing=False
    )
    agreed = Agreed(plain.play(before, "d2-d1"))
    assert turns(read(agreed, "-d6 90 @d7")) == {"d6-d7"}


def test_readings_of_capture_taken_first_beside_reply() -> None:
    agreed = on("d2 a1 g1 f6", "d6 b6 e5 c3")
    assert turns(read(agreed, "-b6 200 -d2 90 -d6 90 +d1 90 @d7")) == {"d2-d1 xb6 d6-d7"}


def test_readings_of_pieces_that_fell_off_and_are_back_is_nothing() -> None:
    agreed = after("a1 d6 g1 b2 d2 f6 d1xd6")
    assert turns(read(agreed, "-a1 -d1 -g1 -d2 3000 +d2 500 +g1 500 +a1 500 +d1")) == {""}


def test_readings_of_glitches_are_none() -> None:
    agreed = on("d2 a1 g1 f6", "d6 b6 e5 c3")
    assert turns(read(agreed, "-b6 5 @b6 100 -d2 300 +b2")) == {"d2-b2"}
