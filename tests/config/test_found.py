"""The wiring that a set-up by the page finds, beside a configuration that the service may not write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config import found, paths
from firmware_host.config.found import FOUND_NAME, configured, found_path
from firmware_host.config.loader import Config, load
from firmware_host.games.layout import MORRIS
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.settings import Controls, Sensors, Sound, Strip
from firmware_host.state_files import DamagedFile

NAMES = [point.name for point in MORRIS.points]
POINTS = {name: ((n % 3, n // 3),) for n, name in enumerate(NAMES)}
LEDS = {name: (23 - n,) for n, name in enumerate(NAMES)}
FOUND = Config(
    sensors=Sensors(points=POINTS),
    strip=Strip(order="BRG", points=LEDS),
    controls=Controls(button=26),
    sound=Sound(buzzer=12),
)


class ServiceFolders:
    """A service with its folder for state, and the system's configuration, which it may not write."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "etc" / "millwright.toml"
        self.config.parent.mkdir()
        self.state = folder / "state"
        self.state.mkdir()
        self.environ = {"STATE_DIRECTORY": str(self.state), "HOME": str(folder / "nobody")}

    def settings(self, **more: Any) -> Config:
        return configured(None, self.environ, **more)

    def set_up(self, wired: Config = FOUND) -> Path | None:
        """Save as a set-up by the page does; return the previous result."""
        files = SetupFiles.of_board(None, self.environ)
        before = files.config()
        names = ("sensors", "strip", "controls", "sound")
        parts = {name: getattr(wired, name) for name in names}
        return files.save(before, replace(before, **parts), "2026-11-29")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServiceFolders:
    made = ServiceFolders(tmp_path)
    for module in (paths, found):
        monkeypatch.setattr(module, "SYSTEM_PATH", made.config)
    return made


def wiring(config: Config) -> tuple[Any, ...]:
    return config.sensors, config.strip, config.controls, config.sound


def test_what_was_found_is_used_and_the_configuration_stays(service):
    service.config.write_text("# mine\n[lights]\nbrightness = 0.3\n")
    service.set_up()
    assert service.config.read_text() == "# mine\n[lights]\nbrightness = 0.3\n"
    assert wiring(service.settings()) == wiring(FOUND)
    assert service.settings().lights.brightness == 0.3


def test_without_a_configuration_what_was_found_is_used(service):
    service.set_up()
    assert wiring(service.settings()) == wiring(FOUND)


def test_other_settings_may_change_afterwards(service):
    service.config.write_text("[lights]\nbrightness = 0.3\n")
    service.set_up()
    service.config.write_text("[lights]\nbrightness = 0.9\n[sensors]\nsettling_us = 50\n")
    assert service.settings().lights.brightness == 0.9
    assert service.settings().sensors == replace(FOUND.sensors, settling_us=50)
    assert service.settings().strip == FOUND.strip


@pytest.mark.parametrize(
    "change",
    ['[strip]\norder = "RGB"\n', "[sensors]\nsignal = [23, 24, 5]\n", "[controls]\nbutton = 21\n"],
)
def test_wiring_that_is_written_later_has_the_last_word(service, change):
    service.set_up()
    service.config.write_text(change)
    assert service.settings() == load(service.config)


def test_a_set_up_on_the_terminal_has_the_last_word(service, monkeypatch):
    """Even if it finds the wiring that the configuration has already."""
    monkeypatch.setattr(found, "SYSTEM_FOUND", service.state / FOUND_NAME)
    service.config.write_text("# mine\n")
    service.set_up()
    files = SetupFiles.of(str(service.config))
    files.save(files.config(), files.config(), "2026-11-29")
    assert wiring(service.settings()) == wiring(Config())
    assert not (service.state / FOUND_NAME).exists()


def test_a_second_set_up_begins_where_the_first_ended(service):
    service.set_up()
    assert wiring(SetupFiles.of_board(None, service.environ).config()) == wiring(FOUND)
    kept = service.set_up(replace(FOUND, strip=Strip(order="RGB")))
    assert kept is not None
    assert kept.parent == service.state
    assert service.settings().strip.order == "RGB"
    assert service.settings().sensors.points == POINTS


@pytest.mark.parametrize("text", ["[sensors", "[sensors]\npoints = 7\n", "\x00"])
def test_a_damaged_file_of_it_is_set_aside_and_reported(service, text):
    service.set_up()
    path = service.state / FOUND_NAME
    path.write_text("\n".join([*path.read_text().splitlines()[:2], text]))
    damaged: list[DamagedFile] = []
    assert wiring(service.settings(report=damaged.append)) == wiring(Config())
    assert [file.path for file in damaged] == [path]
    assert not path.exists()


def test_a_file_that_is_given_counts_alone(service, tmp_path):
    service.set_up()
    given = tmp_path / "given.toml"
    given.write_text("")
    assert wiring(configured(str(given), service.environ)) == wiring(Config())


def test_outside_a_service_set_up_writes_the_configuration(service):
    environ = {"HOME": service.environ["HOME"]}
    assert found_path(environ) is None
    assert not SetupFiles.of_board(str(service.config), environ).is_copy


def test_root_sees_the_settings_that_the_service_uses(service, monkeypatch):
    service.set_up()
    monkeypatch.setattr(found, "SYSTEM_FOUND", service.state / FOUND_NAME)
    assert wiring(configured(None, {"HOME": service.environ["HOME"]})) == wiring(FOUND)
