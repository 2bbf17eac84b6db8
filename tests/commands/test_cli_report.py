"""The report for the project: what it contains, and that nothing personal leaves in it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.commands import report as command
from firmware_host.commands.doctor import simulated_target
from firmware_host.errors import NoBoardError, PageError
from firmware_host.maintenance import report as reports
from hardware.doctor.benchmark import measure

SECRETS = (
    "wilhelmina",
    "mill-parlour",
    "192.168.7.23",
    "b8:27:eb:12:34:56",
    "A50285BI",
    "484-112",
    "family.db",
    "w.b@example.org",
    "d6-d5",
    "Ottilie",
)

CONFIG = """
[play]
rules = "lasker"
[timing]
debounce_ms = 15
[sensors]
kind = "serial"
port = "/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0"
[store]
path = "/home/wilhelmina/family.db"
[web]
host = "192.168.7.23"
"""

FAULTY = """
[timing]
frame_rate_hz = 3
[store]
keep = "Ottilie's games"
[web]
port = "Ottilie"
"""

STATUS = {
    "version": "0.1.0",
    "uptime_s": 77,
    "status": "playing",
    "sentence": "Wilhelmina is to move.",
    "faults": {
        "store": "/home/wilhelmina/family.db on mill-parlour is full; ask w.b@example.org (b8:27:eb:12:34:56)"
    },
    "frame_rate_hz": 199.8,
    "missed": 3,
    "masked": ["d6"],
    "chatter": {"a7": 12},
    "game": {"rules": "lasker", "last_turn": "d6-d5"},
    "last_game": {"path": "/home/wilhelmina/family.db"},
    "code": "484-112",
}


@pytest.fixture(autouse=True)
def a_machine_with_secrets(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("USER", "wilhelmina")
    monkeypatch.setenv("HOME", "/home/wilhelmina")
    monkeypatch.setattr("socket.gethostname", lambda: "mill-parlour")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick(monkeypatch):
    """Measure fewer frames than a maker would wait for."""

    def few(plan, electronics, rate_hz):
        return measure(plan, electronics, rate_hz, scans=5, shows=4, share_s=0.02)

    monkeypatch.setattr(reports, "measure", few)


def running(monkeypatch, answer):
    def ask(host, port, path):
        if isinstance(answer, Exception):
            raise answer
        assert path == "/status"
        return answer

    monkeypatch.setattr(command, "get_object", ask)


def written(*arguments):
    done = CliRunner().invoke(main, ["report", "--out", "-", *arguments])
    assert done.exit_code == 0, done.output
    for secret in SECRETS:
        assert secret.lower() not in done.stdout.lower()
    return json.loads(done.stdout)


def config(text: str = CONFIG) -> str:
    Path("wilhelmina.toml").write_text(text, encoding="utf-8")
    return "wilhelmina.toml"


def test_a_simulated_board_is_examined_and_measured(quick):
    found = written("--sim")
    assert found["simulated"] is True
    assert {finding["check"] for finding in found["doctor"]["findings"]} >= {"signal lines", "supply"}
    assert found["bench"]["frame"]["median_us"] > 0
    assert found["machine"]["python"].startswith("3.")
    assert found["libraries"]["gpiozero"]
    assert found["left_out"] == [reports.NEVER]


def test_a_running_board_is_asked_and_not_disturbed(monkeypatch):
    running(monkeypatch, STATUS)
    monkeypatch.setattr(command, "pi_board", lambda _: pytest.fail("its lines are in use"))
    found = written("--config", config())
    assert found["running"] == {
        "version": "0.1.0",
        "uptime_s": 77,
        "status": "playing",
        "faults": {"store": "<name> on <name> is full; ask <mail> (<address>)"},
        "frame_rate_hz": 199.8,
        "missed": 3,
        "masked": ["d6"],
        "chatter": {"a7": 12},
    }
    assert "doctor" not in found
    assert found["left_out"] == [reports.RUNNING, reports.NEVER]


def test_settings_are_those_that_were_changed_without_the_private_ones(monkeypatch):
    running(monkeypatch, STATUS)
    found = written("--config", config())
    assert found["settings"] == {"sensors.kind": "serial", "timing.debounce_ms": 15, "play.rules": "lasker"}


def test_a_board_at_rest_is_examined(monkeypatch, quick):
    running(monkeypatch, NoBoardError("no board answers"))
    monkeypatch.setattr(command, "pi_board", lambda own: simulated_target(own, "{}", in_time=False))
    found = written()
    assert {"doctor", "bench"} <= set(found)
    assert found["simulated"] is False


def test_a_page_that_does_not_answer_as_a_board_is_left_alone(monkeypatch):
    running(monkeypatch, PageError("what is at 192.168.7.23 port 8765 does not answer as a board does"))
    monkeypatch.setattr(command, "pi_board", lambda _: pytest.fail("its lines may be in use"))
    found = written("--config", config())
    assert found["running"] == {"status": "what is at <name> port 8765 does not answer as a board does"}
    assert found["left_out"] == [reports.UNCLEAR, reports.NEVER]


def test_a_faulty_configuration_is_reported_and_nothing_is_driven(monkeypatch):
    running(monkeypatch, NoBoardError("no board answers"))
    monkeypatch.setattr(command, "pi_board", lambda _: pytest.fail("its lines are unknown"))
    found = written("--config", config(FAULTY))
    assert any("timing.frame_rate_hz: 3 is out of range" in fault for fault in found["settings"]["faults"])
    assert "store.keep: has a fault, which is left out" in found["settings"]["faults"]
    assert found["left_out"] == [reports.UNUSABLE, reports.NEVER]


def test_sensors_that_cannot_be_measured_are_told_with_the_reason(monkeypatch):
    running(monkeypatch, NoBoardError("no board answers"))
    found = written()  # this machine has no header
    assert "error" in found["bench"]
    assert found["doctor"]["status"] == 2


def test_the_file_has_the_date_and_the_terminal_says_what_is_in_it(quick):
    done = CliRunner().invoke(main, ["report", "--sim"])
    assert done.exit_code == 0
    (file,) = Path().glob("millwright-report-*.json")
    assert json.loads(file.read_text("utf-8"))["date"] in file.name
    for part in ("machine ", "libraries ", "settings ", "doctor ", "bench ", "left out ", str(file)):
        assert part in done.output


def test_a_file_that_cannot_be_written_is_named(quick):
    done = CliRunner().invoke(main, ["report", "--sim", "--out", "nowhere/report.json"])
    assert done.exit_code == 2
    assert "nowhere/report.json: cannot be written" in done.output


def test_facts_of_a_pi_are_read_from_its_files(tmp_path):
    for name, text in {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "proc/meminfo": "MemTotal:        1884160 kB\n",
        "boot/firmware/config.txt": "# wilhelmina's\n[all]\ncore_freq_min=500\nname=w\ndtparam=spi=on\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    facts = reports.machine_facts(tmp_path)
    assert facts["model"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert facts["os"] == "Debian GNU/Linux 13 (trixie)"
    assert facts["memory_mib"] == 1840
    assert facts["config.txt"] == ["[all]", "core_freq_min=500", "dtparam=spi=on"]


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ('2 strip.order: cannot be "x"', '2 strip.order: cannot be "x"'),
        ('2 link.broker: "anna.example:x" has no port', "link.broker: has a fault, which is left out"),
        ("2 link.name: must be a text, not Annas Brett", "link.name: has a fault, which is left out"),
        ('2 sensors.port: must be a text, not "/dev/anna"', "sensors.port: has a fault, which is left out"),
        ("2 anna.example: there is no such section", "a line: has a fault, which is left out"),
        ("2 link.anna: there is no such setting", "a line: has a fault, which is left out"),
    ],
)
def test_report_has_the_faults_of_harmless_settings_alone(line: str, reported: str) -> None:
    assert reports.setting_faults(line) == [reported]
