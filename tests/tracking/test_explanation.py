"""Explanations of hands: runs of turns, revisions, pieces in hand, and touches that changed nothing."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.tracking.explanation import (
    DOUBTFUL,
    LATE_THOUGHT,
    OUT_OF_ORDER,
    OWNERS_LIFT,
    UNLIKELY,
    Explanation,
)
from tests.support.observed_script import ObservedScript, game_of, texts

POLARITY = SensorKind.POLARITY
FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
"""White, to move, closes a7 d7 g7 by g4-g7; d6 may go to d5, b6 and f6."""


def four(script: str, turns: str = PLACED, kind: SensorKind = SensorKind.PRESENCE) -> ObservedScript:
    """Four pieces each, all placed, and then what `script` does."""
    return ObservedScript(game_of(turns, *FOUR), script, kind)


def complete(watched: ObservedScript, **options: dict[int, int]) -> dict[str, Explanation]:
    """The complete explanations from the game's position, by their steps."""
    found = watched.explanations(**options)
    return {texts(e): e for e in found if e.complete and e.ply == watched.game.ply}


def revisions(watched: ObservedScript, **options: dict[int, int]) -> dict[str, Explanation]:
    """The complete explanations that go back before the game's position, by their steps."""
    found = watched.explanations(**options)
    return {texts(e): e for e in found if e.complete and e.ply < watched.game.ply}


# ---- runs of turns ------------------------------------------------------------------------------------


def test_a_lifted_piece_is_in_hand_and_nothing_was_played() -> None:
    (explanation,) = complete(four("-d6")).values()
    assert explanation.steps == ()
    assert explanation.in_hand == (MORRIS["d6"].index,)
    assert not explanation.is_whole


def test_a_move_is_explained_by_its_step_alone() -> None:
    (explanation,) = complete(four("-d6 200 +d5")).values()
    assert texts(explanation) == "d6-d5"
    assert explanation.is_whole
    assert explanation.cost == 0


def test_a_run_may_have_ended_a_turn_and_begun_the_next() -> None:
    (explanation,) = complete(four("-d6 200 +d5 100 -f4")).values()
    assert texts(explanation) == "d6-d5"
    assert explanation.in_hand == (MORRIS["f4"].index,)


def test_a_mill_and_its_capture_are_one_run_in_either_order() -> None:
    for script in ("-g4 100 +g7 100 -a1", "-a1 100 -g4 100 +g7"):
        assert "g4-g7 xa1" in complete(four(script))


@pytest.mark.parametrize("landings", ["+d5 200 +e4", "+e4 200 +d5"])
def test_turns_that_overlap_are_a_run_that_costs_little(landings: str) -> None:
    found = complete(four(f"-d6 300 -f4 300 {landings}"))
    assert 0 <= found["d6-d5 f4-e4"].cost < UNLIKELY


def test_a_piece_does_not_land_before_it_was_lifted() -> None:
    assert complete(four("+g7 200 -g4")) == {}


@pytest.mark.parametrize("away", [300, 5000])
def test_a_piece_back_where_it_began_played_no_turns(away: int) -> None:
    moved = "-d6 200 +d5 300 -f4 200 +f6"
    assert "d6-d5 f4-f6" in complete(four(moved))
    assert complete(four(f"{moved} {away} -d5 200 +d6")) == {}


def test_two_placements_are_one_run_where_the_colour_tells_them_apart() -> None:
    told = ObservedScript(game_of(""), "+d6 @f4", POLARITY)
    felt = ObservedScript(game_of(""), "+d6 @f4")
    assert set(complete(told)) == {"d6 f4"}
    assert {"d6 f4", "f4 d6"} <= set(complete(felt))


def test_what_no_run_leads_to_is_not_explained() -> None:
    for script in ("+b2", "-d6 200 +g7", "-a1 -g1"):
        assert not any(e.complete for e in four(script).explanations())


# ---- what came back -----------------------------------------------------------------------------------


def test_a_piece_that_was_straightened_is_no_step() -> None:
    (explanation,) = complete(four("-f4 200 +f4 100 -d6 200 +d5")).values()
    assert texts(explanation) == "d6-d5"
    assert explanation.cost == 0


def test_a_point_that_was_brushed_is_no_step() -> None:
    (explanation,) = complete(four("-d6 100 +b6 100 -b6 100 +d5")).values()
    assert texts(explanation) == "d6-d5"


def test_the_longer_a_piece_was_away_the_likelier_it_was_moved() -> None:
    shortly = complete(four("-f4 200 +f4 100 -d6 200 +d5"))["d6-d5"]
    long = complete(four("-f4 5000 +f4 100 -d6 200 +d5"))["d6-d5"]
    assert shortly.cost < long.cost


def test_a_brush_and_a_capture_are_likelier_than_a_capture_and_a_reply_in_its_place() -> None:
    game = game_of("a1 b6 a4 d6 g1 f2 d7 c3", *FOUR).play(
        game_of("a1 b6 a4 d6 g1 f2 d7 c3", *FOUR).position.legal_step("d7-a7")
    )
    found = complete(ObservedScript(game, "-b6 150 -d6 50 +b6"))
    assert found["xd6"].cost < min((e.cost for key, e in found.items() if "d6-b6" in key), default=UNLIKELY)


def test_a_jolt_is_no_step() -> None:
    found = complete(four("-a1 -d6 +d5 300 +a1"))
    assert "d6-d5" not in found


# ---- revisions ----------------------------------------------------------------------------------------


def test_a_turn_moved_back_is_a_revision_without_steps() -> None:
    found = revisions(four("-d5 200 +d6", PLACED + " d6-d5"))
    assert found[""].is_whole
    assert found[""].position == game_of(PLACED, *FOUR).position


def test_a_turn_thought_over_is_a_revision_with_the_other_turn() -> None:
    (explanation,) = revisions(four("-d5 200 +f6", PLACED + " d6-d5")).values()
    assert texts(explanation) == "d6-f6"
    assert explanation.cost < DOUBTFUL
    assert MORRIS["d5"].index in explanation.undone


def test_a_revision_opens_its_point_before_the_new_landing() -> None:
    after_it = ObservedScript(game_of("a1 d3"), "+g7 200 -d3")
    assert "g7" not in revisions(after_it)


def test_the_turn_that_was_played_is_no_revision_of_itself() -> None:
    for turns, script in (("a1 d3", "-d3 200 +d3"), (PLACED + " d6-d5", "-d5 200 +d5")):
        rules = FOUR if turns.startswith(PLACED) else ("standard",)
        assert not any(key.split() for key in revisions(ObservedScript(game_of(turns, *rules), script)))


def test_a_lift_and_a_landing_may_be_an_early_capture_or_a_second_thought() -> None:
    script = "-g7 200 +f2"
    felt = ObservedScript(game_of("d6 f4 a1 f6 g7"), script)
    capture, thought = complete(felt)["f2 xg7"], revisions(felt)["f2"]
    assert capture.cost == thought.cost
    told = ObservedScript(game_of("d6 f4 a1 f6 g7"), script.replace("+", "@"), POLARITY)
    assert "f2 xg7" in complete(told)
    assert "f2" not in revisions(told)


# ---- pieces put back after a capture ------------------------------------------------------------------


@pytest.mark.parametrize(("since", "put_back"), [(999, True), (1000, False)])
def test_a_removed_piece_is_likelier_put_back_within_a_second_of_its_removal(
    since: int, put_back: bool
) -> None:
    watched = ObservedScript(game_of("d6 f4 d7 a1 d5xa1"), f"{since} +a1")
    removed = {MORRIS["a1"].index: 1_000_000}
    placed = complete(watched, removed=removed)["a1"]
    returned = revisions(watched, removed=removed)[""]
    assert (returned.cost < placed.cost) is put_back


def test_two_pieces_that_land_faster_than_hands_are_no_run() -> None:
    assert "d6-d5 f4-e4" in complete(four("-d6 300 +d5 300 -f4 10 +e4"))
    assert "d6-d5 f4-e4" not in complete(four("-d6 10 +d5 300 -f4 10 +e4"))


# ---- too much at once ---------------------------------------------------------------------------------


def test_what_was_too_much_to_explain_stays_so_until_the_board_is_settled() -> None:
    landings = "+a1 +d1 +g1 +b2 +d2 +f2 +c3 +d3 +e3 +a4 +b4 +c4".replace(" ", " 20 ")
    mess = ObservedScript(game_of(""), landings)
    assert mess.explanations() == []
    assert mess.seen.crowding == 2
    mess.seen.settle(mess.own)
    assert mess.seen.crowding == 0


# ---- turns that began in another order ----------------------------------------------------------------


def test_a_piece_lifted_before_the_turns_in_front_of_its_own_is_unlikely() -> None:
    found = complete(ObservedScript(game_of("a1 d6 g4 b2", "lasker"), "-a1 400 +f6 100 +a4"))
    assert found["a1-a4 f6"].is_whole
    assert found["f6 a4"].in_hand == (MORRIS["a1"].index,)
    assert found["f6 a4"].cost == found["a1-a4 f6"].cost == OUT_OF_ORDER


def test_a_placement_where_the_captured_piece_could_go_may_be_that_piece() -> None:
    game = game_of("a1 d6 d1 f4 g1 xf4", "lasker")
    just_now = {MORRIS["f4"].index: 300_000}
    assert complete(ObservedScript(game, "@c3", POLARITY), removed=just_now)["c3"].cost == 0
    assert complete(ObservedScript(game, "@g4", POLARITY), removed=just_now)["g4"].cost == OWNERS_LIFT
    assert complete(ObservedScript(game, "@g4", POLARITY))["g4"].cost == 0, "it was captured long ago"


def test_a_removed_piece_that_stays_away_is_not_captured_again() -> None:
    game = game_of("a1 d6 d1 f4 g4 c5 g1 xd6", "standard")
    found = revisions(ObservedScript(game, "@b2 200 -f4", POLARITY))
    assert not [e for e in found.values() if e.in_hand == (MORRIS["d6"].index,)]


def test_a_removal_is_not_declined_to_lift_the_next_capture() -> None:
    game = game_of(f"{PLACED} g4-g7", "simple", "pieces=4")
    a1 = MORRIS["a1"].index
    found = ObservedScript(game, "-f4 200 @f2 200 -a1", POLARITY).explanations()
    declined = [e for e in found if texts(e) == "x- f4-f2" and e.in_hand == (a1,)]
    assert [e.cost for e in declined] == [UNLIKELY]
    assert min(e.cost for e in found if texts(e) == "xa1 f4-f2") == OUT_OF_ORDER


def test_a_placement_is_rarely_thought_over_after_the_reply_has_begun() -> None:
    game = game_of("d6 f4 a1 g1 d2 b4", "standard", "pieces=3", "flying=never")
    script = "-a1 300 -b4 300 @b2 100 +a4"
    assert revisions(ObservedScript(game, script, POLARITY))["b2 a1-a4"].cost == LATE_THOUGHT


def test_a_turn_is_thought_over_while_its_captured_piece_is_away() -> None:
    game = game_of("a1 d6 d1 f4 g1 xd6", "standard")
    held = [set(e.in_hand) for e in revisions(ObservedScript(game, "-g1", POLARITY)).values()]
    assert {MORRIS["d6"].index} in held
