"""The mux driver: how it steps, waits and fails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import ConfigError, SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, SensorKind
from hardware.wiring.contacts import MuxWiring
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece
from tests.support.examples import few
from tests.support.hardware.mux_opening import mux_sensors

RECOMMENDED = MuxWiring.recommended(MORRIS, SensorKind.PRESENCE)


class MuxBench:
    """A board with its driver opened, and what passes between driver and chips."""

    def __init__(self, wiring: MuxWiring = RECOMMENDED, **electronics) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(
            wiring.layout, wiring.alphabet, self.clock, sensors=wiring.settings(), **electronics
        )
        self.writes: list[tuple[int, bool]] = []
        self.waits: list[float] = []
        self.pause = self.clock.sleep
        for bit, gpio in enumerate(wiring.select):
            self._listen(bit, self.board.pi.pin(gpio))
        self.sensors = mux_sensors(wiring, self.board.pi, sleep=self._sleep)

    def _listen(self, bit, pin) -> None:
        follow = pin._follow

        def hear(level: bool) -> None:
            self.writes.append((bit, level))
            follow(level)

        pin._follow = hear

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.pause(seconds)

    def stand(self, name: str, kind: str = "white") -> None:
        board = self.board
        board.table.put(TablePiece(kind), board.table.spots[board.layout[name].index], self.clock.now())
        self.clock.sleep(0.01)

    def standing(self) -> set[str]:
        return {p.name for p, felt in zip(MORRIS.points, self.sensors.read(), strict=True) if felt}


def test_each_step_writes_one_select_line_and_waits_once():
    bench = MuxBench()
    bench.sensors.read()
    for _ in range(2):
        bench.writes.clear()
        bench.waits.clear()
        bench.sensors.read()
        assert len(bench.writes) == 8
        assert bench.waits == [20e-6] * 8


def test_only_channels_in_use_are_visited():
    contacts = {(n, SOMETHING): (n % 6, (0, 3, 4, 6)[n // 6]) for n in range(24)}
    wiring = replace(RECOMMENDED, signals=(4, 5, 6, 12, 13, 16), contacts=contacts)
    bench = MuxBench(wiring)
    bench.sensors.read()
    assert len(bench.waits) == 4


def test_of_chips_that_share_a_line_never_are_two_enabled():
    chips = [(chip, channel) for chip in range(3) for channel in range(8)]
    contacts = {(n, SOMETHING): at for n, at in enumerate(chips)}
    bench = MuxBench(replace(RECOMMENDED, signals=(23,), enables=(5, 6, 16), contacts=contacts))
    for chip, gpio in enumerate(bench.board.wiring.enables):
        bench._listen(f"E{chip}", bench.board.pi.pin(gpio))
    levels = {f"E{chip}": bench.board.pi.pin(gpio).state for chip, gpio in enumerate((5, 6, 16))}
    assert all(levels.values())
    for _ in range(2):
        bench.writes.clear()
        bench.sensors.read()
        for line, level in bench.writes:
            levels[line] = level
            assert sum(not levels[f"E{chip}"] for chip in range(3)) <= 1
    assert len(bench.waits) == 2 * 24
    # One write a step, two more where the next chip takes over, and two select lines back to the start.
    assert len(bench.writes) <= 24 + 3 * 2 + 2


@few(14)
@given(
    channels=st.permutations([(chip, channel) for chip in range(3) for channel in range(8)]),
    gpios=st.permutations(range(2, 28)),
    standing=st.sets(st.sampled_from([point.name for point in MORRIS.points])),
)
def test_however_the_wires_lie_the_frame_is_the_same(channels, gpios, standing):
    contacts = {(n, SOMETHING): channel for n, channel in enumerate(channels)}
    bench = MuxBench(replace(RECOMMENDED, select=gpios[:3], signals=gpios[3:6], contacts=contacts))
    for name in standing:
        bench.stand(name)
    assert bench.standing() == standing


@pytest.mark.parametrize(
    ("settling_us", "seen"),
    [
        (20, {"d5"}),
        (7, {"d5"}),
        (6, {"d5", "e5"}),
        (0, {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"}),
    ],
)
def test_who_waits_too_short_reads_the_channel_before(settling_us, seen):
    bench = MuxBench(replace(RECOMMENDED, settling_us=settling_us), rise_us=7)
    bench.stand("d5")  # channel 0 of its chip; e5 is channel 1, which comes next
    assert bench.standing() == seen


def test_the_same_tuple_comes_again_while_nothing_changes():
    bench = MuxBench()
    assert bench.sensors.read() is bench.sensors.read()


def test_where_both_poles_are_felt_the_one_that_was_there_first_is_believed():
    bench = MuxBench(MuxWiring.recommended(MORRIS, SensorKind.POLARITY))
    d6, a4 = MORRIS["d6"].index, MORRIS["a4"].index
    bench.stand("d6", "black")
    bench.stand("a4", "white")
    bench.sensors.read()
    bench.stand("d6", "white")
    bench.stand("a4", "black")
    frame = bench.sensors.read()
    assert (frame[d6], frame[a4]) == (BLACK_PIECE, WHITE_PIECE)


def test_where_both_poles_are_felt_from_the_first_the_lower_reading_is_believed():
    bench = MuxBench(MuxWiring.recommended(MORRIS, SensorKind.POLARITY))
    bench.stand("d6", "black")
    bench.stand("d6", "white")
    assert bench.sensors.read()[MORRIS["d6"].index] == WHITE_PIECE


def test_a_scan_that_was_broken_off_does_not_spoil_the_next():
    bench = MuxBench()
    bench.stand("d5")
    bench.stand("b6")
    seen = bench.sensors.read()

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    for steps in range(8):
        waits = iter([bench.clock.sleep] * steps + [interrupted])
        bench.pause = lambda seconds, waits=waits: next(waits)(seconds)
        with pytest.raises(KeyboardInterrupt):
            bench.sensors.read()
        bench.pause = bench.clock.sleep
        assert bench.sensors.read() == seen


def test_a_wrong_wiring_opens_no_pin():
    factory = MockFactory()
    with pytest.raises(ConfigError):
        mux_sensors(replace(RECOMMENDED, select=(17, 17, 22)), factory)
    assert not factory.pins


def test_a_pin_that_another_has_is_a_sensor_error_and_the_others_are_given_back():
    factory = MockFactory()
    other = OutputDevice(25, pin_factory=factory)
    with pytest.raises(SensorError, match="cannot open the sensors' pins"):
        mux_sensors(RECOMMENDED, factory)
    other.close()
    with mux_sensors(RECOMMENDED, factory, sleep=lambda _: None) as sensors:
        assert sensors.read() == (NOTHING,) * 24


def test_a_pin_that_does_not_exist_is_a_sensor_error():
    with pytest.raises(SensorError, match="cannot open"):
        mux_sensors(replace(RECOMMENDED, select=(17, 27, 99)), MockFactory())


def test_no_pin_is_asked_to_tell_of_edges():
    bench = MuxBench()
    for gpio in (*RECOMMENDED.select, *RECOMMENDED.signals):
        assert bench.board.pi.pin(gpio).when_changed is None


def test_leaving_the_context_gives_the_pins_back():
    factory = MockFactory()
    with mux_sensors(RECOMMENDED, factory):
        assert factory.pin(17).function == "output"
    assert factory.pin(17).function == "input"
