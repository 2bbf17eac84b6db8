"""The program on a real board: what it plays, what it tells its page, and how it stands what is broken."""

from __future__ import annotations

import re
import signal
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import RequestError, SensorError, StripError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.play.events import FaultFound
from firmware_host.ports import SensorKind
from firmware_host.runtime.engines.opponent import InlineEngine
from firmware_host.runtime.loop import FramePace
from firmware_host.runtime.real_board import RealBoard
from firmware_host.settings import Play, Sensors, Strip
from firmware_host.store.store import SqliteStore
from firmware_host.views.snapshot import lit_points
from firmware_host.views.status import status_screen
from hardware.reconnect import ReconnectingSensors, ReconnectingStrip
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.real_board import RealBench
from tests.support.web.page_client import PageClient, get


def test_an_engine_chooses_its_turn_on_a_real_board() -> None:
    config = replace(Config.default(), play=Play(black="engine:1"))
    real = RealBench(config, engine=InlineEngine(1))
    real.frames(1)
    real.put("d6", "white")
    told = [message["state"] for message in real.frames(300) if message["type"] == "snapshot"]
    thinking = [state["thinking"] for state in told if state["turns"]]
    assert [one for one, _ in groupby(thinking)] == [False, True, False]
    (chosen,) = told[-1]["moves"]
    assert "destination" in told[-1]["cues"][chosen]
    assert told[-1]["seats"] == {"white": "here", "black": "engine:1"}
    real.play.close()


def test_a_piece_set_down_is_played_and_told_with_the_light_that_left_for_the_strip():
    real = RealBench()
    (first,) = [message for message in real.frames(1) if message["type"] == "snapshot"]
    assert first["table"] is None
    assert first["state"]["held"] == first["state"]["faults"] == []
    real.put("d6", "white")
    *_, last = [message for message in real.frames(100) if message["type"] == "snapshot"]
    assert last["state"]["turns"] == ["d6"]
    light = [message for message in real.frames(400) if message["type"] == "leds"]
    shines = light[-1]["leds"] if light else last["state"]["leds"]
    assert shines == lit_points(MORRIS, real.board.leds())


def test_a_board_at_rest_tells_nothing():
    real = RealBench()
    real.frames(400)
    assert [message for message in real.frames(400) if message["type"] == "snapshot"] == []


def test_a_button_of_the_page_is_done_and_a_piece_is_for_hands():
    real = RealBench()
    real.frames(5)
    real.play.do({"do": "new-game", "rules": "lasker"})
    (told,) = [message for message in real.frames(1) if message["type"] == "snapshot"]
    assert told["state"]["rules"] == "lasker"
    with pytest.raises(RequestError, match="this board has real pieces"):
        real.play.do({"lift": "d6"})
    with pytest.raises(RequestError, match="cannot do 'dance'"):
        real.play.do({"do": "dance"})
    assert [message for message in real.frames(5) if message["type"] == "snapshot"] == []


@pytest.mark.parametrize(
    "request_",
    [{"fault": {"leds": "unplugged"}}, {"repair": True}, {"power": "off"}, {"script": True}],
)
def test_a_real_board_is_not_broken_from_its_page(request_):
    with pytest.raises(RequestError, match="this is a real board: only a simulated one"):
        RealBench().play.do(request_)


def test_without_a_strip_the_game_goes_on_and_the_page_shows_the_light():
    def missing():
        raise StripError(Message("there is no strip"))

    real = RealBench(strip=ReconnectingStrip(missing))
    real.frames(10)
    real.put("d6", "white")
    *_, last = [message for message in real.frames(100) if message["type"] == "snapshot"]
    assert last["state"]["turns"] == ["d6"]
    assert last["state"]["faults"] == ["there is no strip"]
    assert last["state"]["faults_said"] == [
        Message("fault.leds", {"text": Message("there is no strip")}).as_dict()
    ]
    assert last["state"]["leds"]
    assert real.said == ["leds: there is no strip"]


def test_real_board_at_rest_publishes_the_new_reason_of_a_fault() -> None:
    real = RealBench()
    real.play.board.controller.fault("set-up", Message("fault.board.starts"))
    real.frames(100)
    real.play.board.controller.fault("set-up", Message("fault.board.silent"))
    (told,) = real.frames(2)
    assert told["state"]["faults_said"][0]["slots"]["text"]["key"] == "fault.board.silent"


def test_a_fault_that_becomes_another_one_is_told_too():
    reasons = [Message("fault.board.starts"), Message("fault.board.silent")]

    class DriverBoard:
        def read(self):
            raise SensorError(Message("fault.unread", {"why": reasons[0]}))

        def close(self):
            pass

    real = RealBench(sensors=DriverBoard())
    told = real.frames(5)
    del reasons[0]
    told += real.frames(5)
    faults = [one["state"]["faults_said"][0] for one in told if "state" in one]
    keys = [fault["slots"]["text"]["slots"]["why"]["key"] for fault in faults]
    assert keys == ["fault.board.starts", "fault.board.silent"]


def test_what_broke_and_is_mended_is_said():
    real = RealBench()
    real.frames(10)
    real.board.spi.plugged = False
    real.put("d6", "white")
    real.frames(100)
    real.board.spi.plugged = True
    real.frames(300)
    assert len(real.said) == 2
    assert real.said[0].startswith("leds: cannot write the LED strip")
    assert real.said[1] == "leds: all is well again"


def test_every_led_of_the_strip_counts_in_the_budget():
    doubled = Strip(leds=60, points={p.name: (2 * p.index, 2 * p.index + 1) for p in MORRIS.points})
    brightest = {}
    for name, strip in (("one", Strip()), ("two", doubled)):
        real = RealBench(replace(Config.default(), strip=strip))
        frames = [message["state"]["leds"] for message in real.frames(1)]
        brightest[name] = max(int(colour[1:3], 16) + int(colour[3:5], 16) for colour in frames[-1].values())
    assert brightest["two"] < brightest["one"]


ADDRESS = re.compile(r"http://\S+/")


@pytest.mark.ci("programs")
def test_a_bad_file_does_not_leave_a_silent_board(tmp_path, started):
    file = tmp_path / "bad.toml"
    file.write_text('[play]\nrules = "standart"\n[sensors]\nsignal = [23, 24, 10]\n')
    board, address = started("--config", str(file))
    assert "Millwright" in get(address)[2]
    page = PageClient(address)
    state = page.until("snapshot")["state"]
    page.close()
    assert state["status"] == "fault"
    assert state["faults"][0].startswith(f"{file}:2 play.rules: there is no rule set 'standart'")
    board.send_signal(signal.SIGTERM)
    _, errors = board.communicate(timeout=60)
    assert board.returncode == 0
    assert f"{file}:2 play.rules" in errors


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="there is a GPIO chip here")
def test_a_machine_that_is_no_pi_is_told_so_on_the_page(started):
    board, address = started()
    page = PageClient(address)
    state = page.until("snapshot")["state"]
    page.close()
    assert state["status"] == "fault"
    assert any("gpiochip0" in fault for fault in state["faults"])
    board.send_signal(signal.SIGINT)
    board.communicate(timeout=60)
    assert board.returncode == 0


@pytest.mark.parametrize(
    ("model", "text", "setting"),
    [
        ("Raspberry Pi Zero W Rev 1.1", "", "core_freq=250"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=300", "core_freq=250"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "", "core_freq=250"),
        ("Raspberry Pi 4 Model B Rev 1.4", "core_freq=250", "core_freq_min=500"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "", "core_freq_min=500"),
        ("Raspberry Pi 5 Model B Rev 1.0", "", None),
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=250", None),
        ("Raspberry Pi Zero 2 W Rev 1.0", None, None),
    ],
)
def test_an_unsteady_clock_is_warned_of_at_the_start_and_play_goes_on(tmp_path, model, text, setting):
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(f"{model}\0")
    (tmp_path / "boot/firmware").mkdir(parents=True)
    if text is not None:
        (tmp_path / "boot/firmware/config.txt").write_text(text)
    there = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
    board = RealBoard(Config.default(), sensors=there.open_sensors(), strip=there.open_strip(), root=tmp_path)
    events = board.tick(0)
    warned = [event for event in events if isinstance(event, FaultFound)]
    assert [event.part for event in warned] == (["clock"] if setting else [])
    assert all(setting in event.text and "millwright boot" in event.text for event in warned)
    status = board.status(0)
    assert status["status"] != "fault"
    assert (
        "warning       clock: " in status_screen({**status, "undervoltage": None, "disk_free_mib": None})
    ) is (setting is not None)


def test_a_weak_supply_is_warned_of_at_the_start_and_play_goes_on(tmp_path):
    monitor = tmp_path / "sys/class/hwmon/hwmon0"
    monitor.mkdir(parents=True)
    (monitor / "name").write_text("rpi_volt\n")
    (monitor / "in0_lcrit_alarm").write_text("1\n")
    there = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
    board = RealBoard(Config.default(), sensors=there.open_sensors(), strip=there.open_strip(), root=tmp_path)
    (warned,) = [event for event in board.tick(0) if isinstance(event, FaultFound)]
    assert (warned.part, "stronger 5 V supply" in warned.text) == ("supply", True)
    assert board.status(0)["status"] != "fault"


def test_a_slow_machine_is_warned_of_until_it_keeps_its_rate_again():
    there = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
    board = RealBoard(Config.default(), sensors=there.open_sensors(), strip=there.open_strip())
    pace = FramePace(200)
    for _ in range(1000):
        pace.passed(8_000)
    board.follow_pace(pace)
    (found,) = [event for event in board.tick(0) if isinstance(event, FaultFound)]
    assert (found.part, str(pace.hz) in found.text, "instead of 200" in found.text) == ("pace", True, True)
    board.follow_pace(pace)
    assert [event for event in board.tick(5_000) if isinstance(event, FaultFound)] == []
    assert board.status(7)["faults"].keys() == {"pace"}
    for _ in range(20_000):
        pace.passed(1_000)
    board.follow_pace(pace)
    board.tick(10_000)
    assert board.status(7)["faults"] == {}


class Clerk:
    """A store's thread that hangs, as far as a board sees of it."""

    rounds = 7

    def __init__(self, store: SqliteStore) -> None:
        self.store = store


def test_a_disk_that_hangs_is_told_and_is_no_reason_to_start_anew(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "games.db", wall_ms=lambda: 0)) as store:
        real = RealBench(writer=Clerk(store))
        real.frames(10)
        assert real.play.condition().progress.store == 7
        real.put("d6", "white")
        real.frames(2500)
    assert any(line.startswith("disk: games aren't being saved") for line in real.said)
    assert real.play.condition().progress.store is None


def test_who_watches_a_board_of_linear_sensors_is_told_their_levels():
    clock = VirtualClock()
    levels = {point.name: (512, 712, 312) for point in MORRIS.points}
    linear = Sensors(kind="mcp3008", alphabet="polarity", levels=levels)
    board = SimulatedBoard(MORRIS, SensorKind.POLARITY, clock, sensors=linear)
    config = replace(Config(), sensors=linear)
    sensors = ReconnectingSensors(board.open_sensors, clock=lambda: clock.now() / 1e6)
    real = RealBench(config, sensors=sensors, strip=board.open_strip())
    real.clock, real.board = clock, board
    assert real.play.board.levels == {}
    real.put("d6", "white")
    real.frames(400)
    told: list[dict[str, Any]] = []
    real.play.publish_changes(told.append, (), 2_000_000, watchers=1)
    (felt,) = [message for message in told if message["type"] == "sensors"]
    assert set(felt["levels"]) == {point.name for point in MORRIS.points}
    assert felt["levels"]["d6"] > 650 > felt["levels"]["a1"]
    real.play.board.close()
