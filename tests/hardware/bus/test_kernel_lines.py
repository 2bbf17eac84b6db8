"""Lines by the kernel's group calls, on chips that answer as linux/gpio.h has it."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.bus import gpiochip
from hardware.bus.kernel_lines import KernelLines
from hardware.wiring.contacts import MuxWiring
from tests.support.hardware.kernel_gpio import (
    NO_PULL,
    OPEN_DRAIN,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    KernelGpio,
)
from tests.support.hardware.mux_opening import mux_sensors
from tests.support.systemd.files import needs

OUTPUTS, INPUTS = (17, 27, 22), (23, 24)


@pytest.fixture
def kernel() -> KernelGpio:
    return KernelGpio()


def opened(kernel: KernelGpio, pull: Any = "up", **more: Any) -> KernelLines:
    return KernelLines(OUTPUTS, INPUTS, pull, kernel.chip(), **more)


def as_driven(levels: int) -> dict[int, int]:
    return {17: levels & 1, 27: levels >> 1 & 1, 22: levels >> 2}


@given(levels=st.lists(st.integers(0, 7), min_size=1))
def test_outputs_take_the_levels_that_were_written_last(levels):
    kernel = KernelGpio()
    lines = opened(kernel, levels=5)
    assert kernel.driven() == as_driven(5)
    for each in levels:
        lines.write(each)
        assert kernel.driven() == as_driven(each)
    lines.close()


@given(high=st.sets(st.sampled_from(INPUTS)))
def test_inputs_are_read_as_they_are(high):
    kernel = KernelGpio()
    kernel.outside |= {line: int(line in high) for line in INPUTS}
    lines = opened(kernel)
    assert lines.read() == (23 in high) + 2 * (24 in high)
    lines.close()


@given(stops=st.lists(st.integers(0, 7), min_size=1), settling=st.booleans())
def test_a_sweep_reads_after_each_stop_has_settled(stops, settling):
    kernel = KernelGpio()
    told: list[object] = []

    def read() -> int:
        told.append(kernel.driven())
        return len(told)

    kernel.on_read = read
    lines = opened(kernel)
    seen = lines.sweep(stops, (lambda: told.append("settled")) if settling else None)
    driven = [as_driven(each) for each in stops]
    assert told == ([it for each in driven for it in ("settled", each)] if settling else driven)
    assert seen == [n + 1 for n, what in enumerate(told) if what != "settled"]
    kernel.seen.clear()
    lines.write(stops[-1])
    assert kernel.seen == []
    lines.close()


def test_open_drain_outputs_are_driven_low_only_and_pulled_up_otherwise(kernel):
    lines = opened(kernel, levels=7, open_drain=True)
    assert kernel.taken()[17].flags == OUTPUT | OPEN_DRAIN | PULL_UP
    assert kernel.driven() == {}
    lines.sweep([5, 7], None)
    assert kernel.seen == [{27: 0}, {}]
    lines.close()
    assert kernel.driven() == {}


def test_lines_without_outputs_are_swept_too(kernel):
    lines = KernelLines((), (4, 5), "up", kernel.chip())
    lines.write(0)
    assert lines.sweep([0], None) == [3]
    lines.close()
    assert kernel.taken() == {}


def test_lines_without_inputs_are_written(kernel):
    lines = KernelLines(OUTPUTS, (), "floating", kernel.chip())
    lines.write(6)
    assert (kernel.driven(), lines.read()) == (as_driven(6), 0)
    lines.close()


@pytest.mark.parametrize("fails", [lambda lines: lines.sweep([0], None), lambda lines: lines.write(1)])
def test_after_a_failure_lines_are_written_again(kernel, fails):
    lines = opened(kernel)
    kernel.broken = errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        fails(lines)
    kernel.broken = 0
    lines.write(0)
    assert kernel.seen == [as_driven(0)]
    lines.close()


@pytest.mark.parametrize(("pull", "flag"), [("up", PULL_UP), ("down", PULL_DOWN), ("floating", NO_PULL)])
def test_inputs_are_pulled_as_asked(kernel, pull, flag):
    lines = opened(kernel, pull)
    assert kernel.taken()[23].flags & (PULL_UP | PULL_DOWN | NO_PULL) == flag
    lines.close()


def test_nothing_is_written_where_nothing_changes(kernel):
    lines = opened(kernel, levels=3)
    lines.write(3)
    lines.write(2)
    lines.write(2)
    assert len(kernel.seen) == 1
    lines.close()


def test_lines_are_held_under_the_programs_name(kernel):
    lines = opened(kernel)
    with kernel.chip() as chip:
        assert (chip.line(17).is_used, chip.line(17).user) == (True, "millwright")
        assert (chip.line(17).is_output, chip.line(23).is_output) == (True, False)
        assert not chip.line(4).is_used
    lines.close()


def test_closed_lines_are_free_and_drive_nothing(kernel, monkeypatch):
    lines = opened(kernel)
    left = []
    close = os.close
    with monkeypatch.context() as patched:
        patched.setattr(os, "close", lambda file: left.append(kernel.driven()) or close(file))
        lines.close()
        lines.close()
    assert left == [as_driven(0), {}, {}]
    assert kernel.taken() == {}
    opened(kernel).close()


def test_lines_that_cannot_be_given_back_are_a_sensor_error(kernel):
    lines = opened(kernel)
    kernel.broken = errno.ENODEV
    with pytest.raises(SensorError, match=r"cannot release the sensors' pins: .*No such device"):
        lines.close()
    kernel.broken = 0
    assert kernel.taken() == {}


def test_a_busy_line_leaves_nothing_taken(kernel):
    kernel.drivers[24] = "w1-gpio"
    with pytest.raises(SensorError, match=r"cannot open the sensors' pins: .*busy"):
        opened(kernel)
    assert kernel.taken() == {}


def test_a_kernel_without_the_second_version_is_a_sensor_error(kernel):
    chip = kernel.chip()
    kernel.broken = errno.EINVAL
    with pytest.raises(SensorError, match=r"cannot open the sensors' pins: .*Invalid argument"):
        KernelLines(OUTPUTS, INPUTS, "up", chip)


def test_a_board_is_scanned_by_groups(kernel):
    wiring = MuxWiring.recommended(MORRIS, SensorKind.PRESENCE)
    with mux_sensors(wiring, kernel.chip(), open_lines=KernelLines, sleep=lambda _: None) as sensors:
        assert not any(sensors.read())
        kernel.seen.clear()
        kernel.outside[24] = 0
        frame = sensors.read()
        assert [n for n, felt in enumerate(frame) if felt] == [*range(8, 16)]
        assert len(kernel.seen) == 8
        kernel.broken = errno.EIO
        with pytest.raises(SensorError, match=r"cannot read the sensors: .*Input/output error"):
            sensors.read()
        kernel.broken = 0
        assert sensors.read() is frame
    assert kernel.taken() == {}


HEADER = """
#include <linux/gpio.h>
#include <stdio.h>
#define SHOW(name) printf("%lu\\n", (unsigned long)(name))
int main(void)
{
    SHOW(GPIO_GET_CHIPINFO_IOCTL); SHOW(GPIO_V2_GET_LINEINFO_IOCTL); SHOW(GPIO_V2_GET_LINE_IOCTL);
    SHOW(GPIO_V2_LINE_SET_CONFIG_IOCTL); SHOW(GPIO_V2_LINE_GET_VALUES_IOCTL);
    SHOW(GPIO_V2_LINE_SET_VALUES_IOCTL);
    SHOW(GPIO_V2_LINE_FLAG_USED); SHOW(GPIO_V2_LINE_FLAG_INPUT); SHOW(GPIO_V2_LINE_FLAG_OUTPUT);
    SHOW(GPIO_V2_LINE_FLAG_BIAS_PULL_UP); SHOW(GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
    SHOW(GPIO_V2_LINE_FLAG_BIAS_DISABLED); SHOW(GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES);
    SHOW(__builtin_offsetof(struct gpio_v2_line_request, config));
    SHOW(__builtin_offsetof(struct gpio_v2_line_request, num_lines));
    SHOW(__builtin_offsetof(struct gpio_v2_line_request, fd));
    SHOW(__builtin_offsetof(struct gpio_v2_line_config, attrs));
    SHOW(__builtin_offsetof(struct gpio_v2_line_info, flags));
    return 0;
}
"""


@needs("gcc")
@pytest.mark.skipif(not Path("/usr/include/linux/gpio.h").exists(), reason="needs linux/gpio.h")
def test_numbers_are_those_of_the_kernels_header(tmp_path):
    (tmp_path / "numbers.c").write_text(HEADER)
    subprocess.run(["gcc", "-o", tmp_path / "numbers", tmp_path / "numbers.c"], check=True)  # noqa: S603, S607
    done = subprocess.run([tmp_path / "numbers"], check=True, capture_output=True, text=True)  # noqa: S603
    calls = ("CHIP_INFO", "LINE_INFO", "LINES")
    ours = [getattr(gpiochip, f"_GET_{name}") for name in calls]
    ours += [gpiochip._SET_CONFIG, gpiochip._GET_VALUES, gpiochip._SET_VALUES]
    ours += [gpiochip._USED, gpiochip.INPUT, gpiochip.OUTPUT]
    ours += [gpiochip.PULL_UP, gpiochip.PULL_DOWN, gpiochip.NO_PULL, gpiochip._OUTPUT_VALUES]
    ours += [64 * 4 + 32, 64 * 4 + 32 + gpiochip._CONFIG.size, gpiochip._REQUEST.size - 4, 32, 72]
    assert [int(number) for number in done.stdout.split()] == ours
