"""Rhythms: values that say at any time whether a buzzer sounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.sound import MAX_RHYTHM_MS, Rhythm

MS = 1_000


@st.composite
def rhythms(draw: st.DrawFn) -> Rhythm:
    spans = draw(st.lists(st.integers(1, 60), min_size=1, max_size=9).filter(lambda found: len(found) % 2))
    return Rhythm(tuple(zip(spans[::2], [*spans[1::2], 0], strict=True)))


def test_a_rhythm_sounds_in_its_beats_and_at_no_other_time() -> None:
    rhythm = Rhythm(((80, 60), (40, 0)))
    on = [ms for ms in range(-5, 400) if rhythm.is_on(ms * MS)]
    assert on == [*range(80), *range(140, 180)]
    assert rhythm.length == 180 * MS
    assert rhythm.edges == (0, 80 * MS, 140 * MS, 180 * MS)


@given(rhythms(), st.integers(-1000, 1_000_000))
def test_nothing_changes_between_two_edges(rhythm: Rhythm, after: int) -> None:
    edge = rhythm.next_edge(after)
    if edge is None:
        assert after >= rhythm.length
        assert not rhythm.is_on(after)
    else:
        assert edge > after
        assert rhythm.is_on(edge - 1) is rhythm.is_on(after)
        assert rhythm.is_on(edge) is not rhythm.is_on(after)


@given(rhythms())
def test_no_rhythm_is_longer_than_its_limit(rhythm: Rhythm) -> None:
    assert rhythm.length <= MAX_RHYTHM_MS * MS
    assert not rhythm.is_on(rhythm.length)


@given(rhythms())
def test_a_softened_rhythm_begins_its_beats_when_it_did(rhythm: Rhythm) -> None:
    soft = rhythm.softened()
    assert soft.edges[::2] == rhythm.edges[::2]
    assert soft.length <= rhythm.length
    for (loud, _), (quiet, _) in zip(rhythm.beats, soft.beats, strict=True):
        assert quiet == loud - loud // 2


@pytest.mark.parametrize(
    ("beats", "why"),
    [
        ((), "must begin and end with a sound"),
        (((0, 10), (10, 0)), "must begin and end with a sound"),
        (((10, 10),), "must begin and end with a sound"),
        (((10, 0), (10, 0)), "silence in between"),
        (((300, 10), (291, 0)), "longer than 600 ms"),
    ],
)
def test_a_rhythm_that_cannot_be_told_is_refused(beats: tuple[tuple[int, int], ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Rhythm(beats)
