"""Finding the Pi's header: the chip by its label, free lines, and the errors if there are none."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest

from firmware_host.config.gpio import BUSES
from firmware_host.errors import SensorError
from hardware.bus.pi import buses_in_use, header_chip, header_with, model, programs_with
from tests.support.hardware.kernel_gpio import KernelGpio


def dev_with(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "brcmstb@7d508500", 4: "pinctrl-rp1", 10: "brcmstb@7d517c00"}, 4),
        ({0: "pinctrl-rp1", 10: "brcmstb@7d508500"}, 0),
        ({0: "raspberrypi-exp-gpio", 1: "pinctrl-bcm2835"}, 1),
    ],
)
def test_the_chip_is_chosen_by_its_label_whatever_its_number(tmp_path, labels, number):
    names = {f"gpiochip{n}": label for n, label in labels.items()}
    found = header_chip(dev_with(tmp_path, *names), KernelGpio(names).chip)
    assert found == tmp_path / f"gpiochip{number}"


def test_where_there_is_no_chip_the_simulation_is_named(tmp_path):
    with pytest.raises(
        SensorError, match=r"there is no .*/gpiochip0, so this isn't a Raspberry Pi; `millwright sim`"
    ):
        header_chip(tmp_path)


def test_chips_of_other_machines_are_named(tmp_path):
    kernel = KernelGpio({"gpiochip0": "INT33C7:00"})
    with pytest.raises(SensorError, match=r"none of the GPIO chips here \(INT33C7:00\) has a Raspberry Pi's"):
        header_chip(dev_with(tmp_path, "gpiochip0"), kernel.chip)


def test_a_chip_that_may_not_be_opened_names_the_group(unprivileged):
    dev_with(unprivileged, "gpiochip0").joinpath("gpiochip0").chmod(0)
    with pytest.raises(SensorError, match="sudo usermod -aG gpio"):
        header_chip(unprivileged)


def test_a_chip_that_cannot_be_opened_is_a_sensor_error(tmp_path):
    with pytest.raises(SensorError, match=r"gpiochip0 cannot be opened: .*No such file"):
        header_chip(dev_with(tmp_path, "gpiochip0"), KernelGpio({}).chip)


def test_a_file_that_is_no_chip_is_a_sensor_error(tmp_path):
    with pytest.raises(SensorError, match=r"gpiochip0 cannot be opened: .*Inappropriate ioctl"):
        header_chip(dev_with(tmp_path, "gpiochip0"))


def test_who_holds_a_line_is_named_before_any_is_driven(tmp_path):
    kernel = KernelGpio(drivers={23: "w1-gpio", 24: "w1-gpio", 25: ""})
    with pytest.raises(SensorError) as caught:
        header_with((17, 23, 24, 25), dev=dev_with(tmp_path, "gpiochip0"), open_chip=kernel.chip)
    assert str(caught.value) == (
        "other programs hold GPIO 23, 24 (w1-gpio); GPIO 25 (?): end those programs, or use other lines"
    )
    assert kernel.taken() == {}


def test_a_chip_that_fails_while_its_lines_are_looked_at_is_a_sensor_error(tmp_path):
    kernel = KernelGpio()

    def broken_chip(device):
        chip = kernel.chip(device)
        if opened:
            kernel.broken = errno.ENODEV
        opened.append(device)
        return chip

    opened: list[Path] = []
    with pytest.raises(SensorError, match=r"GPIO 17 is not available: .*No such device"):
        header_with((17,), dev=dev_with(tmp_path, "gpiochip0"), open_chip=broken_chip)


def test_programs_that_have_a_chip_open_are_named_with_their_process(tmp_path):
    chip = tmp_path / "gpiochip0"
    chip.touch()
    with chip.open() as file:
        other = subprocess.Popen(["/bin/sleep", "30"], stdin=file)
        try:
            assert programs_with(chip) == [f"sleep (process {other.pid})"]
        finally:
            other.kill()
            other.wait()
    assert programs_with(chip) == []


def test_a_line_that_the_chip_has_not_is_a_sensor_error(tmp_path):
    with pytest.raises(SensorError, match=r"GPIO 99 is not available: .*Invalid argument"):
        header_with((99,), dev=dev_with(tmp_path, "gpiochip0"), open_chip=KernelGpio().chip)


@pytest.fixture
def dev(tmp_path) -> Path:
    """An empty /dev, with /proc beside it."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "proc" / "device-tree").mkdir(parents=True)
    return tmp_path / "dev"


def test_a_bus_is_in_use_where_its_device_is(dev):
    assert list(buses_in_use(dev)) == []
    assert list(buses_in_use(dev_with(dev, "i2c-1", "ttyS0"))) == ["I2C"]
    (dev / "serial0").symlink_to("ttyS0")
    assert list(buses_in_use(dev)) == ["I2C", "the serial port"]


def test_each_device_on_spi_has_its_lines(dev):
    dev_with(dev, "spidev0.0", "spidev0.1", "spidev1.2", "spidev10.0")
    assert list(buses_in_use(dev)) == ["SPI0.0", "SPI0.1", "SPI1.2"]
    assert set(buses_in_use(dev)) <= BUSES.keys()


@pytest.mark.parametrize("console", ["serial0,115200", "ttyS0,115200", "ttyS0"])
def test_the_kernels_console_is_on_the_serial_port_where_its_command_line_says_so(dev, console):
    dev_with(dev, "ttyS0")
    (dev / "serial0").symlink_to("ttyS0")
    (dev.parent / "proc" / "cmdline").write_text(f"console={console} console=tty1 root=/dev/mmcblk0p2\n")
    assert list(buses_in_use(dev)) == ["the serial port", "the serial console"]


def test_a_console_elsewhere_takes_no_lines(dev):
    dev_with(dev, "ttyS0")
    (dev.parent / "proc" / "cmdline").write_text("console=ttyS0 console=tty1\n")
    assert list(buses_in_use(dev)) == []


def test_the_serial_port_of_a_pi_5_that_is_not_on_the_header_takes_no_lines(dev):
    dev_with(dev, "ttyAMA10")
    (dev / "serial0").symlink_to("ttyAMA10")
    assert list(buses_in_use(dev)) == []


def test_the_model_is_what_the_firmware_says(dev):
    proc = dev.parent / "proc"
    assert model(proc) == ""
    (proc / "device-tree" / "model").write_text("Raspberry Pi Model B Rev 2\0")
    assert model(proc) == "Raspberry Pi Model B Rev 2"
