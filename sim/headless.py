"""The board without a screen: JSON lines in, JSON lines out, in virtual time; README.md is its manual.

Rules kept here: time passes only by `wait` and `slide`; the same input and seed give the same output, byte
for byte; what is wrong with a line is told, and the next line is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from firmware_host.errors import HandsError, MillwrightError
from firmware_host.games.game import Game
from firmware_host.games.records import parse_records
from firmware_host.views import snapshot
from sim import world as life
from sim.assembly import Blueprint
from sim.table import hands
from sim.world import Life

LONGEST_WAIT_S = 10_000_000.0
_SECOND = 1_000_000


def run(lines: Iterable[str], out: TextIO, blueprint: Blueprint, *, skip: bool = True) -> int:
    """Play what `lines` say on the board of `blueprint`; the exit status: 1 if a line was wrong, else 0.

    Output is flushed after each line. `skip`: leave out frames in which nothing can change.
    """
    board = HeadlessBoard(blueprint, out, skip=skip)
    status = 0
    try:
        out.flush()
        for number, line in enumerate(lines, start=1):
            try:
                board.obey(line)
            except MillwrightError as error:
                board.say({"error": f"line {number}: {error}"})
                status = 1
            out.flush()
    finally:
        board.close()
    return status


class HeadlessBoard:
    """A simulated board whose time passes only when it is told."""

    def __init__(self, blueprint: Blueprint, out: TextIO, *, skip: bool = True) -> None:
        """Begin at time 0 with the first frame, and say what happened to `out`."""
        self._out = out
        self._blueprint = blueprint
        self._skip = skip
        self._untouched = True
        """Whether nothing was done since the board was switched on."""
        self.life = Life(blueprint, self.say, skip=skip)
        self.life.begin()

    def close(self) -> None:
        """Go dark, and keep what is still to be kept."""
        self.life.close()

    def obey(self, line: str) -> None:
        """Do what a line says, and let its time pass; raises MillwrightError where it is wrong.

        A line of nothing but spaces says nothing.
        """
        if not line.strip():
            return
        command = _read(line)
        verb = hands.only_verb(command, _VERBS)
        if verb in life.VERBS:
            lasts = self.life.do(command)
            self._untouched = False
            self.life.let_pass(lasts)
            return
        hands.only_keys(command, verb, ("set",) if verb == "continue" else ())
        if verb == "continue":
            self._continue(command[verb], command.get("set", {}))
        elif verb == "wait":
            self._untouched = False
            self.life.let_pass(hands.duration(command["wait"], "wait", LONGEST_WAIT_S))
        elif verb == "show":
            hands.must_be_true(command, verb)
            self.life.must_have_power()
            self.say({"state": self._state()})
        elif not isinstance(command["note"], str):
            raise HandsError('"note" must be a text')

    def say(self, message: Mapping[str, Any]) -> None:
        """Write one line; its time is now."""
        self._out.write(json.dumps({"t": self.life.now / _SECOND, **message}) + "\n")

    def _continue(self, record: object, settings: object) -> None:
        """Begin as if this had been kept: a game, whose pieces stand on the board, and what was set."""
        if not self._untouched:
            raise HandsError("a game can be continued only before anything else is done")
        if not isinstance(settings, Mapping):
            raise HandsError('"set" must be an object')
        game = None if record is None else _game(record)
        if game is not None and game.rules.layout is not self._blueprint.rules.layout:
            raise HandsError(f"{game.rules.name} is played on another board than this one")
        self._untouched = False
        self.life.close()
        self.life = Life(self._blueprint, self.say, game=game, settings=settings, skip=self._skip)
        self.life.begin()

    def _state(self) -> dict[str, Any]:
        play = self.life.play
        return snapshot.take(play.controller, held=play.hands.held, leds=play.leds()).as_dict()


_VERBS = dict.fromkeys((*life.VERBS, "wait", "show", "note", "continue"))


def _game(record: object) -> Game:
    if not isinstance(record, str):
        raise HandsError('"continue" must be the text of a record, or null')
    games = [found.game for found in parse_records(record)]
    if len(games) != 1:
        raise HandsError(f'"continue" must be the record of one game, not of {len(games)}')
    return games[0]


def _read(line: str) -> dict[str, Any]:
    try:
        command = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except HandsError:
        raise
    except json.JSONDecodeError as error:
        raise HandsError(f"cannot be read as JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # a number of too many digits, or brackets without end
        raise HandsError(f"cannot be read as JSON: {error}") from error
    if not isinstance(command, dict):
        raise HandsError('must be a JSON object such as {"lift": "d6"}')
    return command


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise HandsError("an object has one of its keys twice")
    return found


def _no_number(text: str) -> None:
    raise HandsError(f"{text} is no number of JSON")
