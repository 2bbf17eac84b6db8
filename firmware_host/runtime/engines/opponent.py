"""The opponent: passes the turns and hints that a board wants to an engine, and its answers back.

The engine is a port. `InlineEngine` computes in the loop itself, for boards in virtual time; the engine of a
real board is a process of its own (`supervised.py`).

Invariants: an answer reaches only the wish that it was computed for, and not before it is due; whatever an
engine answers, the game changes by legal turns alone. Time is an argument. The search is imported only where
a turn or a hint is computed in this process, which few boards do.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

from firmware_host.errors import RequestError
from firmware_host.games.game import Game
from firmware_host.games.rulesets import levels
from firmware_host.games.values import TurnResults, proved
from firmware_host.i18n import Message
from firmware_host.play.controller import Controller
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.events import ENGINE
from firmware_host.play.hint_light import HintKind, WantedHint
from firmware_host.settings import Microseconds

if TYPE_CHECKING:  # most boards open no tables
    from firmware_host.engine.tables import Tables

_LOG = logging.getLogger(__name__)

Wanted = WantedTurn | WantedHint
Answer = str | TurnResults
"""The text of a turn that is chosen, or the results of all turns for a hint."""

Perform = Callable[[dict[str, Any]], object]
"""A function that carries out a request; raises RequestError if it is not possible."""

WEAK_LEVEL = 3
"""The highest level that doesn't disturb the board's loop when it is computed in a thread beside it."""

_MAX_STOP_CHECKS = 400
"""The number of times that a search without a clock asks whether to stop: some 100,000 nodes."""
_RESERVE_STOP_CHECKS = 40
"""The same for the weak engine: on a slow Pi, a second at most."""


class Engine(Protocol):
    """A player that thinks about one wish at a time; no method waits for it."""

    @property
    def trouble(self) -> Message | None:
        """The reason why it plays worse than it should; None if it doesn't."""

    def warm_up(self) -> None:
        """Get ready, since a turn or a hint may be wanted soon; called in each frame while that is so."""

    def ask(self, wanted: Wanted) -> None:
        """Begin to think about `wanted`, and give up anything before it."""

    def give_up(self) -> None:
        """Stop thinking, if it does."""

    def prepare(self) -> None:
        """Do what is to be done between two frames; called in each, and returns at once."""

    def answer(self, now: Microseconds) -> Answer | None:
        """Return the turn that was chosen, or the results; None if it is still thinking."""

    def reject(self, text: str) -> None:
        """Take back the answer `text`, which is not a legal turn, and think again."""

    def close(self) -> None:
        """Release what it uses."""


class Opponent:
    """The engine's side of one board."""

    def __init__(self, controller: Controller, engine: Engine, perform: Perform) -> None:
        """Have `engine` think about what the `controller` wants; `perform` carries out its choices."""
        self._controller = controller
        self._engine = engine
        self._perform = perform
        self._asked: Wanted | None = None

    def serve(self, now: Microseconds) -> bool:
        """Ask for what is wanted now, or pass on what was answered; return True if that changes the board."""
        hints = self._controller.hints
        if hints.kind is not HintKind.OFF or self._controller.session.seats.need_engine:
            self._engine.warm_up()
        wanted = self._controller.engine_turns.wanted or hints.wanted
        if wanted is not self._asked:
            self._asked = wanted
            if wanted is None:
                self._engine.give_up()
            else:
                self._engine.ask(wanted)
        self._engine.prepare()
        answer = None if wanted is None or now < wanted.due else self._engine.answer(now)
        reported = self._report()
        if isinstance(wanted, WantedHint) and isinstance(answer, tuple):
            self._controller.refresh()
            return hints.show_results(wanted, answer, now) or reported
        return (isinstance(answer, str) and self._choose(answer)) or reported

    def _choose(self, text: str) -> bool:
        try:
            self._perform({"do": "choose", "turn": text})
        except RequestError as error:
            position = self._controller.session.game.position
            _LOG.warning("the engine's turn is refused: %s (position %s)", error, position)
            self._engine.reject(text)
            return False
        return True

    def _report(self) -> bool:
        """Report the trouble of the engine; return True if that is news."""
        trouble, before = self._engine.trouble, ENGINE in self._controller.faults
        if trouble is not None:
            self._controller.fault(ENGINE, trouble)
        elif ENGINE in self._controller.faults:
            self._controller.fault_cleared(ENGINE)
        return before != (trouble is not None)


class InlineEngine:
    """An engine that computes when its answer is due, in the thread that asks.

    The same seed gives the same turn in the same position; hints know the shipped tables and no others.
    """

    trouble: Message | None = None

    def __init__(self, seed: int, *, chooses: bool = True) -> None:
        """Choose by `seed`; unless it `chooses`, give hints only, and leave the turns to requests."""
        self._seed = seed
        self._chooses = chooses
        self._wanted: Wanted | None = None

    def warm_up(self) -> None:
        """Do nothing."""

    def ask(self, wanted: Wanted) -> None:
        """Remember what is wanted."""
        self._wanted = wanted

    def give_up(self) -> None:
        """Forget it."""
        self._wanted = None

    def prepare(self) -> None:
        """Do nothing."""

    def answer(self, _now: Microseconds) -> Answer | None:
        """Return the turn that is chosen now, or the results."""
        wanted = self._wanted
        if wanted is None:
            return None
        if isinstance(wanted, WantedTurn):
            if not self._chooses:
                return None
            return chosen_turn(wanted.game, wanted.level, self._seed, Countdown(_MAX_STOP_CHECKS))
        self._wanted = None
        return hint_results(wanted.game)

    def reject(self, text: str) -> None:
        """Raise ValueError: the same rules have chosen the turn and refused it."""
        raise ValueError(f"the engine has chosen {text}, which is not a legal turn")

    def close(self) -> None:
        """Do nothing."""


class AbsentEngine:
    """An engine that never answers, for boards whose turns somebody else chooses by request."""

    trouble: Message | None = None

    def warm_up(self) -> None:
        """Do nothing."""

    def ask(self, wanted: Wanted) -> None:
        """Do nothing."""

    def give_up(self) -> None:
        """Do nothing."""

    def prepare(self) -> None:
        """Do nothing."""

    def answer(self, _now: Microseconds) -> Answer | None:
        """Return nothing."""
        return None

    def reject(self, text: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class ReserveEngine:
    """A weak engine in a thread, which is interrupted for each of the board's frames.

    It doesn't use the library in C: the engine may have failed because of it, and here it would take the
    board along.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._thought: _Thought | None = None

    def begin(self, wanted: WantedTurn) -> None:
        """Think about `wanted`."""
        self.give_up()
        thought = self._thought = _Thought()
        late = Countdown(_RESERVE_STOP_CHECKS)

        def think() -> None:
            level = min(wanted.level, WEAK_LEVEL)
            thought.turn = chosen_turn(
                wanted.game, level, self._seed, lambda: thought.is_given_up or late(), native=False
            )

        threading.Thread(target=think, name="engine", daemon=True).start()

    def answer(self, _now: Microseconds) -> str | None:
        """Return the turn that was chosen; None while it is thinking."""
        return None if self._thought is None else self._thought.turn

    def give_up(self) -> None:
        """Stop thinking."""
        if self._thought is not None:
            self._thought.is_given_up = True
        self._thought = None


@dataclass
class _Thought:
    """The thinking about one wish: a thread that was given up writes its turn where nobody looks."""

    is_given_up: bool = False
    turn: str | None = None


class Countdown:
    """A reason to stop a search after it has been asked for a number of times."""

    def __init__(self, checks: int) -> None:
        self._left = checks

    def __call__(self) -> bool:
        """Return True once the checks are used up."""
        self._left -= 1
        return self._left < 0


def hint_results(game: Game) -> TurnResults:
    """Return the result of each turn, from the shipped tables and a short search."""
    from firmware_host.engine.analysis import quick_values

    found = quick_values(game.position, _shipped_tables())
    return tuple((one.turn, proved(one.value)) for one in found)


@cache
def _shipped_tables() -> Tables:
    from firmware_host.engine.solving.folder import shipped_tables

    return shipped_tables()


def chosen_turn(game: Game, level: int, seed: int, stop: Callable[[], bool], *, native: bool = True) -> str:
    """Return the turn of the player to move, at the highest level of the game up to `level`.

    Unless `native`, the library in C is not used.
    """
    from firmware_host.engine.choosing import choose

    lot = Random(position_seed(game, seed))  # noqa: S311 - a game, and to be repeated
    return choose(game, playable_level(game, level), rng=lot, stop=stop, native=native)


def playable_level(game: Game, level: int) -> int:
    """Return `level`, or the highest that the game has."""
    return min(level, levels(game.rules)[-1])


def position_seed(game: Game, seed: int) -> int:
    """Return the seed for one position, so that a game goes on alike after a power cut."""
    return crc32(f"{seed} {game.ply} {game.position}".encode()) & 0x7FFF_FFFF
