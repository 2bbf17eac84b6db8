"""Sensors and strip opened on a machine: which line or bus each kind asks for, and what it gives back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import ConfigError, SensorError, StripError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.runtime.real_board import RealBoard
from firmware_host.settings import Sensors, Strip
from hardware.bus.gpio import sweep_stepwise
from hardware.electronics import PiElectronics
from hardware.factory import open_scanner, open_sensors, open_strip, scanner_on
from hardware.machine import PiMachine
from hardware.serial.board import SerialBoard
from hardware.wiring.contacts import every_wire

PLACES = [(n,) for n in range(24)]


class HighLines:
    """Lines that are all high."""

    def __init__(self, *asked: object, open_drain: bool) -> None:
        self.asked = asked
        self.open_drain = open_drain
        self.closed = False

    def write(self, levels: int) -> None:
        pass

    def read(self) -> int:
        return (1 << 24) - 1

    def sweep(self, stops, settle):
        return sweep_stepwise(self, stops, settle)

    def close(self) -> None:
        self.closed = True


class MachineWithLines:
    """One that has lines and no buses."""

    def __init__(self) -> None:
        self.opened: list[HighLines] = []

    def now(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        pass

    def lines(self, outputs, inputs, pull, levels, *, open_drain=False):
        self.opened.append(HighLines(tuple(outputs), tuple(inputs), pull, levels, open_drain=open_drain))
        return self.opened[-1]

    def i2c(self, device):
        raise SensorError(Message(f"there is no {device}"))

    def adc(self, device):
        raise SensorError(Message(f"there is no {device}"))

    def serial(self, port=""):
        raise SensorError(Message(f"there is no {port}"))


@pytest.mark.parametrize(
    ("sensors", "lines"),
    [
        (Sensors(), ((17, 27, 22), (23, 24, 25), "up", 0)),
        (Sensors(pull_up=False), ((17, 27, 22), (23, 24, 25), "floating", 0)),
        (Sensors(signal=(23,), enable=(5, 6, 16)), ((17, 27, 22, 5, 6, 16), (23,), "up", 0b111000)),
        (Sensors(kind="direct", signal=tuple(range(2, 26))), ((), tuple(range(2, 26)), "up", 0)),
    ],
)
def test_multiplexers_and_lines_ask_for_their_lines_alone(sensors, lines):
    machine = MachineWithLines()
    scanner = scanner_on(machine, sensors, every_wire(sensors))
    assert [one.asked for one in machine.opened] == [lines]
    assert not any(scanner.scan())
    scanner.close()
    assert machine.opened[0].closed


def test_a_matrix_asks_for_rows_that_are_released_and_never_driven_high():
    machine = MachineWithLines()
    sensors = Sensors(kind="matrix", rows=(4, 5), columns=(6, 7, 8))
    scanner_on(machine, sensors, every_wire(sensors)).close()
    scanner_on(machine, replace(sensors, pull_up=False), every_wire(sensors)).close()
    asked = [(one.asked, one.open_drain) for one in machine.opened]
    assert asked == [(((4, 5), (6, 7, 8), pull, 0b11), True) for pull in ("up", "floating")]


@pytest.mark.parametrize("pull", ["up", "down", "floating"])
def test_another_pull_than_that_of_the_settings_can_be_asked_for(pull):
    machine = MachineWithLines()
    scanner_on(machine, Sensors(), every_wire(Sensors()), pull)
    assert machine.opened[0].asked[2] == pull


def test_expanders_and_serial_boards_ask_for_no_line():
    for kind, bus in (("mcp23017", "/dev/i2c-4"), ("serial", "/dev/ttyUSB7")):
        machine = MachineWithLines()
        with pytest.raises(SensorError, match=f"there is no {bus}"):
            scanner_on(machine, Sensors(kind=kind, i2c=bus, port=bus), [(0, 0)])
        assert machine.opened == []


def test_an_adc_whose_bus_is_not_there_gives_the_select_lines_back():
    machine = MachineWithLines()
    with pytest.raises(SensorError, match=r"there is no /dev/spidev1\.0"):
        scanner_on(machine, Sensors(kind="mcp3008"), [(0, 0)])
    assert [one.asked[:2] for one in machine.opened] == [((17, 27, 22), ())]
    assert machine.opened[0].closed


def test_linear_sensors_without_multiplexers_ask_for_no_line():
    machine = MachineWithLines()
    with pytest.raises(SensorError):
        scanner_on(machine, Sensors(kind="mcp3008", select=()), [(0, 0)])
    assert machine.opened == []


def test_what_cannot_be_wired_is_refused_before_anything_is_opened():
    machine = MachineWithLines()
    with pytest.raises(ConfigError, match="48 channels, but 3 chips x 8 channels give only 24"):
        open_sensors(MORRIS, Sensors(alphabet="polarity"), Strip(), machine)
    with pytest.raises(ConfigError, match="GPIO 10 is assigned to both signal line 0 and MOSI of SPI"):
        open_sensors(MORRIS, Sensors(signal=(10, 24, 25)), Strip(), machine)
    with pytest.raises(ConfigError, match="GPIO 17 is assigned to both select line 0 and select line 1"):
        open_scanner(Sensors(select=(17, 17, 22)), machine=machine)
    assert machine.opened == []


# ---- one serial line for sensors and strip ---------------------------------------------------------------


def test_a_serial_board_is_one_whoever_asks_for_it():
    machine = PiMachine()
    board = machine.serial("/dev/ttyUSB7")
    assert machine.serial("/dev/ttyUSB7") is board
    assert machine.serial() is board
    assert machine.serial("/dev/ttyUSB8") is not board


def test_the_strip_of_a_serial_board_is_driven_by_it():
    said = []
    board = PiMachine().serial("/nowhere/ttyUSB7")
    strip = open_strip(Strip(backend="serial"), PLACES, said.append, board=lambda: board)
    with pytest.raises(StripError, match=r"/nowhere/ttyUSB7"):
        strip.show(((0, 0, 0),) * 24)
    assert said == ["LEDs by serial"]


def opened_on(monkeypatch) -> list[str]:
    """The ports that serial boards are opened on from now on; none of them is there."""
    asked: list[str] = []

    def nothing(path):
        asked.append(path)
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setattr(
        SerialBoard.__init__, "__kwdefaults__", {**SerialBoard.__init__.__kwdefaults__, "open_port": nothing}
    )
    return asked


@pytest.mark.parametrize("backend", ["auto", "serial"])
def test_play_opens_one_line_for_sensors_and_strip(monkeypatch, backend):
    asked = opened_on(monkeypatch)
    sensors = Sensors(kind="serial", port="/nowhere/ttyUSB7")
    play = RealBoard(replace(Config(), sensors=sensors, strip=Strip(backend=backend)))
    play.board.tick(0)
    assert asked == ["/nowhere/ttyUSB7"]
    play.board.close()


def test_set_up_lights_the_strip_by_the_line_that_its_sensors_are_read_by(monkeypatch):
    asked = opened_on(monkeypatch)
    electronics = PiElectronics()
    machine = electronics._machine
    machine.sleep = lambda _seconds: None
    with pytest.raises(SensorError, match=r"cannot read the sensors: .*ttyUSB7"):
        electronics.open_scanner(Sensors(kind="serial", port="/nowhere/ttyUSB7"))
    assert set(asked) == {"/nowhere/ttyUSB7"}
    electronics.open_leds(Strip(backend="serial"))
    assert list(machine._boards) == ["/nowhere/ttyUSB7"]


@pytest.mark.parametrize("bus", ["i2c", "adc"])
def test_a_bus_of_a_machine_that_is_no_pi_is_not_to_be_switched_on(bus, monkeypatch):
    open_bus = getattr(PiMachine(), bus)
    with pytest.raises(SensorError, match=r"/dev/none-1, so this isn't a Raspberry Pi"):
        open_bus("/dev/none-1")
    monkeypatch.setattr("hardware.machine.model", lambda: "Raspberry Pi 5 Model B Rev 1.0")
    with pytest.raises(SensorError, match="/dev/none-1: switch"):
        open_bus("/dev/none-1")
