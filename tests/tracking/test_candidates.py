"""The frames of turns: each comes from one turn only, and play can give each of them."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.games.game import Player, Position, Step, Turn, legal_turns
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import MILL_SETS, rule_set
from firmware_host.ports import NOTHING, SOMETHING, Reading, SensorKind
from firmware_host.tracking.candidates import CandidateTurns
from firmware_host.tracking.sensor_model import SensorModel, reading_of
from tests.support.matrix import CI, sampled

ALPHABETS = list(SensorKind)


def positions(name: str, count: int, seed: int) -> list[Position]:
    """Positions of random games by a rule set, in the middle of turns too."""
    random = Random(seed)
    rules = rule_set(name)
    found: list[Position] = []
    position: Position = rules.start(Player.WHITE)
    while len(found) < count:
        found.append(position)
        steps = position.legal_steps()
        closing = [step for step in steps if position.play(step).removal_due]
        wanted = closing if closing and random.random() < 0.7 else steps
        position = position.play(random.choice(wanted)) if steps else rules.start(Player.WHITE)
    return found


def assert_frames_tell_turns_apart(name: str, count: int, seed: int) -> None:
    """With each alphabet, whatever the turns from random positions."""
    for position in positions(name, count, seed):
        turns = legal_turns(position)
        for alphabet in ALPHABETS:
            sight = SensorModel(alphabet)
            by_frame: dict[tuple[int, ...], Position] = {}
            for turn in turns:
                after = turn.positions[-1]
                other = by_frame.setdefault(sight.expected(after), after)
                assert other is after or str(other) == str(after), f"{alphabet}: {position}: {turn.steps}"


@pytest.mark.parametrize("name", sampled(MILL_SETS, 2, others=CI))
def test_no_two_whole_turns_from_one_position_give_the_same_frame(name: str) -> None:
    assert_frames_tell_turns_apart(name, 100, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("name", MILL_SETS)
def test_nor_do_they_in_very_many_positions(name: str) -> None:
    assert_frames_tell_turns_apart(name, 60_000, seed=2)


@pytest.mark.parametrize("name", MILL_SETS)
def test_hands_in_any_order_fit_their_turn_all_along_and_complete_it_at_the_end(name: str) -> None:
    random = Random(3)
    for position in positions(name, 40, seed=4):
        base = CandidateTurns(position, SensorModel(SensorKind.POLARITY))
        turns = [turn for turn in legal_turns(position) if any(map(actions_of, turn.steps))]
        for turn in random.sample(turns, min(3, len(turns))):
            frame = list(base.frame)
            for index, reading in shuffled_actions(turn, random):
                frame[index] = reading
                fit = next(fit for fit in base.fits(tuple(frame)) if turn.steps in fit.whole_turns())
            assert fit.done == tuple(len(actions_of(step)) for step in turn.steps)


def actions_of(step: Step) -> list[tuple[int, Reading]]:
    """Return the actions of a step, as points and their readings afterwards."""
    lift = [(step.origin.index, NOTHING)] if step.origin else []
    land = [(step.target.index, reading_of((step.piece,), SensorKind.POLARITY))] if step.target else []
    return lift + land


def shuffled_actions(turn: Turn, random: Random) -> list[tuple[int, Reading]]:
    """The actions of a turn in any order, but that a piece lands after it was lifted."""
    actions = [action for step in turn.steps for action in actions_of(step)]
    random.shuffle(actions)
    for step in turn.steps:
        own = actions_of(step)
        places = sorted(map(actions.index, own))
        for place, action in zip(places, own, strict=True):
            actions[place] = action
    return actions


def test_a_landing_fits_only_once_its_origin_is_empty() -> None:
    position = rule_set("lasker", ["first=white"]).start(Player.WHITE)
    for text in ("d6", "a1"):
        position = position.play(position.legal_step(text))
    base = CandidateTurns(position, SensorModel(SensorKind.PRESENCE))
    landed = list(base.frame)
    landed[MORRIS["d5"].index] = SOMETHING
    assert {fit.turn.steps[0].text for fit in base.fits(tuple(landed))} == {"d5"}
    landed[MORRIS["d6"].index] = NOTHING
    assert {fit.turn.steps[0].text for fit in base.fits(tuple(landed))} == {"d6-d5"}


def test_a_base_has_no_fits_for_its_own_frame() -> None:
    for position in positions("simple", 50, seed=5):
        assert (
            CandidateTurns(position, SensorModel(SensorKind.PRESENCE)).fits(
                SensorModel(SensorKind.PRESENCE).expected(position)
            )
            == ()
        )


def test_a_chosen_turn_leaves_its_own_frames_alone() -> None:
    for position in positions("standard", 20, seed=6):
        turn = legal_turns(position)[-1]
        base = CandidateTurns(position, SensorModel(SensorKind.POLARITY), chosen=turn.steps)
        frame = SensorModel(SensorKind.POLARITY).expected(turn.positions[-1])
        assert [fit.turn.steps for fit in base.fits(frame)] == [turn.steps]


def test_its_own_frame_is_explained_but_for_a_point_where_a_piece_can_land() -> None:
    rules = rule_set("standard")
    base = CandidateTurns(rules.start(Player.WHITE), SensorModel(SensorKind.PRESENCE))
    assert base.explains_except(base.frame, MORRIS["d5"].index)
