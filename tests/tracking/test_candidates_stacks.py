"""The frames of a game of stacks: they distinguish turns, whose actions may come in any legal order."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.games.game import Player, Position, Step, Turn, legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import READABLE_PIECES, SensorKind
from firmware_host.tracking.candidates import CandidateTurns
from firmware_host.tracking.sensor_model import SensorModel
from tests.support.games.mitsudomoe import at, following

RULES = rule_set("mitsudomoe")
SIGHT = SensorModel(SensorKind.PIECES)


def positions(count: int, seed: int) -> list[Position]:
    """Positions of games at random, in the middle of turns too."""
    random = Random(seed)
    found: list[Position] = []
    position: Position = RULES.start(Player.WHITE)
    while len(found) < count:
        found.append(position)
        steps = position.legal_steps()
        position = position.play(random.choice(steps)) if steps else RULES.start(Player.WHITE)
    return found


def assert_frames_tell_turns_apart(count: int, seed: int) -> None:
    """Assert that the final frame, and each square's reading before that, determine the turn.

    The final frame alone does not if a ring leaves a stack and a ball lands on it that is higher than sensors
    read.
    """
    for position in positions(count, seed):
        by_frame: dict[object, object] = {}
        for turn in position.turns():
            after = turn.positions[-1]
            low = all(len(stack) <= READABLE_PIECES for stack in (*position.stacks, *after.stacks))
            frame = SIGHT.expected(after)
            known = by_frame.setdefault((frame, before_the_last_piece(turn)), after.stacks)
            assert known == after.stacks or not low, f"{position}: {turn.steps}"


def before_the_last_piece(turn: Turn) -> tuple[int, ...]:
    """Return the reading of each square before the turn's last piece comes to it or leaves it."""
    stacks = list(turn.begun_at.stacks)
    before = [SIGHT.reading(stack, index) for index, stack in enumerate(stacks)]
    for step in turn.steps:
        for point, comes in ((step.origin, False), (step.target, True)):
            if point is not None:
                stack = stacks[point.index]
                before[point.index] = SIGHT.reading(stack, point.index)
                stacks[point.index] = (*stack, step.piece) if comes and step.piece else stack[:-1]
    return tuple(before)


@pytest.mark.ci("examples")
def test_no_two_legal_turns_give_the_same_frame_or_it_is_known_that_something_is_not_felt() -> None:
    assert_frames_tell_turns_apart(60, seed=1)


@pytest.mark.long
def test_nor_do_they_in_very_many_positions() -> None:
    assert_frames_tell_turns_apart(6_000, seed=2)


@pytest.mark.ci("examples")
def test_hands_in_any_order_fit_their_turn_all_along_and_complete_it_at_the_end() -> None:
    random = Random(3)
    for position in positions(120, seed=4):
        base = CandidateTurns(position, SIGHT)
        turns = legal_turns(position)
        for turn in random.sample(turns, min(3, len(turns))):
            stacks = list(position.stacks)
            for step, lands in shuffled(turn, random):
                point = step.target if lands else step.origin
                stack = stacks[point.index]
                stacks[point.index] = (*stack, step.piece) if lands else stack[:-1]
                frame = tuple(SIGHT.reading(stack, index) for index, stack in enumerate(stacks))
                fits = base.fits(frame) if frame != base.frame else ()
                assert frame == base.frame or any(turn.steps in fit.whole_turns() for fit in fits)
            if all(len(stack) < READABLE_PIECES for stack in stacks):
                whole = tuple(1 + (step.origin is not None) for step in turn.steps)
                assert (turn.steps, whole) in {(fit.turn.steps, fit.done) for fit in fits}


def shuffled(turn: Turn, random: Random) -> list[tuple[Step, bool]]:
    """Return the actions of a turn in an order that stacks allow: each step, and whether its piece lands."""
    waiting = [
        (step, lands) for step in turn.steps for lands in (False, True) if lands or step.origin is not None
    ]
    done: list[tuple[Step, bool]] = []
    while waiting:
        possible = [
            action for n, action in enumerate(waiting) if not any(blocks(b, action) for b in waiting[:n])
        ]
        done.append(random.choice(possible))
        waiting.remove(done[-1])
    return done


def blocks(before: tuple[Step, bool], action: tuple[Step, bool]) -> bool:
    """Return whether `action` has to wait for one that comes before it in the turn."""
    (one, one_lands), (step, lands) = before, action
    same_point = (one.target if one_lands else one.origin) is (step.target if lands else step.origin)
    return same_point or (one is step and lands)


def test_a_lifted_ball_shows_the_ring_beneath_and_fits_every_turn_that_moves_it() -> None:
    position = RULES.start(Player.WHITE)
    base = CandidateTurns(position, SIGHT)
    a1 = RULES.layout["a1"].index
    frame = tuple(SIGHT.reading(s[:-1] if i == a1 else s, i) for i, s in enumerate(position.stacks))
    fits = base.fits(frame)
    turns = {RULES.turn_text(steps) for fit in fits for steps in fit.whole_turns()}
    assert turns == {"+b2 a1-b2", "+c1 a1^c1", "+a3 a1^a3"}
    assert {fit.done for fit in fits} == {(0, 1)}


def test_a_ring_on_a_high_stack_of_its_own_colour_is_not_felt_and_not_guessed() -> None:
    position = at("a2:wW b2:w d3:www c1:wW", due="ring")
    base = CandidateTurns(position, SIGHT)
    hidden = following(position, "+d3")
    assert SIGHT.expected(hidden) == base.frame
    ball = SIGHT.expected(following(position, "+d3 a2-b2"))
    assert {fit.done[0] for fit in base.fits(ball)} == {0}


def test_a_ring_in_hand_fits_one_beginning_for_each_landing() -> None:
    position = following(RULES.start(Player.WHITE), "+b2 a1-b2")
    begun = [step for step in position.legal_steps() if step.origin is None]
    for step in begun:
        landed = CandidateTurns(position, SIGHT).fits(SIGHT.expected(position.play(step)))
        assert {fit.turn.steps[0] for fit in landed} == {step}
        assert {fit.done for fit in landed} == {(1, 0)}
