"""Expanders, down to the bytes on the bus: made ready, read, and made ready again."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from hardware.bus.i2c import I2cBus
from hardware.sensors.expander import ExpanderScanner
from sim.clock import VirtualClock
from sim.electronics.expanders import SimulatedI2c
from sim.scheduler import Scheduler
from tests.support.hardware.kernel import I2cKernel

ADDRESSES = (0x20, 0x25)
INPUTS = [*range(7), *range(8, 15)]
WIRES = [(chip, pin) for chip in range(2) for pin in INPUTS]


class ExpanderBench:
    """Two expanders, and a scanner on them through the bus of a kernel."""

    def __init__(self, folder, **scanner) -> None:
        self.wires = SimulatedI2c(VirtualClock(), Scheduler(), ADDRESSES)
        self.kernel = I2cKernel(self.wires)
        self.file = folder / "i2c-1"
        self.file.touch()
        self.settings = scanner
        self.scanner = self.open()

    def open(self) -> ExpanderScanner:
        bus = I2cBus(self.file, ioctl=self.kernel.ioctl)
        return ExpanderScanner(bus, ADDRESSES, WIRES, name="/dev/i2c-1", **self.settings)

    def close(self, chip: int, pin: int, closed: bool = True) -> None:
        self.wires.close_contact((chip, pin), closed)

    def closed(self) -> set[tuple[int, int]]:
        return {wire for wire, level in zip(self.scanner.wires, self.scanner.scan(), strict=True) if level}

    def register(self, chip: int, number: int) -> int:
        return self.wires.chips[chip].read(number, 1)[0]


@pytest.fixture
def bench(tmp_path):
    return ExpanderBench(tmp_path)


@given(st.sets(st.sampled_from(WIRES)))
def test_every_pin_is_read_by_its_chip_and_number(tmp_path_factory, closed):
    bench = ExpanderBench(tmp_path_factory.mktemp("bus"))
    for chip, pin in closed:
        bench.close(chip, pin)
    assert bench.closed() == closed


def test_a_scan_in_which_nothing_changes_is_one_transfer_a_chip_and_gives_the_same_levels(bench):
    before = bench.scanner.scan()
    transfers = bench.kernel.transfers
    assert bench.scanner.scan() is before
    assert bench.kernel.transfers == transfers + len(ADDRESSES)


def test_pins_are_pulled_up_and_those_that_are_no_inputs_are_driven_low(bench):
    for chip in range(2):
        assert [bench.register(chip, number) for number in (0x00, 0x01)] == [0x7F, 0x7F]
        assert [bench.register(chip, number) for number in (0x0C, 0x0D)] == [0x7F, 0x7F]
        assert [bench.register(chip, number) for number in (0x12, 0x13)] == [0x7F, 0x7F]


@pytest.mark.parametrize("pull", ["down", "floating"])
def test_without_pull_ups_pins_float(tmp_path, pull):
    bench = ExpanderBench(tmp_path, pull=pull)
    assert [bench.register(0, number) for number in (0x0C, 0x0D)] == [0, 0]
    bench.close(0, 3)
    bench.scanner.scan()
    bench.close(0, 3, closed=False)
    assert bench.closed() == {(0, 3)}, "nothing pulls the pin up again"


@given(st.lists(st.tuples(st.integers(0, 0x1A), st.integers(0, 255)), max_size=30))
def test_a_chip_is_made_ready_whatever_it_was_told_before(tmp_path_factory, told):
    bench = ExpanderBench(tmp_path_factory.mktemp("bus"))
    for number, value in told:
        bench.wires.write(ADDRESSES[0], number, bytes([value]))
    bench.scanner = bench.open()
    bench.close(0, 2)
    assert bench.closed() == {(0, 2)}


@pytest.mark.parametrize("pin", INPUTS)
def test_a_piece_is_felt_by_a_chip_that_forgot_everything(bench, pin):
    bench.scanner.scan()
    bench.wires.chips[1].reset()
    bench.close(1, pin)
    assert bench.closed() == {(1, pin)}
    bench.close(1, pin, closed=False)
    assert bench.closed() == set(), "its pull-ups are on again"


def test_a_lift_that_a_chip_without_pull_ups_cannot_feel_is_felt_within_a_hundred_scans(bench):
    bench.close(0, 4)
    assert bench.closed() == {(0, 4)}
    bench.wires.chips[0].reset()
    bench.close(0, 4, closed=False)
    assert any(bench.closed() == set() for _ in range(100))


def test_what_floats_on_a_chip_that_was_reset_is_never_believed(bench):
    bench.scanner.scan()
    chip = bench.wires.chips[0]
    chip.reset()
    chip._levels = 0  # as charge may leave them
    assert bench.closed() == set()


def test_a_chip_that_was_away_is_made_ready_when_it_is_back(bench):
    bench.wires.fail(1, dead=True)
    with pytest.raises(SensorError):
        bench.scanner.scan()
    bench.wires.fail(1, dead=False)
    assert bench.closed() == set()
    assert bench.register(1, 0x0C) == 0x7F


def test_who_does_not_answer_is_told_with_what_to_look_at(bench):
    bench.wires.fail(1, dead=True)
    with pytest.raises(SensorError) as caught:
        bench.scanner.scan()
    told = str(caught.value)
    assert told.startswith(
        "cannot read the sensors: no expander answers at 0x25 on /dev/i2c-1: does it have power"
    )
    assert "(A0: 3.3 V, A1: GND, A2: 3.3 V)" in told
    assert "`i2cdetect -y 1`" in told


def test_opening_without_an_answer_gives_the_bus_back(bench):
    bench.scanner.close()
    bench.wires.fail(0, dead=True)
    with pytest.raises(SensorError, match="0x20"):
        bench.open()
    bench.wires.fail(0, dead=False)
    bench.scanner = bench.open()
    assert bench.closed() == set()


def test_a_bus_that_hangs_is_told_as_such(bench):
    def hangs(*_):
        raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")

    bench.scanner._bus._ioctl = hangs
    with pytest.raises(
        SensorError, match=r"/dev/i2c-1 fails .*timed out.*: is SDA or SCL shorted or disconnected"
    ):
        bench.scanner.scan()


class Forgetful(SimulatedI2c):
    """Another chip at the same address, which keeps none of its settings."""

    def write(self, address, register, values):
        pass


def test_what_keeps_no_settings_is_no_expander():
    bus = Forgetful(VirtualClock(), Scheduler(), ADDRESSES)
    with pytest.raises(SensorError, match="at 0x20 on /dev/i2c-1 doesn't keep its settings: it isn't an MCP"):
        ExpanderScanner(bus, ADDRESSES, WIRES, name="/dev/i2c-1")


def test_a_bus_that_is_not_switched_on_says_how(tmp_path):
    with pytest.raises(
        SensorError, match=r"there is no .*i2c-1: switch I2C on with the line `dtparam=i2c_arm=on`"
    ):
        I2cBus(tmp_path / "i2c-1")


def test_a_folder_is_no_bus(tmp_path):
    with pytest.raises(SensorError, match="cannot be opened: Is a directory"):
        I2cBus(tmp_path)


def test_a_bus_that_may_not_be_opened_names_the_group(tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("os.open", refused)
    with pytest.raises(SensorError, match=r"may not open .*: run `sudo usermod -aG i2c \$USER`"):
        I2cBus(tmp_path / "i2c-1")


def test_closing_gives_the_bus_back_and_may_be_done_twice(bench):
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench.scanner.close()
    bench.scanner.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before - 1
    with pytest.raises(SensorError, match="closed"):
        bench.scanner.scan()
