"""The real driver on chips that are slow, dead or stuck, and on lines without resistors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from firmware_host.errors import SensorError
from firmware_host.settings import Sensors, Strip
from hardware.bus.gpiochip import GpioChip
from hardware.bus.pi import header_chip
from hardware.factory import open_scanner, open_sensors
from hardware.scanner import Wire
from tests.contract.virtual_pi_rigs import ExpanderBoard, KernelSensors, MatrixBoard, tell, told

SLOW_NS = 300_000
LOOKS = 50


@contextmanager
def rig(sensors: Sensors) -> Iterator[KernelSensors]:
    rig = KernelSensors(sensors)
    try:
        yield rig
    finally:
        rig.port.close()


def felt(rig: KernelSensors) -> set[str]:
    return {point.name for point, reading in zip(rig.layout.points, rig.port.read(), strict=True) if reading}


def test_a_line_that_rises_more_slowly_than_is_waited_shows_points_that_are_empty():
    with rig(Sensors(settling_us=20)) as board:
        tell("muxboard", rise_ns=SLOW_NS)
        board.stand(board.layout["d6"], "white")
        seen = [felt(board) for _ in range(LOOKS)]
    assert all("d6" in each for each in seen)
    assert any(len(each) > 1 for each in seen)


def test_a_settling_time_that_is_long_enough_shows_no_others():
    with rig(Sensors(settling_us=2 * SLOW_NS // 1000)) as board:
        tell("muxboard", rise_ns=SLOW_NS)
        board.stand(board.layout["d6"], "white")
        assert [felt(board) for _ in range(LOOKS)] == [{"d6"}] * LOOKS


@pytest.mark.parametrize("chip", range(3))
def test_a_chip_without_power_feels_nothing_and_the_others_go_on(chip):
    with rig(Sensors()) as board:
        for point in board.layout.points:
            board.stand(point, "white")
        tell("muxboard", dead=1 << chip)
        names = [point.name for point in board.layout.points]
        assert felt(board) == {name for n, name in enumerate(names) if n // 8 != chip}
        tell("muxboard", dead=0)
        assert felt(board) == set(names)


def test_contacts_that_are_stuck_say_the_same_whatever_stands_there():
    with rig(Sensors()) as board:
        names = [point.name for point in board.layout.points]
        tell("muxboard", stuck_closed=1 << 5, stuck_open=1 << 17)
        assert felt(board) == {names[5]}
        for point in board.layout.points:
            board.stand(point, "white")
        assert felt(board) == set(names) - {names[17]}


def test_lines_are_pulled_as_is_asked_for_where_no_resistor_does():
    with rig(Sensors()):
        pass
    tell("muxboard", floats=0b010)
    followed = {}
    for pull in ("up", "down"):
        scanner = open_scanner(Sensors(), pull)
        levels = dict(zip(scanner.wires, scanner.scan(), strict=True))
        scanner.close()
        followed[pull] = {chip for (chip, _), level in levels.items() if level}
    assert followed == {"up": set(), "down": {1}}


def test_a_line_that_somebody_holds_is_refused_and_who_holds_it_is_named():
    with rig(Sensors()) as board:
        with pytest.raises(SensorError, match=r"other programs hold GPIO 23 \(millwright\)"):
            open_sensors(board.layout, Sensors(select=(5, 6, 16), signal=(23, 20, 21)), Strip())
        assert felt(board) == set()


def test_closed_lines_are_inputs_that_anybody_may_have():
    with rig(Sensors()):
        pass
    with GpioChip(header_chip()) as chip:
        for gpio in (17, 27, 22, 23, 24, 25):
            line = chip.line(gpio)
            assert not line.is_used
            assert not line.is_output, f"GPIO {gpio} is driven"


def test_expanders_that_lose_their_settings_are_configured_again():
    with rig(Sensors(kind="mcp23017")) as board:
        board.stand(board.layout["d6"], "white")
        assert felt(board) == {"d6"}
        assert isinstance(board.board, ExpanderBoard)
        board.board.dip()
        board.stand(board.layout["f4"], "white")
        assert [felt(board) for _ in range(LOOKS)] == [{"d6", "f4"}] * LOOKS


def test_an_expander_that_does_not_answer_is_named_with_its_address():
    silent = pytest.raises(SensorError, match="0x21")
    with rig(Sensors(kind="mcp23017")) as board, board.unreadable(), silent:
        board.port.read()


MATRIX = Sensors(kind="matrix")
CORNERS = {(0, 0), (0, 4), (2, 0)}
FOURTH = (2, 4)
"""The crossing that would read as closed with these three, if there were no diodes."""


@contextmanager
def matrix(*closed: Wire) -> Iterator[tuple[MatrixBoard, Callable[[], set[Wire]]]]:
    """A matrix with closed contacts, and what its scanner reads."""
    board = MatrixBoard(MATRIX.rows, MATRIX.columns)
    for wire in closed:
        board.close(wire)
    scanner = open_scanner(MATRIX)
    try:
        yield board, lambda: {wire for wire, on in zip(scanner.wires, scanner.scan(), strict=True) if on}
    finally:
        scanner.close()


def test_diodes_keep_three_closed_reeds_from_showing_a_fourth():
    with matrix(*CORNERS) as (_, seen):
        assert [seen() for _ in range(LOOKS)] == [CORNERS] * LOOKS


def test_a_shorted_diode_shows_a_reed_that_is_open():
    with matrix(*CORNERS) as (board, seen):
        tell("muxboard", shorted=board.mask([(0, 0)]))
        assert FOURTH in seen()
        tell("muxboard", shorted=0)
        assert seen() == CORNERS


def test_a_row_whose_wire_is_loose_feels_nothing_and_the_others_go_on():
    with matrix(*CORNERS) as (_, seen):
        tell("muxboard", dead=1 << 0)
        assert seen() == {(2, 0)}
        tell("muxboard", dead=0)
        assert seen() == CORNERS


def test_columns_that_rise_too_slowly_show_reeds_of_the_row_before():
    with matrix((0, 0)) as (_, seen):
        assert seen() == {(0, 0)}
        tell("muxboard", rise_ns=SLOW_NS)
        assert (1, 0) in seen()


def test_rows_are_driven_only_while_they_are_read():
    with matrix(*CORNERS) as (_, seen):
        seen()
        driven = told("muxboard", "driven")
        assert not [gpio for gpio in MATRIX.rows if driven >> gpio & 1]
