"""The unit may do little, and agrees with the program and with what is installed beside it."""

from __future__ import annotations

import os
import re
import subprocess

from firmware_host.engine.solving.folder import tables_path
from firmware_host.web.rate_limits import MAX_SOCKETS
from firmware_host.web.server import WebServer
from firmware_host.web.transports import BACKLOG
from tests.support.systemd.files import FOLDER, needs, settings

UNIT = FOLDER / "millwright.service"
MAX_EXPOSED = 0.4


@needs("systemd-analyze")
def test_the_service_may_do_little() -> None:
    done = subprocess.run(  # noqa: S603
        ["systemd-analyze", "security", "--offline=true", "--threshold=10", "--no-pager", UNIT],  # noqa: S607
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    level = re.search(r"Overall exposure level for millwright.service: ([\d.]+)", done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert level is not None, done.stdout + done.stderr
    assert float(level[1]) <= MAX_EXPOSED


def test_the_service_is_watched_from_outside_and_never_given_up() -> None:
    unit = settings(UNIT)
    assert unit["Service.Type"] == ["notify"]
    assert unit["Service.Restart"] == ["on-failure"]
    assert unit["Unit.StartLimitIntervalSec"] == ["0"]
    assert int(unit["Service.WatchdogSec"][0]) > 10  # a disk is called silent after ten seconds


def test_a_flood_of_connections_leaves_descriptors_for_sensors_strip_and_store() -> None:
    unit = settings(UNIT)
    evicted = 16
    assert int(unit["Service.LimitNOFILE"][0]) >= 2 * (MAX_SOCKETS + evicted)
    assert settings(FOLDER / "millwright.socket")["Socket.Backlog"] == [str(BACKLOG)]


def test_nothing_runs_from_where_the_service_can_write() -> None:
    unit = settings(UNIT)
    assert unit["Service.NoExecPaths"] == ["/"]
    assert unit["Service.ExecPaths"] == ["/usr -/opt/millwright"]


def test_purging_removes_every_folder_that_the_unit_makes() -> None:
    roots = {"State": "/var/lib", "Cache": "/var/cache", "Configuration": "/etc"}
    unit = settings(UNIT)
    made = {f"{root}/{name}" for kind, root in roots.items() for name in unit[f"Service.{kind}Directory"]}
    made |= {
        f"/var/lib/{name}"
        for name in settings(FOLDER / "update/millwright-update.service")["Service.StateDirectory"]
    }
    (removed,) = re.findall(r"^    rm -rf (.*)$", (FOLDER / "steps.sh").read_text(), re.MULTILINE)
    assert set(removed.split()) == made


def test_the_engine_finds_tables_where_the_unit_has_its_cache() -> None:
    (name,) = settings(UNIT)["Service.CacheDirectory"]
    folder = tables_path({"CACHE_DIRECTORY": f"/var/cache/{name}", "HOME": "/nonexistent"})
    assert f"`{folder}`" in (FOLDER / "README.md").read_text()


def test_the_light_goes_out_however_the_service_ends() -> None:
    assert settings(UNIT)["Service.ExecStopPost"] == ["-millwright dark"]


def test_the_user_has_the_groups_of_the_devices_and_no_more() -> None:
    unit = settings(UNIT)
    lines = [line.split() for line in (FOLDER / "sysusers.conf").read_text().splitlines()]
    (user,) = [line[1] for line in lines if line[:1] == ["u"]]
    assert unit["Service.User"] == unit["Service.Group"] == [user]
    groups = {line[1] for line in lines if line[:1] == ["g"]}
    assert {line[2] for line in lines if line[:1] == ["m"]} == groups == {"gpio", "spi", "i2c", "dialout"}
    rules = (FOLDER / "60-millwright.rules").read_text()
    assert set(re.findall(r'GROUP="(\w+)"', rules)) == groups - {"dialout"}  # Debian has that one


def test_the_drivers_of_all_devices_are_there_when_the_service_starts() -> None:
    named = {text.split()[0] for text in settings(UNIT)["Service.DeviceAllow"] if text.startswith("char-")}
    lines = (FOLDER / "modules-load.conf").read_text().splitlines()
    loaded = {line for line in lines if line and not line.startswith("#")}
    built_in = {"char-gpiochip", "char-ttyAMA", "char-ttyS"}
    drivers = {
        "spidev": "char-spi",
        "i2c-dev": "char-i2c",
        "cdc-acm": "char-ttyACM",
        "usbserial": "char-ttyUSB",
    }
    assert loaded == set(drivers)
    assert named == built_in | set(drivers.values())


def test_the_socket_is_where_the_program_looks_for_the_page_and_nobody_else_can_reach_it() -> None:
    (where,) = settings(FOLDER / "millwright.socket")["Socket.ListenStream"]
    host, _, port = where.partition(":")
    defaults = WebServer.__init__.__defaults__
    assert (host, int(port)) == defaults
    assert settings(FOLDER / "millwright.socket")["Socket.IPAddressDeny"] == ["any"]
