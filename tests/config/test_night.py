"""The hours of the night, as they are written."""

from __future__ import annotations

import pytest

from firmware_host.config.night import NightHours

NIGHT = NightHours(22 * 60, 7 * 60)


def test_hours_are_read_from_their_text() -> None:
    assert NightHours.of("22:00-07:00") == NIGHT
    assert NightHours.of("") is None


@pytest.mark.parametrize("text", ["22-7", "24:00-07:00", "22:60-07:00", "22:00", "at night"])
def test_other_texts_are_errors(text: str) -> None:
    with pytest.raises(ValueError, match='must be hours, such as "22:00-07:00"'):
        NightHours.of(text)


@pytest.mark.parametrize(
    ("minute", "covers", "until"),
    [
        (0, True, 420),
        (419, True, 1),
        (420, False, 900),
        (1319, False, 1),
        (1320, True, 540),
        (1439, True, 421),
    ],
)
def test_a_night_beyond_midnight_covers_its_minutes(minute: int, covers: bool, until: int) -> None:
    assert NIGHT.covers(minute) is covers
    assert NIGHT.until_change(minute) == until


def test_a_night_within_a_day_and_one_of_no_length() -> None:
    nap = NightHours.of("13:00-14:30")
    assert nap is not None
    assert [nap.covers(minute) for minute in (779, 780, 869, 870)] == [False, True, True, False]
    none = NightHours.of("12:00-12:00")
    assert none is not None
    assert not any(map(none.covers, range(1440)))
