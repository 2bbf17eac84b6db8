"""The second look at a board that nothing explains: at rest, thought over, and by its beginning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Game, Step
from firmware_host.ports import SensorKind
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.verdict import Undecided
from tests.support.examples import few
from tests.support.matrix import CI, sampled
from tests.support.observed_script import game_of
from tests.support.scripted_board import ScriptedBoard, after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
"""White, to move, closes a7 d7 g7 by g4-g7."""
MILL = "a7 e3 d7 f2"
"""White, to place, closes a7 d7 g7 by g7, and may take e3 or f2."""
READY = "d6 f4 d7 b6 a7 g1 g4 c4"
"""The same, and Black can move b6 where c4 could go."""
KINDS = pytest.mark.parametrize("kind", [SensorKind.PRESENCE, SensorKind.POLARITY])


def turns_of(events: list[str]) -> list[str]:
    """Return the turns among events."""
    return [event for event in events if event.startswith("turn ")]


# ---- the beginning -----------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("gap", [85, 150, 200])
def test_turn_before_a_second_piece_counts_in_its_time(kind: SensorKind, gap: int) -> None:
    board = after("a7 e3", alphabet=kind)
    assert turns_of(board.hands(f"+d6 {gap} +b4 {300 - gap}")) == ["turn d6 white"]
    assert board.hands("1500")[-1] in ("mismatch b4", "turn b4 black"), "without colours it may be the reply"


@KINDS
def test_turn_before_an_illegal_reply_counts_and_owners_stay(kind: SensorKind) -> None:
    board = after("a7 e3 g4 d2", alphabet=kind)
    assert turns_of(board.hands("+d6 150 -e3 500 @f4 3000")) == ["turn d6 white"]
    assert board.texts == "a7 e3 g4 d2 d6"


def test_two_pieces_at_once_are_an_error_together() -> None:
    board = after("a7 e3", alphabet=SensorKind.POLARITY)
    assert turns_of(board.hands("+d6 50 +b4 3000")) == [], "no hand pauses for so short a time"


# ---- at rest -----------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("gap", [0, 30, 60, 79])
def test_capture_at_the_moment_of_a_corrected_landing_counts(kind: SensorKind, gap: int) -> None:
    board = after(PLACED, *FOUR, alphabet=kind)
    board.hands("-g4 300 +b2 1500 -b2 300")
    assert turns_of(board.hands(f"+g7 {gap} -a1 1500")) == ["turn g4-g7xa1 white"]


@KINDS
def test_turn_while_nobody_watched_counts_after_a_rest(kind: SensorKind) -> None:
    board = after(PLACED, *FOUR, alphabet=kind)
    board.session.suspended = True
    board.hands("-g4 300 +g7 500 -a1 500")
    board.session.suspended = False
    assert turns_of(board.hands("-d6 100 +d6 1500")) == ["turn g4-g7xa1 white"]


def test_jolt_at_rest_is_no_turn() -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    assert turns_of(board.hands("-g4 10 +g7 10 -d6 5000 +d6 5000")) == []


def test_rest_shows_no_error_first_if_it_will_count() -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    board.hands("-g4 300 +b2 1500 -b2 300")
    events = board.hands("+g7 30 -a1 1500")
    assert not [event for event in events if event.startswith("mismatch")]


def test_moves_back_amid_an_error_are_no_turns_at_rest() -> None:
    board = after(f"{PLACED} d6-d5 f4-e4", *FOUR)
    board.hands("-d5 300 +b2 1500 -b2 300")
    assert turns_of(board.hands("+d6 30 -e4 300 +f4 5000")) == [], "hands may be on the way back"


def test_other_last_turn_at_rest_takes_no_reply_along() -> None:
    board = after(f"{PLACED} d6-d5", *FOUR)
    board.hands("-d5 300 +b2 1500 -b2 30")
    assert turns_of(board.hands("+b6 30 -f4 300 +e4 5000")) == []


# ---- thought over ------------------------------------------------------------------------------------


def test_piece_back_after_it_counted_as_moved_may_be_either_players() -> None:
    board = after("a7 e3")
    board.hands("+d6 400 -d6 100 +f4 1500 +d6 3000")
    assert isinstance(board.session.verdict, Undecided), "d6 was White's, or is Black's reply"
    assert turns_of(board.hands("-f4 2000")) == ["turn d6 white"]
    assert board.texts == "a7 e3 d6"


def test_turns_moved_back_the_latest_first_make_way_for_another() -> None:
    board = after(f"{PLACED} d6-d5 f4-e4", *FOUR)
    hands = "-e4 300 +f4 300 -d5 300 +d6 300 -g4 300 +g7 300 -a1 5000"
    assert turns_of(board.hands(hands)) == ["turn g4-g7xa1 white"]
    assert board.texts == f"{PLACED} g4-g7xa1"


@KINDS
@pytest.mark.parametrize("back", [300, 990, 1100, 3000])
def test_captured_piece_put_back_at_any_time_is_no_turn(kind: SensorKind, back: int) -> None:
    board = after(MILL, alphabet=kind)
    board.hands(f"+g7 700 -e3 {back} @e3 500 -f2 3000")
    assert board.texts == f"{MILL} g7xf2"


@KINDS
@pytest.mark.parametrize("back", [300, 990, 1100, 3000])
def test_turn_taken_back_captured_piece_first_is_no_turn(kind: SensorKind, back: int) -> None:
    board = after(MILL, alphabet=kind)
    board.hands(f"+g7 700 -e3 {back} @e3 500 -g7 4000")
    assert board.texts == MILL


def test_take_back_that_a_lifted_piece_suggests_ends_as_it_is_back() -> None:
    board = after(MILL, alphabet=SensorKind.POLARITY)
    board.hands("+g7 700 -e3 1500 @e3 500")
    assert board.hands("-g7 1500 +g7 5000") == ["lifted g7", "put-back g7"]
    assert board.texts == f"{MILL} g7xe3 e3"


# ---- properties --------------------------------------------------------------------------------------

POINTS = ("a7", "d7", "g7", "b6", "d6", "e5", "a4", "c4", "f4", "g4", "e3", "f2", "a1", "d1", "g1")
HANDS = st.lists(
    st.tuples(st.sampled_from("+@-"), st.sampled_from(POINTS), st.sampled_from([0, 15, 60, 100, 260, 1100])),
    min_size=1,
    max_size=7,
)


def owners(game: Game) -> list[object]:
    """Return the owner of the piece on each point; None where none stands."""
    return [piece and piece.owner for piece in game.position.standing]


def script_of(board: ScriptedBoard, hands: list[tuple[str, str, int]]) -> str:
    """Return a script of those of the `hands` that can be: a piece lands where none stands."""
    points = zip(board.rules.layout.points, owners(board.session.game), strict=True)
    stands = {point.name for point, owner in points if owner}
    words = []
    for what, point, wait in hands:
        if (what == "-") is (point in stands):
            (stands.discard if what == "-" else stands.add)(point)
            words.append(f"{what}{point} {wait}")
    return " ".join((*words, "1200"))


@few(60)
@given(HANDS, st.sampled_from([SensorKind.PRESENCE, SensorKind.POLARITY]))
def test_second_look_never_exchanges_owners_of_pieces_that_stand(
    hands: list[tuple[str, str, int]], kind: SensorKind
) -> None:
    board = after(PLACED, *FOUR, alphabet=kind)
    look = board.session.reconciler._second_look
    for word in script_of(board, hands).split():
        before = owners(board.session.game), board.session.expected_frame()
        board.hands(word)
        reconciler = board.session.reconciler
        if reconciler._second_look is not look or look._found is None:
            continue
        stands = [now == then for now, then in zip(board.frame, before[1], strict=True)]
        after_it = owners(board.session.game)
        assert all(after_it[i] == before[0][i] for i, is_same in enumerate(stands) if is_same)


@few(60)
@given(HANDS)
def test_nothing_is_thought_over_unless_something_was_captured(hands: list[tuple[str, str, int]]) -> None:
    board = after(PLACED, *FOUR, alphabet=SensorKind.POLARITY)
    played = board.session.game.steps
    board.hands(script_of(board, [hand for hand in hands if hand[0] != "-"]))
    assert _shared(played, board.session.game.steps) == len(played)


def _shared(one: tuple[Step, ...], other: tuple[Step, ...]) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


@pytest.mark.parametrize("other", ["d6 f4 d7 a1 d5xf4", "f4 d6 a1 d7"], ids=["captured", "exchanged"])
def test_second_look_rejects_what_changes_pieces_that_stand(other: str) -> None:
    board = after("d6 f4 d7 a1")
    look = board.session.reconciler._second_look
    own, changed = (game_of(turns) for turns in (board.texts, other))
    assert look._keeps_owners(Explanation(own.ply, (), own.position))
    assert not look._keeps_owners(Explanation(0, changed.steps, changed.position))


# ---- noise -------------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("noise", ["@b2 @b4", "+b2 @d2 +b4"])
def test_piece_set_down_as_noise_begins_is_no_failed_chip(kind: SensorKind, noise: str) -> None:
    board = after(f"{MILL} g7xe3", alphabet=kind)
    board.hands("2000")
    board.at_once(f"@e3 {noise}")
    board.hands("50")
    board.at_once(" ".join(f"-{word[1:]}" for word in noise.split()))
    assert turns_of(board.hands("1500")) == ["turn e3 black"]


# ---- a capture that is regretted ---------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("taken", sampled([400, 1500], others=CI))
def test_captured_piece_in_the_box_moves_nowhere(kind: SensorKind, taken: int) -> None:
    for back in (50, 300, 1200):
        for gap in (50, 500):
            board = after(READY, *FOUR, alphabet=kind)
            board.hands(f"-g4 200 +g7 600 -c4 {taken} -g7 200 +g4 {back} -d6 200 +d5 {gap}")
            board.hands("-b6 200 @b4 4000")
            assert board.texts == f"{READY} g4-g7xc4", (back, gap)
            board.hands("@c4 2000")
            assert board.texts == f"{READY} d6-d5 b6-b4", (back, gap)


@KINDS
def test_capture_that_was_put_back_is_no_beginning_though_its_piece_is_lifted_again(kind: SensorKind) -> None:
    before = "f6 d6 g7 d2 g1 a1"
    board = after(before, "six", alphabet=kind)
    board.hands("+g4 5 -d6 280 -g4 500 -a1 5 @d6 2980 -d6 200")
    assert board.texts == f"{before} g4"


def test_no_story_without_a_capture_begins_with_it() -> None:
    before = "d2 g1 a7 f2 g4 b2 d1 b6 a1 d7"
    board = after(before, "six", alphabet=SensorKind.PRESENCE)
    board.hands("-b6 50 +a4 760 @d6 60 @b4 350 -d6 5 -b4 20 @b6 600 @b4 1700")
    assert board.texts == f"{before} a4xb6 b6"
    board.hands("-g4 750 +g7 700 -a4 50 -b4 10 @d3 270 -d3 10 @b4 3000")
    assert board.texts == f"{before} a4xb6 b6"


@KINDS
@pytest.mark.parametrize("back", sampled([500, 700, 950], others=CI))
def test_captured_piece_back_at_once_is_nobodys_reply(kind: SensorKind, back: int) -> None:
    for reply in (100, 300, back - 100):
        board = after("d6 f4 d7 a1", alphabet=kind)
        board.hands(f"+d5 500 -f4 {reply} @c3 {back - reply} @f4 4000")
        assert not board.texts.endswith(" f4"), reply
        board.hands("-a1 4000")
        assert board.texts == "d6 f4 d7 a1 d5xa1 c3", reply


@KINDS
@pytest.mark.parametrize("back", sampled([300, 1500], others=CI))
@pytest.mark.parametrize("hands", ["@c4 1500 -f4", "-f4 1500 @c4"])
def test_capture_regretted_after_the_reply_is_another(kind: SensorKind, back: int, hands: str) -> None:
    board = after(READY + " g4-g7xc4", *FOUR, alphabet=kind)
    board.hands(f"-b6 200 @b4 {back} {hands} 4000")
    assert board.texts == f"{READY} g4-g7xf4 b6-b4"
