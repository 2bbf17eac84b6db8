"""The promises of every SensorPort."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Reading, SensorKind
from hardware.wiring.contacts import READINGS
from tests.contract.sensor_rigs import RIGS, AdcRig, SensorRig
from tests.support.examples import few
from tests.support.matrix import left_to_ci

# The firmware's own tests also run in simavr, which takes its time.
EACH = left_to_ci(RIGS, lambda name: "simavr" in name)


@pytest.fixture(params=EACH)
def rig(request):
    rig = RIGS[request.param]()
    yield rig
    rig.port.close()


def felt_as(rig: SensorRig, kind: str) -> Reading:
    return (
        SOMETHING
        if rig.alphabet is SensorKind.PRESENCE
        else {"white": WHITE_PIECE, "black": BLACK_PIECE}[kind]
    )


def test_an_empty_board_has_nothing_on_any_point(rig):
    assert rig.port.read() == (NOTHING,) * len(rig.layout)


@pytest.mark.parametrize("kind", ["white", "black"])
def test_a_piece_is_felt_on_its_own_point_alone_until_it_is_lifted(rig, kind):
    for point in rig.layout.points:
        rig.stand(point, kind)
        frame = rig.port.read()
        assert frame[point.index] == felt_as(rig, kind)
        assert sum(map(bool, frame)) == 1
        rig.lift(point)
        assert not any(rig.port.read())


@pytest.mark.parametrize("name", EACH)
@few(5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_set_of_pieces_is_read_as_it_stands(name, data):
    rig = RIGS[name]()
    kinds = data.draw(
        st.lists(st.sampled_from(["white", "black", None]), min_size=1, max_size=len(rig.layout))
    )
    for point, kind in zip(rig.layout.points, kinds, strict=False):
        if kind is not None:
            rig.stand(point, kind)
    expected = [NOTHING if kind is None else felt_as(rig, kind) for kind in kinds]
    frame = rig.port.read()
    assert list(frame) == expected + [NOTHING] * (len(rig.layout) - len(kinds))
    assert set(frame) <= {NOTHING, *READINGS[rig.alphabet]}
    rig.port.close()


def test_linear_sensors_tell_the_level_of_each_point_which_a_piece_moves_and_switches_tell_none(rig):
    rig.port.read()
    before = rig.port.levels
    assert set(before) == (set(range(len(rig.layout))) if isinstance(rig, AdcRig) else set())
    rig.stand(rig.layout.points[0], "white")
    rig.port.read()
    moved = {point for point, level in rig.port.levels.items() if abs(level - before[point]) > 20}
    assert moved == ({0} if before else set())


def test_pins_that_cannot_be_read_are_a_sensor_error_until_they_can(rig):
    rig.stand(rig.layout.points[0], "white")
    before = rig.port.read()
    with rig.unreadable(), pytest.raises(SensorError, match="cannot read the sensors") as caught:
        rig.port.read()
    assert isinstance(caught.value.__cause__, Exception)
    assert rig.port.read() == before


def test_closing_may_be_done_twice_and_ends_reading(rig):
    rig.port.close()
    rig.port.close()
    with pytest.raises(SensorError, match="closed"):
        rig.port.read()


def test_a_closed_driver_can_be_opened_anew(rig):
    rig.stand(rig.layout.points[0], "black")
    before = rig.port.read()
    rig.port.close()
    rig.reopen()
    assert rig.port.read() == before
