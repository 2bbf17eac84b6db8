"""Settings that are changed by the page of the workshop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.config import found, paths
from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CHOSEN_NAME, FOUND_NAME
from firmware_host.errors import RequestError
from firmware_host.maintenance import settings_files
from firmware_host.maintenance.settings_files import SettingsFiles
from firmware_host.maintenance.settings_session import SettingsSession
from firmware_host.state_files import DamagedFile

MINE = "# mine\n[timing]\nlanding_ms = 50  # a slow hand\n"


class ServiceBoard:
    """A service with its folder for state, and the system's configuration, which it may not write."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "millwright.toml"
        self.config.write_text(MINE)
        self.chosen = folder / "state" / CHOSEN_NAME
        self.chosen.parent.mkdir()
        self.environ = {"STATE_DIRECTORY": str(self.chosen.parent), "HOME": str(folder / "nobody")}
        self.damaged: list[DamagedFile] = []

    def session(self) -> SettingsSession:
        return SettingsSession(SettingsFiles.of_board(None, self.environ))

    def settings(self) -> Config:
        return configured(None, self.environ, report=self.damaged.append)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServiceBoard:
    made = ServiceBoard(tmp_path)
    for module in (paths, found):
        monkeypatch.setattr(module, "SYSTEM_PATH", made.config)
        monkeypatch.setattr(module, "SYSTEM_FOUND", made.chosen.with_name(FOUND_NAME))
    return made


def shown(session: SettingsSession, key: str) -> dict[str, Any]:
    (one,) = [one for one in session.texts["settings"] if one["setting"] == key]
    return dict(one)


def refusal(session: SettingsSession, **request: Any) -> str:
    with pytest.raises(RequestError) as caught:
        session.do(request)
    return str(caught.value)


def test_a_value_is_used_when_the_board_plays_again_and_the_configuration_stays(service):
    session = service.session()
    session.do({"setting": "timing.debounce_ms", "value": 25})
    session.do({"setting": "rest.night", "value": "22:00-07:00"})
    session.do({"answer": ""})
    assert session.over
    assert service.config.read_text() == MINE
    config = service.settings()
    assert (config.timing.debounce_ms, config.timing.landing_ms, config.rest.night) == (25, 50, "22:00-07:00")
    assert config.origins["timing.debounce_ms"].startswith(str(service.chosen))
    assert not service.damaged


def test_the_page_shows_the_value_and_the_usual_one(service):
    session = service.session()
    before = shown(session, "timing.landing_ms")
    assert (before["value"], before["usual"], before["chosen"]) == (50, 50, False)
    session.do({"setting": "timing.landing_ms", "value": 70})
    after = shown(session, "timing.landing_ms")
    assert (after["value"], after["usual"], after["chosen"], after["unit"]) == (70, 50, True, "ms")
    assert session.revision == 1


def test_a_reset_value_is_that_of_the_configuration_again(service):
    session = service.session()
    for value in (70, None):
        session.do({"setting": "timing.landing_ms", "value": value})
    assert shown(session, "timing.landing_ms")["chosen"] is False
    assert service.settings().timing.landing_ms == 50


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("timing.debounce_ms", 500, "timing.debounce_ms: 500 is out of range: it must be 0 to 200 ms"),
        ("timing.debounce_ms", 2.5, "timing.debounce_ms: must be a whole number, not 2.5"),
        ("timing.debounce_ms", "", 'timing.debounce_ms: must be a whole number, not ""'),
        ("lights.gamma", True, "lights.gamma: must be a number, not true"),
        ("lights.gamma", float("nan"), "out of range"),
        ("rest.night", "late", 'rest.night: must be hours, such as "22:00-07:00", not "late"'),
        ("rest.night", '"\n[play]\nexternal = ["sh"]\n#', "rest.night: must be hours"),
        ("strip.chip", "apa102", 'strip.chip: cannot be "apa102"; known are auto, sk6812, ws2812b'),
    ],
)
def test_what_a_file_could_not_have_is_refused_in_the_same_words(service, key, value, why):
    assert why in refusal(service.session(), setting=key, value=value)
    assert not service.chosen.exists()


@pytest.mark.parametrize(
    "key",
    [
        "play.external",
        "store.path",
        "web.host",
        "web.update",
        "link.broker",
        "lights.budget_ma",
        "x",
        "a.b.c",
    ],
)
def test_settings_of_trust_are_refused(service, key):
    assert refusal(service.session(), setting=key, value="/bin/sh") == (
        f"{key} can only be changed in the configuration file"
    )
    assert not service.chosen.exists()


@pytest.mark.parametrize(
    "asked",
    [
        {"answer": "q"},
        *(
            {"setting": "rest.night", **more}
            for more in ({"value": []}, {"value": {}}, {"x": 1}, {"value": "", "ask": "games"})
        ),
    ],
)
def test_anything_else_is_refused(service, asked):
    refusal(service.session(), **asked)


def test_a_configuration_that_says_something_else_later_has_the_last_word(service):
    service.session().do({"setting": "timing.landing_ms", "value": 70})
    service.config.write_text(MINE + "removal_ms = 400\n")
    assert service.settings().timing.landing_ms == 70
    service.config.write_text(MINE.replace("50", "60"))
    assert service.settings().timing.landing_ms == 60
    assert [path.name for path in service.chosen.parent.iterdir()] == [f"{CHOSEN_NAME}.outdated-undated"]


def test_settings_of_trust_in_a_file_that_somebody_changed_do_not_count(service):
    service.session().do({"setting": "timing.landing_ms", "value": 70})
    service.chosen.write_text(service.chosen.read_text() + '\n[play]\nexternal = ["sh"]\n')
    assert service.settings().play.external == ()


def test_a_damaged_file_is_set_aside(service):
    service.chosen.write_bytes(b"\xff")
    service.session().do({"setting": "timing.landing_ms", "value": 70})
    assert service.settings().timing.landing_ms == 70


def test_a_program_with_a_file_of_its_own_writes_that_and_keeps_its_comments(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(MINE)
    file.chmod(0o640)
    files = SettingsFiles.of_board(str(file), {})
    session = SettingsSession(files)
    session.do({"setting": "timing.landing_ms", "value": 70})
    session.do({"setting": "lights.gamma", "value": 2})
    assert file.read_text() == f"{MINE.replace('50', '70')}\n[lights]\ngamma = 2\n"
    assert file.stat().st_mode & 0o777 == 0o640
    session.do({"setting": "timing.landing_ms", "value": None})
    assert shown(session, "timing.landing_ms")["value"] == 40


def test_a_file_that_cannot_be_written_is_told(service, monkeypatch):
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(settings_files, "replace_file", fail)
    text = refusal(service.session(), setting="timing.landing_ms", value=70)
    assert text.startswith("Nothing was saved: ")
    assert "Read-only file system" in text
