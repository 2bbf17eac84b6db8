"""The wait of each step until it counts."""

from __future__ import annotations

from firmware_host.games.game import Step
from firmware_host.games.layout import MORRIS
from firmware_host.settings import Timing
from firmware_host.tracking.dwell import Committer, Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.moves import Moves
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.verdict import Completed
from tests.support.observed_script import ObservedScript, game_of

MS = 1000
TIMING = Timing(landing_ms=40, sliding_landing_ms=240, removal_ms=300)


def watched(**times: int) -> Observation:
    """An observation in which points last changed at these times, in ms."""
    seen = Observation(len(MORRIS))
    for name, time in times.items():
        seen.changed[MORRIS[name].index] = time * MS
    return seen


def steps(turns: str) -> tuple[Step, ...]:
    """The steps of a game."""
    return game_of(turns).steps


def dues(
    dwell: Dwell, turns: str, seen: Observation, now: int, *, slides: bool = False, earliest: int = 0
) -> list[int]:
    """Return when the steps of `turns` count, in ms, if they are agreed on at `now`."""
    dwell.begin()
    landing = dwell.sliding if slides else dwell.landing
    waits = [(step, dwell.removal if step.target is None else landing) for step in steps(turns)]
    found = dwell.dues(waits, seen, earliest * MS, now * MS)
    return [due // MS for due in found]


def test_a_landing_waits_longer_where_the_piece_could_slide_on() -> None:
    seen = watched(d6=1000)
    assert dues(Dwell(TIMING), "d6", seen, 1000) == [1040]
    assert dues(Dwell(TIMING), "d6", seen, 1000, slides=True) == [1240]


def test_a_removal_waits_for_a_piece_that_may_come_back() -> None:
    seen = watched(d6=10, f4=20, d7=30, a1=1000, d5=40)
    assert dues(Dwell(TIMING), "d6 f4 d7 a1 d5xa1", seen, 1000)[-1] == 1300


def test_no_step_counts_before_the_one_in_front_of_it() -> None:
    seen = watched(d6=2000, f4=1000)
    assert dues(Dwell(TIMING), "d6 f4", seen, 2000) == [2040, 2040]


def test_a_reply_leaves_the_turn_before_it_its_own_wait() -> None:
    seen = watched(d6=1000, f4=1100)
    assert dues(Dwell(TIMING), "d6 f4", seen, 1100, slides=True) == [1240, 1340]


def test_nothing_counts_before_the_earliest_time_that_is_given() -> None:
    assert dues(Dwell(TIMING), "d6", watched(d6=1000), 1000, earliest=5000) == [5000]


def test_a_step_counts_at_the_earliest_a_landing_after_it_was_agreed_on() -> None:
    assert dues(Dwell(TIMING), "d6", watched(d6=1000), 9000) == [9040]


def test_a_step_that_stays_agreed_on_is_not_delayed_by_what_follows() -> None:
    dwell, seen = Dwell(TIMING), watched(d6=1000, f4=1030)
    assert dues(dwell, "d6", seen, 1000) == [1040]
    assert dues(dwell, "d6 f4", seen, 1030) == [1040, 1070]
    assert dues(dwell, "d6", seen, 1035) == [1040]


def test_a_step_that_was_doubted_in_between_waits_again() -> None:
    dwell, seen = Dwell(TIMING), watched(d6=1000)
    dues(dwell, "d6", seen, 1000)
    dwell.begin()
    assert dues(dwell, "d6", seen, 5000) == [5040]


def test_nothing_stays_agreed_on_once_it_is_forgotten() -> None:
    dwell, seen = Dwell(TIMING), watched(d6=1000)
    dues(dwell, "d6", seen, 1000)
    dwell.forget()
    assert dues(dwell, "d6", seen, 5000) == [5040]


def test_an_older_position_is_announced_for_the_last_two_thirds_of_its_wait() -> None:
    dwell = Dwell(Timing(take_back_rest_ms=3000))
    assert (dwell.unannounced, dwell.rest) == (1000 * MS, 3000 * MS)


def test_no_step_counts_whose_piece_is_lifted_again() -> None:
    hands = ObservedScript(game_of(""), "+d6 2000 @f4 2000 -f4 2000")
    dwell, played = Dwell(TIMING), game_of("d6 f4")
    expected = ExpectedGame(hands.game, hands.sensors, found=False)
    committer = Committer(expected, hands.seen, dwell, Moves(hands.sensors))
    best = [Explanation(0, played.steps, played.position, in_hand=(MORRIS["f4"].index,))]
    found = None
    for later in (0, 2_000):
        dwell.begin()
        now = hands.now + later * MS
        found = committer.commit(best, played.steps, now, may_return=False, may_go_back=False)
    assert found == Completed(played.steps[:1])
