"""The explanations that count, what they agree on, and the points at which they differ."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from firmware_host.settings import Timing
from firmware_host.tracking.decision import (
    agreed,
    differing,
    is_undo,
    likeliest,
    may_be_older,
    prefer_whole,
    still_shows,
    whole_instead,
)
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.observation import Observation
from tests.support.observed_script import ObservedScript, game_of, texts

SEEN = Observation(24)
"""An observation without a change."""


def played(turns: str, ply: int = 0, **values: object) -> Explanation:
    """An explanation whose steps are the last of the game of `turns`, from `ply` on."""
    game = game_of(turns)
    return Explanation(ply, game.steps[ply:], game.position, **values)  # type: ignore[arg-type]


def test_only_the_cheapest_complete_explanations_count() -> None:
    cheap, dear = played("d6", cost=1), played("f4", cost=2)
    unfinished = played("g1", cost=0, complete=False)
    assert likeliest([dear, unfinished, cheap], SEEN) == [cheap]


def test_nothing_counts_if_nothing_is_complete() -> None:
    assert likeliest([played("d6", complete=False)], SEEN) == []


def test_of_explanations_that_end_alike_the_observed_order_counts() -> None:
    seen = Observation(24)
    layout = game_of("d6").rules.layout
    for time, name in enumerate(("d6", "f4", "a1"), start=1):
        seen.changed[layout[name].index] = time
    in_order, crossed = played("d6 f4 a1"), played("a1 f4 d6")
    assert likeliest([crossed, in_order], seen) == [in_order]


def test_of_explanations_that_end_alike_the_one_that_undoes_least_counts() -> None:
    short, long = played("d6 f4 a1", ply=2), played("d6 f4 a1", ply=1)
    assert likeliest([long, short], SEEN) == [short]


def test_what_all_explanations_begin_with_is_agreed_on() -> None:
    steps = agreed([played("d6 f4 a1"), played("d6 f4 g1 b2"), played("d6 f4")])
    assert steps is not None
    assert [step.text for step in steps] == ["d6", "f4"]
    assert agreed([played("d6"), played("f4")]) == ()


def test_explanations_from_different_plies_agree_on_nothing() -> None:
    assert agreed([played("d6 f4"), played("d6 f4", ply=1)]) is None


def test_an_undo_takes_steps_back_and_plays_none() -> None:
    before, after = played("d6", ply=1), played("d6 f4", ply=1)
    assert texts(before) == ""
    assert is_undo([before], 2)
    assert not is_undo([before], 1), "nothing is taken back"
    assert not is_undo([before, after], 2)


def test_a_board_may_be_older_once_the_next_turn_has_begun() -> None:
    d6, f4 = (game_of("").rules.layout[name].index for name in ("d6", "f4"))
    assert may_be_older(played("d6 f4 a1", ply=2, in_hand=(f4,)), 2)
    assert may_be_older(played("d6 f4 a1", ply=2), 3) is False, "it is only thought over"
    assert may_be_older(played("d6 f4 a1", ply=1), 2), "and replied to"
    assert may_be_older(played("d6 f4", ply=1, in_hand=(d6,)), 3), "it is undone, and another piece lifted"
    assert may_be_older(played("d6 f4 a1", ply=1), 1), "several were played"
    assert not may_be_older(played("d6 f4", ply=1), 1), "it is play that goes on"


def test_a_board_may_be_older_if_only_the_opponents_piece_is_lifted() -> None:
    d6, f4 = (game_of("").rules.layout[name].index for name in ("d6", "f4"))
    assert not may_be_older(played("d6 f4", ply=2, in_hand=(d6,)), 2)
    assert may_be_older(played("d6 f4", ply=2, in_hand=(f4,)), 2)


def test_the_points_that_differ_are_those_that_tell_the_ends_apart() -> None:
    assert differing([(0, 1, 2), (0, 2, 2), (0, 1, 0)]) == {1, 2}
    assert differing([(0, 1)]) == frozenset()


def test_whole_reply_is_as_good_as_a_capture_given_up() -> None:
    turns = "a7 f4 d7 a1 g7xa1"
    game, reply = game_of(turns), played(f"{turns} b2", ply=6)
    given_up = Explanation(5, (), game.positions[5], in_hand=(MORRIS["a1"].index,))
    assert whole_instead([given_up, reply], [given_up], game) == [reply]
    assert whole_instead([given_up, reply], [reply], game) == []


def test_whole_runs_are_preferred_once_no_change_of_mind_is_as_likely() -> None:
    whole, held, revised = played("d6"), played("f4", in_hand=(0,)), played("d6 f4", ply=1, in_hand=(0,))
    dwell = Dwell(Timing())
    assert prefer_whole([whole, held], 0, SEEN, dwell, now=0) == [whole]
    assert prefer_whole([whole, revised], 0, SEEN, dwell, now=0) == [whole, revised]
    assert dwell.deadline == dwell.put_back
    assert prefer_whole([whole, revised], 0, SEEN, dwell, now=dwell.put_back) == [whole]


def test_steps_that_were_undone_show_no_more() -> None:
    stands, undone = ObservedScript(game_of(""), "+d6 +f4"), ObservedScript(game_of(""), "+d6 +f4 -d6")
    assert still_shows(played("d6"), stands.seen, stands.own)
    assert not still_shows(played("d6"), undone.seen, undone.own)
