"""The headless board: JSON lines in, JSON lines out, in virtual time; README.md is its manual.

Invariants: time passes only by `wait` and `slide`; the same input and seed give the same output, byte for
byte; a wrong line is answered with an error, and the next line is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TextIO, TypeAlias

from firmware_host.decoding import Must, decode, is_object, is_text
from firmware_host.errors import HandsError, MillwrightError
from firmware_host.games.game import Game
from firmware_host.games.record_reader import parse_records
from firmware_host.i18n import to_english
from firmware_host.play.controller import Controller
from firmware_host.settings import Microseconds
from firmware_host.views import snapshot
from firmware_host.views.instructions import advice, instruction
from sim import world as life
from sim.assembly import Blueprint
from sim.table import hands
from sim.world import SimulatedWorld

MAX_WAIT_S = 10_000_000.0
_SECOND = 1_000_000

_Wait: TypeAlias = Annotated[Microseconds, hands.seconds_up_to(MAX_WAIT_S)]
_Note: TypeAlias = Annotated[str, Must("a text", is_text)]
_Record: TypeAlias = Annotated[
    str | None, Must("the text of a record, or null", lambda value: value is None or is_text(value))
]
_Settings: TypeAlias = Annotated[Mapping[str, Any], Must("an object", is_object)]
_NO_SETTINGS: Mapping[str, Any] = {}


def run_headless(lines: Iterable[str], out: TextIO, blueprint: Blueprint, *, skip: bool = True) -> int:
    """Play `lines` on the board of `blueprint`, and return the exit status.

    It is 1 if a line was wrong, otherwise 0. Output is flushed after each line. With `skip`, frames in which
    nothing can change are left out.
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
    """A simulated board whose time passes only on request."""

    def __init__(self, blueprint: Blueprint, out: TextIO, *, skip: bool = True) -> None:
        """Begin at time 0 with the first frame; events are written to `out`."""
        self._out = out
        self._blueprint = blueprint
        self._skip = skip
        self._untouched = True
        """True until something is done after the board was switched on."""
        self.life = SimulatedWorld(blueprint, self.say, skip=skip)
        self.life.begin()

    def close(self) -> None:
        """Switch the light off, and store the rest of the game."""
        self.life.close()

    def obey(self, line: str) -> None:
        """Do what a line says, and let its time pass; raises MillwrightError if it is wrong.

        A blank line is skipped.
        """
        if not line.strip():
            return
        command = read_command(line)
        verb = hands.only_verb(command, _VERBS)
        if verb in life.VERBS:
            lasts = self.life.do(command)
            self._untouched = False
            self.life.let_pass(lasts)
        else:
            action = _OWN_VERBS[verb]
            action(self, **decode(action, command, verb, HandsError))

    def say(self, message: Mapping[str, Any]) -> None:
        """Write one line, with the current time."""
        self._out.write(json.dumps({"t": self.life.now / _SECOND, **message}) + "\n")

    # ---- the verbs -------------------------------------------------------------------------------------

    def _wait(self, *, wait: _Wait) -> None:
        self._untouched = False
        self.life.let_pass(wait)

    def _show(self, *, show: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002 - `show` is the verb
        self.life.must_have_power()
        play = self.life.play
        state = snapshot.take(play.controller, held=play.hands.held, leds=play.leds())
        why = {"why": _correction(play.controller)} if state.status == "mismatch" else {}
        self.say({"state": {**state.as_dict(), **why}})

    def _note(self, *, note: _Note) -> None:
        """Do nothing: a note is for people who read the script."""

    def _continue(self, *, continue_: _Record, set_: _Settings = _NO_SETTINGS) -> None:
        """Begin as if a game, whose pieces are on the board, and settings had been stored before."""
        if not self._untouched:
            raise HandsError("a game can be continued only before anything else is done")
        game = None if continue_ is None else _game(continue_)
        if game is not None and game.rules.layout is not self._blueprint.rules.layout:
            raise HandsError(f"{game.rules.name} is played on another board than this one")
        self._untouched = False
        self.life.close()
        self.life = SimulatedWorld(self._blueprint, self.say, game=game, settings=set_, skip=self._skip)
        self.life.begin()


_OWN_VERBS: Mapping[str, Callable[..., None]] = {
    "wait": HeadlessBoard._wait,
    "show": HeadlessBoard._show,
    "note": HeadlessBoard._note,
    "continue": HeadlessBoard._continue,
}
_VERBS = dict.fromkeys((*life.VERBS, *_OWN_VERBS))


def _correction(controller: Controller) -> str:
    """Return what the page says about a board that doesn't match its game."""
    messages = (instruction(controller), advice(controller))
    return " ".join(to_english(message) for message in messages if message is not None)


def _game(record: str) -> Game:
    games = [found.game for found in parse_records(record)]
    if len(games) != 1:
        raise HandsError(f'"continue" must be the record of one game, not of {len(games)}')
    return games[0]


def read_command(line: str) -> dict[str, Any]:
    """Return the object of a line; raise HandsError if it isn't one."""
    try:
        command = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except HandsError:
        raise
    except json.JSONDecodeError as error:
        raise HandsError(f"cannot be read as JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # a number with too many digits, or nesting too deep
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
    raise HandsError(f"{text} is not a JSON number")
