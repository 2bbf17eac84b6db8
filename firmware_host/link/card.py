"""The card of a board on a broker: its name and what it can play, for walls, archives and lobbies."""

from __future__ import annotations

import json
import socket

from firmware_host import __version__
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.settings import MAX_BOARD_NAME, Link


def board_name(settings: Link) -> str:
    """Return what others call this board: its own name, or that of its machine."""
    return (settings.name or socket.gethostname())[:MAX_BOARD_NAME]


def card(settings: Link) -> bytes:
    """Return the message that the broker keeps of this board."""
    members = {"v": 1, "name": board_name(settings), "rules": list(RULE_SETS), "version": __version__}
    return json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
