"""Simulated linear sensors, the multiplexers and the ADC that they are read by."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import BLACK_PIECE, WHITE_PIECE, SensorKind
from firmware_host.settings import Sensors
from hardware.sensors.decode import DEFAULT_LEVELS
from sim.clock import VirtualClock
from sim.electronics.adc import NOISE, AnalogBank, SimulatedAdc
from sim.electronics.board import SimulatedBoard
from sim.electronics.contacts import ContactFault
from sim.electronics.hall import ABOVE_MM, LinearField
from sim.scheduler import Scheduler
from sim.table.table import Make, Spot, TablePiece, Track

SPOTS = [Spot(0, 0), Spot(40, 0)]
LEVELS = {0: (500, 700, 300), 1: (520, 320, 720)}
D6 = MORRIS["d6"].index


def lying(x: float, y: float = 0) -> Track:
    return Track((Spot(x, y),), (0,))


@pytest.fixture
def field():
    return LinearField(SPOTS, LEVELS, seed=0)


def levels(field: LinearField, now: int = 0, fault: ContactFault | None = None, *, closed: bool = True):
    return [field.level(point, fault, now, closed=closed) for point in range(2)]


def test_a_piece_on_its_point_gives_the_level_that_was_measured(field):
    piece = TablePiece("white")
    field.follow(piece, lying(0), 0)
    assert levels(field)[0] == 700
    field.follow(piece, lying(40), 0)
    assert levels(field)[1] == 320
    field.follow(piece, None, 0)
    assert levels(field) == [500, 520]
    field.follow(TablePiece("black"), lying(0), 0)
    assert levels(field)[0] == 300


@given(near=st.floats(0, 200), further=st.floats(0.1, 200))
def test_a_magnet_further_away_is_felt_less(near, further):
    felt = []
    for away in (near, near + further):
        field = LinearField(SPOTS, LEVELS, seed=0)
        field.follow(TablePiece("white"), lying(-away), 0)
        felt.append(levels(field)[0])
    assert 700 >= felt[0] > felt[1] > 500


def test_the_field_falls_with_the_cube_of_the_distance(field):
    field.follow(TablePiece("white"), lying(-(3**0.5) * ABOVE_MM), 0)
    assert levels(field)[0] == pytest.approx(500 + 200 / 8)


def test_fields_add_up_and_poles_take_from_each_other(field):
    field.follow(TablePiece("white"), lying(0, 14), 0)
    field.follow(TablePiece("black"), lying(0, -14), 0)
    assert levels(field)[0] == pytest.approx(500)


def test_what_lies_under_another_piece_counts_a_third_of_it():
    field = LinearField(SPOTS, {0: (500, 600, 400, 800, 200)}, 0, SensorKind.PIECES)
    ring, ball = TablePiece("white-ring", make=Make(flat=True)), TablePiece("white-ball", make=Make(magnet=1))
    field.follow(ring, lying(0), 0)
    assert levels(field)[0] == pytest.approx(600)
    field.follow(ball, lying(0), 0)
    assert levels(field)[0] == pytest.approx(800 + 100 / 3)
    field.follow(ball, None, 0)
    assert levels(field)[0] == pytest.approx(600)


def test_a_magnet_is_felt_while_it_is_pushed_past(field):
    track = Track((Spot(-40, 0), Spot(40, 0)), (0, 800_000))
    field.follow(TablePiece("white"), track, 0)
    passing = [levels(field, now)[0] for now in range(0, 800_000, 50_000)]
    assert max(passing) == passing[8] == 700
    assert passing[:8] == sorted(passing[:8])
    assert field.moves(799_999)
    assert not field.moves(800_000)
    assert levels(field, 800_000)[1] == 320


def test_a_turned_piece_and_a_turned_sensor_feel_the_other_pole(field):
    field.follow(TablePiece("white", turned=True), lying(0), 0)
    assert levels(field)[0] == 300
    assert levels(field, fault=ContactFault.WRONG_POLE)[0] == 700


def test_a_weak_magnet_moves_the_level_less(field):
    field.follow(TablePiece("white", strength=0.25), lying(0), 0)
    assert levels(field)[0] == 550
    field.strengthen(100)
    assert levels(field)[0] == 1023


@pytest.mark.parametrize(
    ("fault", "closed", "level"),
    [
        (ContactFault.STUCK_ON, True, 700),
        (ContactFault.STUCK_OFF, False, 500),
        (ContactFault.CHATTER, True, 700),
        (ContactFault.CHATTER, False, 500),
        (ContactFault.WEAK, True, 300),
        (ContactFault.WEAK, False, 500),
        (ContactFault.FAINT, False, 500),
    ],
)
def test_what_fails_gives_what_its_contact_would(field, fault, closed, level):
    field.follow(TablePiece("black"), lying(0), 0)
    assert levels(field, fault=fault, closed=closed)[0] == level


@given(st.integers(0, 10**9))
def test_sensors_that_nobody_measured_differ_within_their_data_sheet(seed):
    field = LinearField(SPOTS, {}, seed)
    rest, white, black = DEFAULT_LEVELS
    for one in levels(field):
        assert abs(one - rest) <= 51
    field.follow(TablePiece("white"), lying(0), 0)
    assert levels(field)[0] > rest + 2 * (white - rest) / 3
    assert black < rest < white


# ---- lines and ADC -------------------------------------------------------------------------------------


class HallLines:
    """Two multiplexers with a level at each place, on inputs 5 and 2 of an ADC."""

    def __init__(self, follow_us: int = 10) -> None:
        self.clock = VirtualClock()
        self.levels = {
            (chip, channel): 100 + 300 * chip + 20 * channel for chip in (0, 1) for channel in range(8)
        }
        outputs = {at: lambda _now, at=at: self.levels[at] for at in self.levels}
        self.bank = AnalogBank(self.clock, Scheduler(), 2, follow_us, outputs, seed=3)
        self.adc = SimulatedAdc(self.bank, (5, 2))

    def choose(self, channel: int, wait_us: int = 1000) -> None:
        for bit in range(3):
            self.bank.choose(bit, bool(channel >> bit & 1))
        self.clock.sleep(wait_us / 1e6)

    def converted(self, given: int) -> int:
        answer = self.adc.exchanger([bytes([1, (8 | given) << 4, 0])])()[0]
        assert answer[0] == 0
        assert answer[1] & 0b11111100 == 0
        return answer[1] << 8 | answer[2]


@given(st.sampled_from([(5, 0), (2, 1)]), st.integers(0, 7))
def test_the_adc_gives_the_level_of_the_place_that_is_chosen_with_its_noise(wire, channel):
    lines = HallLines()
    lines.choose(channel)
    given_input, chip = wire
    assert abs(lines.converted(given_input) - lines.levels[chip, channel]) <= NOISE


def test_noise_varies_with_time_and_not_with_looking():
    lines = HallLines()
    lines.choose(0)
    assert len({lines.converted(5) for _ in range(5)}) == 1
    seen = set()
    for _ in range(100):
        lines.clock.sleep(1e-3)
        seen.add(lines.converted(5))
    assert seen == set(range(100 - NOISE, 100 + NOISE + 1))


def test_who_does_not_wait_reads_some_of_the_channel_before():
    lines = HallLines(follow_us=20)
    lines.choose(0)
    lines.choose(7, wait_us=0)
    early = lines.converted(5)
    lines.clock.sleep(4e-6)
    later = lines.converted(5)
    lines.clock.sleep(40e-6)
    assert abs(early - 100) <= NOISE
    assert 140 < later < 220
    assert abs(lines.converted(5) - 240) <= NOISE


def test_a_dead_chip_leaves_its_line_as_it_was():
    lines = HallLines()
    lines.choose(2)
    lines.bank.fail(0, dead=True)
    for channel in range(8):
        lines.choose(channel)
        assert abs(lines.converted(5) - 140) <= NOISE
        assert abs(lines.converted(2) - (400 + 20 * channel)) <= NOISE
    lines.bank.repair()
    lines.choose(5)
    assert abs(lines.converted(5) - 200) <= NOISE


def test_sensors_that_changed_places_are_read_at_the_other():
    lines = HallLines()
    lines.bank.rewire({(0, 1): (1, 4), (1, 4): (0, 1)})
    lines.choose(4)
    assert abs(lines.converted(2) - lines.levels[0, 1]) <= NOISE


def test_an_input_without_a_wire_is_at_ground():
    assert HallLines().converted(7) == 0


@given(st.integers(0, 7), st.integers(0, 20))
def test_bits_come_as_the_data_sheet_has_them_wherever_the_command_begins(given_input, lead):
    """Figure 6-1: two clocks after the last bit of the command a zero, the value, and it backwards again."""
    lines = HallLines()
    lines.choose(3)
    size = 7
    bits = "0" * lead + "1" + f"{8 | given_input:04b}"
    sent = int(bits.ljust(8 * size, "0"), 2).to_bytes(size, "big")
    answer = lines.adc.exchanger([sent])()[0]
    came = f"{int.from_bytes(answer, 'big'):0{8 * size}b}"
    value = came[lead + 7 : lead + 17]
    assert came[: lead + 7] == "0" * (lead + 7)
    assert int(value, 2) == lines.converted(given_input)
    assert came[lead + 17 : lead + 26] == value[-2::-1]
    assert set(came[lead + 26 :]) <= {"0"}


def test_two_inputs_can_be_compared():
    lines = HallLines()
    lines.choose(0)
    pair = lines.adc.exchanger([bytes([1, 2 << 4, 0]), bytes([1, 3 << 4, 0])])()
    values = [(answer[1] & 3) << 8 | answer[2] for answer in pair]
    assert abs(values[0] - 400) <= NOISE, "input 2 has more than input 3, which is at ground"
    assert values[1] == 0


def test_a_chip_that_is_asked_nothing_says_nothing():
    assert HallLines().adc.exchanger([bytes(3)])() == [bytes(3)]


# ---- boards --------------------------------------------------------------------------------------------


def board(**settings) -> SimulatedBoard:
    sensors = Sensors(kind="mcp3008", alphabet="polarity", **settings)
    return SimulatedBoard(MORRIS, SensorKind.POLARITY, VirtualClock(), sensors=sensors)


def test_a_board_at_rest_is_quiet_until_a_magnet_moves():
    one = board()
    piece = TablePiece("white")
    one.table.put(piece, one.table.spots[D6], 0)
    one.clock.reach(10_000)
    assert one.next_change(10_000) is None
    one.table.push(piece, [one.table.spots[MORRIS["d7"].index]], 10_000, 410_000)
    assert one.next_change(10_000) == 10_001
    assert one.next_change(300_000) == 300_001
    assert one.next_change(410_000) is None


def test_a_magnet_that_lies_where_noise_decides_keeps_the_board_awake():
    one = board(levels={point.name: (500, 700, 300) for point in MORRIS.points})
    at = one.table.spots[D6]
    away = ABOVE_MM * (2 ** (2 / 3) - 1) ** 0.5  # where half of the field is left
    one.table.put(TablePiece("white"), Spot(at.x + away, at.y), 0)
    assert one.next_change(20_000) == 20_001


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_readings_on_a_board_do_not_waver(data):
    one = board()
    kinds = data.draw(st.lists(st.sampled_from(["white", "black", None]), min_size=24, max_size=24))
    for spot, kind in zip(one.table.spots, kinds, strict=True):
        if kind is not None:
            one.table.put(TablePiece(kind), spot, one.clock.now())
    sensors = one.open_sensors()
    expected = [{"white": WHITE_PIECE, "black": BLACK_PIECE, None: 0}[kind] for kind in kinds]
    for _ in range(20):
        one.clock.sleep(0.005)
        assert list(sensors.read()) == expected
