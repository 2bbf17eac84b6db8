"""The oracle of hands that also did something wrong, on cases that were worked out by hand."""

from __future__ import annotations

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import Felt, FeltChange
from tests.fuzz.oracle.judging.principles import IN_DOUBT, likely, passed, was_likely
from tests.fuzz.oracle.plain_rules import BLACK, RULE_SETS, WHITE, MillMoment, position_text
from tests.fuzz.oracle.readings import Agreed
from tests.fuzz.oracle.table import POINTS

OPENING = MillMoment(
    RULE_SETS["standard"], {"e3": BLACK, "d2": BLACK, "g4": WHITE, "a7": WHITE}, {WHITE: 7, BLACK: 7},
    WHITE, WHITE,
)  # fmt: skip
MILL = MillMoment(
    RULE_SETS["standard"],
    {
        **dict.fromkeys(["b4", "b2", "d7", "g4", "a7"], WHITE),
        **dict.fromkeys(["e3", "c3", "f2", "d1", "c5"], BLACK),
    },
    {WHITE: 0, BLACK: 0}, WHITE, WHITE, placing=False,
)  # fmt: skip


LASKER = MillMoment(
    RULE_SETS["lasker"],
    {
        **dict.fromkeys(["b2", "c3", "d2", "d3", "e3", "f2", "f4", "f6"], WHITE),
        **dict.fromkeys(["b4", "c4", "d1", "d5", "d7"], BLACK),
    },
    {WHITE: 1, BLACK: 2}, BLACK, WHITE,
)  # fmt: skip


CLOSING = MillMoment(
    RULE_SETS["lasker"],
    {
        **dict.fromkeys(["a4", "b6", "c3", "d1", "d3", "d6", "e3", "g4"], WHITE),
        **dict.fromkeys(["b2", "d2", "e4", "g1", "g7"], BLACK),
    },
    {WHITE: 2, BLACK: 4}, BLACK, WHITE,
)  # fmt: skip


def felt(moment: MillMoment, *changes: tuple[int, str, str]) -> Felt:
    """Changes at milliseconds, on a board that stands as `moment` and whose sensors report colours."""
    before = {point: moment.board.get(point, "") for point in POINTS}
    return Felt(before, tuple(FeltChange(1000 * at, point, reading) for at, point, reading in changes))


def felt_pieces(moment: MillMoment, *changes: tuple[int, str, bool]) -> Felt:
    """Changes at milliseconds, on a board whose sensors report pieces alone."""
    before = {point: "piece" if point in moment.board else "" for point in POINTS}
    return Felt(before, tuple(FeltChange(1000 * at, p, "piece" if is_on else "") for at, p, is_on in changes))


def moment_after(moment: MillMoment, *steps: str) -> MillMoment:
    for text in steps:
        moment = plain.play(moment, text)
    return moment


def after(moment: MillMoment, *steps: str) -> str:
    return position_text(moment_after(moment, *steps))


def test_honest_turn_counts_beside_a_second_piece() -> None:
    read = felt(OPENING, (0, "d6", WHITE), (150, "b4", WHITE))
    assert likely(Agreed(OPENING), read, colours=True) == {after(OPENING, "d6")}


def test_two_pieces_within_a_moment_have_no_reading() -> None:
    read = felt(OPENING, (0, "d6", WHITE), (40, "b4", WHITE))
    assert likely(Agreed(OPENING), read, colours=True) == set()


def test_rested_board_counts_where_changes_are_no_evidence() -> None:
    read = felt(MILL, (0, "e3", ""), (900, "g7", WHITE), (2000, "g4", ""))
    wanted = after(MILL, "g4-g7", "xe3")
    assert likely(Agreed(MILL), read, colours=True, blind=True) == {wanted}


def test_capture_was_likely_until_its_piece_is_back() -> None:
    closed = plain.play(MILL, "g4-g7")
    read = felt(closed, (0, "e3", ""))
    assert was_likely(after(closed, "xe3"), Agreed(closed), read, colours=True)
    assert not was_likely(after(closed, "xc3"), Agreed(closed), read, colours=True)


def test_chosen_turn_is_the_only_one_of_its_side() -> None:
    read = felt(OPENING, (0, "d6", WHITE), (900, "f4", BLACK))
    wanted = after(OPENING, "d6", "f4")
    assert likely(Agreed(OPENING), read, colours=True, chosen="f4") == {wanted}
    assert wanted not in likely(Agreed(OPENING), felt(OPENING, (0, "d6", WHITE)), colours=True, chosen="a1")


def test_unwatched_captures_may_have_been_either() -> None:
    moment = MillMoment(
        RULE_SETS["standard"],
        {**dict.fromkeys(["c4", "c5", "d3", "d1"], WHITE), **dict.fromkeys(["f4", "g7", "b2", "a1"], BLACK)},
        {WHITE: 0, BLACK: 0}, WHITE, WHITE, placing=False,
    )  # fmt: skip
    moves = [(0, "d3", ""), (0, "c3", WHITE), (0, "f4", ""), (0, "g7", ""), (0, "g4", BLACK)]
    end = after(moment, "d3-c3", "xg7", "f4-g4")
    way = [after(moment, "d3-c3", "xf4"), after(moment, "d3-c3", "xg7"), after(moment, "d3-c3")]
    assert passed(moment, end, felt(moment, *moves)) == {*way, position_text(moment), end}
    assert passed(moment, after(moment, "d3-c3", "xa1"), felt(moment, *moves)) == set()


def test_another_piece_within_a_second_of_one_that_stood_there_is_in_doubt() -> None:
    corrected = [(0, "d1", False), (770, "d6", True), (1340, "d6", False), (1900, "g1", True)]
    at_once = felt_pieces(LASKER, *corrected, (1920, "d6", True))
    later = felt_pieces(LASKER, *corrected, (2400, "d6", True))
    wanted = after(LASKER, "d1-g1", "d6")
    assert likely(Agreed(LASKER), at_once, colours=False) == {wanted, IN_DOUBT}
    assert likely(Agreed(LASKER), later, colours=False) == {wanted}


def test_mistake_that_rests_as_another_capture_may_count_as_one() -> None:
    agreed = Agreed(moment_after(CLOSING, "f2", "xd6"), CLOSING, ("f2", "xd6"), {"d6": -3_000_000})
    mistaken = [(0, "a4", False), (350, "d6", True)]
    corrected = [(1700, "d6", False), (2400, "a7", True), (2430, "d5", True)]
    other = after(CLOSING, "f2", "xa4")
    assert likely(agreed, felt_pieces(agreed.now, *mistaken), colours=False) == {other}
    assert likely(agreed, felt_pieces(agreed.now, *mistaken, *corrected), colours=False) == {
        after(agreed.now, "a4-a7", "d5"),
        after(CLOSING, "f2", "xa4", "d6-d5", "a7"),
    }


def test_piece_of_such_a_mistake_may_be_in_hand_when_the_game_goes_on() -> None:
    agreed = Agreed(moment_after(CLOSING, "f2", "xd6"), CLOSING, ("f2", "xd6"), {"d6": -3_000_000})
    mistaken = [(0, "a4", False), (350, "d6", True)]
    corrected = [(1700, "d6", False), (2400, "a1", True), (2430, "c5", True)]
    found = likely(agreed, felt_pieces(agreed.now, *mistaken, *corrected), colours=False)
    assert after(CLOSING, "f2", "xa4", "a1", "c5") in found


def test_mistake_that_completes_another_capture_may_be_one() -> None:
    board = {point: owner for point, owner in MILL.board.items() if point != "c3"} | {"d3": BLACK}
    before = MillMoment(MILL.rules, board, dict(MILL.hand), WHITE, WHITE, placing=False)
    agreed = Agreed(moment_after(before, "g4-g7", "xe3"), before, ("g4-g7", "xe3"), {"e3": -3_000_000})
    read = felt(agreed.now, (0, "d3", ""), (150, "e3", BLACK), (350, "c5", ""))
    assert likely(agreed, read, colours=True) == {
        after(agreed.now, "d3-e3"),
        after(before, "g4-g7", "xd3"),
    }
