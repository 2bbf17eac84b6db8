"""What hands and life did to a live board, written so that the headless board does the same again.

Rules kept here: an object is noted with the time of the board at which it was done, which is that of a frame;
what could not be done is not noted, since nothing changed. A recording has an end: what would be longer is
given up as a whole, since half of it leads nowhere.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from firmware_host import __version__
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.games.records import Record, record_text
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from sim.assembly import Blueprint

MOST_CHARACTERS = 4_000_000
"""Some 80,000 objects: hours of dragging, or weeks of play."""
_SECOND: Microseconds = 1_000_000


class Recording:
    """All that was done to the board of `blueprint` since it was switched on, at time 0."""

    def __init__(
        self,
        blueprint: Blueprint,
        game: Game | None,
        was_set: Mapping[str, Any],
        *,
        most_characters: int = 2 * MOST_CHARACTERS,
    ) -> None:
        """`game` is the one that went on then, None: a new one began; `was_set` is what was kept as set."""
        self.characters = 0
        """How long it is by now, also of one that was given up."""
        self._most = most_characters
        self._at: Microseconds = 0
        self._lines = [_line({"note": f"millwright {__version__}; to replay: {replaying(blueprint)}"})]
        if game is not None or was_set:
            record = None if game is None else record_text(Record(game))
            self._lines.append(_line({"continue": record, **({"set": dict(was_set)} if was_set else {})}))

    def note(self, done: Mapping[str, Any], now: Microseconds) -> None:
        """Note that `done` was done at `now`."""
        if "slide" in done:
            done = {**done, "meanwhile": True}
        lines = [*self._waiting(now), _line(done)]
        self._at = now
        self.characters += sum(map(len, lines))
        if self.characters <= self._most:
            self._lines += lines
        else:
            self._lines.clear()

    def text(self, now: Microseconds, *, show: bool) -> str:
        """The script until `now`, which ends by printing the state if it is to `show` it.

        Raises HandsError where it became too long.
        """
        if not self._lines:
            raise HandsError(
                "too much has happened for a script; one can be saved again of what follows when all is "
                "repaired and the board has stood right for a while",
                Message("refused.too-long"),
            )
        shown = [_line({"show": True})] if show else []
        return "".join((*self._lines, *self._waiting(now), *shown))

    def _waiting(self, now: Microseconds) -> list[str]:
        return [_line({"wait": (now - self._at) / _SECOND})] if now > self._at else []


def replaying(blueprint: Blueprint) -> str:
    """The command that plays a recording of the board of `blueprint` from FILE; games go into a new file."""
    name, *switches = blueprint.rules.describe().split()
    words = ["--rules", name]
    for switch in switches:
        words += ["--set", switch]
    words += ["--sensors", blueprint.alphabet.value, "--seed", str(blueprint.seed)]
    if blueprint.given is not None:
        words += ["--config", blueprint.given]
    store = " --store NEW-FILE" if blueprint.store is not None else ""
    return f"millwright sim --headless {shlex.join(words)}{store} < FILE"


def _line(command: Mapping[str, Any]) -> str:
    return json.dumps(command) + "\n"
