"""A diode matrix: any set of closed reeds is read as it is, and each fault shows what it would on a board."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.bus.gpio import PinLines
from hardware.sensors.matrix import matrix_sweep, released
from hardware.sensors.sweep import SweepScanner
from hardware.wiring.contacts import contacts_of, every_wire
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.electronics.cached_lines import CachedLines
from sim.electronics.matrix import Diode, DiodeMatrix, pi_with
from sim.scheduler import Scheduler

MATRIX = Sensors(kind="matrix")
ROWS, COLUMNS = len(MATRIX.rows), len(MATRIX.columns)
CROSSINGS = list(product(range(ROWS), range(COLUMNS)))
AT = {MORRIS.points[point].name: wire for (point, _), wire in contacts_of(MORRIS, MATRIX).items()}
NAMED = {wire: name for name, wire in AT.items()}
RISE_US = 7


class MatrixBench:
    """A matrix and the real driver on it, without a table."""

    def __init__(self, *, settling_us: int = 20, remembers: bool = False, backwards: bool = False) -> None:
        self.clock, self.agenda = VirtualClock(), Scheduler()
        self.matrix = DiodeMatrix(self.clock, self.agenda, ROWS, COLUMNS, RISE_US)
        pi = pi_with(self.matrix, MATRIX.rows, MATRIX.columns)
        driven, read = (MATRIX.columns, MATRIX.rows) if backwards else (MATRIX.rows, MATRIX.columns)
        level = released(len(driven))
        self.lines: PinLines
        if remembers:
            self.lines = CachedLines(driven, read, "up", pi, self.matrix, self.clock, level, open_drain=True)
        else:
            self.lines = PinLines(driven, read, "up", pi, levels=level, open_drain=True)
        wires = list(product(range(len(driven)), range(len(read))))
        sweep = matrix_sweep(len(driven), wires, settling_us)
        self.scanner = SweepScanner(sweep, self.lines, sleep=self.clock.sleep)

    def close(self, *wires) -> None:
        for wire in wires:
            self.matrix.close_contact(wire, closed=True)

    def seen(self) -> set:
        levels = self.scanner.scan()
        return {wire for wire, level in zip(self.scanner.wires, levels, strict=True) if level}


@given(st.sets(st.sampled_from(CROSSINGS)))
def test_any_number_of_closed_reeds_shows_no_other(closed):
    bench = MatrixBench()
    bench.close(*closed)
    assert bench.seen() == closed
    assert bench.seen() == closed


@given(st.sets(st.sampled_from(CROSSINGS)))
def test_good_diodes_block_the_way_back(closed):
    bench = MatrixBench(backwards=True)
    bench.close(*closed)
    assert bench.seen() == set()


@pytest.mark.ci("examples")
@given(
    st.sets(st.sampled_from(CROSSINGS)),
    st.dictionaries(st.sampled_from(CROSSINGS), st.sampled_from([Diode.OPEN, Diode.GOOD])),
)
def test_open_diodes_make_their_own_reeds_silent_and_no_others(closed, diodes):
    bench = MatrixBench()
    bench.close(*closed)
    for wire, diode in diodes.items():
        bench.matrix.break_diode(wire, diode)
    assert bench.seen() == {wire for wire in closed if diodes.get(wire) is not Diode.OPEN}


def test_a_shorted_diode_shows_the_fourth_corner_of_a_rectangle():
    bench = MatrixBench()
    bench.matrix.break_diode((2, 1), Diode.SHORTED)
    bench.close((0, 1), (2, 1), (2, 4))
    assert bench.seen() == {(0, 1), (2, 1), (2, 4), (0, 4)}


def test_a_shorted_diode_alone_reads_as_a_good_one():
    bench = MatrixBench()
    bench.matrix.break_diode((2, 1), Diode.SHORTED)
    bench.close((2, 1), (2, 4))
    assert bench.seen() == {(2, 1), (2, 4)}


@pytest.mark.parametrize(
    ("diode", "forwards", "backwards"),
    [
        (Diode.GOOD, True, False),
        (Diode.OPEN, False, False),
        (Diode.SHORTED, True, True),
        (Diode.REVERSED, False, True),
    ],
)
def test_a_diode_conducts_as_it_is_soldered(diode, forwards, backwards):
    conducts = []
    for way in (False, True):
        bench = MatrixBench(backwards=way)
        bench.matrix.break_diode((1, 3), diode)
        bench.close((1, 3))
        conducts.append(bench.seen() == ({(3, 1)} if way else {(1, 3)}))
        assert len(bench.seen()) <= 1
    assert conducts == [forwards, backwards]


def test_a_row_that_touches_ground_closes_its_reeds_in_every_row():
    bench = MatrixBench()
    bench.matrix.ground(bench.matrix.row(2))
    assert bench.seen() == set()
    bench.close((2, 4))
    assert bench.seen() == {(row, 4) for row in range(ROWS)}


def test_a_column_that_touches_ground_is_low_in_every_row():
    bench = MatrixBench()
    bench.matrix.ground(bench.matrix.column(3))
    assert bench.seen() == {(row, 3) for row in range(ROWS)}


def test_lines_that_touch_show_each_other():
    bench = MatrixBench()
    bench.matrix.join(bench.matrix.row(0), bench.matrix.row(3))
    bench.close((0, 2))
    assert bench.seen() == {(0, 2), (3, 2)}
    bench.matrix.repair()
    bench.matrix.join(bench.matrix.column(2), bench.matrix.column(5))
    assert bench.seen() == {(0, 2), (0, 5)}


def test_a_row_on_a_column_reads_as_a_reed_that_is_closed():
    bench = MatrixBench()
    bench.matrix.join(bench.matrix.row(1), bench.matrix.column(4))
    assert bench.seen() == {(1, 4)}


def test_a_loose_line_is_silent_until_it_is_repaired():
    bench = MatrixBench()
    bench.close(*CROSSINGS)
    bench.matrix.loosen(bench.matrix.row(1))
    bench.matrix.loosen(bench.matrix.column(4))
    assert bench.seen() == {(row, column) for row, column in CROSSINGS if row != 1 and column != 4}
    bench.matrix.repair()
    assert bench.seen() == set(CROSSINGS)


def test_a_row_that_is_pulled_down_while_it_is_released_holds_its_columns():
    bench = MatrixBench()
    bench.close((2, 4))
    pin = pi_with(bench.matrix, MATRIX.rows, MATRIX.columns).pin(MATRIX.rows[2])
    pin.function, pin.pull = "input", "down"
    assert not bench.matrix.level(bench.matrix.column(4), "up")


@given(st.integers(0, 10), st.sets(st.sampled_from(CROSSINGS)))
def test_a_column_has_twice_the_settling_time_to_rise(settling_us, closed):
    bench = MatrixBench(settling_us=settling_us)
    bench.close(*closed)
    late = {
        (later, column)
        for row, column in closed
        for later in range(row + 1, ROWS)
        if 2 * settling_us * (later - row) < RISE_US
    }
    assert bench.seen() == closed | late


def test_too_many_diodes_in_a_row_leave_no_low_level():
    bench = MatrixBench()
    # Column 3, row 2, column 2, row 1, column 1, row 0: three forward voltages to row 1, and five to row 0.
    for wire in ((2, 2), (1, 1)):
        bench.matrix.break_diode(wire, Diode.REVERSED)
    bench.close((2, 3), (2, 2), (1, 2), (1, 1), (0, 1))
    assert bench.seen() == {(0, 1), (1, 2), (2, 3), (1, 3), (0, 2)}


DEEDS = st.one_of(
    st.tuples(st.just("close_contact"), st.sampled_from(CROSSINGS), st.booleans()),
    st.tuples(st.just("break_diode"), st.sampled_from(CROSSINGS), st.sampled_from(list(Diode))),
    st.tuples(st.just("loosen"), st.integers(0, ROWS + COLUMNS - 1)),
    st.tuples(st.just("ground"), st.integers(0, ROWS + COLUMNS - 1)),
    st.tuples(st.just("slow"), st.integers(0, ROWS + COLUMNS - 1), st.integers(0, 90)),
    st.tuples(st.just("join"), st.integers(0, ROWS + COLUMNS - 1), st.integers(0, ROWS + COLUMNS - 1)),
    st.tuples(st.just("fail"), st.integers(0, ROWS - 1), st.booleans()),
    st.tuples(st.just("repair")),
    st.tuples(st.just("sleep"), st.integers(0, 5000)),
)


@pytest.mark.ci("examples")
@given(st.sampled_from([0, 3, 20]), st.lists(DEEDS, max_size=25))
def test_lines_that_remember_answer_as_those_that_do_not(settling_us, deeds):
    plain, remembering = (MatrixBench(settling_us=settling_us, remembers=way) for way in (False, True))
    for deed, *told in deeds:
        for bench in (plain, remembering):
            if deed == "sleep":
                bench.clock.sleep(told[0] / 1e6)
            else:
                getattr(bench.matrix, deed)(*told)
        for _ in range(2):
            assert remembering.seen() == plain.seen()
            assert remembering.clock.now() == plain.clock.now()


def test_a_matrix_on_which_nothing_happens_is_not_swept_again(monkeypatch):
    bench = MatrixBench(remembers=True)
    bench.close((1, 2))
    bench.seen()
    bench.clock.sleep(0.005)
    bench.seen()
    bench.clock.sleep(0.005)
    monkeypatch.setattr(bench.matrix, "level", None)
    assert bench.seen() == {(1, 2)}


def board() -> SimulatedBoard:
    return SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock(), sensors=MATRIX)


def conducting(board: SimulatedBoard) -> set[str]:
    board.clock.sleep(0.02)
    scanner = board.open_scanner(MATRIX)
    levels = dict(zip(scanner.wires, scanner.scan(), strict=True))
    scanner.close()
    return {NAMED[wire] for wire, level in levels.items() if level}


@pytest.mark.parametrize(
    ("fault", "closed"),
    [
        ({"row": 0, "kind": "open"}, {"d6", "f6"}),
        ({"column": AT["d6"][1], "kind": "open"}, {"f6", "d5"}),
        ({"diode": "d6", "kind": "open"}, {"f6", "d5"}),
        ({"diode": "d5", "kind": "reversed"}, {"d6", "f6"}),
        ({"wiring": ["d6", "a1"]}, {"a1", "f6", "d5"}),
        ({"point": "d5", "kind": "stuck-off"}, {"d6", "f6"}),
    ],
)
def test_faults_are_asked_for_by_name_and_repaired(fault, closed):
    stood = board()
    for name in ("d6", "f6", "d5"):
        stood.inject({"point": name, "kind": "stuck-on"})
    stood.inject(fault)
    assert conducting(stood) == closed
    stood.repair(fault)
    assert conducting(stood) == {"d6", "f6", "d5"} - (
        {fault["point"]} if fault.get("kind") == "stuck-off" else set()
    )


def test_the_wires_are_all_crossings():
    assert every_wire(MATRIX) == tuple(CROSSINGS)
