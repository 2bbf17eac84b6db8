"""The night by a machine's clock, which counts only if that is right."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from firmware_host.config.night import NightHours
from firmware_host.runtime.real_board import NightWatch
from tests.support.hardware.clock import NOON_S, ForgetfulPi

NIGHT = NightHours(22 * 60, 7 * 60)


@pytest.fixture
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the local time be UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.mark.usefixtures("_utc")
def test_the_night_counts_only_once_the_clock_is_right(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path, wall_s=NOON_S + 11 * 3600)
    watch = NightWatch(NIGHT, pi.clock)
    assert not watch.follow(0)
    pi.synchronise(NOON_S + 11 * 3600)
    assert not watch.follow(1_000_000), "it is read twice a minute"
    assert watch.follow(30_000_000)
    assert watch.is_night
    pi.run_for(9 * 3600)
    assert watch.follow(60_000_000)
    assert not watch.is_night


def test_without_hours_there_is_no_night(tmp_path: Path) -> None:
    assert not NightWatch(None, ForgetfulPi(tmp_path).clock).follow(0)
