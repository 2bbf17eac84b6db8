"""Changes on a board, concluded from levels and times alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.setup.level_watch import REST_TIME, Change, LevelWatch
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece

FRAME = 5000
WIRES = 4


class SetLevels:
    """Levels that a test sets, read frame by frame."""

    def __init__(self, watch: LevelWatch, levels=(0,) * WIRES) -> None:
        self.watch = watch
        self.now = 0
        self.levels = tuple(levels)

    def set(self, **levels: int) -> None:
        changed = {int(name[1:]): level for name, level in levels.items()}
        self.levels = tuple(changed.get(n, level) for n, level in enumerate(self.levels))

    def wait(self, milliseconds: int = 400) -> list[Change]:
        changes = []
        for _ in range(milliseconds * 1000 // FRAME):
            self.now += FRAME
            changes.append(self.watch.step(self.levels, self.now))
        return [change for change in changes if change]


@pytest.fixture
def hand() -> SetLevels:
    hand = SetLevels(LevelWatch(WIRES))
    assert hand.wait() == []
    assert hand.watch.at_rest
    return hand


def test_a_piece_counts_when_all_has_come_to_rest(hand):
    hand.set(w2=1)
    assert hand.wait(300) == []
    assert hand.wait(100) == [Change((2,), ())]
    assert hand.watch.stable == (0, 0, 1, 0)
    hand.set(w2=0)
    assert hand.wait() == [Change((), (2,))]
    assert hand.watch.changes == [0, 0, 2, 0]


def test_what_is_passed_on_the_way_is_told_apart(hand):
    for wire in (0, 1):
        hand.set(**{f"w{wire}": 1})
        hand.wait(100)
        hand.set(**{f"w{wire}": 0})
        hand.wait(50)
    hand.set(w3=1)
    assert hand.wait() == [Change((3,), (), passed=(0, 1))]


def test_several_at_once_come_in_the_order_in_which_they_were_felt(hand):
    hand.set(w3=1)
    hand.wait(20)
    hand.set(w1=1)
    hand.wait(5)
    hand.set(w3=0)
    hand.wait(5)
    hand.set(w3=1)
    assert hand.wait() == [Change((3, 1), ())]


def test_what_is_closed_at_first_is_told_first():
    hand = SetLevels(LevelWatch(WIRES), levels=(0, 1, 0, 0))
    assert hand.wait() == [Change((1,), ())]


def test_a_wire_that_comes_and_goes_is_restless_and_keeps_nobody_waiting(hand):
    changes = []
    for n in range(200):
        hand.set(w0=n % 2)
        if n == 100:
            hand.set(w2=1)
        changes += hand.wait(10)
    assert changes == [Change((2,), ())]
    assert hand.watch.restless == (0,)
    assert hand.wait(3000) == [Change((0,), ())]
    assert hand.watch.restless == ()


@given(st.lists(st.tuples(st.tuples(*[st.integers(0, 1)] * WIRES), st.integers(1, 80)), max_size=30))
def test_changes_add_up_to_what_is_felt(course):
    hand = SetLevels(LevelWatch(WIRES))
    hand.wait()
    felt = [0] * WIRES
    for levels, frames in course:
        hand.levels = levels
        for change in hand.wait(frames * FRAME // 1000):
            for wires, to in ((change.set_down, 1), (change.lifted, 0)):
                for wire in wires:
                    assert felt[wire] != to
                    felt[wire] = to
            assert not set(change.passed) & {*change.set_down, *change.lifted}
        assert hand.watch.stable == tuple(felt)
    for change in hand.wait(3000):
        for wire in (*change.set_down, *change.lifted):
            felt[wire] = 1 - felt[wire]
    assert tuple(felt) == hand.levels
    assert hand.watch.at_rest


class Magnets(SetLevels):
    """Linear sensors that waver by a count or two."""

    def wait(self, milliseconds: int = 400) -> list[Change]:
        changes, still = [], self.levels
        for n in range(milliseconds * 1000 // FRAME):
            self.levels = tuple(level + (n + wire) % 3 - 1 for wire, level in enumerate(still))
            changes += super().wait(FRAME // 1000)
        self.levels = still
        return changes


def test_a_linear_sensor_feels_either_pole_from_what_it_reads_at_rest():
    hand = Magnets(LevelWatch(WIRES, linear=True), levels=(510, 498, 520, 0))
    assert hand.wait(1000) == []
    assert hand.watch.rests == (510, 498, 520, 0)
    hand.set(w0=580, w1=493)
    assert hand.wait() == [Change((0,), ())]
    hand.set(w2=440)
    assert hand.wait() == [Change((2,), ())]
    assert hand.watch.stable == (1, 0, -1, 0)
    assert [hand.watch.level(wire) for wire in (0, 2, 3)] == [580, 440, 0]
    hand.set(w0=508)
    assert hand.wait() == [Change((), (0,))]


def test_linear_sensors_whose_rest_is_known_need_no_empty_board():
    hand = Magnets(LevelWatch(WIRES, linear=True, rests=(512,) * WIRES), levels=(512, 600, 512, 512))
    assert hand.wait() == [Change((1,), ())]


def test_a_reed_that_bounces_under_a_real_scan_is_one_change():
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock)
    scanner = board.open_scanner(Sensors())
    watch = LevelWatch(len(scanner.wires))
    changes = []
    for frame in range(300):
        clock.reach(frame * FRAME)
        if frame == 100:
            board.table.put(TablePiece("white"), board.table.spots[5], clock.now())
        changes.append(watch.step(scanner.scan(), clock.now()))
    assert [change for change in changes if change] == [Change((5,), ())]
    assert clock.now() > REST_TIME
