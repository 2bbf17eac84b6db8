"""Lines by lgpio's group calls, on a chip that keeps lgpio's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.bus.lgpio_lines import GroupLines
from hardware.wiring.contacts import MuxWiring
from tests.support.hardware.mux_opening import mux_sensors

HANDLE = 3


class Chip:
    """Groups of lines as lgpio has them: named by their first line, and claimed once."""

    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128

    class error(Exception):  # noqa: N801, N818 - it is called so
        pass

    def __init__(self) -> None:
        self.groups: dict[int, Group] = {}
        self.outside = dict.fromkeys(range(54), 1)
        self.seen: list[dict[int, int]] = []
        self.broken = False

    def group_claim_output(self, handle: int, lines: list[int], levels: Sequence[int] = (0,)) -> int:
        return self._claim(handle, Group(tuple(lines), output=True, levels=list(levels)))

    def group_claim_input(self, handle: int, lines: list[int], flags: int = 0) -> int:
        return self._claim(handle, Group(tuple(lines), output=False, flags=flags))

    def group_free(self, handle: int, leader: int) -> int:
        self._group(handle, leader)
        del self.groups[leader]
        return 0

    def group_write(self, handle: int, leader: int, bits: int) -> int:
        group = self._group(handle, leader)
        assert group.output
        group.levels = [bits >> n & 1 for n in range(len(group.lines))]
        self.seen.append(self.driven())
        return len(group.lines)

    def group_read(self, handle: int, leader: int) -> list[int]:
        group = self._group(handle, leader)
        return [len(group.lines), sum(self.outside[line] << n for n, line in enumerate(group.lines))]

    def driven(self) -> dict[int, int]:
        """The lines that are driven, each with its level."""
        groups = [group for group in self.groups.values() if group.output]
        return {line: level for g in groups for line, level in zip(g.lines, g.levels, strict=True)}

    def taken(self) -> set[int]:
        return {line for group in self.groups.values() for line in group.lines}

    def _claim(self, handle: int, group: Group) -> int:
        assert handle == HANDLE
        if self.taken() & set(group.lines):
            raise self.error("GPIO busy")
        self.groups[group.lines[0]] = group
        return 0

    def _group(self, handle: int, leader: int) -> Group:
        assert handle == HANDLE
        if self.broken:
            raise self.error("bad GPIO read")
        if leader not in self.groups:
            raise self.error("GPIO not allocated")
        return self.groups[leader]


@dataclass
class Group:
    """Lines that were claimed together."""

    lines: tuple[int, ...]
    output: bool
    flags: int = 0
    levels: list[int] = field(default_factory=list)


@pytest.fixture
def chip():
    return Chip()


@pytest.fixture
def factory():
    return factory_on(HANDLE)


def factory_on(handle: int | None) -> MockFactory:
    """A factory as lgpio's: with its handle, and gpiozero's own book of who has which line."""
    factory = MockFactory()
    factory._handle = handle
    return factory


def opened(chip: Chip, factory: Any, pull: str = "up", **more: Any) -> GroupLines:
    return GroupLines((17, 27, 22), (23, 24), pull, factory, lgpio=chip, **more)


@given(levels=st.lists(st.integers(0, 7), min_size=1))
def test_outputs_take_the_levels_that_were_written_last(levels):
    chip = Chip()
    lines = opened(chip, factory_on(HANDLE), levels=5)
    assert chip.driven() == {17: 1, 27: 0, 22: 1}
    for each in levels:
        lines.write(each)
        assert chip.driven() == {17: each & 1, 27: each >> 1 & 1, 22: each >> 2}
    lines.close()


@given(high=st.sets(st.sampled_from([23, 24])))
def test_inputs_are_read_as_they_are(high):
    chip = Chip()
    chip.outside |= {line: int(line in high) for line in (23, 24)}
    lines = opened(chip, factory_on(HANDLE))
    assert lines.read() == (23 in high) + 2 * (24 in high)
    lines.close()


@given(stops=st.lists(st.integers(0, 7), min_size=1), settling=st.booleans())
def test_a_sweep_reads_after_each_stop_has_settled(stops, settling):
    chip = Chip()
    told: list[object] = []
    chip.group_read = lambda handle, leader: told.append(chip.driven()) or [2, len(told)]
    lines = opened(chip, factory_on(HANDLE))
    settle = (lambda: told.append("settled")) if settling else None
    seen = lines.sweep(stops, settle)
    driven = [{17: each & 1, 27: each >> 1 & 1, 22: each >> 2} for each in stops]
    assert told == ([it for each in driven for it in ("settled", each)] if settling else driven)
    assert seen == [n + 1 for n, what in enumerate(told) if what != "settled"]
    chip.seen.clear()
    lines.write(stops[-1])
    assert chip.seen == []


def test_lines_without_outputs_are_swept_too(chip, factory):
    assert GroupLines((), (4, 5), "up", factory, lgpio=chip).sweep([0], None) == [3]


def test_after_a_sweep_that_failed_lines_are_written_anew(chip, factory):
    lines = opened(chip, factory)
    chip.broken = True
    with pytest.raises(chip.error):
        lines.sweep([0], None)
    chip.broken = False
    lines.write(0)
    assert chip.seen == [{17: 0, 27: 0, 22: 0}]


@pytest.mark.parametrize(("pull", "flag"), [("up", 32), ("down", 64), ("floating", 128)])
def test_inputs_are_pulled_as_asked(chip, factory, pull, flag):
    opened(chip, factory, pull)
    assert chip.groups[23].flags == flag


def test_nothing_is_written_where_nothing_changes(chip, factory):
    lines = opened(chip, factory, levels=3)
    lines.write(3)
    lines.write(2)
    lines.write(2)
    assert len(chip.seen) == 1


def test_after_a_write_that_failed_lines_are_written_anew(chip, factory):
    lines = opened(chip, factory)
    chip.broken = True
    with pytest.raises(chip.error):
        lines.write(1)
    chip.broken = False
    lines.write(0)
    assert chip.seen == [{17: 0, 27: 0, 22: 0}]


def test_lines_alone_need_no_outputs(chip, factory):
    lines = GroupLines((), (4, 5), "up", factory, lgpio=chip)
    lines.write(0)
    assert lines.read() == 3
    lines.close()
    assert chip.taken() == set()


def test_closed_lines_are_free_and_drive_nothing(chip, factory):
    released = []
    lines = opened(chip, factory, release=lambda: released.append(chip.taken()))
    lines.close()
    lines.close()
    assert released == [set()]
    opened(chip, factory).close()


def test_lines_of_a_factory_that_was_closed_are_free_already(chip, factory):
    lines = opened(chip, factory)
    factory._handle = None
    chip.broken = True
    lines.close()


def test_lines_that_cannot_be_given_back_are_a_sensor_error(chip, factory):
    released = []
    lines = opened(chip, factory, release=lambda: released.append(True))
    chip.broken = True
    with pytest.raises(SensorError, match="cannot release the sensors' pins: bad GPIO read"):
        lines.close()
    assert released


def test_devices_of_gpiozero_cannot_have_the_lines_until_they_are_closed(chip, factory):
    lines = opened(chip, factory)
    with pytest.raises(Exception, match="GPIO17 is already in use"):
        OutputDevice(17, pin_factory=factory)
    lines.close()
    OutputDevice(17, pin_factory=factory).close()


def test_a_line_of_a_gpiozero_device_is_refused_before_anything_is_driven(chip, factory):
    released = []
    with (
        OutputDevice(24, pin_factory=factory),
        pytest.raises(SensorError, match=r"cannot open the sensors' pins: .*GPIO24 is already in use"),
    ):
        opened(chip, factory, release=lambda: released.append(True))
    assert released
    assert chip.taken() == set()
    opened(chip, factory).close()


def test_a_busy_line_leaves_nothing_claimed(chip, factory):
    chip.group_claim_input(HANDLE, [24])
    with pytest.raises(SensorError, match="cannot open the sensors' pins: GPIO busy"):
        opened(chip, factory)
    assert chip.taken() == {24}
    with OutputDevice(17, pin_factory=factory):
        pass


def test_a_board_is_scanned_by_groups(chip, factory):
    def lines(*given: Any, **named: Any) -> GroupLines:
        return GroupLines(*given, **named, lgpio=chip)

    wiring = MuxWiring.recommended(MORRIS, SensorKind.PRESENCE)
    with mux_sensors(wiring, factory, open_lines=lines, sleep=lambda _: None) as sensors:
        assert not any(sensors.read())
        chip.seen.clear()
        chip.outside[24] = 0
        frame = sensors.read()
        assert [n for n, felt in enumerate(frame) if felt] == [*range(8, 16)]
        assert len(chip.seen) == 8
        chip.broken = True
        with pytest.raises(SensorError, match="cannot read the sensors: bad GPIO read"):
            sensors.read()
        chip.broken = False
        assert sensors.read() is frame
    assert chip.taken() == set()
