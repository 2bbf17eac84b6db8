"""Observed and expected frames leave out the same masked points."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RequestError
from firmware_host.games.game import Piece, Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.play.masking import Masking
from firmware_host.ports import NOTHING, READABLE_PIECES, SOMETHING, Reading, SensorKind
from firmware_host.tracking.sensor_model import SensorModel
from tests.support.games.random_games import played

MASKED = st.frozensets(st.integers(0, 23), max_size=24)


@given(
    luck=st.randoms(use_true_random=False),
    alphabet=st.sampled_from(SensorKind),
    masked=MASKED,
    junk=st.integers(0, 2),
)
def test_whatever_masked_sensors_say_a_position_is_felt_as_it_is_expected(
    luck: Random, alphabet: SensorKind, masked: frozenset[int], junk: int
) -> None:
    position = played(luck, 30).position
    frame = tuple(
        Reading(junk) if index in masked else reading
        for index, reading in enumerate(SensorModel(alphabet).expected(position))
    )
    sight = SensorModel(alphabet, masked)
    assert sight.observe(frame) == sight.expected(position)
    assert all(sight.observe(frame)[index] == NOTHING for index in masked)


def test_where_nothing_is_masked_the_frame_is_not_even_copied() -> None:
    frame = (SOMETHING,) * 24
    assert SensorModel(SensorKind.PRESENCE).observe(frame) is frame


def test_names_that_a_board_does_not_have_are_left_out_of_what_was_kept_and_told_when_asked_for() -> None:
    masking = Masking.of(SensorKind.PRESENCE, MORRIS, ["d6", "z9"])
    assert {point.name for point in masking.points} == {"d6"}
    with pytest.raises(RequestError, match="z9"):
        masking.mask("z9")


def test_a_board_whose_only_piece_stands_on_a_masked_point_is_not_felt_at_all() -> None:
    sight = Masking.of(SensorKind.PRESENCE, MORRIS, ["d6", "d5"]).model
    start = rule_set("standard").start(Player.WHITE)
    assert sight.is_blind_to(start.play(start.legal_step("d6")))
    assert not sight.is_blind_to(start)


@given(stack=st.lists(st.sampled_from(list(rule_set("mitsudomoe").box)), max_size=6).map(tuple))
def test_a_linear_sensor_shows_the_uppermost_pieces_of_a_stack(stack: tuple[Piece, ...]) -> None:
    sight, box = SensorModel(SensorKind.PIECES), rule_set("mitsudomoe").box
    assert sight.shown(sight.reading(stack, 0), box) == stack[-READABLE_PIECES:]


@pytest.mark.parametrize(("alphabet", "tells"), [(SensorKind.PRESENCE, False), (SensorKind.POLARITY, True)])
def test_of_single_pieces_a_reading_shows_whose_they_are_if_it_tells(
    alphabet: SensorKind, tells: bool
) -> None:
    sight, box = SensorModel(alphabet), rule_set("standard").box
    for piece in box:
        assert sight.shown(sight.reading((piece,), 0), box) == ((piece,) if tells else ())
    assert sight.shown(NOTHING, box) == ()
