"""The ADC, down to the bytes on its bus."""

from __future__ import annotations

import errno
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from hardware.bus.spi import SpiExchange
from hardware.sensors.adc import ADC_HZ, AdcScanner, command
from tests.support.hardware.kernel import SpiKernel

LEVEL = st.integers(0, 1023)


def answer_of(level: int) -> bytes:
    return bytes([0, level >> 8, level & 0xFF])


class Select:
    """Select lines that record their values."""

    def __init__(self) -> None:
        self.address = 0
        self.told: list[object] = []

    def write(self, levels: int) -> None:
        self.address = levels
        self.told.append(levels)

    def close(self) -> None:
        self.told.append("closed")


class AdcBench:
    """Three chips of eight channels on inputs 4, 0 and 6 of an ADC, whose levels a test sets."""

    inputs = (4, 0, 6)

    def __init__(self, folder, wires) -> None:
        self.levels = {}
        self.lines = Select()
        self.kernel = SpiKernel(self.answer)
        file = folder / "spidev1.0"
        file.touch()
        self.scanner = AdcScanner(
            SpiExchange(file, ADC_HZ, ioctl=self.kernel.ioctl),
            self.inputs,
            self.lines,
            wires,
            settling_us=20,
            sleep=self.lines.told.append,
            select=3,
        )

    def answer(self, sent: bytes) -> bytes:
        start, asked, rest = sent
        assert (start, asked & 0x8F, rest) == (1, 0x80, 0)
        return answer_of(self.levels.get((self.inputs.index(asked >> 4 & 7), self.lines.address), 0))


GRID = [(chip, channel) for chip in range(3) for channel in range(8)]


@given(levels=st.dictionaries(st.sampled_from(GRID), LEVEL, min_size=1))
def test_every_wire_is_read_by_its_chip_and_channel(tmp_path_factory, levels):
    bench = AdcBench(tmp_path_factory.mktemp("bus"), levels)
    bench.levels = levels
    scanned = dict(zip(bench.scanner.wires, bench.scanner.scan(), strict=True))
    assert scanned == levels


def test_all_inputs_of_a_step_are_converted_in_one_call_with_the_chip_let_go_between(tmp_path):
    bench = AdcBench(tmp_path, GRID)
    bench.scanner.scan()
    assert len(bench.kernel.calls) == 8
    for transfers in bench.kernel.calls:
        assert [transfer.cs_change for transfer in transfers] == [1, 1, 0]
        assert {(t.speed_hz, t.bits_per_word, t.len) for t in transfers} == {(1_350_000, 8, 3)}
    assert bench.kernel.modes == [b"\0"]


def test_a_step_changes_one_select_line_and_waits(tmp_path):
    bench = AdcBench(tmp_path, GRID)
    bench.scanner.scan()
    bench.scanner.scan()
    addresses, waits = bench.lines.told[0::2], bench.lines.told[1::2]
    assert [bin(a ^ b).count("1") for a, b in pairwise(addresses[:8])] == [1] * 7
    assert sorted(addresses) == sorted([*range(8)] * 2)
    assert waits == [20e-6] * 16


def test_channels_without_a_sensor_are_left_out(tmp_path):
    bench = AdcBench(tmp_path, [(0, 5), (2, 5), (1, 3)])
    bench.scanner.scan()
    assert bench.lines.told[0::2] == [3, 5] or bench.lines.told[0::2] == [5, 3]
    assert sorted(len(transfers) for transfers in bench.kernel.calls) == [1, 2]


def test_levels_that_did_not_change_are_the_same_object(tmp_path):
    bench = AdcBench(tmp_path, GRID)
    before = bench.scanner.scan()
    assert bench.scanner.scan() is before
    bench.levels = {(1, 1): 7}
    assert bench.scanner.scan() != before


def test_without_multiplexers_all_sensors_are_converted_in_one_call(tmp_path):
    (tmp_path / "spidev1.1").touch()
    kernel = SpiKernel(lambda sent: answer_of(100 * (sent[1] >> 4 & 7)))
    bus = SpiExchange(tmp_path / "spidev1.1", ADC_HZ, ioctl=kernel.ioctl)
    wires = [(chip, 0) for chip in range(8)]
    scanner = AdcScanner(bus, range(8), None, wires, settling_us=20, sleep=pytest.fail)
    assert scanner.scan() == (0, 100, 200, 300, 400, 500, 600, 700)
    assert len(kernel.calls) == 1


def test_an_adc_that_is_not_there_is_told(tmp_path):
    (tmp_path / "spidev1.0").touch()
    kernel = SpiKernel(lambda sent: b"\xff" * len(sent))
    bus = SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=kernel.ioctl)
    scanner = AdcScanner(bus, (0,), None, [(0, 0)], settling_us=0, sleep=pytest.fail)
    with pytest.raises(SensorError, match="cannot read the sensors: no MCP3008 answers: does it have power"):
        scanner.scan()


def test_closing_gives_bus_and_lines_back_and_may_be_done_twice(tmp_path):
    bench = AdcBench(tmp_path, GRID)
    bench.scanner.close()
    bench.scanner.close()
    assert bench.lines.told == ["closed", "closed"]
    with pytest.raises(SensorError, match="closed"):
        bench.scanner.scan()
    SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=bench.kernel.ioctl).close()


@pytest.mark.parametrize(("name", "overlay"), [("spidev1.0", "spi1-1cs"), ("spidev1.2", "spi1-3cs")])
def test_a_bus_that_is_not_there_says_how_to_switch_it_on(tmp_path, name, overlay):
    with pytest.raises(SensorError, match=rf"there is no .*{name}: .* `dtoverlay={overlay}` in /boot/firm"):
        SpiExchange(tmp_path / name, ADC_HZ)


def test_a_bus_is_for_one_program(tmp_path):
    (tmp_path / "spidev1.0").touch()
    kernel = SpiKernel(bytes)
    first = SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=kernel.ioctl)
    with pytest.raises(SensorError, match="in use by another Millwright"):
        SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=kernel.ioctl)
    first.close()


def test_a_file_that_is_no_bus_is_refused_and_closed(tmp_path):
    (tmp_path / "spidev1.0").touch()
    with pytest.raises(SensorError, match=r"spidev1\.0 cannot be used: Inappropriate ioctl"):
        SpiExchange(tmp_path / "spidev1.0", ADC_HZ)
    SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=SpiKernel(bytes).ioctl).close()


def test_a_kernel_that_cannot_transfer_is_a_sensor_error(tmp_path):
    def ioctl(_file, request, _data):
        if request != 0x40016B01:
            raise OSError(errno.EIO, "Input/output error")

    (tmp_path / "spidev1.0").touch()
    bus = SpiExchange(tmp_path / "spidev1.0", ADC_HZ, ioctl=ioctl)
    scanner = AdcScanner(bus, (0,), None, [(0, 0)], settling_us=0, sleep=pytest.fail)
    with pytest.raises(SensorError, match="Input/output error"):
        scanner.scan()


@pytest.mark.parametrize(("given", "sent"), [(0, "018000"), (3, "01b000"), (7, "01f000")])
def test_commands_are_those_of_the_data_sheet(given, sent):
    assert command(given).hex() == sent
