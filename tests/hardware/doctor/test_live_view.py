"""The output of `sensors watch`, and the measurements of the doctor's bench."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import StripError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.ports import BLACK_PIECE, WHITE_PIECE, SensorKind
from firmware_host.settings import Sensors
from hardware.doctor.benchmark import Timings, measure
from hardware.doctor.live_view import WireWatch, change_text, marks, rows
from hardware.doctor.part_names import PartNames
from hardware.wiring.contacts import every_wire
from sim.clock import RealClock
from sim.electronics.board import SimulatedBoard
from tests.support.hardware.doctoring import NAMES, SENSORS, plan

BOARD = PartNames(MORRIS, Sensors())
WIRES = every_wire(Sensors())
NOTHING = (0,) * 24
D6 = WIRES.index((1, 0))


def levels(*closed: int) -> tuple[int, ...]:
    return tuple(int(number in closed) for number in range(24))


def test_a_change_is_told_when_it_comes_and_when_it_has_lasted():
    watch = WireWatch(WIRES, 10_000)
    told = []
    for at, seen in [(0, NOTHING), (5, levels(D6)), (10, levels(D6)), (15, levels(D6)), (20, NOTHING)]:
        told += [change_text(turn, BOARD, at * 1000) for turn in watch.step(seen, at * 1000)]
    assert told == [
        "    0.005 s  d6 (mux 1, channel 0 (Y0, pin 13)) closed",
        "    0.015 s  d6 (mux 1, channel 0 (Y0, pin 13)) closed, stable",
        "    0.020 s  d6 (mux 1, channel 0 (Y0, pin 13)) open",
    ]


def test_the_board_is_drawn_with_what_is_believed_and_what_is_not_yet():
    watch = WireWatch(WIRES, 10_000)
    for at in (0, 20_000):
        list(watch.step(levels(D6), at))
    list(watch.step(levels(D6, 0), 25_000))
    drawn = marks(watch, BOARD)
    assert set(drawn) == set(NAMES)
    assert {name: mark for name, mark in drawn.items() if mark != "."} == {"d6": "#", "d5": "?"}


def test_with_polarity_pieces_are_drawn_by_their_owner():
    sensors = SENSORS["polarity"]
    names, wires = PartNames(MORRIS, sensors), every_wire(sensors)
    watch = WireWatch(wires, 0)
    closed = {names.contacts[0, WHITE_PIECE], names.contacts[1, BLACK_PIECE]}
    list(watch.step(tuple(int(wire in closed) for wire in wires), 1))
    assert {name: mark for name, mark in marks(watch, names).items() if mark != "."} == {"d5": "o", "e5": "x"}


@given(st.lists(st.sets(st.integers(0, 23)), max_size=30))
def test_unrest_is_what_changed_within_the_last_second(frames):
    watch = WireWatch(WIRES, 10_000)
    changes = [0] * 24
    before: set[int] = set()
    for number, closed in enumerate(frames):
        list(watch.step(levels(*closed), number * 5000))
        for wire in before ^ closed:
            changes[wire] += 1
        before = closed
    now = len(frames) * 5000
    assert [watch.changes_a_second(wire, now) for wire in range(24)] == changes
    assert [watch.changes_a_second(wire, now + 2_000_000) for wire in range(24)] == [0] * 24
    told = rows(watch, BOARD, now)
    assert len(told) == sum(bool(count) for count in changes)


def test_linear_sensors_are_compared_with_what_they_read_at_first():
    watch = WireWatch(WIRES, 0, linear=True)
    for at in range(100):
        assert list(watch.step(tuple(500 + wire + at % 2 for wire in range(24)), at)) == []
    felt = [500 + wire for wire in range(24)]
    felt[3] += 100
    (turn, believed) = watch.step(tuple(felt), 200)
    assert (turn.wire, turn.level, turn.closed, believed.stable) == (WIRES[3], 603, True, True)
    assert "level 603" in rows(watch, BOARD, 200)[0]


def test_the_bench_measures_frames_strip_and_share():
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, RealClock())
    bench = measure(plan(Sensors()), board, 200, scans=20, shows=10, share_s=0.05)
    told = bench.as_dict()
    assert (told["wires"], told["settling_us"], told["frame_rate_hz"]) == (24, 20, 200)
    assert (told["frame"]["of"], told["strip"]["of"]) == (20, 10)
    assert told["frame"]["median_us"] >= 8 * 20  # it waited for its lines
    assert told["cpu_percent_of_a_core"] > 0
    assert "frame of 24 wires, each step after 20 us: median" in bench.as_text()
    assert set(board.spi.leds) == {(0, 0, 0)}
    with closing(board.open_scanner(Sensors())) as scanner:
        scanner.scan()


def test_the_bench_goes_on_where_there_is_no_strip():
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, RealClock())

    class Bare:
        open_scanner = board.open_scanner
        open_button = board.open_button
        open_buzzer = board.open_buzzer

        def open_leds(self, strip):
            raise StripError(Message("there is no strip"))

    bench = measure(replace(plan(Sensors())), Bare(), 200, scans=5, shows=5, share_s=0.01)
    assert bench.as_dict()["strip"] == {"error": "there is no strip"}
    assert "there is no strip" in bench.as_text()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200))
def test_times_are_told_by_their_middle_and_their_worst(values):
    times = Timings(values)
    assert min(values) - 0.1 <= times.median_us <= times.p99_us + 0.1 <= max(values) + 0.3
