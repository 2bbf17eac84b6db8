"""The simulated board as a whole, through the real drivers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import ConfigError, HandsError, StripError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import DARK, SensorKind
from firmware_host.settings import Strip
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece
from tests.support.examples import few

FRAME_US = 5000
DAWN = tuple((n, 2 * n, 255 - n) for n in range(24))
NAMES = [point.name for point in MORRIS.points]
DEEDS = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(NAMES), st.sampled_from(["white", "black"])),
    st.tuples(st.just("slide"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("lift"), st.sampled_from(NAMES)),
    st.tuples(
        st.just("break"),
        st.sampled_from(NAMES),
        st.sampled_from(["stuck-on", "stuck-off", "chatter", "weak"]),
    ),
    st.tuples(st.just("repair")),
    st.tuples(st.just("wait"), st.integers(1, 400)),
)


def _strip(leds) -> Strip:
    """Return a strip on which each point has the LED of the same place in `leds`."""
    return Strip(leds=24, points={name: (led,) for name, led in zip(NAMES, leds, strict=True)})


class ElectronicsBench:
    """A board in virtual time, scanned frame by frame."""

    def __init__(self, alphabet: SensorKind = SensorKind.PRESENCE, **electronics) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(MORRIS, alphabet, self.clock, **electronics)
        self.sensors = self.board.open_sensors()
        self.due = 0

    def spot(self, name: str):
        return self.board.table.spots[MORRIS[name].index]

    def put(self, name: str, kind: str = "white") -> None:
        self.board.table.put(TablePiece(kind), self.spot(name), self.clock.now())

    def frame(self):
        self.due += FRAME_US
        self.clock.reach(self.due)
        change = self.board.next_change(self.due)
        frame = self.sensors.read()
        self.felt_in_part = change is not None and change <= self.clock.now()
        return frame

    def standing(self) -> set[str]:
        return {name for name, felt in zip(NAMES, self.frame(), strict=True) if felt}

    def do(self, deed) -> None:
        table, now = self.board.table, self.clock.now()
        match deed:
            case ("put", name, kind) if table.standing(MORRIS[name], now) is None:
                self.put(name, kind)
            case ("slide", origin, target) if piece := table.standing(MORRIS[origin], now):
                table.push(piece, [self.spot(target)], now, now + 400_000)
            case ("lift", name) if piece := table.standing(MORRIS[name], now):
                table.take(piece, now)
            case ("break", name, kind):
                self.board.inject({"point": name, "kind": kind})
            case ("repair",):
                self.board.repair()


def played(deeds, seed: int, alphabet: SensorKind, *, jump: bool):
    """The frames at which something changed; `jump`: where nothing can change, none is scanned."""
    bench = ElectronicsBench(alphabet, seed=seed)
    changes, before = [], None
    for deed in deeds:
        bench.do(deed)
        end = bench.due + (deed[1] if deed[0] == "wait" else 5) * FRAME_US
        while bench.due < end:
            frame = bench.frame()
            if frame != before:
                changes.append((bench.due, frame))
                before = frame
            if jump and not bench.felt_in_part:
                change = bench.board.next_change(bench.clock.now())
                ahead = end if change is None else min(end, change // FRAME_US * FRAME_US)
                bench.due = max(bench.due, ahead - FRAME_US)
    return changes


@pytest.mark.ci("examples")
@few(14)
@given(st.lists(DEEDS, max_size=12), st.integers(0, 99), st.sampled_from(SensorKind))
def test_jumping_to_the_next_change_sees_what_looking_at_every_frame_sees(deeds, seed, alphabet):
    every = played(deeds, seed, alphabet, jump=False)
    assert played(deeds, seed, alphabet, jump=True) == every
    assert played(deeds, seed, alphabet, jump=False) == every


def test_another_seed_bounces_otherwise():
    deeds = [("break", name, "chatter") for name in NAMES[:8]] + [("wait", 100)]
    assert played(deeds, 1, SensorKind.PRESENCE, jump=True) != played(
        deeds, 2, SensorKind.PRESENCE, jump=True
    )


def test_nothing_changes_by_itself_on_a_board_at_rest():
    bench = ElectronicsBench()
    assert bench.board.next_change(0) is None
    bench.put("d6")
    assert 0 < bench.board.next_change(0) <= 2000
    bench.clock.reach(2000)
    assert bench.board.next_change(2000) is None


def test_a_weak_sensor_is_at_rest_until_a_magnet_comes():
    bench = ElectronicsBench()
    bench.board.inject({"point": "d6", "kind": "weak"})
    bench.clock.reach(2000)
    assert bench.board.next_change(2000) is None
    bench.put("d6")
    bench.clock.reach(10_000)
    assert bench.board.next_change(10_000) is not None


def test_a_stuck_sensor_reads_wrong_until_it_is_repaired():
    bench = ElectronicsBench()
    bench.put("a1")
    bench.board.inject({"point": "d6", "kind": "stuck-on"})
    bench.board.inject({"point": "a1", "kind": "stuck-off"})
    assert bench.standing() == {"d6"}
    bench.board.repair()
    assert bench.standing() == {"a1"}


def test_a_dead_mux_reads_open_on_all_its_points():
    bench = ElectronicsBench()
    for name in ("d5", "d6", "d7"):
        bench.put(name)
    bench.board.inject({"mux": 1, "kind": "dead"})
    assert bench.standing() == {"d5", "d7"}
    bench.board.repair()
    assert bench.standing() == {"d5", "d6", "d7"}


def test_unplugged_leds_are_dark_until_they_are_repaired_and_sent_again():
    bench = ElectronicsBench()
    strip = bench.board.open_strip()
    strip.show(DAWN)
    assert bench.board.leds() == DAWN
    bench.board.inject({"leds": "unplugged"})
    assert bench.board.leds() == (DARK,) * 24
    with pytest.raises(StripError):
        strip.show(DAWN[::-1])
    bench.board.repair()
    strip.show(DAWN)
    assert bench.board.leds() == DAWN


def test_colours_are_those_of_the_points_in_whatever_order_the_leds_are_wired():
    bench = ElectronicsBench(strip=_strip(range(23, -1, -1)))
    bench.board.open_strip().show(DAWN)
    assert bench.board.leds() == DAWN
    assert bench.board.spi.leds == DAWN[::-1]


def test_pieces_and_faults_outlast_the_drivers():
    bench = ElectronicsBench()
    bench.put("a1")
    bench.board.inject({"point": "d6", "kind": "stuck-on"})
    bench.sensors.close()
    bench.board.table.take(bench.board.table.standing(MORRIS["a1"], 0), bench.clock.now())
    bench.put("g7")
    bench.sensors = bench.board.open_sensors()
    assert bench.standing() == {"d6", "g7"}


def test_a_fault_that_cannot_be_breaks_nothing():
    bench = ElectronicsBench()
    with pytest.raises(HandsError):
        bench.board.inject({"point": "d6", "kind": "stolen"})
    assert bench.standing() == set()


def test_leds_in_an_impossible_order_are_told():
    with pytest.raises(ConfigError, match="LED 0 is named for 24 points"):
        ElectronicsBench(strip=_strip([0] * 24)).board.open_strip()


@pytest.mark.parametrize(
    ("fault", "felt"),
    [
        ({"select": 0, "kind": "open"}, {"d6", "f6"}),
        ({"select": 0, "kind": "high"}, set()),
        ({"select": 0, "kind": "high", "mux": 2}, {"d6"}),
        ({"signal": 1, "kind": "floating"}, set()),
        ({"wiring": "upside-down"}, {"d2"}),
        ({"wiring": ["d6", "g7", "a1"]}, {"g7"}),
        ({"magnets": "strong"}, {"d6", "d5", "d7"}),
        ({"point": "d6", "kind": "wrong-pole"}, set()),
    ],
)
def test_a_piece_is_felt_where_what_is_broken_has_it_felt_until_it_is_repaired(fault, felt):
    bench = ElectronicsBench()
    bench.put("d6")
    bench.frame()
    bench.board.inject(fault)
    for _ in range(3):
        bench.frame()
    assert bench.standing() == felt
    bench.board.repair()
    for _ in range(3):
        bench.frame()
    assert bench.standing() == {"d6"}


def test_a_slow_line_has_the_next_point_read_too():
    bench = ElectronicsBench()
    bench.put("d6")
    bench.board.inject({"signal": 1, "kind": "slow"})
    for _ in range(3):
        bench.frame()
    assert bench.standing() > {"d6"}


def test_a_weak_magnet_comes_and_goes_for_as_long_as_it_rests():
    bench = ElectronicsBench()
    bench.board.inject({"magnets": "weak"})
    assert all(bench.standing() == set() for _ in range(50))
    bench.put("d6")
    seen = [frozenset(bench.standing()) for _ in range(100)]
    assert set(seen) == {frozenset(), frozenset({"d6"})}
    assert sum(one != other for one, other in pairwise(seen)) > 10


@pytest.mark.parametrize(
    ("faults", "felt"),
    [
        ([{"magnets": "field", "millitesla": 7}], set()),
        ([{"magnets": "field", "millitesla": 15}], {"d6"}),
        ([{"magnets": "field", "millitesla": 1350}], {"d6", "d5", "d7"}),
        ([{"wood": "thickness", "mm": 12}], set()),
        ([{"wood": "thickness", "mm": 9}], {"d6"}),
        ([{"wood": "thickness", "mm": 12}, {"magnets": "field", "millitesla": 60}], {"d6"}),
        ([{"wood": "thickness", "mm": 0}], {"d6"}),
    ],
)
def test_how_strong_magnets_are_and_how_thick_the_wood_decides_what_is_felt(faults, felt):
    bench = ElectronicsBench()
    bench.put("d6")
    bench.frame()
    for fault in faults:
        bench.board.inject(fault)
    for _ in range(3):
        bench.frame()
    assert bench.standing() == felt
    assert bench.board.faults == tuple(faults)
    for usual in ({"magnets": "field", "millitesla": 30}, {"wood": "thickness", "mm": 6}):
        bench.board.inject(usual)
    for _ in range(3):
        bench.frame()
    assert bench.standing() == {"d6"}
    assert bench.board.faults == ()


def test_contacts_that_bounce_for_long_are_seen_to_in_frames():
    bench = ElectronicsBench()
    bench.board.inject({"contacts": "bounce", "ms": 400})
    changes = 0
    for _ in range(10):
        bench.put("d6")
        seen = [bench.standing() for _ in range(80)]
        changes += sum(one != other for one, other in pairwise(seen))
        assert seen[-1] == {"d6"}
        bench.board.table.take(next(iter(bench.board.table.wood)), bench.clock.now())
        for _ in range(80):
            bench.frame()
    assert changes > 10


def test_one_fault_can_be_repaired_and_the_others_stay():
    bench = ElectronicsBench()
    stuck = [{"point": name, "kind": "stuck-on"} for name in ("d6", "f4", "g7")]
    for fault in stuck:
        bench.board.inject(fault)
    bench.board.repair(stuck[1])
    for _ in range(3):
        bench.frame()
    assert bench.standing() == {"d6", "g7"}
    assert bench.board.faults == (stuck[0], stuck[2])
    with pytest.raises(HandsError, match="isn't broken"):
        bench.board.repair(stuck[1])
    assert bench.standing() == {"d6", "g7"}


def test_of_two_faults_of_one_sensor_the_later_is_there():
    bench = ElectronicsBench()
    bench.board.inject({"point": "d6", "kind": "stuck-on"})
    bench.board.inject({"point": "d6", "kind": "stuck-off"})
    assert bench.board.faults == ({"point": "d6", "kind": "stuck-off"},)


@pytest.mark.parametrize(
    "fault",
    [
        {"select": [0, 1], "kind": "swapped"},
        {"select": 2, "kind": "open"},
        {"wiring": "mirrored"},
        {"wiring": ["d6", "f6"]},
    ],
    ids=str,
)
def test_what_is_broken_already_is_as_broken_when_it_is_broken_again(fault):
    once, twice = ElectronicsBench(), ElectronicsBench()
    for bench in (once, twice):
        for name in ("a7", "b4", "d6", "e3"):
            bench.put(name)
    once.board.inject(fault)
    twice.board.inject(fault)
    twice.board.inject(fault)
    assert once.standing() == twice.standing() != {"a7", "b4", "d6", "e3"}
    assert once.board.faults == twice.board.faults


def test_faults_of_several_select_lines_come_together():
    bench = ElectronicsBench()
    for name in NAMES:
        bench.put(name)
    assert bench.standing() == set(NAMES)
    bench.board.table.take(next(iter(bench.board.table.wood)), bench.clock.now())  # the first point's
    bench.board.inject({"select": 0, "kind": "open"})
    one = set(NAMES) - bench.standing()
    bench.board.inject({"select": 1, "kind": "open"})
    both = set(NAMES) - bench.standing()
    assert (len(one), len(both)) == (2, 4)
    assert one < both
    bench.board.repair({"select": 0, "kind": "open"})
    assert len(set(NAMES) - bench.standing()) == 2


def test_sensors_that_hardly_feel_leave_magnets_as_strong_as_they_were_set():
    bench = ElectronicsBench()
    bench.put("d6")
    bench.board.inject({"magnets": "field", "millitesla": 0})
    bench.board.inject({"magnets": "weak"})
    assert all("d6" not in bench.standing() for _ in range(200))
