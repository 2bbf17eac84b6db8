"""The promises of every LedPort."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import StripError
from firmware_host.ports import DARK
from tests.contract.strip_rigs import POINTS, RIGS
from tests.support.examples import few
from tests.support.matrix import left_to_ci

BYTE = st.integers(0, 255)
FRAMES = st.tuples(*[st.tuples(BYTE, BYTE, BYTE)] * POINTS)
DUSK = (DARK,) * POINTS
DAWN = tuple((n, 255 - n, 3 * n) for n in range(POINTS))


# The firmware's own tests also run in simavr, which takes its time.
EACH = left_to_ci(RIGS, lambda name: "simavr" in name)


@pytest.fixture(params=EACH)
def rig(request):
    return RIGS[request.param]()


@pytest.mark.parametrize("name", EACH)
@few(9)
@given(frames=st.lists(FRAMES, min_size=1, max_size=4))
def test_each_point_shines_in_the_colour_it_was_given(name, frames):
    rig = RIGS[name]()
    for frame in frames:
        rig.port.show(frame)
        assert rig.shining == frame


def test_the_first_frame_is_sent_even_if_it_is_dark(rig):
    rig.port.show(DUSK)
    assert rig.sent == 1


def test_a_strip_that_was_without_power_shines_again_in_the_frame_that_is_shown_again(rig):
    rig.port.show(DAWN)
    rig.plug(there=False)
    assert rig.shining == DUSK
    rig.plug(there=True)
    rig.port.show(DAWN)
    assert rig.shining == DAWN


def test_a_strip_that_cannot_be_written_is_a_strip_error(rig):
    rig.plug(there=False)
    with pytest.raises(StripError, match="cannot write the LED strip") as caught:
        rig.port.show(DAWN)
    assert isinstance(caught.value.__cause__, Exception)


def test_after_a_failure_the_same_frame_is_sent_in_full(rig):
    rig.port.show(DAWN)
    rig.plug(there=False)
    with pytest.raises(StripError):
        rig.port.show(DUSK)
    rig.plug(there=True)
    rig.port.show(DAWN)
    assert rig.shining == DAWN


def test_closing_leaves_it_dark_and_may_be_done_twice(rig):
    rig.port.show(DAWN)
    rig.port.close()
    rig.port.close()
    assert rig.shining == DUSK


def test_closing_raises_nothing_where_the_strip_is_gone(rig):
    rig.port.show(DAWN)
    rig.plug(there=False)
    rig.port.close()


def test_a_closed_strip_cannot_be_shown_anything(rig):
    rig.port.close()
    with pytest.raises(StripError, match="closed"):
        rig.port.show(DAWN)
