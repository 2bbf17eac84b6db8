"""Boards of every kind of wiring: what breaks in them, and what other settings find there."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.errors import ConfigError, HandsError, SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import NOTHING, SOMETHING, SensorKind
from firmware_host.settings import Sensors, Strip
from hardware.factory import sensors_on
from hardware.wiring.contacts import every_wire
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece

KINDS = {
    "muxes": Sensors(),
    "lines": Sensors(kind="direct", signal=tuple(gpio for gpio in range(2, 28) if gpio not in (4, 14))),
    "matrix": Sensors(kind="matrix"),
    "expanders": Sensors(kind="mcp23017"),
    "linear": Sensors(kind="mcp3008"),
    "microcontroller": Sensors(kind="serial"),
}
NAMES = [point.name for point in MORRIS.points]


class HarnessBench:
    """A board that is read every 5 ms."""

    def __init__(self, sensors: Sensors, **electronics) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(
            MORRIS, SensorKind(sensors.alphabet), self.clock, sensors=sensors, **electronics
        )
        self.sensors = self.board.open_sensors()

    def put(self, name: str, kind: str = "white") -> None:
        self.board.table.put(TablePiece(kind), self.board.table.spots[MORRIS[name].index], self.clock.now())

    def frames(self, seconds: float):
        for _ in range(round(seconds / 0.005)):
            self.clock.sleep(0.005)
            yield self.sensors.read()

    def felt(self) -> set[str]:
        *_, frame = self.frames(0.02)
        return {name for name, reading in zip(NAMES, frame, strict=True) if reading}

    def changes(self, name: str, seconds: float) -> int:
        at = MORRIS[name].index
        readings = [frame[at] for frame in self.frames(seconds)]
        return sum(a != b for a, b in pairwise(readings))


def unread(sensors: Sensors) -> SimulatedBoard:
    """A board whose lines nobody has."""
    return SimulatedBoard(MORRIS, SensorKind(sensors.alphabet), VirtualClock(), sensors=sensors)


@pytest.fixture(params=KINDS)
def bench(request):
    return HarnessBench(KINDS[request.param])


def test_a_stuck_sensor_reads_wrong_until_it_is_repaired(bench):
    bench.put("a1")
    bench.board.inject({"point": "d6", "kind": "stuck-on"})
    bench.board.inject({"point": "a1", "kind": "stuck-off"})
    assert bench.felt() == {"d6"}
    bench.board.repair()
    assert bench.felt() == {"a1"}


def test_a_sensor_that_chatters_reads_now_this_and_now_that(bench):
    bench.board.inject({"point": "d6", "kind": "chatter"})
    assert bench.changes("d6", 1.0) > 10
    bench.board.repair()
    assert bench.felt() == set()


def test_a_weak_sensor_drops_out_only_under_a_piece(bench):
    bench.board.inject({"point": "d6", "kind": "weak"})
    assert bench.changes("d6", 5.0) == 0
    bench.put("d6")
    assert bench.changes("d6", 10.0) > 4
    bench.board.repair()
    assert bench.felt() == {"d6"}


@pytest.mark.parametrize("name", ["muxes", "lines", "microcontroller"])
def test_a_dead_chip_of_contacts_feels_nothing(name):
    bench = HarnessBench(KINDS[name])
    first = next(p.name for p in MORRIS.points if bench.board.harness.contacts[p.index, SOMETHING][0] == 0)
    other = next(p.name for p in MORRIS.points if bench.board.harness.contacts[p.index, SOMETHING][0] == 1)
    bench.put(first)
    bench.put(other)
    bench.board.inject({"mux": 0, "kind": "dead"})
    assert bench.felt() == {other}
    bench.board.repair()
    assert bench.felt() == {first, other}


def test_a_dead_chip_of_linear_sensors_never_changes():
    bench = HarnessBench(KINDS["linear"])
    bench.put("d5")
    assert bench.felt() == {"d5"}
    bench.board.inject({"mux": 0, "kind": "dead"})
    frozen = bench.felt()
    bench.board.table.take(next(iter(bench.board.table.wood)), bench.clock.now())
    bench.put(NAMES[3])
    bench.put(NAMES[8])
    assert bench.felt() == frozen | {NAMES[8]}
    bench.board.repair()
    assert bench.felt() == {NAMES[3], NAMES[8]}


def test_a_dead_expander_cannot_be_read_until_it_is_repaired():
    bench = HarnessBench(KINDS["expanders"])
    bench.put("d6")
    bench.board.inject({"mux": 1, "kind": "dead"})
    with pytest.raises(SensorError, match="no expander answers at 0x21 on /dev/i2c-1"):
        bench.felt()
    bench.board.repair()
    assert bench.felt() == {"d6"}


@pytest.mark.parametrize("name", ["expanders", "linear", "microcontroller"])
def test_wires_that_changed_places_are_read_at_the_others_point(name):
    bench = HarnessBench(KINDS[name])
    bench.board.inject({"wiring": ["d6", "a1", "g7"]})
    bench.put("d6")
    (felt,) = bench.felt()
    assert felt in {"a1", "g7"}
    bench.board.repair()
    assert bench.felt() == {"d6"}


@pytest.mark.parametrize("name", ["linear", "microcontroller"])
def test_a_select_line_that_is_open_leads_to_half_of_the_channels(name):
    bench = HarnessBench(KINDS[name])
    bench.put("d5")  # channel 0 of its chip
    bench.board.inject({"select": 0, "kind": "open"})
    assert bench.felt() == {"d5", "e5"}
    bench.board.repair()
    assert bench.felt() == {"d5"}


def test_strong_magnets_are_felt_on_the_next_points_too(bench):
    bench.put("d6")
    bench.board.inject({"magnets": "strong"})
    assert bench.felt() == {"d5", "d6", "d7"}
    bench.board.repair()
    assert bench.felt() == {"d6"}


@pytest.mark.parametrize("fault", [{"select": 0, "kind": "open"}, {"signal": 0, "kind": "floating"}])
def test_expanders_have_no_lines_that_could_break(fault):
    with pytest.raises(HandsError, match=r"there is no (select|signal) line 0: the board has none"):
        HarnessBench(KINDS["expanders"]).board.inject(fault)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("other", ["expanders", "linear", "microcontroller"])
def test_settings_of_another_kind_find_what_they_would_on_such_a_board(name, other):
    board = unread(KINDS[name])
    if name == other:
        board.open_scanner(KINDS[other]).close()
        return
    with pytest.raises(SensorError, match=r"there is no .* on this simulated board"):
        board.open_scanner(KINDS[other])


def test_an_expander_that_is_not_there_does_not_answer():
    board = unread(KINDS["expanders"])
    with pytest.raises(SensorError, match="no expander answers at 0x24"):
        board.open_scanner(Sensors(kind="mcp23017", expanders=(0x20, 0x24)))
    with pytest.raises(SensorError, match="there is no /dev/i2c-3"):
        board.open_scanner(Sensors(kind="mcp23017", i2c="/dev/i2c-3"))


def test_inputs_of_the_adc_that_are_not_joined_read_ground():
    board = unread(KINDS["linear"])
    scanner = board.open_scanner(Sensors(kind="mcp3008", inputs=(0, 7)))
    levels = dict(zip(scanner.wires, scanner.scan(), strict=True))
    assert {levels[1, channel] for channel in range(8)} == {0}
    assert all(levels[0, channel] > 400 for channel in range(8))


@pytest.mark.parametrize("name", KINDS)
def test_every_wire_of_a_board_is_read_without_knowing_whose_it_is(name):
    bench = HarnessBench(KINDS[name])
    bench.put("f4")
    bench.clock.sleep(0.02)
    bench.sensors.close()
    scanner = bench.board.open_scanner(KINDS[name])
    if every_wire(KINDS[name]):
        assert scanner.wires == every_wire(KINDS[name])
    rest = 512 if name == "linear" else 0
    levels = {wire: abs(level - rest) for wire, level in zip(scanner.wires, scanner.scan(), strict=True)}
    assert (
        max(levels, key=lambda wire: levels[wire])
        == bench.board.harness.contacts[MORRIS["f4"].index, SOMETHING]
    )


def test_a_board_cannot_be_soldered_as_it_cannot_be():
    with pytest.raises(ConfigError, match="24 channels, but 1 chips x 14 channels give only 14"):
        HarnessBench(Sensors(kind="mcp23017", expanders=(0x20,)))


def test_a_board_is_read_by_settings_that_are_not_true():
    bench = HarnessBench(KINDS["expanders"])
    mirrored = {p.name: (bench.board.harness.contacts[23 - p.index, SOMETHING],) for p in MORRIS.points}
    sensors = sensors_on(bench.board.harness, MORRIS, Sensors(kind="mcp23017", points=mirrored))
    bench.put(NAMES[0])
    bench.clock.sleep(0.02)
    frame = sensors.read()
    assert [n for n, reading in enumerate(frame) if reading != NOTHING] == [23]


def test_the_microcontroller_lights_the_strip_and_says_that_it_does():
    bench = HarnessBench(KINDS["microcontroller"], strip=Strip(leds=30, order="RGBW"))
    strip = bench.board.open_strip()
    dawn = tuple((n, 200 - n, 3 * n) for n in range(24))
    bench.sensors.read()
    strip.show(dawn)
    assert bench.board.leds() == dawn
    strip.show(dawn[::-1])
    bench.sensors.read()
    strip.show(dawn[::-1])
    assert bench.board.leds() == dawn[::-1]
    strip.close()
    assert set(bench.board.leds()) == {(0, 0, 0)}
