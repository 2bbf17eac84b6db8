"""The readings of linear sensors by their levels."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Reading, SensorKind
from hardware.sensors.decode import DEFAULT_LEVELS, Scale, linear_sensors

READINGS = st.sampled_from([NOTHING, WHITE_PIECE, BLACK_PIECE])


class Levels:
    """A scanner whose levels a test sets."""

    wires = ((0, 0), (0, 1), (1, 0))

    def __init__(self) -> None:
        self.levels = (512, 512, 512)
        self.closed = False

    def scan(self):
        return self.levels

    def close(self) -> None:
        self.closed = True


CONTACTS = {(0, SOMETHING): (1, 0), (1, SOMETHING): (0, 1), (2, SOMETHING): (0, 0)}


@st.composite
def measured(draw):
    """Rest, White and Black of a sensor, on either side of rest and at least 24 from it."""
    rest = draw(st.integers(200, 800))
    up, down = draw(st.integers(rest + 24, 1023)), draw(st.integers(0, rest - 24))
    return (rest, up, down) if draw(st.booleans()) else (rest, down, up)


@given(measured(), READINGS)
def test_a_piece_is_felt_at_its_level_and_nothing_at_rest_whatever_was_before(levels, before):
    scale = Scale.of(levels, SensorKind.POLARITY)
    assert [scale.reading(level, before) for level in levels] == [NOTHING, WHITE_PIECE, BLACK_PIECE]


@given(measured(), READINGS)
def test_with_presence_either_pole_is_something(levels, before):
    scale = Scale.of(levels, SensorKind.PRESENCE)
    assert [scale.reading(level, SOMETHING if before else NOTHING) for level in levels] == [
        NOTHING,
        SOMETHING,
        SOMETHING,
    ]


@given(measured(), st.data())
def test_noise_below_the_hysteresis_changes_no_reading(levels, data):
    """Wherever a magnet rests, a sixth of the way is too little to read now this and now that."""
    rest, *poles = levels
    scale = Scale.of(levels, SensorKind.POLARITY)
    noise = (min(abs(pole - rest) for pole in poles) - 1) // 6
    level = data.draw(st.integers(min(levels), max(levels) - noise))
    jitter = data.draw(st.lists(st.integers(0, noise), min_size=2, max_size=30))
    readings = [data.draw(READINGS)]
    for part in jitter:
        readings.append(scale.reading(level + part, readings[-1]))
    settled = readings[1:]
    assert sum(a != b for a, b in pairwise(settled)) <= 1
    if len(set(settled)) > 1:
        again = [scale.reading(level + part, settled[-1]) for part in jitter]
        assert set(again) == {settled[-1]}


@given(measured(), st.sampled_from([1, 2]), st.data())
def test_it_closes_at_half_of_the_way_and_opens_at_a_third(levels, side, data):
    rest, pole = levels[0], levels[side]
    scale, way = Scale.of(levels, SensorKind.POLARITY), abs(pole - rest)
    part = data.draw(st.integers(0, way))
    level = rest + (part if pole > rest else -part)
    assert scale.reading(level, NOTHING) == (side if 2 * part >= way else NOTHING)
    assert scale.reading(level, side) == (side if 3 * part >= way else NOTHING)


@given(st.integers(-51, 51), READINGS, st.sampled_from(SensorKind))
def test_a_sensor_that_was_not_measured_feels_nothing_at_rest_wherever_in_its_data_sheet_that_is(
    offset, before, alphabet
):
    assert Scale.of(DEFAULT_LEVELS, alphabet).reading(512 + offset, before) == NOTHING


@given(st.lists(st.integers(1, 500), min_size=2, max_size=4, unique=True), st.data())
def test_several_things_on_one_side_are_told_apart_by_how_far_they_go(distances, data):
    """As rings and the pieces on them: each is read at its own level."""
    distances.sort()
    assume(all(b - a >= 12 for a, b in pairwise([0, *distances])))
    scale = Scale(512, [(512 + distance, Reading(n + 1)) for n, distance in enumerate(distances)])
    before = data.draw(st.integers(0, len(distances)))
    for n, distance in enumerate(distances):
        assert scale.reading(512 + distance, before) == n + 1
    assert scale.reading(512, before) == NOTHING
    assert scale.reading(0, before) == NOTHING, "the other side has nothing"


def test_points_have_the_sensors_of_their_wires_and_their_own_levels():
    scanner = Levels()
    sensors = linear_sensors(scanner, CONTACTS, SensorKind.POLARITY, {1: (400, 300, 500)}, 3)
    scanner.levels = (712, 300, 312)
    assert sensors.read() == (BLACK_PIECE, WHITE_PIECE, WHITE_PIECE)
    before = sensors.read()
    scanner.levels = (700, 310, 320)
    assert sensors.read() is before
    sensors.close()
    assert scanner.closed


@given(level=st.integers(150, 900), silent=st.sampled_from([0, 1023]))
def test_of_stacks_a_chip_that_was_silent_leaves_no_reading_behind(level, silent):
    scanner = Levels()
    sensors = linear_sensors(scanner, CONTACTS, SensorKind.PIECES, {}, 3)
    scanner.levels = (level, 512, 512)
    before = sensors.read()
    scanner.levels = (silent, silent, silent)
    assert sensors.read() != before
    scanner.levels = (level, 512, 512)
    assert sensors.read() == before


def test_a_wire_that_the_scanner_lacks_is_refused_and_the_scanner_closed():
    scanner = Levels()
    with pytest.raises(SensorError, match="there is no channel 7 of chip 2"):
        linear_sensors(scanner, {**CONTACTS, (2, SOMETHING): (2, 7)}, SensorKind.PRESENCE, {}, 3)
    assert scanner.closed
