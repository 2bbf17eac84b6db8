"""Where games are kept is found as the system has it, and said in the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host import config as reading
from firmware_host.config import Config, find_games, games_path, load
from firmware_host.errors import ConfigError
from firmware_host.settings import Store


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
    monkeypatch.setattr(reading, "SYSTEM_GAMES", service)
    assert find_games(Store(), environ) == own
    service.parent.mkdir()
    service.touch()
    assert find_games(Store(), environ) == service
    assert find_games(Store(path="/else/games.db"), environ) == Path("/else/games.db")
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
        ConfigError, match=r'millwright\.toml:2 store\.path: must begin with a slash, .*"games.db"'
    ):
        load(file)
