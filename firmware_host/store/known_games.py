"""The games that a file has already, so that a game from elsewhere is added once.

Invariants: the file is read once from its start to its end, and later only what was added since, so that the
cost of an import grows with the number of games and not with its square. Two games are the same if their
rules, starts, steps and ends are, and both began in the same second: records have no finer times. Of games
without a time, those with other players, or of another day or event, are others. A game of two boards far
apart has a name of its own, by which it is known whenever it began; a file may claim any name, so that a game
with the name of another one is still another game.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from hashlib import blake2b
from itertools import groupby
from typing import Any

from firmware_host.ports import date_of
from firmware_host.store.saved_game import FAR_GAME_TAG, SavedGame

_GAMES = """
SELECT games.id, CASE WHEN json_valid(tags) THEN json_extract(tags, :far_game) END,
    rules, start, began_ms, reason, winner, tags, steps.text
FROM games LEFT JOIN steps ON steps.game = games.id
WHERE games.id > :last ORDER BY games.id, steps.ply
"""
_NAMING_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Time")
_DIGEST_BYTES = 16


class KnownGames:
    """The games behind a connection, each as a digest."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._digests: set[bytes] = set()
        self._last = 0

    def update(self) -> None:
        """Read the games that were added since the last call; inside a transaction. Raise sqlite3.Error."""
        rows = self._connection.execute(_GAMES, {"last": self._last, "far_game": f"$.{FAR_GAME_TAG}"})
        for game, steps in groupby(rows, key=lambda found: found[:8]):
            self._last, far_name, *head, tags = game
            texts = [text for *_, text in steps if text is not None]
            self._digests.add(_digest(far_name, *head, _tags(tags), texts))

    def note(self, saved: SavedGame) -> bool:
        """Return whether a game is new, and know it from then on."""
        outcome = saved.outcome
        reason = None if outcome is None else str(outcome.reason)
        winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
        texts = [step.text for step in saved.steps]
        far_name = saved.tags.get(FAR_GAME_TAG)
        digest = _digest(
            far_name, saved.rules, saved.start, saved.began_ms, reason, winner, saved.tags, texts
        )
        is_new = digest not in self._digests
        self._digests.add(digest)
        return is_new


def _tags(text: str) -> Mapping[str, Any]:
    """Return the tags of a stored game; none if they are damaged."""
    try:
        tags = json.loads(text)
    except ValueError:
        return {}
    return tags if isinstance(tags, dict) else {}


def _digest(*parts: Any) -> bytes:
    """Return a digest of a game's parts.

    They are the name of a game of two boards, or None, its rules, start, beginning, reason and winner, or
    None, tags, and a list of steps.
    """
    far_name, rules, start, began_ms, reason, winner, tags, steps = parts
    seconds = date_of(began_ms) // 1000
    lines = (rules, start, "" if far_name else str(seconds), reason or "", winner or "", *steps)
    if far_name:
        named = [f"{FAR_GAME_TAG} {json.dumps(far_name)}"]
    else:
        named = [] if seconds else [f"{tag} {json.dumps(tags[tag])}" for tag in _NAMING_TAGS if tag in tags]
    return blake2b("\n".join((*lines, *named)).encode(errors="replace"), digest_size=_DIGEST_BYTES).digest()
