"""The paths of the program's own files: its configuration, its games and its paired devices.

Invariants: a path that was given is used; otherwise that of the user (the XDG Base Directory Specification),
and for queries about the board that of the service. Nothing is read here, and nothing need exist.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from firmware_host.settings import Store

FILE_NAME = "millwright.toml"
SYSTEM_PATH = Path("/etc/millwright") / FILE_NAME
CONFIG_HELP = f"Configuration file. [default: ~/.config/millwright/{FILE_NAME}, then {SYSTEM_PATH}]"
"""The help text of `--config`, which every command has."""
GAMES_NAME = "games.db"
SIMULATED_NAME = "simulated.db"
DEVICES_NAME = "devices.json"
FOUND_NAME = "found-wiring.toml"
CHOSEN_NAME = "chosen-settings.toml"
SYSTEM_GAMES = Path("/var/lib/millwright") / GAMES_NAME
"""The service's file of games."""
SYSTEM_FOUND = SYSTEM_GAMES.with_name(FOUND_NAME)
"""The wiring that was found for the service's board."""


def _home(environ: Mapping[str, str]) -> Path:
    """Return the user's home; the user that systemd makes for a service may have none."""
    try:
        return Path(environ.get("HOME") or "~").expanduser()
    except RuntimeError:
        return Path("/")


def user_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a user's own file, by the XDG Base Directory Specification; it need not exist."""
    base = Path(environ.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():  # the specification: "consider the path invalid and ignore it"
        base = _home(environ) / ".config"
    return base / "millwright" / FILE_NAME


def games_path(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a board's games: as configured, or in the service's folder, or in the user's."""
    if store.path:
        return Path(store.path)
    # systemd sets a list, of which the first folder is ours
    if folder := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(folder) / GAMES_NAME
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = _home(environ) / ".local/state"
    return base / "millwright" / GAMES_NAME


def simulated_games_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path at which the page's simulated board keeps its games, beside those of a real one."""
    return games_path(Store(), environ).with_name(SIMULATED_NAME)


def devices_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the file of paired devices, beside the games at their default path."""
    return games_path(Store(), environ).with_name(DEVICES_NAME)


def find_games(store: Store, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the games for a query: the service's, unless others are named or exist here."""
    own = games_path(store, environ)
    return own if store.path or _is_there(own) or not _is_there(SYSTEM_GAMES, barred=True) else SYSTEM_GAMES


def find_config(given: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the configuration file: `given`, or the user's own, or the system's; None if there is none."""
    if given is not None:
        return Path(given)
    return next((path for path in (user_path(environ), SYSTEM_PATH) if _is_there(path)), None)


def found_path(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of what a set-up by the page finds; None outside a service, which writes its own."""
    return games_path(Store(), environ).with_name(FOUND_NAME) if environ.get("STATE_DIRECTORY") else None


def found_beside(given: str | Path | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of what a set-up by the page found for the configuration `given` or the default one.

    None stands for a configuration that counts alone: one that is given, or a user's own.
    """
    own = found_path(environ)
    if given is not None or (own is None and find_config(None, environ) not in (None, SYSTEM_PATH)):
        return None
    return own or SYSTEM_FOUND


def _is_there(path: Path, *, barred: bool = False) -> bool:
    """Return whether the file exists, and `barred` if this user is not permitted to know.

    A service may be started with a home that is not its own, and its games are private to it.
    """
    try:
        return path.exists()
    except PermissionError:
        return barred
