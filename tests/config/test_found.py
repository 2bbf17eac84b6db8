"""The wiring that a set-up by the page finds, beside a configuration that the service may not write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config import found, paths
from firmware_host.config.found import configured
from firmware_host.config.loader import Config, load
from firmware_host.config.paths import FOUND_NAME, found_path
from firmware_host.games.layout import MORRIS, SQUARES
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
        return files.save(replace(before, **parts), "2026-11-29")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServiceFolders:
    made = ServiceFolders(tmp_path)
    for module in (paths, found):
        monkeypatch.setattr(module, "SYSTEM_PATH", made.config)
        monkeypatch.setattr(module, "SYSTEM_FOUND", made.state / FOUND_NAME)
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


def test_a_set_up_on_the_terminal_has_the_last_word(service):
    """Even if it finds the wiring that the configuration has already."""
    service.config.write_text("# mine\n")
    service.set_up()
    files = SetupFiles.of(str(service.config))
    files.save(files.config(), "2026-11-29")
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


def test_a_set_up_on_the_terminal_begins_where_the_page_ended(service):
    service.config.write_text("# mine\n")
    service.set_up()
    root = {"HOME": service.environ["HOME"]}
    files = SetupFiles.of(None, root)
    assert wiring(files.config()) == wiring(FOUND)
    files.save(files.config(), "2026-11-29")
    assert wiring(load(service.config)) == wiring(configured(None, root)) == wiring(FOUND)
    assert not (service.state / FOUND_NAME).exists()


def test_root_sees_the_settings_that_the_service_uses(service):
    service.set_up()
    assert wiring(configured(None, {"HOME": service.environ["HOME"]})) == wiring(FOUND)


@pytest.mark.parametrize(
    "written", ['[strip]\norder = "GRB"\n', "[controls]\nbutton = -1\n", "[strip]\nleds = 24\n"]
)
def test_a_default_that_is_written_later_has_the_last_word(service, written):
    service.set_up(replace(FOUND, strip=Strip(order="RGB")))
    service.config.write_text(written)
    assert service.settings() == load(service.config)


def test_what_was_found_never_comes_back_to_life(service):
    service.set_up()
    service.config.write_text('[strip]\norder = "RGB"\n')
    service.settings()
    service.config.write_text("")
    assert wiring(service.settings()) == wiring(Config())
    assert [file.name for file in service.state.iterdir()] == [f"{FOUND_NAME}.outdated-undated"]


def test_what_was_found_for_other_rules_stops_no_board(service):
    kind = '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\ninputs = [0, 1]\nselect = [17, 27, 22, 5]\n'
    service.config.write_text(f'{kind}[strip]\nleds = 25\n[play]\nrules = "mitsudomoe"\n')
    before = service.settings()
    squares = {point.name: ((n % 2, n // 2),) for n, point in enumerate(SQUARES.points)}
    service.set_up(replace(before, sensors=replace(before.sensors, points=squares)))
    assert service.settings().sensors.points == squares
    service.config.write_text(kind.replace("pieces", "polarity") + "[strip]\nleds = 25\n")
    assert service.settings().sensors.points == {}


def test_a_configuration_that_changes_during_set_up_keeps_the_change(service):
    service.config.write_text("[lights]\nbrightness = 0.3\n")
    files = SetupFiles.of_board(None, service.environ)
    wired = replace(files.config(), sensors=FOUND.sensors)
    service.config.write_text("[lights]\nbrightness = 0.9\n")
    files.save(wired, "2026-11-29")
    assert service.settings().lights.brightness == 0.9
    assert service.settings().sensors.points == POINTS
