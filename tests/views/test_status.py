"""The status: its counters, its answers, and its screen."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.errors import StoreError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.ports import NOTHING, SOMETHING, Frame
from firmware_host.views.status import FrameRate, last_game_status, machine_status, status_screen
from tests.support.real_board import RealBench, Starter


def told(real: RealBench, missed: int = 0) -> dict[str, Any]:
    """Return a board's status, as decoded from JSON."""
    machine = {"disk_free_mib": 5000, "undervoltage": None, "last_game": None}
    answer: dict[str, Any] = json.loads(json.dumps(real.play.status(missed) | machine))
    return answer


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    rate = FrameRate()
    assert rate.hz is None
    for passed in range(4000):
        rate.note(passed, passed * 5000)
    assert rate.hz == pytest.approx(200)
    for passed in range(1100):
        rate.note(4000 + passed, 20_000_000 + passed * 10_000)
    assert rate.hz == pytest.approx(100)


def test_a_board_tells_its_game_and_how_it_runs() -> None:
    real = RealBench()
    real.frames(10)
    real.put("d6", "white")
    real.frames(500)
    status = told(real, missed=3)
    assert status["status"] == "ready"
    assert status["frame_rate_hz"] == pytest.approx(200, abs=2)
    assert (status["frames"], status["missed"], status["uptime_s"]) == (510, 3, 2)
    assert status["game"] == {
        "rules": "standard",
        "turns": 1,
        "last_turn": "d6",
        "to_move": "black",
        "outcome": None,
    }
    assert status["chatter"] == {} or set(status["chatter"]) == {"d6"}


def test_masked_sensors_are_told() -> None:
    real = RealBench()
    assert "masked" not in status_screen(told(real))
    real.frames(2)
    real.play.do({"do": "mask", "point": "d6"})
    real.play.do({"do": "mask", "point": "a1"})
    assert "masked        a1, d6: these sensors are switched off" in status_screen(told(real)).splitlines()


def test_chatter_is_told_of_its_point() -> None:
    readings = [NOTHING] * len(MORRIS)

    class StatusSensors:
        def read(self) -> Frame:
            return tuple(readings)

        def close(self) -> None:
            """Nothing to give back."""

    real = RealBench(sensors=StatusSensors())
    real.frames(10)
    for _ in range(7):
        readings[MORRIS["f4"].index] = SOMETHING
        real.frames(1)
        readings[MORRIS["f4"].index] = NOTHING
        real.frames(5)
    assert told(real)["chatter"] == {"f4": 7}
    assert "chatter       f4 7\n" in status_screen(told(real))


def test_one_screen_says_it_all() -> None:
    real = RealBench()
    real.frames(400)
    text = status_screen(told(real))
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 160
    for name in ("board", "running", "frames", "chatter", "supply", "disk", "this game", "last game"):
        assert re.search(f"^{name} +\\S", text, re.MULTILINE)


LAST = {
    "game": 17,
    "began_ms": 0,
    "rules": "lasker",
    "players": {"white": "", "black": ""},
    "outcome": {"winner": "black", "reason": "blocked"},
    "turns": 31,
    "on_disk": True,
}


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (LAST, "number 17, lasker, 31 turns; black won (blocked)"),
        (
            LAST | {"outcome": {"winner": None, "reason": "agreed"}},
            "number 17, lasker, 31 turns; nobody won (agreed)",
        ),
        (
            LAST | {"on_disk": False},
            "number 17, lasker, 31 turns; black won (blocked), not all on the disk yet",
        ),
        (None, "none that was over before this one is kept"),
        ({"fault": "the disk hasn't answered"}, "not known: the disk hasn't answered"),
    ],
)
def test_status_separates_current_and_last_game(last: object, said: str) -> None:
    real = RealBench()
    real.frames(10)
    lines = status_screen(told(real) | {"last_game": last}).splitlines()
    assert "this game     standard, 0 turns; white to move" in lines
    assert f"last game     {said}" in lines


def test_what_cannot_be_read_of_the_last_game_is_told() -> None:
    def unread() -> None:
        raise StoreError(Message("the disk hasn't answered"))

    assert last_game_status(unread) == {"last_game": {"fault": "the disk hasn't answered"}}


def test_screen_shows_low_supply_and_full_disk() -> None:
    status = told(RealBench())
    text = status_screen(status | {"undervoltage": True, "disk_free_mib": 3})
    assert "too low now" in text
    assert "3 MiB free, which is little" in text
    assert "not known" in status_screen(status | {"disk_free_mib": None})


@pytest.mark.parametrize(("alarm", "told_so"), [("1\n", True), ("0\n", False), (None, None)])
def test_the_supply_is_read_where_the_kernel_tells_it(
    tmp_path: Path, alarm: str | None, told_so: bool | None
) -> None:
    for number, name in enumerate(["cpu_thermal", "rpi_volt"]):
        monitor = tmp_path / f"class/hwmon/hwmon{number}"
        monitor.mkdir(parents=True)
        (monitor / "name").write_text(f"{name}\n")
    if alarm is not None:
        (tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm").write_text(alarm)
    assert machine_status(tmp_path, tmp_path)["undervoltage"] is told_so


def test_the_disk_is_that_of_the_folder_or_not_known(tmp_path: Path) -> None:
    assert machine_status(tmp_path)["disk_free_mib"] >= 0
    assert machine_status(tmp_path / "nowhere")["disk_free_mib"] is None


@pytest.mark.ci("programs")
def test_the_command_asks_the_board_that_runs(started: Starter) -> None:
    board, address = started()
    port = address.rstrip("/").rpartition(":")[2]
    result = CliRunner().invoke(main, ["status", "--port", port])
    assert result.exit_code == 0, result.output
    assert re.search(r"^frames +\S", result.output, re.MULTILINE)
    assert "last game     none that was over before this one is kept" in result.output
    as_json = json.loads(CliRunner().invoke(main, ["status", "--json", "--port", port]).output)
    assert as_json["disk_free_mib"] > 0
    board.send_signal(signal.SIGTERM)
    board.communicate(timeout=60)
    result = CliRunner().invoke(main, ["status", "--port", port])
    assert result.exit_code == 2
    assert "no board answers" in result.output
