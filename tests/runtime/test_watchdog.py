"""The notifications to the service manager, over a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.play.board import LoopCounters
from firmware_host.runtime.watchdog import BoardCondition, Notifier, ServiceReporter
from tests.support.systemd.service_manager import Manager

PASS = 5000
WATCHDOG = 20_000_000


class WatchedBoard:
    """A board in passes of 5 ms, and what its manager hears."""

    def __init__(self, manager: Manager, watchdog: int | None = WATCHDOG) -> None:
        self.manager = manager
        self.service = ServiceReporter(manager.notifier(), watchdog)
        self.sensors_hang = self.strip_hangs = False
        self.feels = True
        self.text = "White: lift a piece."
        self._sensors = self._strip = self._frames = 0
        self._now = 0

    def passes(self, seconds: float) -> list[str]:
        """Go on for `seconds`; return the notifications."""
        heard = []
        for _ in range(round(seconds * 1e6) // PASS):
            self._sensors += not self.sensors_hang
            self._strip += not self.strip_hangs
            self._frames += self.feels
            self.service.passed(self._condition, self._now)
            self._now += PASS
            heard += self.manager.heard()
        return heard

    def _condition(self) -> BoardCondition:
        return BoardCondition(LoopCounters(self._sensors, self._strip), self._frames, self.text)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(str(tmp_path / "notify"))
    yield manager
    manager.close()


def test_the_first_good_frame_makes_the_board_ready(manager: Manager) -> None:
    assert WatchedBoard(manager).passes(0.005) == ["READY=1\nSTATUS=White: lift a piece."]


def test_a_board_without_sensors_asks_for_patience_and_is_ready_once_it_has_them(manager: Manager) -> None:
    board = WatchedBoard(manager)
    board.feels, board.text = False, "there is no chip"
    heard = board.passes(60)
    assert set(heard) == {"EXTEND_TIMEOUT_USEC=30000000\nSTATUS=there is no chip"}
    assert 60 <= len(heard) <= 300
    board.feels, board.text = True, "all is well"
    assert board.passes(0.5)[0] == "READY=1\nSTATUS=all is well"


def test_a_board_that_comes_round_gives_beats_in_good_time(manager: Manager) -> None:
    board = WatchedBoard(manager)
    board.passes(0.5)
    assert board.passes(40) == ["WATCHDOG=1"] * 8


@pytest.mark.parametrize("part", ["sensors_hang", "strip_hangs"])
def test_nothing_is_heard_of_a_board_while_a_part_hangs(manager: Manager, part: str) -> None:
    board = WatchedBoard(manager)
    board.passes(30)
    setattr(board, part, True)
    assert board.passes(60) in ([], ["WATCHDOG=1"])
    assert board.passes(60) == []


def test_what_the_board_says_is_told_when_it_changes_and_not_again(manager: Manager) -> None:
    board = WatchedBoard(manager, watchdog=None)
    board.passes(1)
    board.text = "Black: lift a piece."
    assert board.passes(10) == ["STATUS=Black: lift a piece."]


def test_the_end_is_told(manager: Manager) -> None:
    board = WatchedBoard(manager)
    board.passes(1)
    board.service.stopping()
    assert manager.heard() == ["STOPPING=1\nSTATUS=going dark"]


def test_without_a_manager_the_board_is_not_even_asked() -> None:
    def condition() -> BoardCondition:
        raise AssertionError("asked")

    service = ServiceReporter(Notifier(None), None)
    service.passed(condition, 0)
    service.stopping()
