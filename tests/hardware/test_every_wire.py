"""Tests of reading every wire of a board, as set-up and the doctor do first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SOMETHING, SensorKind
from firmware_host.settings import Sensors, Strip
from hardware.wiring.contacts import MuxWiring, every_wire
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece

REVERSED = Strip(leds=24, points={point.name: (23 - point.index,) for point in MORRIS.points})
GRID = [(chip, channel) for chip in range(3) for channel in range(8)]


def test_the_wires_are_all_channels_of_all_chips():
    assert every_wire(Sensors()) == tuple(GRID)
    assert len(every_wire(Sensors(select=(4, 17, 27, 22)))) == 48
    assert every_wire(Sensors(signal=(23,), enable=(5, 6))) == tuple(GRID[:16])
    pins = every_wire(Sensors(kind="mcp23017"))
    assert len(pins) == 28
    assert not {(0, 7), (0, 15), (1, 7), (1, 15)} & set(pins), "GPA7 and GPB7 are no inputs"


@pytest.mark.parametrize("mapped", [True, False])
def test_direct_lines_are_chips_of_one_channel_whether_they_are_mapped_or_not(mapped):
    lines = range(2, 26)
    points = {p.name: ((line,),) for p, line in zip(MORRIS.points, lines, strict=True)} if mapped else {}
    sensors = Sensors(kind="direct", signal=tuple(lines), points=points)
    assert every_wire(sensors) == tuple((n, 0) for n in range(24))
    assert MuxWiring.bare(sensors).signals == tuple(lines)


@settings(max_examples=10)
@given(channels=st.permutations(GRID), point=st.sampled_from(MORRIS.points))
def test_however_a_board_is_wired_its_wires_are_read_by_chip_and_channel(channels, point):
    wired = replace(
        MuxWiring.recommended(MORRIS, SensorKind.PRESENCE),
        contacts={(n, SOMETHING): at for n, at in enumerate(channels)},
    )
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, sensors=wired.settings())
    board.table.put(TablePiece("white"), board.table.spots[point.index], clock.now())
    clock.sleep(0.01)
    scanner = board.open_scanner(Sensors())
    levels = dict(zip(scanner.wires, scanner.scan(), strict=True))
    assert [wire for wire, level in levels.items() if level] == [channels[point.index]]
    scanner.close()


def test_every_led_is_lit_by_its_number():
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock(), strip=REVERSED)
    leds = board.open_leds(Strip())
    leds.show(((1, 2, 3), *[(0, 0, 0)] * 23))
    assert board.spi.leds[0] == (1, 2, 3)
    assert board.leds()[23] == (1, 2, 3)
    leds.close()
