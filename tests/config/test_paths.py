"""The paths of configuration, games and the page's secret: the system's places, or those that are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.config import paths as whereabouts
from firmware_host.config.loader import Config, load
from firmware_host.config.paths import (
    SYSTEM_PATH,
    devices_path,
    find_config,
    find_games,
    games_path,
    user_path,
)
from firmware_host.errors import ConfigError
from firmware_host.settings import Store


def test_the_given_file_counts_then_the_users_then_the_systems(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert find_config("x.toml", environ) == Path("x.toml")
    assert find_config(None, environ) in (None, SYSTEM_PATH)
    own = tmp_path / "millwright" / "millwright.toml"
    own.parent.mkdir()
    own.touch()
    assert find_config(None, environ) == own


@pytest.mark.parametrize("base", [{}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "relative"}])
def test_without_an_absolute_base_folder_the_users_file_is_in_the_home(base: dict[str, str]) -> None:
    assert user_path({"HOME": "/home/ada", **base}) == Path("/home/ada/.config/millwright/millwright.toml")


def test_a_user_without_a_home_has_the_systems_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of a companion's service is known to nobody where libnss-systemd is missing."""

    def unknown(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    assert user_path({}) == Path("/.config/millwright/millwright.toml")
    assert find_config(None, {}) in (None, SYSTEM_PATH)


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"STATE_DIRECTORY": "/var/lib/millwright", "HOME": "/nowhere"}, "/var/lib/millwright/games.db"),
        ({"STATE_DIRECTORY": "/a:/b"}, "/a/games.db"),
        ({"XDG_STATE_HOME": "/home/ada/state", "HOME": "/home/ada"}, "/home/ada/state/millwright/games.db"),
        ({"XDG_STATE_HOME": "state", "HOME": "/home/ada"}, "/home/ada/.local/state/millwright/games.db"),
        ({"HOME": "/home/ada"}, "/home/ada/.local/state/millwright/games.db"),
    ],
)
def test_games_are_kept_where_the_system_keeps_such_things(environ: dict[str, str], path: str) -> None:
    assert games_path(Store(), environ) == Path(path)
    assert games_path(Store(path="/media/card/games.db"), environ) == Path("/media/card/games.db")


def test_who_asks_for_games_finds_those_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, own = tmp_path / "lib" / "games.db", tmp_path / "millwright" / "games.db"
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    monkeypatch.setattr(whereabouts, "SYSTEM_GAMES", service)
    assert find_games(Store(), environ) == own
    service.parent.mkdir()
    service.touch()
    assert find_games(Store(), environ) == service
    assert find_games(Store(path="/else/games.db"), environ) == Path("/else/games.db")
    own.parent.mkdir()
    own.touch()
    assert find_games(Store(), environ) == own


def test_games_of_the_service_that_this_user_may_not_look_for_are_found_to_be_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, exists = tmp_path / "lib" / "games.db", Path.exists

    def barred(path: Path) -> bool:
        if path == service:
            raise PermissionError(13, "Permission denied")
        return exists(path)

    monkeypatch.setattr(whereabouts, "SYSTEM_GAMES", service)
    monkeypatch.setattr(Path, "exists", barred)
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    own = tmp_path / "millwright" / "games.db"
    assert find_games(Store(), environ) == service
    own.parent.mkdir()
    own.touch()
    assert find_games(Store(), environ) == own


def test_a_file_says_whether_and_where(tmp_path: Path) -> None:
    file = tmp_path / "millwright.toml"
    file.write_text('[store]\nkeep = false\npath = "/media/card/games.db"\n')
    assert load(file).store == Store(keep=False, path="/media/card/games.db")
    assert Config.default().store == Store(keep=True, path="")


def test_a_path_that_depends_on_where_one_stands_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "millwright.toml"
    file.write_text('[store]\npath = "games.db"\n')
    with pytest.raises(
        ConfigError, match=r'millwright\.toml:2 store\.path: must be an absolute path, not "games.db"'
    ):
        load(file)


def test_the_secret_for_others_is_kept_where_games_are(tmp_path: Path) -> None:
    assert devices_path({"STATE_DIRECTORY": str(tmp_path)}) == tmp_path / "devices.json"
    assert devices_path({"HOME": "/home/ada"}) == Path("/home/ada/.local/state/millwright/devices.json")
