"""Where the program's own files are: its configuration, its games and the secret of its page.

Rules kept here: what somebody named counts; else what is theirs (the XDG Base Directory Specification), and
for whoever asks about the board, that of the service. Nothing is read here, and nothing need exist.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from firmware_host.settings import Store

FILE_NAME = "millwright.toml"
SYSTEM_PATH = Path("/etc/millwright") / FILE_NAME
GAMES_NAME = "games.db"
KEY_NAME = "page.key"
SYSTEM_GAMES = Path("/var/lib/millwright") / GAMES_NAME
"""Where the service keeps its games."""


def user_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where a user's own file is, by the XDG Base Directory Specification; it need not exist."""
    base = Path(environ.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():  # the specification: "consider the path invalid and ignore it"
        base = Path(environ.get("HOME") or "~").expanduser() / ".config"
    return base / "millwright" / FILE_NAME


def games_path(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Where a board keeps its games: as told, else in the service's folder, else in the user's."""
    if store.path:
        return Path(store.path)
    # systemd's, of which the first is ours
    if folder := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(folder) / GAMES_NAME
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = Path(environ.get("HOME") or "~").expanduser() / ".local/state"
    return base / "millwright" / GAMES_NAME


def secret_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the secret is that lets others in the house play: beside the games of no other place."""
    return games_path(Store(), environ).with_name(KEY_NAME)


def find_games(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the games are that somebody asks for: those of the service, unless others are named or nearer."""
    own = games_path(store, environ)
    return own if store.path or _is_there(own) or not _is_there(SYSTEM_GAMES, barred=True) else SYSTEM_GAMES


def find(given: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that counts: the one that was given, else the user's own, else the system's, else none."""
    if given is not None:
        return Path(given)
    return next((path for path in (user_path(environ), SYSTEM_PATH) if _is_there(path)), None)


def _is_there(path: Path, *, barred: bool = False) -> bool:
    """Whether the file exists; `barred`: what to say where this user may not know.

    A service may be started with a home that is not its own, and its games are for nobody else.
    """
    try:
        return path.exists()
    except PermissionError:
        return barred
