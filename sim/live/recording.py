"""A recording of a live board's commands, as a script that the headless board can replay.

Invariants: a command is noted with the board's time, which is that of a frame. Refused commands are not
noted, since they changed nothing. A recording that gets too long is dropped as a whole, since half of it is
useless.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from firmware_host import __version__
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.games.records import GameRecord, record_text
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from sim.assembly import Blueprint

MAX_CHARACTERS = 4_000_000
"""Some 80,000 commands: hours of dragging, or weeks of play."""
_SECOND: Microseconds = 1_000_000

_LASTING = frozenset(("slide", "sweep", "knock", "press"))
"""The verbs for which the headless board lets time pass, while a live one goes on."""


class Recording:
    """All commands to the board of `blueprint` since it was switched on, at time 0."""

    def __init__(
        self,
        blueprint: Blueprint,
        game: Game | None,
        was_set: Mapping[str, Any],
        *,
        max_characters: int = 2 * MAX_CHARACTERS,
    ) -> None:
        """Start recording; `game` was in progress then, or None; `was_set` are the kept settings."""
        self.characters = 0
        """The length of the recording, counted even after it was dropped."""
        self._max_characters = max_characters
        self._at: Microseconds = 0
        self._lines = [_line({"note": f"millwright {__version__}; to replay: {replaying(blueprint)}"})]
        if game is not None or was_set:
            record = None if game is None else record_text(GameRecord(game))
            self._lines.append(_line({"continue": record, **({"set": dict(was_set)} if was_set else {})}))

    def note(self, done: Mapping[str, Any], now: Microseconds) -> None:
        """Note that the command `done` was carried out at `now`."""
        if not _LASTING.isdisjoint(done):
            done = {**done, "meanwhile": True}
        lines = [*self._wait_line(now), _line(done)]
        self._at = now
        self.characters += sum(map(len, lines))
        if self.characters <= self._max_characters:
            self._lines += lines
        else:
            self._lines.clear()

    def text(self, now: Microseconds, *, show: bool) -> str:
        """Return the script until `now`, printing the state at its end if `show`.

        Raises HandsError if it became too long.
        """
        if not self._lines:
            raise HandsError(
                "this session is too long to save as a script: fix all faults, leave the board in a correct "
                "position for a moment, and start a new recording",
                Message("refused.too-long"),
            )
        shown = [_line({"show": True})] if show else []
        return "".join((*self._lines, *self._wait_line(now), *shown))

    def _wait_line(self, now: Microseconds) -> list[str]:
        return [_line({"wait": (now - self._at) / _SECOND})] if now > self._at else []


def replaying(blueprint: Blueprint) -> str:
    """Return the command that replays a recording of `blueprint` from FILE, with games in a new file."""
    name, *switches = blueprint.rules.describe().split()
    words = ["--rules", name]
    for switch in switches:
        words += ["--set", switch]
    words += ["--sensors", blueprint.alphabet.value, "--seed", str(blueprint.seed)]
    play = blueprint.config.play
    if blueprint.given is not None or (play.white, play.black) != ("here", "here"):
        words += ["--white", play.white, "--black", play.black]
    words.append("--no-engine")
    words += ["--buzzer"] if blueprint.buzzer else []
    if blueprint.given is not None:
        words += ["--config", blueprint.given]
    store = " --store NEW-FILE" if blueprint.store is not None else ""
    return f"millwright sim --headless {shlex.join(words)}{store} < FILE"


def _line(command: Mapping[str, Any]) -> str:
    return json.dumps(command) + "\n"
