"""The clocks of a game as a value: what each turn costs, and what is restored."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player
from firmware_host.games.time_control import TimeControls
from firmware_host.play.game_clock import GameClock

WHITE, BLACK = Player.WHITE, Player.BLACK
S = 1_000_000


def begun(control: str = "5+3", *, first_ends: int = 10) -> GameClock:
    """Return the clocks after White's first turn, which ended after that many seconds."""
    clock = GameClock.begin(TimeControls.parse(control), WHITE, 0)
    return clock.end_turn(1, BLACK, first_ends * S, last=1, is_free=False)


def left(clock: GameClock, now: int) -> tuple[float | None, float | None]:
    """Return the seconds left of White and Black."""
    white, black = (clock.left(player, now * S) for player in Player)
    return None if white is None else white / S, None if black is None else black / S


def test_first_turn_is_free() -> None:
    clock = GameClock.begin(TimeControls.parse("5+3"), WHITE, 0)
    assert clock.running is None
    assert left(clock, 100) == (303, 303)
    clock = begun(first_ends=100)
    assert clock.running is BLACK
    assert left(clock, 104) == (306, 299)


def test_increment_comes_before_each_turn() -> None:
    clock = begun("5+3").end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    assert left(clock, 20) == (306, 296)


def test_sudden_death_gives_nothing_back() -> None:
    clock = begun("10").end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    assert left(clock, 25) == (595, 590)


def test_turn_of_its_own_time_leaves_nothing_for_the_next() -> None:
    clock = begun("move:30").end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    assert left(clock, 25) == (25, 30)


def test_player_without_a_clock_is_charged_nothing() -> None:
    clock = begun("none/3")
    assert left(clock, 15) == (None, 175)
    clock = clock.end_turn(2, WHITE, 15 * S, last=2, is_free=False)
    assert clock.running is None
    assert left(clock, 99) == (None, 175)


def test_what_was_waited_is_charged_to_nobody() -> None:
    clock = begun().wait(20 * S)
    assert clock.running is None
    assert left(clock, 50)[1] == 293
    clock = clock.go_on(60 * S)
    assert clock.running is BLACK
    assert left(clock, 65)[1] == 288


def test_turn_that_ended_before_a_wait_is_not_given_the_wait() -> None:
    clock = begun().wait(20 * S).end_turn(2, WHITE, 15 * S, last=2, is_free=False)
    assert left(clock, 90) == (301, 301)  # White's from 15 to 20, Black's from 10 to 15


def test_revision_goes_on_from_the_beginning_of_its_turn() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=False).revise(1, 30 * S)
    assert clock.running is BLACK
    assert left(clock, 40) == (306, 273)
    clock = clock.end_turn(2, WHITE, 50 * S, last=2, is_free=False)
    assert left(clock, 50) == (306, 266)


def test_second_turn_taken_back_by_hand_has_its_times_restored() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    clock = clock.end_turn(3, BLACK, 50 * S, last=3, is_free=False)
    clock = clock.revise(2, 60 * S).revise(1, 70 * S)
    assert left(clock, 72) == (306, 301)


def test_take_back_restores_the_times_of_its_turn() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    clock = clock.end_turn(3, BLACK, 50 * S, last=3, is_free=False)
    assert left(clock.jump(1, 90 * S), 90) == (306, 303)
    assert left(clock.jump(1, 90 * S), 95) == (306, 298)
    assert left(clock.jump(2, 90 * S), 90) == (306, 296)


def test_redo_restores_the_times_of_its_turn() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    assert left(clock.jump(1, 60 * S).jump(2, 90 * S), 91) == (305, 296)


def test_another_turn_forgets_what_could_be_redone() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=False)
    clock = clock.end_turn(3, BLACK, 30 * S, last=3, is_free=False).jump(1, 60 * S)
    assert len(clock.turns) == 4
    same = clock.end_turn(2, WHITE, 62 * S, last=3, is_free=False)
    assert [turn.ply for turn in same.turns] == [0, 1, 2, 3]
    other = clock.end_turn(2, WHITE, 62 * S, last=2, is_free=False)
    assert [turn.ply for turn in other.turns] == [0, 1, 2]


def test_turn_of_others_is_free() -> None:
    clock = begun().end_turn(2, WHITE, 20 * S, last=2, is_free=True)
    assert clock.running is None
    assert left(clock, 99) == (306, 296)
    clock = clock.end_turn(3, BLACK, 99 * S, last=3, is_free=False, earns=False)
    assert left(clock, 99) == (306, 296)


def test_turn_of_others_with_its_own_time_keeps_that() -> None:
    clock = begun("move:30").end_turn(2, WHITE, 20 * S, last=2, is_free=True)
    clock = clock.end_turn(3, BLACK, 99 * S, last=3, is_free=False, earns=False)
    assert left(clock, 99) == (30, 30)


def test_clock_that_was_left_goes_on_where_it_stood() -> None:
    clock = begun().wait(30 * S).resume(500 * S)
    assert left(clock, 500)[1] == 283
    assert left(clock, 510)[1] == 273


EVENTS = st.lists(
    st.tuples(st.sampled_from(["turn", "wait", "go on", "revise"]), st.integers(1, 60 * S)), max_size=60
)


@given(EVENTS)
def test_sum_of_charges_is_the_time_less_the_waits(events: list[tuple[str, int]]) -> None:
    """Each turn ends up to 300 ms before it counts; the waits are seen where they begin."""
    now, ply, mover = 0, 0, WHITE
    clock = GameClock.begin(TimeControls.parse("300"), WHITE, 0)
    began = stood = None
    waits: list[tuple[int, int]] = []
    for what, pause in events:
        now += pause
        if what == "turn":
            ended = now if stood is not None else max(now - 300_000, clock.turn.begun)
            ply, mover = ply + 1, mover.other
            clock = clock.end_turn(ply, mover, ended, last=ply, is_free=False)
            began = clock.turn.begun if began is None else began
        elif what == "revise" and ply > 1 and not clock.is_revised:
            ply, mover = ply - 1, mover.other
            clock = clock.revise(ply, now)
        elif what == "wait" and stood is None:
            clock, stood = clock.wait(now), now
        elif what == "go on" and stood is not None:
            waits.append((stood, now))
            clock, stood = clock.go_on(now), None
    if began is None:
        return
    if stood is not None:
        waits.append((stood, now))
    waited = sum(max(0, until - max(since, began)) for since, until in waits)
    spent = sum(300 * 60 * S - (clock.left(player, now) or 0) for player in Player)
    assert spent == now - began - waited
