"""Tests of the serial board's driver against a board that the test plays on a pseudo-terminal."""

from __future__ import annotations

import errno
import itertools
import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from firmware_host.errors import SensorError, StripError
from firmware_host.settings import Sensors
from hardware.factory import scanner_on
from hardware.serial.board import BOOT_S, REOPEN_S, SILENCE_S, SerialBoard
from hardware.serial.port import open_port
from hardware.serial.protocol import (
    BoardFault,
    ForeignHello,
    FrameShown,
    Hello,
    HelloRequest,
    LightFrame,
    Receiver,
    SensorFrame,
    encode,
    with_checksum,
)
from tests.support.examples import few
from tests.support.hardware.serial_pty import SerialPty

PASS_S = 0.005
WIRES = tuple((chip, channel) for chip in range(3) for channel in range(8))
NANO = Hello("1.0.0", 3, 8, 24, 3)
RED, GREEN, DARK = (9, 0, 0), (0, 9, 0), (0, 0, 0)


class Nano:
    """The firmware as the driver sees it, with faults that a test sets."""

    def __init__(self, port: SerialPty) -> None:
        self.port = port
        self.hello: Hello | ForeignHello = NANO
        self.contacts = bytes(3)
        self.silent = False
        self.deaf = 0
        self.asked = 0
        self.lights: list[bytes] = []
        self._number = 0
        self._receiver = Receiver()
        self._passes = 0

    def scan(self) -> None:
        """Do the work of 5 ms: receive, answer, and every 20 ms send a sensor frame."""
        for message in self._receiver.feed(self.port.heard()):
            if isinstance(message, HelloRequest):
                self.asked += 1
                self.say(encode(self.hello))
            elif isinstance(message, LightFrame):
                self.lights.append(message.colours)
                self.deaf -= 1
                if self.deaf < 0:
                    self.say(encode(FrameShown(message.number)))
        self._passes += 1
        if self._passes % 4 == 0:
            self.send_frame()

    def send_frame(self) -> None:
        self._number = (self._number + 1) % 256
        self.say(encode(SensorFrame(self._number, self.contacts)))

    def say(self, data: bytes) -> None:
        if not self.silent:
            self.port.say(data)


class SerialBench:
    """A board, the driver and their time."""

    def __init__(self, tmp_path, *, wires=WIRES, places=range(24), order="GRB") -> None:
        self.now = 100.0
        self.port = SerialPty(tmp_path / "nano")
        self.nano = Nano(self.port)
        self.plugged = True
        self.opened: list[float] = []
        self.board = SerialBoard(str(self.port.path), clock=lambda: self.now, open_port=self._open)
        self.scanner = self.board.scanner(wires)
        self.strip = self.board.strip([(led,) for led in places], order=order)

    def _open(self, path):
        self.opened.append(self.now)
        return open_port(path)

    def run(self, seconds: float) -> list[str]:
        """Scan for `seconds`; return the errors, each once for each time that it began."""
        faults: list[str] = []
        last = ""
        for _ in range(round(seconds / PASS_S)):
            self.now += PASS_S
            if self.plugged:
                self.nano.scan()
            try:
                self.levels = self.scanner.scan()
                fault = ""
            except SensorError as error:
                fault = str(error)
            if fault and fault != last:
                faults.append(fault)
            last = fault
        return faults

    def ready(self):
        assert self.run(0.2) == ["cannot read the sensors: waiting for the board to start"]
        return self

    def unplug(self) -> None:
        self.port.unplug()
        self.plugged = False

    def plug(self) -> None:
        self.port.plug()
        self.plugged = True


@pytest.fixture
def bench(tmp_path):
    return SerialBench(tmp_path)


def test_scan_without_changes_returns_the_same_tuple(bench):
    bench.ready()
    assert bench.levels == (0,) * 24
    before = bench.levels
    bench.run(0.1)
    assert bench.levels is before
    bench.nano.contacts = bytes([0x01, 0x00, 0x80])
    bench.run(0.1)
    assert bench.levels == (1, *[0] * 22, 1)


def test_a_wire_may_be_any_channel_of_any_chip(tmp_path):
    bench = SerialBench(tmp_path, wires=[(1, 9), (0, 15), (1, 0)])
    bench.nano.hello = Hello("1.0.0", 2, 16, 24, 3)
    bench.nano.contacts = bytes([0x00, 0x80, 0x00, 0x02])
    bench.run(0.2)
    assert bench.levels == (1, 1, 0)


def test_scan_of_several_frames_returns_the_newest(bench):
    bench.ready()
    for contacts in (b"\x01\0\0", b"\x03\0\0", b"\x02\0\0"):
        bench.nano.contacts = contacts
        bench.nano.send_frame()
    assert bench.scanner.scan()[:3] == (0, 1, 0)


def test_nothing_is_sent_before_the_board_is_heard(bench):
    bench.nano.silent = True
    with pytest.raises(StripError, match="cannot write the LED strip: waiting for the board to start"):
        bench.strip.show((RED,) * 24)
    bench.run(BOOT_S - 0.1)
    assert bench.port.heard() == b""
    assert bench.nano.asked == 0
    bench.nano.silent = False
    bench.run(0.1)
    assert bench.nano.asked == 1


def test_a_board_that_says_nothing_by_itself_is_asked_again_and_again(bench):
    bench.nano.silent = True
    assert bench.run(REOPEN_S - 0.1)[-1].startswith(
        "cannot read the sensors: the board sends nothing readable: is this its port"
    )
    assert bench.nano.asked == 10


def test_a_board_that_says_it_starts_need_not_be_asked(bench):
    bench.run(PASS_S)
    bench.nano.say(b"optiboot 8.3\r\n" + encode(NANO))
    bench.run(0.1)
    assert bench.nano.asked == 0
    assert bench.levels == (0,) * 24


@pytest.mark.parametrize(
    ("version", "old"), [(2, "update the program, not the firmware"), (0, "update the firmware, not the")]
)
def test_another_version_is_an_error_that_says_what_to_update(bench, version, old):
    bench.nano.hello = ForeignHello(version)
    assert bench.run(1.0)[-1].startswith(
        f"cannot read the sensors: the board's firmware uses version {version} of the protocol and this "
        f"program version 1: {old}"
    )
    with pytest.raises(StripError, match="uses version"):
        bench.strip.show((RED,) * 24)
    bench.nano.hello = NANO
    bench.nano.say(encode(NANO))
    bench.run(0.1)
    assert bench.run(1.0) == []


def test_sensors_on_channels_that_the_firmware_does_not_scan_are_an_error(tmp_path):
    bench = SerialBench(tmp_path, wires=[(0, 0), (3, 1)])
    assert "there is no channel 1 of chip 3: the firmware scans 3 chips of 8 channels" in (bench.run(0.2)[-1])


def test_a_strip_that_the_firmware_does_not_drive_is_an_error_and_is_sent_nothing(tmp_path):
    bench = SerialBench(tmp_path, places=range(10, 34)).ready()
    with pytest.raises(StripError, match="drives 24 LEDs of 3 colours, but the settings name 34 of 3"):
        bench.strip.show((RED,) * 24)
    bench.run(2.0)
    assert bench.nano.lights == []


def test_a_board_that_falls_silent_is_an_error_until_it_speaks_again(bench):
    bench.ready()
    bench.nano.silent = True
    assert bench.run(SILENCE_S - 0.03) == []
    assert bench.run(1.0) == [
        "cannot read the sensors: the board has gone silent: check its cable and its supply"
    ]
    bench.nano.silent = False
    bench.run(0.1)
    assert bench.run(1.0) == []


def test_a_board_that_is_silent_for_long_is_opened_again_and_again_ever_more_slowly(bench):
    bench.ready()
    bench.nano.silent = True
    bench.run(60.0)
    waits = [after - before for before, after in zip(bench.opened, bench.opened[1:], strict=False)]
    assert waits[:7] == pytest.approx([5.45, 5.5, 6.0, 7.0, 9.0, 9.0, 9.0], abs=0.3)
    bench.nano.silent = False
    bench.run(5.0)
    assert bench.run(1.0) == []


def test_unplugging_raises_with_its_cause_until_plugged_in(bench):
    bench.ready()
    bench.unplug()
    with pytest.raises(
        SensorError, match="cannot read the sensors: the connection to the board broke"
    ) as caught:
        bench.scanner.scan()
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(StripError, match="cannot write the LED strip: the connection to the board broke"):
        bench.strip.show((GREEN,) * 24)
    before = len(bench.opened)
    assert bench.run(20.0)[-1].startswith(
        f"cannot read the sensors: there is no {bench.port.path}: is the board plugged in?"
    )
    waits = [b - a for a, b in zip(bench.opened[before:], bench.opened[before + 1 :], strict=False)]
    assert waits[:5] == pytest.approx([0.5, 1.0, 2.0, 4.0, 4.0], abs=0.02)
    bench.plug()
    bench.run(4.2)
    assert bench.run(1.0) == []
    assert bench.nano.lights[-1] == bytes([9, 0, 0]) * 24


def test_silent_board_after_replugging_is_not_missing(bench):
    bench.ready()
    bench.unplug()
    bench.run(1.0)
    bench.nano.silent = True
    bench.plug()
    assert "the board sends nothing readable" in bench.run(4.0)[-1]
    with pytest.raises(SensorError) as caught:
        bench.scanner.scan()
    assert caught.value.__cause__ is None


class IdlePort:
    """A port on which only what a test puts into `incoming` arrives."""

    def __init__(self) -> None:
        self.incoming = b""

    def read(self, size):
        data, self.incoming = self.incoming, b""
        return data

    def write(self, data):
        return len(data)

    def reset_output_buffer(self):
        pass

    def close(self):
        pass


def test_fault_of_opening_is_reported_until_the_boot_time_is_over():
    now, failures = 0.0, [FileNotFoundError(errno.ENOENT, "no")]

    def open_second_time(path):
        if failures:
            raise failures.pop()
        return IdlePort()

    board = SerialBoard("/dev/nano", clock=lambda: now, open_port=open_second_time)
    board.pump()
    now = 1.0  # when the port is opened
    board.pump()
    now = 1.0 + BOOT_S - PASS_S
    board.pump()
    assert board.trouble.key == "fault.port.gone"
    assert isinstance(board.cause, FileNotFoundError)
    now = 1.0 + BOOT_S
    board.pump()
    assert board.trouble.key == "fault.board.strange"
    assert board.cause is None


def test_board_that_sends_frames_but_no_hello_is_deaf():
    now, port = 0.0, IdlePort()
    board = SerialBoard("/dev/nano", clock=lambda: now, open_port=lambda path: port)
    board.pump()
    now = BOOT_S
    port.incoming = encode(SensorFrame(0, bytes(3)))
    board.pump()
    assert board.trouble.key == "fault.board.deaf"


def test_a_fault_that_the_board_reports_is_shown_until_its_hello(bench):
    bench.ready()
    bench.nano.send_frame = lambda: bench.nano.say(encode(BoardFault("GP2 is used twice.")))
    bench.nano.hello = BoardFault("GP2 is used twice.")
    assert bench.run(8.0) == ["cannot read the sensors: the board reports a fault: GP2 is used twice."]
    assert len(bench.opened) == 1
    bench.nano.hello = NANO
    del bench.nano.send_frame
    assert bench.run(1.0)[1:] == []
    assert bench.board.trouble is None


@pytest.mark.parametrize(
    ("firmware", "guide"),
    [("1.0.0", "hardware/firmware/README.md"), ("pico-1.0.0", "hardware/pico/README.md")],
)
def test_a_missing_channel_refers_to_the_guide_of_the_board(tmp_path, firmware, guide):
    bench = SerialBench(tmp_path, wires=[(3, 0)])
    bench.nano.hello = Hello(firmware, 3, 8, 24, 3)
    assert any(f"set it up for more ({guide})" in fault for fault in bench.run(0.2))


def test_a_system_without_low_latency_opens_the_port_still(tmp_path, monkeypatch):
    import serial

    def refuse(self, setting):
        raise NotImplementedError("Low latency not supported on this platform")

    monkeypatch.setattr(serial.Serial, "set_low_latency_mode", refuse)
    SerialBench(tmp_path).ready()


def test_a_port_that_another_program_has_is_said_to_be(bench):
    other = open_port(str(bench.port.path))
    assert bench.run(0.1)[-1].endswith("nano is in use by another program: close it, or set another port")
    other.close()
    bench.run(5.0)
    assert bench.run(1.0) == []


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            PermissionError(errno.EACCES, "no"),
            "this user may not open /dev/nano: run `sudo usermod -aG dialout $USER`",
        ),
        (FileNotFoundError(errno.ENOENT, "no"), "there is no /dev/nano: is the board plugged in?"),
        (BlockingIOError(errno.EAGAIN, "no"), "/dev/nano is in use by another program"),
        (OSError("it smells of smoke"), "it smells of smoke"),
    ],
)
def test_unopenable_port_raises_an_error_with_advice(error, expected):
    def fail(path):
        raise error

    board = SerialBoard("/dev/nano", clock=lambda: 0.0, open_port=fail)
    with pytest.raises(SensorError) as caught:
        board.scanner(WIRES).scan()
    assert str(caught.value).startswith(f"cannot read the sensors: {expected}")
    assert caught.value.__cause__ is error


def test_what_is_no_serial_port_cannot_be_opened(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SensorError, match="Could not configure port"):
        SerialBoard(str(file), clock=lambda: 0.0).scanner(WIRES).scan()


@given(data=st.data())
@few(10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_between_the_lines_is_no_reading(tmp_path_factory, data):
    bench = SerialBench(tmp_path_factory.mktemp("port")).ready()
    for contacts in data.draw(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=4)):
        bench.nano.contacts = contacts
        bench.nano.say(data.draw(st.binary(max_size=300)))
        bench.run(0.045)
        bits = int.from_bytes(contacts, "little")
        assert bench.levels == tuple(bits >> n & 1 for n in range(24))


def test_frames_that_were_lost_and_lines_that_were_damaged_are_counted(bench):
    bench.ready()
    assert (bench.board.lost, bench.board.damaged) == (0, 0)
    bench.nano.say(b"S 00 0000\n")
    bench.nano._number += 3
    bench.run(0.1)
    assert (bench.board.lost, bench.board.damaged) == (3, 1)


def test_a_frame_of_another_size_than_the_board_said_is_none(bench):
    bench.ready()
    bench.nano.say(encode(SensorFrame(0, b"\xff\xff")))
    assert bench.scanner.scan() == (0,) * 24


def test_board_of_another_shape_is_read_from_its_first_frame_on(bench):
    bench.ready()
    bench.nano.hello = Hello("1.0.0", 3, 16, 24, 3)
    bench.port.say(encode(bench.nano.hello))
    with pytest.raises(SensorError, match="waiting for the board to start"):
        bench.scanner.scan()
    bench.nano.contacts = bytes([0, 0, 0x80, 0, 0, 0])
    assert bench.run(0.1) == ["cannot read the sensors: waiting for the board to start"]
    assert bench.levels == (*[0] * 15, 1, *[0] * 8)


def test_board_of_another_shape_that_sends_no_frames_is_silent(bench):
    bench.ready()
    bench.port.say(encode(Hello("1.0.0", 3, 16, 24, 3)))
    expected = bench.run(BOOT_S + 0.1)
    assert [fault.removeprefix("cannot read the sensors: ") for fault in expected] == [
        "waiting for the board to start",
        "the board has gone silent: check its cable and its supply",
    ]


@pytest.mark.parametrize("hello", [Hello("1.0.0", 0, 8, 24, 3), Hello("1.0.0", 3, 0, 24, 3)])
def test_board_that_scans_no_channels_has_no_wires(bench, hello):
    bench.nano.hello = hello
    machine = SimpleNamespace(serial=lambda port: bench.board, sleep=lambda seconds: bench.run(seconds))
    scanner = scanner_on(machine, Sensors(kind="serial", port=str(bench.port.path)), ())
    assert scanner.wires == ()


def test_last_byte_of_a_frame_may_be_filled_in_part(tmp_path):
    bench = SerialBench(tmp_path, wires=[(0, 8), (0, 0), (2, 2)])
    bench.nano.hello = Hello("1.0.0", 3, 9, 24, 3)
    bench.nano.contacts = bytes([0, 1, 1 << 4, 0])
    bench.run(0.2)
    assert bench.levels == (1, 0, 1)


def test_light_is_sent_once_and_then_as_keep_alive(bench):
    bench.ready()
    bench.strip.show(((1, 2, 3), *[DARK] * 23))
    bench.run(0.9)
    bench.strip.show(((1, 2, 3), *[DARK] * 23))
    assert bench.nano.lights == [bytes([2, 1, 3, *[0] * 69])]
    bench.run(5.0)
    assert len(bench.nano.lights) == 6


def test_leds_that_no_point_has_stay_dark_and_a_point_may_have_several(tmp_path):
    bench = SerialBench(tmp_path).ready()
    strip = bench.board.strip([(3,), (0, 2)], order="RGB")
    strip.show(((1, 2, 3), (4, 5, 6)))
    bench.run(0.1)
    assert bench.nano.lights == [bytes([4, 5, 6, 0, 0, 0, 4, 5, 6, 1, 2, 3, *[0] * 60])]


def test_a_white_led_shines_for_greys(tmp_path):
    bench = SerialBench(tmp_path, places=range(2), order="GRBW")
    bench.nano.hello = Hello("1.0.0", 3, 8, 2, 4)
    bench.ready()
    bench.strip.show(((7, 7, 7), (1, 2, 3)))
    bench.run(0.1)
    assert bench.nano.lights == [bytes([0, 0, 0, 7, 2, 1, 3, 0])]


def test_one_frame_is_under_way_at_a_time_and_then_the_newest_is_next(bench):
    bench.ready()
    for level in range(1, 6):
        bench.strip.show(((0, level, 0),) * 24)
    bench.run(0.5)
    assert [light[0] for light in bench.nano.lights] == [1, 5]


def test_a_frame_that_is_not_answered_is_sent_again(bench):
    bench.ready()
    bench.nano.deaf = 2
    bench.strip.show((RED,) * 24)
    bench.run(0.5)
    assert len(bench.nano.lights) == 3
    bench.strip.show((GREEN,) * 24)
    bench.run(0.1)
    assert bench.nano.lights[-1] == bytes([9, 0, 0]) * 24


def test_frames_that_are_never_answered_are_a_strip_error_until_one_is(bench):
    bench.ready()
    bench.nano.deaf = 8
    bench.strip.show((RED,) * 24)
    assert bench.run(0.6) == []
    with pytest.raises(StripError, match="the board has answered none of 5 frames"):
        bench.strip.show((GREEN,) * 24)
    bench.run(5.0)
    bench.strip.show((GREEN,) * 24)
    assert bench.nano.lights[-1] == bytes([9, 0, 0]) * 24


def test_a_board_that_starts_anew_is_given_its_light_again_at_once(bench):
    bench.ready()
    bench.strip.show((RED,) * 24)
    bench.run(0.1)
    bench.nano.say(encode(NANO))
    bench.run(0.1)
    assert bench.nano.lights == [bytes([0, 9, 0]) * 24] * 2


def test_a_silent_board_is_sent_no_light(bench):
    bench.ready()
    bench.strip.show((RED,) * 24)
    bench.run(0.1)
    bench.nano.silent = True
    bench.run(SILENCE_S)
    before = len(bench.nano.lights)
    bench.run(2.0)
    assert len(bench.nano.lights) == before
    bench.nano.silent = False
    bench.nano.say(b"\r\n" + encode(NANO))
    bench.run(0.1)
    assert bench.nano.lights[before:] == [bytes([0, 9, 0]) * 24]


def test_closing_leaves_it_dark_and_the_port_free_once_both_are_closed(bench):
    bench.ready()
    bench.strip.show((RED,) * 24)
    bench.run(0.1)
    bench.strip.close()
    bench.strip.close()
    bench.run(2.0)
    assert bench.nano.lights[1:] == [bytes(72)]
    bench.scanner.close()
    bench.scanner.close()
    open_port(str(bench.port.path)).close()
    with pytest.raises(SensorError, match="closed"):
        bench.scanner.scan()
    with pytest.raises(StripError, match="closed"):
        bench.strip.show((RED,) * 24)


def test_strip_that_cannot_be_switched_off_is_logged(bench, caplog):
    bench.ready()
    bench.strip.show((RED,) * 24)
    bench.port.unplug()
    with caplog.at_level(logging.WARNING):
        bench.strip.close()
    assert "could not be switched off" in caplog.text


def test_closed_board_can_be_opened_again(bench):
    bench.ready()
    bench.strip.close()
    bench.scanner.close()
    bench.scanner = bench.board.scanner(WIRES)
    bench.nano.contacts = b"\x01\0\0"
    bench.run(0.5)
    assert bench.levels[0] == 1


class Comports:
    """A replacement for this machine's list of ports."""

    def __init__(self, monkeypatch) -> None:
        self.ports: list[SimpleNamespace] = [SimpleNamespace(device="/dev/ttyS0", vid=None, description="")]
        monkeypatch.setattr("serial.tools.list_ports.comports", lambda: self.ports)

    def add(self, device: str, description: str) -> None:
        self.ports.append(SimpleNamespace(device=device, vid=0x1A86, description=description))


def test_the_only_usb_port_is_taken_where_none_is_named(monkeypatch, tmp_path):
    port = SerialPty(tmp_path / "ttyUSB0")
    ports = Comports(monkeypatch)
    with pytest.raises(OSError, match="there is no USB serial port: plug the board in"):
        open_port("")
    ports.add(str(port.path), "USB Serial")
    open_port("").close()


def test_several_ports_are_listed_and_none_is_taken(monkeypatch):
    ports = Comports(monkeypatch)
    ports.add("/dev/ttyUSB1", "FT232R")
    ports.add("/dev/ttyUSB0", "USB Serial")
    board = SerialBoard("", clock=lambda: 0.0)
    with pytest.raises(SensorError, match=r"/dev/ttyUSB0 \(USB Serial\), /dev/ttyUSB1 \(FT232R\): set the"):
        board.scanner(WIRES).scan()


def test_pyserial_is_imported_only_where_a_port_is_opened():
    code = "import sys, hardware.serial.board; sys.exit('serial' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603


@pytest.mark.parametrize("taken", [0, 3])
def test_line_that_takes_too_little_raises_at_once(bench, monkeypatch, taken):
    def full(file, data):
        if not taken:
            raise BlockingIOError
        return taken

    bench.ready()
    with monkeypatch.context() as line:
        line.setattr(os, "write", full)
        with pytest.raises(StripError, match=rf"to the board broke, it took {taken} of \d+ bytes: is"):
            bench.strip.show((RED,) * 24)
    bench.run(5.0)
    assert bench.run(1.0) == []
    assert bench.nano.lights[-1] == bytes([0, 9, 0]) * 24


def test_machine_that_pauses_in_a_write_breaks_no_line(bench, monkeypatch):
    seconds = itertools.count()
    monkeypatch.setattr("serial.serialutil.Timeout.TIME", staticmethod(lambda: next(seconds)))
    bench.ready()
    bench.strip.show((RED,) * 24)
    assert bench.run(1.0) == []
    assert bench.nano.lights[-1] == bytes([0, 9, 0]) * 24


def test_unknown_words_of_newer_firmware_are_skipped(bench):
    bench.ready()
    bench.nano.say(with_checksum("BATTERY 77"))
    assert bench.run(0.5) == []
