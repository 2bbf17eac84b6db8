"""The stable frame, and the times at which it changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.ports import BLACK_PIECE, NOTHING, WHITE_PIECE, Frame
from firmware_host.tracking.debounce import Debouncer
from tests.support.frames import frame_of

DEBOUNCE = 10_000

readings = st.sampled_from([NOTHING, WHITE_PIECE, BLACK_PIECE])
histories = st.lists(
    st.tuples(st.tuples(readings, readings, readings), st.integers(1, 12_000)), min_size=1, max_size=30
)


def believed_at_last(history: list[tuple[Frame, int]]) -> Frame:
    """By definition: for each point the last reading that was seen for the whole time, at first the first."""
    frames, gaps = zip(*history, strict=True)
    times = [sum(gaps[: n + 1]) for n in range(len(gaps))]
    believed = list(frames[0])
    for point in range(len(believed)):
        seen_since = times[0]
        for before, frame, now in zip(frames, frames[1:], times[1:], strict=False):
            if frame[point] != before[point]:
                seen_since = now
            if now - seen_since >= DEBOUNCE:
                believed[point] = frame[point]
    return tuple(believed)


@given(histories)
def test_a_reading_counts_once_it_has_lasted(history: list[tuple[Frame, int]]) -> None:
    debouncer, now = Debouncer(DEBOUNCE), 0
    for frame, gap in history:
        now += gap
        believed = debouncer.update(frame, now)
    assert believed == believed_at_last(history)


@given(histories)
def test_nothing_is_believed_between_changes_but_at_the_deadline(history: list[tuple[Frame, int]]) -> None:
    debouncer, now = Debouncer(DEBOUNCE), 0
    raw: Frame | None = None
    for frame, gap in history:
        while raw is not None and (due := debouncer.deadline) is not None and due < now + gap:
            before = debouncer.update(raw, due - 1)
            assert debouncer.update(raw, due) != before
        now += gap
        raw = frame
        debouncer.update(frame, now)


@given(histories)
def test_unchanged_frames_change_nothing(history: list[tuple[Frame, int]]) -> None:
    once, twice, now = Debouncer(DEBOUNCE), Debouncer(DEBOUNCE), 0
    for frame, gap in history:
        now += gap
        twice.update(frame, now)
        assert once.update(frame, now) == twice.update(frame, now)


def test_the_very_first_frame_is_believed() -> None:
    assert Debouncer(DEBOUNCE).update(frame_of(1, 0, 2), 0) == (1, 0, 2)


def test_a_flicker_shorter_than_the_debounce_time_never_happened() -> None:
    debouncer = Debouncer(DEBOUNCE)
    debouncer.update(frame_of(0), 0)
    debouncer.update(frame_of(1), 5_000)
    assert debouncer.update(frame_of(0), 14_999) == (0,)
    assert debouncer.deadline is None


def test_without_a_debounce_time_every_frame_is_believed_at_once() -> None:
    debouncer = Debouncer(0)
    debouncer.update(frame_of(0), 0)
    assert debouncer.update(frame_of(1), 5_000) == (1,)


def test_an_unchanged_belief_is_the_same_object() -> None:
    debouncer = Debouncer(DEBOUNCE)
    first = debouncer.update(frame_of(1, 0), 0)
    assert debouncer.update(frame_of(1, 0), 5_000) is first


def test_what_was_swallowed_is_counted_by_point() -> None:
    debouncer = Debouncer(DEBOUNCE)
    frames = [(0, 0), (1, 0), (0, 0), (2, 1), (1, 1), (0, 1)]
    for number, frame in enumerate(frames):
        debouncer.update(frame_of(*frame), 1000 * number)
    debouncer.update(frame_of(0, 1), 100_000)
    assert debouncer.glitches == {0: 3}


@given(histories)
def test_no_more_is_counted_than_changed(history: list[tuple[Frame, int]]) -> None:
    debouncer, now = Debouncer(DEBOUNCE), 0
    changes = believed = 0
    raw = shown = history[0][0]
    for frame, gap in history:
        now += gap
        if (due := debouncer.deadline) is not None and due < now:
            after = debouncer.update(raw, due)
            believed += sum(old != new for old, new in zip(shown, after, strict=True))
            shown = after
        changes += sum(old != new for old, new in zip(raw, frame, strict=True))
        raw = frame
        debouncer.update(frame, now)
    assert debouncer.glitches.total() + believed <= changes
