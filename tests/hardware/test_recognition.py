"""Parts that are asked: which answer, how long they are waited for, and what is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.recognition import ANSWERS_WITHIN_S, FormProbe, lasting_name
from hardware.serial.board import BOOT_S, SerialBoard
from hardware.wiring.plan import FORMS, BoardPlan
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard


class Bench:
    """A board that is asked what it is."""

    def __init__(self, sensors: Sensors, ports: Sequence[str] = (), *, has_buses: bool = True) -> None:
        self.clock = VirtualClock()
        alphabet = SensorKind(sensors.alphabet)
        self.board = SimulatedBoard(MORRIS, alphabet, self.clock, sensors=sensors)
        self.probe = FormProbe(self.board.harness, 24, ports=lambda: ports, has_buses=has_buses)

    def asked(self) -> float:
        """Ask, and return how many seconds it took."""
        begun = self.clock.now()
        self.probe.begin()
        while not self.probe.step():
            self.clock.sleep(0.05)
        self.probe.close()
        return (self.clock.now() - begun) / 1_000_000


def drawn(form: str) -> Sensors:
    return BoardPlan.of_form(MORRIS, FORMS[form]).sensors


@pytest.mark.parametrize("form", ["presence", "polarity", "matrix"])
def test_wires_without_parts_that_answer_are_not_recognised_nor_waited_for(form):
    bench = Bench(drawn(form))
    assert bench.asked() < 0.1
    assert bench.probe.recognised == ()


@pytest.mark.parametrize("form", ["expanders", "linear"])
def test_parts_on_a_bus_are_recognised_at_once(form):
    bench = Bench(drawn(form))
    assert bench.asked() < 0.1
    assert bench.probe.recognised == (drawn(form),)


@pytest.mark.parametrize("form", ["expanders", "linear"])
def test_the_buses_of_other_computers_are_left_alone(form):
    bench = Bench(drawn(form), has_buses=False)
    bench.asked()
    assert bench.probe.recognised == ()
    assert not bench.probe.is_worthwhile


@pytest.mark.parametrize("alphabet", ["presence", "polarity"])
def test_a_controller_says_how_many_contacts_it_reads(alphabet):
    wired = BoardPlan.recommended(MORRIS, alphabet, "serial").sensors
    bench = Bench(wired, [""])
    assert bench.asked() < ANSWERS_WITHIN_S
    assert bench.probe.recognised == (Sensors(kind="serial", alphabet=alphabet),)


def test_a_controller_with_too_few_contacts_is_not_offered():
    bench = Bench(Sensors(kind="serial"), [""])
    bench.probe = FormProbe(bench.board.harness, 25, ports=lambda: [""], has_buses=False)
    bench.asked()
    assert bench.probe.recognised == ()


class MutePort:
    """A port at which nothing answers."""

    def read(self, _size: int) -> bytes:
        return b""

    def write(self, _data: bytes) -> None:
        """Take it, and say nothing."""

    reset_output_buffer = close = lambda self: None


def test_a_port_that_is_silent_is_given_up_in_time(monkeypatch):
    bench = Bench(Sensors(kind="serial"), [""])
    mute = SerialBoard("", clock=bench.board.harness.now, open_port=lambda _: MutePort())
    monkeypatch.setattr(bench.board.harness, "serial", lambda _port: mute)
    assert BOOT_S < bench.asked() <= ANSWERS_WITHIN_S + 0.1
    assert bench.probe.recognised == ()


def test_one_of_several_ports_is_named_so_that_it_lasts(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    folder = tmp_path / "by-id"
    folder.mkdir()
    assert lasting_name(str(device), folder) == str(device)
    (folder / "usb-Pico").symlink_to(device)
    assert lasting_name(str(device), folder) == str(folder / "usb-Pico")
