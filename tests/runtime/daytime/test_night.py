"""The night by a machine's clock, which counts only if that is right."""

from __future__ import annotations

import time
from pathlib import Path

from firmware_host.config.night import NightHours
from firmware_host.runtime.daytime.night import NightWatch

NIGHT = NightHours(22 * 60, 7 * 60)


def at(hour: int) -> time.struct_time:
    return time.struct_time((2026, 11, 23, hour, 0, 0, 0, 327, 0))


def test_the_night_counts_only_once_the_clock_is_right(tmp_path: Path) -> None:
    hour = [23]
    watch = NightWatch(NIGHT, root=tmp_path, local=lambda: at(hour[0]))
    assert not watch.follow(0)
    flag = tmp_path / "run/systemd/timesync/synchronized"
    flag.parent.mkdir(parents=True)
    flag.touch()
    assert not watch.follow(1_000_000), "it is read twice a minute"
    assert watch.follow(30_000_000)
    assert watch.is_night
    hour[0] = 8
    assert watch.follow(60_000_000)
    assert not watch.is_night


def test_without_hours_there_is_no_night(tmp_path: Path) -> None:
    assert not NightWatch(None, root=tmp_path).follow(0)
